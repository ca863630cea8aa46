"""Pictures: well-formed, scalable, with letters on every card, and true to what they show."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

import pytest

from played import read
from solver.command.cli import main
from solver.formats.hanablive import deal_of_seed
from solver.game.card import Card
from solver.game.line import Line
from solver.game.position import Position
from solver.game.result import Limits
from solver.game.rules import Rules
from solver.game.suit import Suit
from solver.pictures.svg import PALETTE, PLAIN, page_file
from solver.pictures.svg_chart import LEFT, STEP, chart_svg
from solver.questions.review import review
from solver.solving.choice import solve

Outputs = pytest.CaptureFixture[str]

SPACE = "{http://www.w3.org/2000/svg}"
DOWNWARD = ((-1, -1, 1), (-1, 2, -1), (3, -1, -1), (-1, -1, -1))


def parsed(text: str) -> ElementTree.Element:
    """Read a picture and check what holds for every one."""
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SPACE}svg"
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    assert "width" not in root.attrib
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == root.findtext(f"{SPACE}title")
    assert "prefers-color-scheme:dark" in text
    for element in root.iter():
        for x in ("x", "x1", "x2"):
            assert 0 <= float(element.attrib.get(x, 0)) <= width
        for y in ("y", "y1", "y2"):
            assert 0 <= float(element.attrib.get(y, 0)) <= height
    return root


def words(root: ElementTree.Element) -> Counter[str]:
    return Counter(element.text or "" for element in root.iter(f"{SPACE}text"))


def test_a_position_shows_every_card_and_number() -> None:
    position = read("p2v0s1-053").position(40)
    shown = words(parsed(position._repr_svg_()))
    cards: Counter[Card] = Counter((*position.pile, *position.discards))
    for hand in position.hands:
        cards.update(hand)
    letters = position.letters
    for suit, height in enumerate(position.stacks):
        cards[Card(suit, height)] += 1
    for card, count in cards.items():
        assert shown[f"{letters[card.suit]}{card.rank}"] == count
    for text in ("score 12 of 25", "clues 4 of 8", "strikes 2 of 3", "\u25b6 seat 0", "pile 15"):
        assert shown[text] == 1


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("rb:32221 r2,b3 xxr3/ktr1 ?r5b5r3b1 - 1/8 0/3 0 -", ["?", "\u00b7", "unseen 3"]),
        ("rb:11111 r0,b5 r4/- - - 0/8 0/3 0 1", ["r", "b5", "full", "no cards"]),
        ("w:11111 w1 w2/w3 w4w5 - 15/16 0/3 0 - price=2", ["clues 7.5 of 8"]),
    ],
)
def test_positions_of_other_kinds(text: str, seen: list[str]) -> None:
    shown = words(parsed(Position.from_text(text)._repr_svg_()))
    for word in seen:
        assert shown[word] >= 1, shown


def test_a_suit_that_is_built_otherwise_shows_its_top_card_and_what_goes_on_it() -> None:
    suits = (Suit("r", (1, 1, 1)), Suit("k", (1, 1, 1), DOWNWARD))
    position = Position(Rules(2, 2, suits), (1, 1), ((Card(0, 2),), (Card(1, 1),)), (), (), 3, 0,
                        0, 1)  # fmt: skip
    shown = words(parsed(position._repr_svg_()))
    assert shown["k3"] == 1  # on the stack
    assert shown["k1"] == 1  # in a hand
    assert shown["+2"] == 1


def test_a_line_has_a_cell_for_every_turn() -> None:
    result = solve(deal_of_seed("p3v0s1"))
    text = result.line._repr_svg_()
    shown = words(parsed(text))
    positions = list(result.line.positions())
    clues = sum(action.kind == 2 for action in result.line.actions)
    assert shown["clue"] == clues > 0
    assert shown["draws"] == len(result.line.actions) - clues
    cards: Counter[str] = Counter()
    for before, action in zip(positions, result.line.actions, strict=False):
        if action.kind != 2:
            acted = before.hands[before.seat][action.slot]
            cards.update(f"{before.letters[c.suit]}{c.rank}" for c in (acted, before.pile[0]))
    assert {word: shown[word] for word in cards} == cards
    assert f"{len(positions) - 1} turns, 25 of 25 points" in shown


def test_a_misplayed_card_is_crossed_out() -> None:
    line = Line.of(deal_of_seed("p3v0s1"), ())
    slot = next(s for s, card in enumerate(line.start.hands[0]) if card.rank > 1)
    text = Line(line.start, (line.start.legal_actions()[slot],))._repr_svg_()
    root = parsed(text)
    crosses = [e for e in root.iter(f"{SPACE}line") if "hs-loss" in e.attrib["class"]]
    assert len(crosses) == 2 + 2  # the legend has one too


def test_a_chart_falls_where_the_review_says() -> None:
    found = review(read("p2v0s1-053"))
    root = parsed(found._repr_svg_())
    bars = [e for e in root.iter(f"{SPACE}line") if "hs-loss" in e.attrib["class"]][1:]
    losing = [turn for turn in found.turns if turn.loss.low]
    assert [(float(e.attrib["x1"]) - LEFT) / STEP for e in bars] == [t.number for t in losing]
    unit = 190 / 25
    falls = [float(e.attrib["y2"]) - float(e.attrib["y1"]) for e in bars]
    assert falls == pytest.approx([t.loss.low * unit for t in losing], abs=0.2)
    played = next(e for e in root.iter(f"{SPACE}path") if e.attrib["class"] == "hs-aside")
    heights = [float(y) for y in re.findall(r"(?:M\S+ |V)([0-9.]+)", played.attrib["d"])]
    points = [round((230 - y) / unit) for y in heights]
    assert points == [position.points for position in found.positions]
    for turn in losing:
        assert words(root)[f"{turn.number}: \u2212{turn.loss} {turn.action}"] == 1


def test_what_a_limit_left_open_is_a_band() -> None:
    found = review(read("p4v0s9-112"), Limits(nodes=20), chance_cards=0)
    assert not found.proven
    text = chart_svg(found)
    parsed(text)
    assert "hs-band" in text.partition("</style>")[2]


def test_names_from_outside_are_escaped() -> None:
    found = review(read("p2v0s17"), name="x")
    root = parsed(chart_svg(found, '<script>alert(1)</script> & "q"'))
    assert root.findtext(f"{SPACE}title") == '<script>alert(1)</script> & "q"'


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_what_is_written_can_be_read() -> None:
    """The contrast is that of the WCAG's level AA for text, 4.5 to 1, in both schemes."""
    for ground, ink in (*PALETTE.values(), PLAIN):
        assert contrast(ground, ink) >= 4.5
    light, dark = page_file("picture.css").split("@media")
    for scheme in (light, dark):
        paint = dict(re.findall(r"\.hs-([\w-]+)\{(?:fill|stroke):(#\w{6})\}", scheme))
        for style in ("ink", "faint", "bad"):
            assert contrast(paint["panel"], paint[style]) >= 4.5


def test_the_command_draws(tmp_path: Path, capsys: Outputs) -> None:
    for name, arguments in (
        ("line", ["solve", "p3v0s1"]),
        ("position", ["endgame", "rb:32221 r2,b3 b4r3/r4r1 ?r5b5r3 - 1/8 0/3 0 -"]),
    ):
        path = tmp_path / f"{name}.svg"
        assert main([*arguments, "--svg", str(path)]) == 0
        parsed(path.read_text(encoding="utf-8"))
    assert main(["solve", "p3v0s1", "p3v0s2", "--svg", str(tmp_path / "x.svg")]) == 2
    assert main(["endgame", "--svg", "nowhere/x.svg", "rb:11111 r0,b5 r4/- - - 0/8 0/3 0 1"]) == 2
    capsys.readouterr()
    assert not (tmp_path / "x.svg").exists()
