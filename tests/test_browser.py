"""The pages in a real browser, opened from the disk, without a network: clicks, keys, no errors."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import browser, complaints, open_file
from played import read
from solver.command.cli import main
from solver.formats.hanablive import deal_of_seed
from solver.game.position import Kind
from solver.pages.serve import Server
from solver.solving.choice import solve

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
KINDS = {Kind.PLAY: "play", Kind.DISCARD: "discard", Kind.CLUE: "clue"}


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    with browser() as made:
        yield made


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the pages, and move them to another folder."""
    made, other = tmp_path_factory.mktemp("made"), tmp_path_factory.mktemp("elsewhere")
    games = made / "games.jsonl"
    rows = [json.dumps(read(name).to_json()) for name in ("p3v0s13", "p2v0s18")]
    games.write_text("\n".join(rows) + "\n", encoding="utf-8")
    collection = str(ROOT / "puzzles" / "collection.jsonl")
    assert main(["review", str(games), "--html", str(made / "review.html")]) == 0
    assert main(["puzzle", "page", collection, "--number", "1", "-o", str(made / "one.html")]) == 0
    known = made / "known.jsonl"
    lines = Path(collection).read_text(encoding="utf-8").splitlines()
    known.write_text("\n".join([lines[0], next(x for x in lines if '"known"' in x)]) + "\n",
                     encoding="utf-8")  # fmt: skip
    assert main(["puzzle", "page", str(known), "-o", str(made / "two.html")]) == 0
    for page in made.glob("*.html"):
        shutil.move(page, other / page.name)
    return other


def text(driver: Any, selector: str) -> str:
    return str(driver.find_element("css selector", selector).text)


def click(driver: Any, selector: str) -> None:
    driver.find_element("css selector", selector).click()


def choose(driver: Any, selector: str, value: str) -> None:
    """Choose in a list as a person does, events and all."""
    driver.execute_script(
        "const list = document.querySelector(arguments[0]); list.value = arguments[1];"
        "list.dispatchEvent(new Event('change'))", selector, value,
    )  # fmt: skip


def press(driver: Any, *keys: str) -> None:
    """Press keys where the focus is."""
    for key in keys:
        driver.switch_to.active_element.send_keys(key)


def data(driver: Any) -> Any:
    return json.loads(driver.execute_script("return document.getElementById('data').textContent"))


# Review


def test_the_review_page_steps_through_games(driver: Any, pages: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    open_file(driver, pages / "review.html")
    game = data(driver)["games"][0]
    assert "Turn 29: Bob: discard r4" in text(driver, "#says")
    assert "25 \u2192 24: hindsight loss 1 (lost critical card)" in text(driver, "#says")
    assert "Best: clue." in text(driver, "#says")
    link = driver.find_element("css selector", "#says a").get_attribute("href")
    assert link.startswith("https://hanab.live/replay-json/")
    assert link.endswith("#29")
    assert text(driver, ".card.lost") == "r4"
    click(driver, "#next")
    assert "Turn 30" in text(driver, "#says")
    press(driver, "n")
    assert "Turn 55" in text(driver, "#says")
    press(driver, Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    assert "Turn 2:" in text(driver, "#says")
    for turn, row in enumerate(game["turns"], 1):
        driver.execute_script(
            "const s = document.getElementById('slider'); s.value = arguments[0];"
            "s.dispatchEvent(new Event('input'))", turn,
        )  # fmt: skip
        said = text(driver, "#says")
        assert f"Turn {turn}: " in said
        assert row["action"] in said
        assert ("nothing lost" in said) == (row["loss"] == "0")
        stacks = [card for card, _ in game["boards"][turn - 1]["stacks"]]
        shown = driver.find_elements("css selector", "#board .row:nth-of-type(1) .card")
        assert [card.text for card in shown] == stacks
    press(driver, Keys.END)
    assert "The end: score 23." in text(driver, "#says")
    click(driver, ".chart svg")
    assert "Turn" in text(driver, "#says")
    choose(driver, "#games", "1")
    assert "end: terminated" in data(driver)["games"][1]["turns"][-1]["action"]
    press(driver, Keys.END)
    assert "hindsight loss 22 (ended early)" in text(driver, "#says")
    assert complaints(driver) == []


# Puzzles


def options_of(driver: Any) -> list[list[Any]]:
    """Give the options of the state that the page is in."""
    found: list[list[Any]] = driver.execute_script("return nodeOf(now()).options")
    return found


def take(driver: Any, option: list[Any]) -> None:
    """Take an option by clicks."""
    kind, card, *_ = option
    if kind != "clue":
        place = driver.execute_script(
            "const at = now(); return at.hands[nodeOf(at).seat].findIndex("
            "(text) => called(at, text) === arguments[0])", card,
        )  # fmt: skip
        click(driver, f'#board [data-slot="{place}"]')
    click(driver, f'#actions [data-kind="{kind}"]')


@pytest.mark.parametrize(("name", "index"), [("one.html", 0), ("two.html", 1)])
def test_a_puzzle_is_played_to_its_end(driver: Any, pages: Path, name: str, index: int) -> None:
    open_file(driver, pages / name)
    if index:
        choose(driver, "#puzzles", str(index))
    choose(driver, "#draws", "kind")
    for turn in range(1, 60):
        best = options_of(driver)[0]
        take(driver, best)
        said = text(driver, "#says")
        assert said.startswith("Right: ")
        assert best[3] in said
        assert len(driver.find_elements("css selector", "#log li")) == turn
        if "Won: full marks." in said:
            break
    else:
        pytest.fail("the puzzle did not end")
    facts = text(driver, ".facts")
    full = data(driver)[index]["board"]["full"]
    assert f"score {full} of {full}" in facts
    assert not driver.find_elements("css selector", "#board button")
    click(driver, "#undo")
    assert "Won" not in text(driver, "#says")
    click(driver, "#restart")
    assert driver.find_elements("css selector", "#log li") == []
    assert complaints(driver) == []


def test_a_wrong_answer_is_told_with_all_chances(driver: Any, pages: Path) -> None:
    open_file(driver, pages / "one.html")
    assert driver.find_elements("css selector", "#chances td") == []
    choose(driver, "#draws", "hard")
    options = options_of(driver)
    wrong = next(option for option in options if option[3] != options[0][3])
    take(driver, wrong)
    assert text(driver, "#says").startswith("Wrong: ")
    cells = [cell.text for cell in driver.find_elements("css selector", "#chances td")]
    assert cells[::2] == [option[2] for option in options]
    assert [cell.split()[0] for cell in cells[1::2]] == [option[3] for option in options]
    assert "Lost" in text(driver, "#says")
    assert complaints(driver) == []


def test_every_state_of_the_page_is_what_the_page_shows(driver: Any, pages: Path) -> None:
    """Random walks by the page's own code: cards never get lost, and hands fit the state."""
    open_file(driver, pages / "one.html")
    script = """
        const wrong = [];
        for (let walk = 0; walk < 200; walk += 1) {
          back(history.length);
          const all = (at) => [...at.hands.flat(), ...at.pile, ...at.discards].length
            + nodeOf(at).board.score;
          const cards = all(now());
          while (!now().over) {
            const at = now();
            const options = nodeOf(at).options;
            const [kind, card] = options[Math.floor(Math.random() * options.length)];
            const slot = card
              ? at.hands[nodeOf(at).seat].findIndex((text) => called(at, text) === card) : null;
            if (slot === -1) { wrong.push([kind, card]); break; }
            act(kind, slot);
            if (now() === at) { wrong.push(["stuck", kind, card]); break; }
            if (now().over === "lost") break;
            if (all(now()) !== cards) wrong.push(["cards", all(now()), cards]);
            const there = [...now().hands.flat(), ...now().pile];
            for (const text of nodeOf(now()).useful) {
              if (!there.includes(text)) wrong.push(["useful", text]);
            }
          }
        }
        return wrong;
    """
    assert driver.execute_script(script) == []
    assert complaints(driver) == []


def test_puzzles_by_keys_alone(driver: Any, pages: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    open_file(driver, pages / "one.html")
    press(driver, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    chosen = driver.find_element("css selector", '#board [aria-pressed="true"]')
    assert chosen.get_attribute("data-slot") == "1"
    assert driver.switch_to.active_element == chosen
    press(driver, "d")
    assert "discard useless" in text(driver, "#log li")
    assert driver.switch_to.active_element.get_attribute("id") == "board"
    press(driver, "u")
    assert driver.find_elements("css selector", "#log li") == []
    press(driver, Keys.ARROW_LEFT)
    chosen = driver.find_element("css selector", '#board [aria-pressed="true"]')
    assert chosen.get_attribute("data-slot") == "4"
    press(driver, "c")
    assert "clue" in text(driver, "#log li")
    assert text(driver, "#says").startswith("Right")
    assert complaints(driver) == []


# Width, schemes, labels


@pytest.mark.parametrize("dark", [False, True])
def test_pages_fit_a_phone_and_have_labels(pages: Path, dark: bool) -> None:
    with browser(360, 740, dark) as phone:
        for name in ("review.html", "one.html"):
            open_file(phone, pages / name)
            wide = phone.execute_script("return document.documentElement.scrollWidth")
            assert wide <= 360, name
            ground = phone.execute_script("return getComputedStyle(document.body).backgroundColor")
            assert (ground == "rgb(22, 25, 29)") == dark
            nameless = phone.execute_script("""
                return [...document.querySelectorAll("button, input, select, a, svg, .card")]
                  .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim()
                    || (e.labels && e.labels.length))).map((e) => e.outerHTML);
            """)
            assert nameless == []
            low = phone.execute_script("""
                return [...document.querySelectorAll("button:not(.card), select")]
                  .filter((e) => e.offsetParent && e.offsetHeight < 40).map((e) => e.outerHTML);
            """)
            assert low == []
            assert complaints(phone) == []


@pytest.mark.parametrize("width", [1440, 1000, 900, 360])
def test_the_chart_stands_beside_the_board_where_there_is_room(pages: Path, width: int) -> None:
    with browser(width, 900) as window:
        open_file(window, pages / "review.html")
        for game in ("0", "1"):
            choose(window, "#games", game)
            boxes = "[...document.querySelectorAll('#board, .chart:not([hidden])')]"
            board, chart = window.execute_script(
                f"return {boxes}.map((e) => e.getBoundingClientRect().toJSON())"
            )
            if width < 960:
                assert chart["top"] >= board["bottom"]
                assert chart["left"] == board["left"]
            else:
                assert chart["left"] >= board["right"]
                assert chart["top"] < board["bottom"]
                assert board["top"] < chart["bottom"]
                assert board["width"] >= 22 * 16
            assert board["left"] >= 0
            assert chart["right"] <= width
            assert chart["width"] > width / 2
        assert window.execute_script("return document.documentElement.scrollWidth") <= width


# The server's page


def test_a_whole_deal_is_won_on_the_served_page(driver: Any) -> None:
    from selenium.webdriver.support.wait import WebDriverWait

    with Server(0, "p3v0s1") as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        driver.get(server.url)
        wait = WebDriverWait(driver, 20, poll_frequency=0.02)

        def turn(number: int) -> None:
            wait.until(lambda d: f"turn {number}" in text(d, "#says"))

        turn(1)
        assert "The win is still there: 25 of 25" in text(driver, "#says")
        # Lose it, take that back, and win.
        click(driver, '#board [data-slot="4"]')
        click(driver, '#actions [data-kind="play"]')
        turn(2)
        assert "The win is gone: 24 of 25 can be reached. It went with turn 1." in text(
            driver, "#says"
        )
        assert "the win went" in text(driver, "#log li")
        press(driver, "u")
        turn(1)
        click(driver, "#hint")
        assert "A best action: " in text(driver, "#says")
        line = solve(deal_of_seed("p3v0s1")).line
        for number, action in enumerate(line.actions, 2):
            if action.kind is not Kind.CLUE:
                click(driver, f'#board [data-slot="{action.slot}"]')
            click(driver, f'#actions [data-kind="{KINDS[action.kind]}"]')
            turn(number)
        assert "The end: all stacks complete, score 25 of 25." in text(driver, "#says")
        field = driver.find_element("css selector", "#spec")
        field.clear()
        field.send_keys("python:p2c1s129\n")
        wait.until(lambda d: "p2c1s129: turn 1" in text(d, "#says"))
        assert "24 of 25 can be reached. It never was in this deal." in text(driver, "#says")
        field.clear()
        field.send_keys("/etc/passwd\n")
        wait.until(lambda d: "Not possible: " in text(d, "#says"))
        said = [line for line in driver.get_log("browser")]
        assert all("400" in entry["message"] for entry in said)
        assert len(said) == 1
        server.shutdown()
        thread.join(5)
