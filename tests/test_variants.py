"""All 2,426 variants against the site's list, and what their clues touch."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.formats.variants import COLOUR, RANK, Variant, find, names, plain
from solver.game.card import Card
from solver.game.errors import InputError
from solver.game.rules import Rules
from solver.game.suit import Suit

with (Path(__file__).parent / "data" / "variants.csv").open() as file:
    LIST = list(csv.DictReader(file))
RANKS = range(1, 6)


def test_every_variant_is_as_in_the_list() -> None:
    assert len(names()) == len(LIST) == 2426
    for row in LIST:
        variant = find(row["id"])
        found = {
            "id": variant.number,
            "suits": len(variant.suits),
            "dark": sum(suit.dark for suit in variant.suits),
            "rev": sum(suit.reversed for suit in variant.suits),
            "inv": sum(suit.inverted for suit in variant.suits),
            "null": sum(suit.by_colour == suit.by_rank == "none" for suit in variant.suits),
            "alt": int(variant.alternating),
        }
        assert found == {key: int(row[key]) for key in found}, variant.name
        assert find(variant.name) == find(variant.number) == variant
        clued = "".join(map(str, variant.clue_ranks)) or "none"
        if "Sudoku" not in variant.name:
            assert clued == (row["clueRanks"] or "12345"), variant.name
        assert variant.rules(3).deck_size == int(row["deck"]), variant.name


def test_how_suits_are_built() -> None:
    assert find("Reversed (5 Suits)").rules(3).suits[4] == Suit.ordered(
        "p", (1, 2, 2, 2, 3), (5, 4, 3, 2, 1)
    )
    both = find("Up or Down & Black (6 Suits)").rules(3)
    assert both.suits[0] == Suit.up_or_down("r", (1, 2, 2, 2, 1, 1))
    assert both.suits[5] == Suit.up_or_down("t", (1,) * 6)
    assert not both.different_starts
    sudoku = find("Sudoku (4 Suits)").rules(3)
    assert sudoku.suits[0] == Suit.cyclic("r", (2, 2, 2, 2))
    assert find("Sudoku & Black (5 Suits)").rules(3).suits[4] == Suit.cyclic("p", (1,) * 5)
    assert sudoku.different_starts


def touch_class(variant: Variant) -> str:
    if variant.empty_clues:
        return "empty clues"
    if variant.alternating:
        both = all(
            {kind for kind, _ in variant.clues(c)} == {COLOUR, RANK} for c in variant.cards()
        )
        return "alternating, always" if both else "alternating, not always"
    if not variant.untouchable:
        return "always"
    whole = any(
        all(Card(suit, rank) in variant.untouchable for rank in variant.ranks)
        for suit in range(len(variant.suits))
    )
    return "null suit" if whole and "Synesthesia" not in variant.mechanics else "some card"


def test_number_of_variants_in_which_a_clue_is_always_legal() -> None:
    """The counts were computed from the site's own source by another program."""
    assert Counter(touch_class(find(number)) for number in range(len(names()))) == {
        "always": 1914,
        "empty clues": 12,
        "alternating, always": 36,
        "null suit": 251,
        "some card": 183,
        "alternating, not always": 30,
    }


def touched(name: str, kind: int, value: int) -> str:
    """Give the touched cards of the last suit and of the first, as ranks."""
    variant = find(name)
    last = len(variant.suits) - 1
    return "/".join(
        "".join(str(r) for r in RANKS if variant.touches(kind, value, Card(suit, r)))
        for suit in (last, 0)
    )


@pytest.mark.parametrize(
    ("name", "kind", "value", "expected"),
    [
        ("Rainbow (5 Suits)", COLOUR, 3, "12345/"),
        ("Rainbow (5 Suits)", RANK, 3, "3/3"),
        ("Pink (5 Suits)", COLOUR, 4, "12345/"),
        ("Pink (5 Suits)", RANK, 2, "12345/2"),
        ("White (5 Suits)", COLOUR, 0, "/12345"),
        ("Brown (5 Suits)", RANK, 1, "/1"),
        ("Brown (5 Suits)", COLOUR, 4, "12345/"),
        ("Omni (5 Suits)", RANK, 1, "12345/1"),
        ("Null (5 Suits)", RANK, 1, "/1"),
        ("Cocoa Rainbow (5 Suits)", COLOUR, 0, "12345/12345"),
        ("Gray Pink (5 Suits)", RANK, 5, "12345/5"),
        ("Prism (5 Suits)", COLOUR, 0, "15/12345"),
        ("Prism (3 Suits)", COLOUR, 1, "24/"),
        ("White-Ones (5 Suits)", COLOUR, 0, "/2345"),
        ("Rainbow-Fives (5 Suits)", COLOUR, 0, "5/12345"),
        ("Brown-Ones & Brown (5 Suits)", RANK, 2, "/2"),
        ("Pink-Fives & Brown (5 Suits)", RANK, 4, "/45"),
        ("Deceptive-Ones (5 Suits)", RANK, 2, "12/12"),
        ("Deceptive-Ones (5 Suits)", RANK, 3, "3/3"),
        ("Deceptive-Fives (4 Suits)", RANK, 4, "45/4"),
        ("Odds and Evens (5 Suits)", RANK, 1, "135/135"),
        ("Funnels (5 Suits)", RANK, 2, "12/12"),
        ("Chimneys (5 Suits)", RANK, 4, "45/45"),
        ("Synesthesia (5 Suits)", COLOUR, 0, "1/12345"),
        ("Synesthesia & Brown (5 Suits)", COLOUR, 0, "/12345"),
        ("Color Blind (5 Suits)", COLOUR, 0, "/"),
        ("Number Blind (5 Suits)", RANK, 1, "/"),
        ("Ambiguous (4 Suits)", COLOUR, 0, "/12345"),
        ("Matryoshka (3 Suits)", COLOUR, 0, "12345/12345"),
        ("Dual-Color & Black (6 Suits)", COLOUR, 5, "12345/"),
        ("Valentine Mix (6 Suits)", RANK, 3, "/3"),
    ],
)
def test_touch(name: str, kind: int, value: int, expected: str) -> None:
    assert touched(name, kind, value) == expected


def test_clue_colours() -> None:
    assert find("No Variant").clue_colours == tuple("RYGBP")
    assert find("Color Mute (5 Suits)").clue_colours == ()
    assert find("Black & Rainbow (6 Suits)").clue_colours == ("R", "Y", "G", "B", "Black")
    assert find("Dual-Color (6 Suits)").clue_colours == ("R", "Y", "B", "Black")
    assert find("Ambiguous & Dark Pink (5 Suits)").clue_colours == ("R", "B", "Pink")


def test_rules() -> None:
    assert find("No Variant").rules(4) == Rules.standard(4)
    assert find("6 Suits").rules(2) == Rules.standard(2, "rygbpt")
    assert find("Black & Dark Rainbow (6 Suits)").rules(6) == Rules.standard(6, "rygbpt", "pt")
    assert find("Holiday Mix (5 Suits)").rules(3).suits[0].cards == 5
    rules = find("No Variant").rules(6, one_extra_card=True, deck_plays=True, empty_clues=True)
    assert (rules.hand_size, rules.deck_play, rules.empty_clues) == (4, True, True)
    assert find("No Variant").rules(2, one_less_card=True).hand_size == 4
    assert find("Orange (5 Suits)").rules(2).discard_at_full
    assert find("Throw It in a Hole (5 Suits)").rules(2).stack_gain == 0
    starved = find("Clue Starved (5 Suits)").rules(2)
    assert (starved.max_clues, starved.start_clues, starved.clue_price) == (16, 16, 2)
    assert (starved.discard_gain, starved.stack_gain) == (1, 1)
    assert [s.copies for s in find("Scarce Ones & Gray (6 Suits)").rules(2).suits][4:] == [
        (2, 2, 2, 2, 1),
        (1, 1, 1, 1, 1),
    ]
    assert find("Critical Fours (5 Suits)").rules(2).suits[0].copies == (3, 2, 2, 1, 1)
    assert find("Totally Blind (5 Suits)").rules(2).empty_clues
    assert find("White-Ones & Brown (5 Suits)").rules(2).untouchable == {Card(4, 1)}
    assert find("Brown-Ones & White (5 Suits)").rules(2).untouchable == {Card(4, 1)}
    assert find("Null (5 Suits)").rules(2).untouchable == {Card(4, rank) for rank in RANKS}


@pytest.mark.parametrize("players", [1, 7, True, 2.0, None])
def test_wrong_players(players: int) -> None:
    with pytest.raises(InputError, match="not 2 to 6"):
        find("No Variant").rules(players)


def test_names_are_found_in_any_case() -> None:
    assert find("rainbow (5 suits)") == find("Rainbow (5 Suits)") == find(" 16 ")


def test_unknown_names_get_near_ones() -> None:
    with pytest.raises(InputError, match=r"'Rainbw \(5 Suits\)' is not known; near are 'Rainbow"):
        find("Rainbw (5 Suits)")
    with pytest.raises(InputError, match="the numbers end at 2425"):
        find(2426)


@given(st.text(max_size=40) | st.integers())
def test_rubbish_is_no_variant(text: str | int) -> None:
    message = ""
    try:
        find(text)
    except InputError as error:
        message = str(error)
    assert "\n" not in message


def test_plain_suits() -> None:
    assert plain(5).clue_colours == find("No Variant").clue_colours
    assert plain(1).clue_ranks == (1, 2, 3, 4, 5)
