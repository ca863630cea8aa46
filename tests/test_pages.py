"""Pages and the server of one, without a browser: the data are right, and nothing else gets in."""

from __future__ import annotations

import http.client
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from played import read
from solver.command.cli import main
from solver.endgames.endgame import analyse
from solver.endgames.policy import tidied
from solver.formats.hanablive import deal_of_seed
from solver.formats.link import encode
from solver.formats.variants import find
from solver.game.card import USELESS
from solver.game.errors import InputError
from solver.game.line import Line
from solver.game.position import Kind, Position
from solver.game.result import Limits
from solver.game.rules import Rules
from solver.game.suit import Suit
from solver.pages.page import board, page_html
from solver.pages.puzzle_page import KINDS, puzzle_data, puzzle_page
from solver.pages.review_page import review_page
from solver.pages.serve import LARGEST, Server, _Handler
from solver.pages.trial import MOST_MOVES, deal_named, trial
from solver.puzzles.puzzle_graph import TooManyStatesError, puzzle_graph
from solver.puzzles.puzzle_rows import Item, items
from solver.questions.review import Span, review
from solver.reading.specs import deals
from solver.solving.choice import solve

Outputs = pytest.CaptureFixture[str]

ROOT = Path(__file__).parent.parent
OPEN = "rb:32221 r2,b3 b4r3/r4r1 ?r5b5r3 - 1/8 0/3 0 -"
KNOWN = "rb:32221 r2,b3 b4r3/r4r1 r5b5r3 - 1/8 0/3 0 -"
DOWNWARD = ((-1, -1, 1), (-1, 2, -1), (3, -1, -1), (-1, -1, -1))


def data_of(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


def puzzle(number: int) -> Item:
    found = list(items(str(ROOT / "puzzles" / "collection.jsonl")))[number]
    assert isinstance(found, Item)
    return found


# The graph of a puzzle


@pytest.mark.parametrize(("text", "model"), [(OPEN, "open"), (KNOWN, "known")])
def test_every_reachable_state_has_the_values_of_a_fresh_analysis(text: str, model: str) -> None:
    check_graph(Position.from_text(text), model)


@pytest.mark.parametrize("number", [0, 1, 5, 200, 300])
def test_puzzles_of_the_collection_too(number: int) -> None:
    item = puzzle(number)
    assert item.row is not None
    check_graph(item.position, item.row["info_model"], every=7)


def check_graph(position: Position, model: str, every: int = 1) -> None:
    """Compare nodes with `analyse`, and follow every outcome by the plain rules."""
    nodes = puzzle_graph(position, model)
    for number, (at, node) in enumerate(nodes.items()):
        assert node.position == at
        if at.end is not None:
            assert at.score == at.rules.max_score
            assert node.options == ()
            continue
        if number % every:
            continue
        verdict = analyse(at, model)
        assert [option.value for option in node.options] == [c.high for c in verdict.choices]
        assert sum(len(choice.actions) for choice in verdict.choices) == len(at.legal_actions())
        for option in node.options:
            total = Fraction(0)
            copies = sum(outcome.copies for outcome in option.outcomes)
            action = next(
                action
                for action in at.legal_actions()
                if action.kind is option.kind
                and (option.card is None or at.hands[at.seat][action.slot] == option.card)
            )
            for outcome in option.outcomes:
                drawn = outcome.drawn if not at.ordered else None
                assert tidied(at.after(action, drawn)) == outcome.position
                if outcome.position in nodes:
                    after = nodes[outcome.position]
                    worth = after.options[0].value if after.options else Fraction(1)
                    total += Fraction(outcome.copies, copies) * worth
                elif outcome.position.end is None:
                    assert analyse(outcome.position, model).high == 0
                else:
                    assert outcome.position.score < at.rules.max_score
            assert total == option.value


def test_hidden_hands_and_lost_games_have_no_page() -> None:
    with pytest.raises(InputError, match="hidden"):
        puzzle_graph(Position.from_text(OPEN), "hidden")
    with pytest.raises(InputError, match="cannot be reached"):
        puzzle_graph(Position.from_text("rb:11111 r3,b4 r4b5/r5 - - 0/8 0/3 0 1"))
    with pytest.raises(InputError, match="a clue can be illegal"):
        puzzle_graph(Position.from_text(f"{OPEN} untouchable=r1r4"))
    with pytest.raises(TooManyStatesError, match="more than 5 states"):
        puzzle_graph(Position.from_text(OPEN), most=5)


def test_puzzle_data_lead_from_state_to_state() -> None:
    item = puzzle(0)
    found = puzzle_data(item, "open")
    nodes = found["nodes"]
    graph = list(puzzle_graph(item.position).values())
    assert len(nodes) == len(graph)
    for node, true in zip(nodes, graph, strict=True):
        assert node["seat"] == true.position.seat
        for (kind, card, name, value, reached), option in zip(
            node["options"], true.options, strict=True
        ):
            assert (kind, name, value) == (KINDS[option.kind], option.name, str(option.value))
            assert (card == "kt") == (option.card == USELESS)
            assert (card == "") == (option.card is None)
            for (_, copies, after), outcome in zip(reached, option.outcomes, strict=True):
                assert copies == outcome.copies
                assert after == -1 or graph[after].position == outcome.position


# Pages as files


def test_pages_are_whole_and_let_nothing_in(tmp_path: Path, capsys: Outputs) -> None:
    game, out, page = tmp_path / "g.json", tmp_path / "r.html", tmp_path / "p.html"
    game.write_text(json.dumps(read("p3v0s13").to_json()), encoding="utf-8")
    assert main(["review", str(game), "--html", str(out)]) == 0
    collection = str(ROOT / "puzzles" / "collection.jsonl")
    assert main(["puzzle", "page", collection, "--number", "1", "-o", str(page)]) == 0
    assert "1 position, 46 states" in capsys.readouterr().out
    for path in (out, page):
        text = path.read_text(encoding="utf-8")
        assert "default-src 'none'" in text
        assert "@@" not in text
        assert not re.search(r"(src|href)=[\"'](?!data:)", text)
        assert text.count("<script") == 2
        data_of(text)


def test_positions_of_a_page_are_numbered() -> None:
    stored = [puzzle_data(puzzle(number), "open") for number in (0, 1)]
    loose = puzzle_data(Item("file:3", Position.from_text(OPEN)), "open")
    page = puzzle_page([*stored, loose])
    found = data_of(page)
    assert [row["name"] for row in found] == ["Puzzle 1 of 3", "Puzzle 2 of 3", "Endgame 3 of 3"]
    ids = [str((puzzle(number).row or {})["puzzle_id"]) for number in (0, 1)]
    assert [row["id"] for row in found] == [*(f"puzzle_id {i}" for i in ids), "file:3"]
    assert [row["name"] for row in data_of(puzzle_page(stored[:1]))] == ["Puzzle"]
    assert 'byId("id")' in page
    assert 'id="id"' in page


def test_buttons_and_links_say_what_they_do() -> None:
    served = page_html("", "serve.html", [], {})
    label = re.search(r'<label for="spec">(.*?)</label>', served)
    button = re.search(r'<button type="submit">(.*?)</button>', served)
    assert label
    assert button
    assert label[1] != button[1]
    assert "on hanab.live" in review_page([review(read("p3v0s13"))])


def test_data_cannot_leave_their_place() -> None:
    evil = "</script><script>alert(1)</script>@@script@@<!--"
    page = page_html(evil, "puzzle.html", ["board.js"], {"name": evil})
    assert page.count("<script") == 2
    assert data_of(page) == {"name": evil}
    assert "<title>&lt;/script&gt;" in page


def test_a_review_page_holds_the_review() -> None:
    found = review(read("p2v0s18"))
    (game,) = data_of(review_page([found]))["games"]
    assert len(game["boards"]) == len(game["turns"]) == len(found.turns)
    assert game["lost"] == "25"
    for row, turn in zip(game["turns"], found.turns, strict=True):
        assert (row["loss"], row["action"]) == (str(turn.loss), turn.action)
        if row["slot"] is not None:
            shown = game["boards"][row["turn"] - 1]
            card = shown["hands"][shown["seat"]][row["slot"]]
            assert turn.action.endswith(card)


def test_a_page_of_a_file_and_of_its_link_are_the_same(tmp_path: Path, capsys: Outputs) -> None:
    game = read("p3v0s13")
    path, link = tmp_path / "g.json", tmp_path / "g.txt"
    path.write_text(json.dumps(game.to_json()), encoding="utf-8")
    assert main(["convert", str(path), "--to", "link", "-o", str(link)]) == 0
    pages = []
    for source in (path, link):
        out = tmp_path / "out.html"
        assert main(["review", str(source), "--html", str(out)]) == 0
        (found,) = data_of(out.read_text(encoding="utf-8"))["games"]
        pages.append({key: found[key] for key in ("turns", "boards", "score", "optimum", "lost")})
    capsys.readouterr()
    assert pages[0] == pages[1]


def test_a_board_of_a_suit_built_otherwise() -> None:
    suits = (Suit("r", (1, 1, 1)), Suit("k", (1, 1, 1), DOWNWARD))
    position = Position(Rules(2, 2, suits), (3, 1), ((), ()), (), (), 3, 0, 0, 1)
    assert board(position)["stacks"] == [["r3", ""], ["k3", "k2"]]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["puzzle", "page", "nowhere.jsonl", "-o", "x.html"], "cannot be read"),
        (["puzzle", "page", "a", "b", "--number", "1", "-o", "x.html"], "exactly one file"),
        (["puzzle", "page", "lost.txt", "-o", "x.html"], "lost.txt: full marks cannot be reached"),
        (["puzzle", "page", "lost.txt", "-o", "nowhere/x.html"], "nowhere/x.html"),
        (["serve", "README.md"], "this is no seed"),
        (["serve", "python:p2c1s0-9"], "several deals"),
        (["serve", "random:0-9", "--players", "3"], "several deals"),
        (["serve", "random:0"], "--players"),
        (["serve", "p3v0s1", "--players", "4"], "--players is 4, and this is for 3"),
        (["serve", "p3v0s1", "--players", "9"], "--players is 9"),
        (["serve", "--port", "99999"], "99999"),
    ],
)
def test_faults_are_one_line(
    arguments: list[str], words: str, tmp_path: Path, capsys: Outputs,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("lost.txt").write_text("rb:11111 r3,b4 r4b5/r5 - - 0/8 0/3 0 1\n", encoding="utf-8")
    assert main(arguments) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1
    assert not Path("x.html").exists()


# Trials and their server


def test_a_trial_says_whether_the_win_is_there() -> None:
    deal = deal_of_seed("p3v0s1")
    line = solve(deal).line
    moves: list[list[object]] = []
    for action in line.actions:
        found = trial("p3v0s1", moves, Limits())
        assert (found["optimum"], found["bound"], found["gone"]) == (25, 25, None)
        moves.append([KINDS[action.kind], action.slot])
    assert trial("p3v0s1", moves, Limits())["end"] == "all stacks complete"


def test_a_trial_says_when_the_win_went() -> None:
    moves: list[list[object]] = [["play", 2], ["clue", 0], ["clue", 0], ["play", 3]]
    found = trial("p3v0s1", moves, Limits())
    positions = list(Line.of(deal_of_seed("p3v0s1"), tuple(read_actions(moves))).positions())
    optima = [solve(position).score for position in positions]
    assert found["optimum"] == found["bound"] == optima[-1]
    assert [best == 25 for best in optima] == [True, True, True, True, False]
    assert found["gone"] == 4
    assert found["log"][3] == ["seat 0: misplay r5", True]
    assert [lost for _, lost in found["log"]] == [False, False, False, True]


def read_actions(moves: list[list[object]]) -> list[Any]:
    from solver.pages.trial import _actions

    return _actions(moves)


@pytest.mark.parametrize(
    ("spec", "moves", "words"),
    [
        ("p3v0s1", [["play", 9]], "turn 1: .*no such card"),
        ("p3v0s1", [["discard", 0]], "turn 1: .*not allowed"),
        ("p3v0s1", [["fly", 0]], "move 1"),
        ("p3v0s1", [["play", True]], "move 1"),
        ("p3v0s1", [["play"]], "move 1"),
        ("p3v0s1", [["clue", 0]] * (MOST_MOVES + 1), "at most"),
        ("p3v0s1", None, "moves"),
        (None, [], "spec"),
        ("x" * 2000, [], "spec"),
        ("/etc/passwd", [], "no seed"),
        ("-", [], "no seed"),
        ("random:0", [], "random:0: .*--players"),
        ("python:p2c1s0-99999999999", [], "several deals"),
        ("quux:7#99999999999", [], "games 0 to 99999"),
        ("quux:7#0-99999", [], "games 0 to 99999"),
    ],
)
def test_what_is_wrong_with_a_trial_is_said(spec: object, moves: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        trial(spec, moves, Limits())


def test_clues_of_two_types_are_told_apart() -> None:
    link = encode(replace(read("p3v0s1-073"), moves=(), ending=None))
    alternating = link.rpartition(",")[0] + f",{find('Alternating Clues & White (5 Suits)').number}"
    found = trial(alternating, [["clue", 3]], Limits(nodes=1000))
    assert [move for move in found["legal"] if move[0] == "clue"] == [["clue", 2]]


def test_deals_that_a_page_may_name() -> None:
    assert deal_named("python:p2c1s129").name == "p2c1s129"
    link = "https://hanab.live/shared-replay-json/" + encode(read("p4v0s8")).split("/")[-1]
    with pytest.raises(InputError):
        deal_named("https://hanab.live/replay-json/1,2,3")
    assert deal_named(link).rules.players == 4


SPECS = ("random:7", "hle:7", "sad:7", "quux:7#3", "r1r2r3r4r5" * 5 + "y1y2y3y4y5" * 5)


@pytest.mark.parametrize("spec", SPECS)
def test_a_page_may_name_whatever_names_one_deal(spec: str) -> None:
    (deal,) = deals(spec, 3)
    assert deal_named(spec, 3) == deal
    assert deal_named("p2v0s1", 3, strict=False) == deal_of_seed("p2v0s1")
    with pytest.raises(InputError):
        deal_named("p2v0s1", 3)


def test_serve_takes_the_options_of_other_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def stop(server: Server, poll_interval: float) -> None:
        handler: Any = SimpleNamespace(server=server)
        asked.append(_Handler._answer(handler, b'{"spec": "random:7", "moves": []}'))
        asked.append(server.page)

    monkeypatch.setattr(Server, "serve_forever", stop)
    options = ["--players", "3", "--variant", "6 Suits", "--strikes", "1", "--port", "0"]
    assert main(["serve", "random:7", *options]) == 0
    answer, page = asked
    assert answer["board"]["mostStrikes"] == 1
    assert answer["full"] == 30
    assert len(answer["board"]["hands"]) == 3
    assert data_of(page.decode()) == {"spec": "random:7"}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server(0, "p3v0s1") as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield made
        made.shutdown()
        thread.join(5)


def request(
    server: Server, method: str, path: str, body: bytes = b"", **headers: str
) -> tuple[int, bytes, http.client.HTTPMessage]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.putrequest(method, path, skip_host="Host" in given)
    if method == "POST" and "Content-Length" not in given:
        given["Content-Length"] = str(len(body))
    for name, value in given.items():
        connection.putheader(name, value)
    connection.endheaders(body if method == "POST" else None)
    response = connection.getresponse()
    try:
        return response.status, response.read(), response.headers
    finally:
        connection.close()


QUESTION = json.dumps({"spec": "p3v0s1", "moves": [["play", 2]]}).encode()


def test_the_server_answers(server: Server) -> None:
    status, page, headers = request(server, "GET", "/")
    assert status == 200
    assert b"connect-src 'self'" in page
    assert headers["Cache-Control"] == "no-store"
    status, body, _ = request(server, "POST", "/api/position", QUESTION,
                              Content_Type="application/json")  # fmt: skip
    found = json.loads(body)
    assert status == 200
    assert (found["optimum"], found["board"]["stacks"][3]) == (25, ["b1", "b2"])
    assert server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Length": str(LARGEST + 1)}, 413),
        ({"Content_Length": "-1"}, 411),
    ],
)
def test_the_server_refuses(server: Server, headers: dict[str, str], status: int) -> None:
    given = {"Content_Type": "application/json", **headers}
    found, body, _ = request(server, "POST", "/api/position", QUESTION, **given)
    assert found == status
    assert json.loads(body)["error"]
    if "Host" in headers:
        assert request(server, "GET", "/", b"", **headers)[0] == status


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{", b"\xff", b'{"spec":"p3v0s1"}', b'{"spec":"p3v0s1","moves":[["play",77]]}',
     b'{"spec":"p3v0s1","spec":"p3v0s2","moves":[]}', b"[" * 9000],
)  # fmt: skip
def test_bad_questions_get_one_line(server: Server, body: bytes) -> None:
    status, answer, _ = request(server, "POST", "/api/position", body,
                                Content_Type="application/json")  # fmt: skip
    assert status == 400
    assert "\n" not in json.loads(answer)["error"]


def test_other_paths_and_methods_are_none(server: Server) -> None:
    assert request(server, "GET", "/../pyproject.toml")[0] == 404
    assert request(server, "POST", "/", QUESTION, Content_Type="application/json")[0] == 404
    assert request(server, "PUT", "/")[0] == 501


def test_a_limit_leaves_the_win_open_rather_than_gone() -> None:
    found = trial("p2v0s1", [], Limits(nodes=1))
    assert found["bound"] == 25 > found["optimum"]
    assert found["gone"] is None
    assert Kind.PLAY in {action.kind for action in Position.start(deal_of_seed("p2v0s1"))
                         .legal_actions()}  # fmt: skip


def test_when_the_win_went_is_not_told_where_a_limit_left_it_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for spans, gone in (
        ([Span(25, 25), Span(24, 24)], 1),
        ([Span(20, 25), Span(24, 24)], None),
        ([Span(24, 24), Span(24, 24)], 0),
    ):
        monkeypatch.setattr("solver.pages.trial.values_along", lambda *_, s=spans: (s, 1))
        assert trial("p3v0s1", [["play", 2]], Limits())["gone"] == gone


def test_a_taken_port_is_told(server: Server, capsys: Outputs) -> None:
    assert main(["serve", "--port", str(server.server_port)]) == 2
    err = capsys.readouterr().err
    assert "cannot listen there" in err
    assert err.count("\n") == 1
