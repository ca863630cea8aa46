"""Position files: all cases of the collection, round trips, and damaged ones."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from played import DATA, lines
from solver.formats.hanablive import deal_of_seed
from solver.formats.positionfile import read, write
from solver.formats.variants import find
from solver.game.card import UNKNOWN, USELESS, Card
from solver.game.deal import Deal
from solver.game.errors import InputError, UnsupportedRulesError
from solver.game.line import Line
from solver.game.position import Position

CASES: list[dict[str, Any]] = [
    json.loads(row) for row in (DATA / "endgame_cases.jsonl").read_text().splitlines()
]
WHOLE = [case for case in CASES if case["id"] != "bga-florrat-3"]
CASE = {case["id"]: case for case in CASES}


@pytest.mark.parametrize("case", WHOLE, ids=lambda case: str(case["id"]))
def test_cases(case: dict[str, Any]) -> None:
    position = read(case)
    made = write(position)
    same = ["num_players", "suits", "one_copy_suits", "stacks", "clues", "strikes", "to_move",
            "turns_left", "deck_size"]  # fmt: skip
    assert {key: made[key] for key in same} == {key: case[key] for key in same}
    assert [hand[::-1] for hand in made["hands"]] == case["hands"]
    assert sorted(made["discards"]) == sorted(case["discards"] or [])
    if case["turns_left"] is None:
        assert sorted(made["unseen_pool"]) == sorted(case["unseen_pool"])
        assert made["deck_order_top_first"] == case["deck_order_top_first"]
    assert read(json.dumps(made)) == position
    assert read(position.text()) == position
    assert len(CASES) == 33


def test_the_case_with_a_card_too_many_is_refused() -> None:
    case = {**CASE["bga-florrat-3"], "unseen_pool": ["m1", "m4", "m5", "kt", "kt"]}
    with pytest.raises(InputError, match="seat 0 holds 5 cards, not 6"):
        read(case)
    with pytest.raises(InputError, match="unseen_pool: it is missing"):
        read(CASE["bga-florrat-3"])


def test_hands_are_oldest_first_unless_the_file_says_otherwise() -> None:
    case = CASE["rule-last-card-order"]
    y4 = Card(1, 4)
    assert read(case).hands[0][-2] == y4
    assert read({**case, "hands_order": None}).hands[0][1] == y4
    without = {key: value for key, value in case.items() if key != "hands_order"}
    assert read(without).hands[0][1] == y4


def test_unknown_and_useless_cards() -> None:
    position = read(CASE["hgroup-l8-2-cards-left"])
    assert position.hands[0] == (UNKNOWN,) * 4
    assert position.pile.count(USELESS) == 4
    assert (position.pile_size, position.ordered) == (2, False)


def test_known_order() -> None:
    position = read(CASE["clueless-0-puff-ups"])
    assert position.ordered
    assert position.pile == (Card(0, 4), Card(2, 3))


def test_the_variant_says_the_other_rules() -> None:
    null = read(CASE["hanablive-1874799-T23"])
    assert null.rules.untouchable == {Card(2, rank) for rank in range(1, 6)}
    assert null.letters == ["r", "b", "u"]
    assert read(CASE["cppbot-orange-chain"]).rules.discard_at_full
    turned = CASE["hanablive-1899527-T47"]
    assert read(turned).variant == "Black Reversed (5 Suits)"
    assert read(turned).rules.suits[4].order == (5, 4, 3, 2, 1)


def test_starved_clues_are_whole_tokens() -> None:
    position = Position.start(deal_of_seed("p2v52s1"))
    made = write(position)
    assert made["clues"] == 8
    assert read(made) == position
    with pytest.raises(UnsupportedRulesError, match="none that a position file has"):
        write(replace(position, clues=15))


def test_the_unseen_cards_are_what_remains_of_the_deck() -> None:
    case = CASE["willbot-basic-winrate"]
    assert read({**case, "unseen_pool": None}) == read(case)
    with pytest.raises(InputError, match="only known to be useless"):
        read({**CASE["hgroup-l8-2-cards-left"], "unseen_pool": None,
              "hands": [["xx"] * 4, ["kt"] * 4, ["kt"] * 4]})  # fmt: skip


def test_final_round_with_an_unknown_hand() -> None:
    case = {**CASE["willbot-basic-winrate"], "deck_size": 0, "turns_left": 3}
    case["unseen_pool"] = case["unseen_pool"][:4]
    position = read(case)
    assert (position.pile_size, position.ordered, len(position.pile)) == (0, False, 4)
    assert read(write(position)) == position


GOOD = CASE["clueless-0-puff-ups"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"suits": "rygbr"}, "not different letters"),
        ({"suits": ""}, "suits is not a text"),
        ({"suits": "ry1"}, "not different letters"),
        ({"num_players": 3}, "hands is not a list of 3"),
        ({"num_players": True}, "num_players is not a number"),
        ({"hands": [["y1"]] * 4}, "cards: y1 occurs|seat"),
        ({"hands": [["y9", "y1", "y1", "y1"], *GOOD["hands"][1:]]}, "no card of this game"),
        ({"hands": [["y", "y1", "y1", "y1"], *GOOD["hands"][1:]]}, "card 1 is 'y'"),
        ({"hands": [["q1", "y1", "y1", "y1"], *GOOD["hands"][1:]]}, "no suit is called 'q'"),
        ({"hands": [["xx", "y1", "b1", "w1"], *GOOD["hands"][1:]]}, "a card is unknown"),
        ({"stacks": {"r": 1}}, "stacks does not give"),
        ({"stacks": {**GOOD["stacks"], "r": 6}}, "stacks: r is not a height"),
        ({"stacks": {**GOOD["stacks"], "r": True}}, "stacks: r is not a height"),
        ({"deck_size": 3}, "deck_size: 3 cards to draw and 0 unknown ones"),
        ({"deck_size": 10**30}, "deck_size is not a number"),
        ({"unseen_pool": ["g3", "r3"]}, "not the same cards"),
        ({"clues": 9}, "clues: 9 is not 0 to 8"),
        ({"clues": -1}, "clues is not a number"),
        ({"strikes": 4}, "strikes: 4 is not 0 to 3"),
        ({"to_move": 4}, "to_move is not a number from 0 to 3"),
        ({"turns_left": 2}, "turns left"),
        ({"turns_left": 2.0}, "turns_left is not a number"),
        ({"one_copy_suits": ["q"]}, "one_copy_suits is not a list"),
        ({"one_copy_suits": "w"}, "one_copy_suits is not a list"),
        ({"variant": "6 Suits"}, "has not the suits"),
        ({"variant": "Black (5 Suits)"}, "or other copies"),
        ({"variant": 5}, "variant is not a name"),
        ({"discards": "r1"}, "discards: this is not a list"),
        ({"discards": ["r1", 1]}, "discards: this is not a list"),
    ],
)
def test_wrong_files(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read({**GOOD, **change}, "here.json")
    assert str(caught.value).startswith("here.json: ")


@pytest.mark.parametrize("text", ["", "{", "[]", "x", b"\xff", "{" * 100_000, "null"])
def test_what_is_no_position_is_refused(text: str | bytes) -> None:
    with pytest.raises(InputError) as caught:
        read(text)
    assert "\n" not in str(caught.value)


def test_text_with_a_byte_order_mark() -> None:
    assert read(b"\xef\xbb\xbf" + json.dumps(GOOD).encode()) == read(GOOD)
    assert read("\ufeff" + json.dumps(GOOD)) == read(GOOD)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.sampled_from(sorted(GOOD)), JSON)
def test_any_field_may_hold_rubbish(field: str, value: object) -> None:
    message = ""
    try:
        read({**GOOD, field: value})
    except InputError as error:
        message = str(error)
    assert "\n" not in message


@pytest.mark.slow
@given(lines(60), st.booleans())
def test_any_position_survives(drawn: tuple[Deal, Line], ordered: bool) -> None:
    _, line = drawn
    position = line.replay()
    size = max(map(len, position.hands))
    usual = find(position.variant).rules(position.rules.players, hand_size=size)
    position = replace(position, rules=usual)
    if not ordered and position.pile_size:
        position = replace(position, ordered=False, pile=tuple(sorted(position.pile)))
    if position.clues % usual.clue_price == 0:
        assert read(json.dumps(write(position))) == position
