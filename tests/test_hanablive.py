"""Seeds and games of hanab.live: real ones replay as recorded, and wrong ones are refused."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from played import DATA, RESULTS, ROWS, bare, deals, lines, read
from solver.formats.hanablive import ENDS, NAMES, Game, actions_of, deal_of_seed, game_of
from solver.formats.moves import Move, Orders
from solver.formats.variants import COLOUR, RANK, find
from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.errors import IllegalActionError, InputError
from solver.game.line import Line
from solver.game.position import Action, Kind, Position

VECTORS = json.loads((DATA / "seed_vectors.json").read_text())


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: str(v["seed"]))
def test_deal_of_seed(vector: dict[str, str]) -> None:
    deal = deal_of_seed(vector["seed"])
    deck = find(deal.variant).on_site(deal.deck)
    assert "".join(f"{card.suit}{card.rank}" for card in deck) == vector["deck"]
    assert (deal.name, deal.variant) == (vector["seed"], vector["variant"])
    assert deal.rules == find(vector["variant"]).rules(int(vector["seed"][1]))


def test_there_are_enough_vectors() -> None:
    assert len(VECTORS) == 60
    assert {v["variant"].split(" (")[0] for v in VECTORS} >= {
        "Black", "Orange", "Critical Fours", "Scarce Ones", "Throw It in a Hole", "Clue Starved",
        "Reversed", "Up or Down", "Sudoku",
    }  # fmt: skip


def test_legacy_seed() -> None:
    assert deal_of_seed("legacy-1-p2v0s1").deck == deal_of_seed("p2v0s1").deck


@pytest.mark.parametrize(
    "seed",
    ["", "p1v0s1", "p7v0s1", "p2v0", "p2v0s", "p2v00s1", "p2v-1s1", "p2v0s1 ", "p2v0s\n", "P2v0s1",
     "p2v0s" + "1" * 300, "p2v0sä", "p٣v0s1", "p2v2426s1", "p2v99999999999s1", "legacy-p2v0s1"],
)  # fmt: skip
def test_wrong_seeds(seed: str) -> None:
    with pytest.raises(InputError) as caught:
        deal_of_seed(seed)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("row", "result"), list(zip(ROWS, RESULTS, strict=True)), ids=[row["file"] for row in ROWS]
)
def test_played_games_replay_as_recorded(row: dict[str, Any], result: dict[str, Any]) -> None:
    assert row["file"] == result["file"]
    game = Game.from_json(row)
    outcome = game.replay()
    assert {
        "score": outcome.score,
        "score_before_end": outcome.points,
        "end": outcome.end,
        "strikes": outcome.strikes,
        "turns": outcome.turns,
        "clues_left": float(outcome.clues),
        "full": game.deal.rules.max_score,
        "variant": game.deal.variant,
        "players": game.deal.rules.players,
    } == {key: result[key] for key in ("score", "score_before_end", "end", "strikes", "turns",
                                       "clues_left", "full", "variant", "players")}  # fmt: skip
    assert outcome.phrase == ENDS[outcome.end]
    assert deal_of_seed(game.seed).deck == game.deal.deck


def test_there_are_105_games_of_many_kinds() -> None:
    assert len(ROWS) == len(RESULTS) == 105
    assert {result["end"] for result in RESULTS} == {0, 1, 2, 3, 4}
    assert {len(row["players"]) for row in ROWS} == {2, 3, 4, 5, 6}


def test_games_are_written_as_they_were_read() -> None:
    for row in ROWS:
        game = Game.from_json(json.dumps(row))
        made = game.to_json()
        assert {**made, "file": row["file"]} == row
        assert Game.from_json(json.dumps(made)) == game


def test_moves_after_the_end_do_not_count() -> None:
    game = read("p4v0s5")
    assert len(game.moves) == 58
    assert game.replay().turns == 56
    wrong = replace(game, moves=(*game.moves[:57], Move(0, 0)))
    with pytest.raises(IllegalActionError, match="turn 58: play of card 0 by seat"):
        wrong.replay()


@pytest.mark.slow
def test_lines_become_the_same_actions() -> None:
    for row in ROWS:
        game = Game.from_json(row)
        line = game.line()
        again = game_of(line, game.deal)
        assert again.line() == line
        assert again.deal == game.deal
        for old, new in zip(game.moves, again.moves, strict=True):
            if old.type < COLOUR:
                assert new[:2] == old[:2]


def test_a_line_from_the_middle_of_a_game() -> None:
    game = read("p4v0s9-154")
    orders, position = game.orders(20), game.position(20)
    line = Line(position, game.line().actions[20:])
    with pytest.raises(InputError, match="starts in mid-game"):
        actions_of(line)
    moves = tuple(Move(a["type"], a["target"], a.get("value")) for a in actions_of(line, orders))
    assert replace(game, moves=game.moves[:20] + moves).replay().score == 25
    with pytest.raises(InputError, match="do not fit"):
        actions_of(line, Orders(orders.hands[:-1], orders.drawn))
    with pytest.raises(InputError, match="turn 999"):
        game.position(999)


def played(deal: Deal, *moves: Move) -> Game:
    return replace(bare(deal), moves=moves)


DEAL = deal_of_seed("p2v0s1")  # b5 p4 b3 r4 g1 | b3 b1 r1 g2 g4


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (Move(2, 0, 1), "nobody can clue their own hand"),
        (Move(3, 2, 1), "there is no such seat"),
        (Move(3, -1, 1), "there is no such seat"),
        (Move(3, 1, 5), "it touches no card"),
        (Move(2, 1, 4), "it touches no card"),
        (Move(3, 1, 6), "that rank cannot be clued"),
        (Move(3, 1, 0), "that rank cannot be clued"),
        (Move(2, 1, 5), "that colour cannot be clued"),
        (Move(3, 1, None), "that rank cannot be clued"),
        (Move(0, 5), "it is not in that hand"),
        (Move(0, 10), "it is not in that hand"),
        (Move(1, 49), "it is not in that hand"),
        (Move(0, -1), "it is not in that hand"),
        (Move(1, 0), "all clue tokens are there"),
    ],
)
def test_illegal_moves(move: Move, why: str) -> None:
    with pytest.raises(IllegalActionError, match=f"^turn 2: .*{why}"):
        _second(move).replay()


def _second(move: Move) -> Game:
    """Let seat 0 make the move after seat 1, who starts, has played its newest card."""
    rules = replace(DEAL.rules, first_player=1)
    return played(replace(DEAL, rules=rules), Move(0, 9), move)


def test_rules_options() -> None:
    deal = replace(DEAL, rules=replace(DEAL.rules, empty_clues=True))
    assert played(deal, Move(3, 1, 5)).replay().clues == 7
    alternating = deal_of_seed("p2v284s1")
    first = Position.start(alternating).hands[1][0]
    second = Position.start(alternating).hands[0][0]
    with pytest.raises(IllegalActionError, match="the last clue was of the same type"):
        played(alternating, Move(3, 1, first.rank), Move(3, 0, second.rank)).replay()
    played(alternating, Move(3, 1, first.rank), Move(2, 0, second.suit)).replay()


def test_alternating_clues_alternate() -> None:
    deal = deal_of_seed("p2v284s1")
    line = Line.of(deal, (Action(Kind.CLUE),) * 5)
    types = [action["type"] for action in actions_of(line)]
    assert types in ([3, 2, 3, 2, 3], [2, 3, 2, 3, 2])
    assert game_of(line, deal).line() == line


def test_alternating_null_hands_cannot_be_clued() -> None:
    rules = find("Alternating Clues & White (3 Suits)").rules(2)
    white = [card for card in rules.sorted_deck() if card.suit == 2][:5]
    rest = rules.sorted_deck()
    for card in white:
        rest.remove(card)
    deal = Deal(rules, (*white, *rest), variant="Alternating Clues & White (3 Suits)")
    # Seat 1 can only be given rank clues of seat 0's white cards, so seat 0 must give colours.
    clues = [Action(Kind.CLUE, kind) for kind in (COLOUR, RANK, COLOUR)]
    types = [a["type"] for a in actions_of(Line.of(deal, tuple(clues)))]
    assert types == [COLOUR, RANK, COLOUR]
    with pytest.raises(IllegalActionError, match="a clue of this type"):
        actions_of(Line.of(deal, (Action(Kind.CLUE, RANK), *clues)))


def test_no_clue_for_null_cards() -> None:
    rules = find("Null (3 Suits)").rules(2)
    null = [card for card in rules.sorted_deck() if card.suit == 2][:5]
    rest = rules.sorted_deck()
    for card in null:
        rest.remove(card)
    deal = Deal(rules, (*rest[:5], *null, *rest[5:]), variant="Null (3 Suits)")
    with pytest.raises(IllegalActionError, match="turn 1: clue"):
        actions_of(Line.of(deal, (Action(Kind.CLUE),)))


def test_playing_the_last_card_from_the_deck() -> None:
    rules = find("No Variant").rules(2, deck_plays=True)
    position = Position.start(Deal(rules, DEAL.deck, variant="No Variant"))
    actions = []
    while position.pile_size > 1:
        discard = position.clues < 8
        actions.append(Action(Kind.DISCARD if discard else Kind.CLUE))
        position = position.after(actions[-1])
    actions.append(Action(Kind.DECK_PLAY))
    deal = Deal(rules, DEAL.deck, variant="No Variant")
    game = game_of(Line.of(deal, tuple(actions)), deal)
    assert game.options == {"deckPlays": True}
    assert game.moves[-1] == Move(0, 49)
    assert Game.from_json(game.to_json()).line().actions == tuple(actions)
    plain = replace(game, deal=DEAL, options={})
    with pytest.raises(IllegalActionError, match="do not allow playing from the draw pile"):
        plain.replay()


def test_clue_starved_tokens_are_halves() -> None:
    deal = deal_of_seed("p2v52s1")
    card = Position.start(deal).hands[1][0]
    game = played(deal, Move(3, 1, card.rank), Move(1, 5), Move(1, 0))
    assert game.replay().clues == 8
    assert played(deal, Move(3, 1, card.rank), Move(1, 5)).replay().clues == Fraction(15, 2)


def test_speedruns_end_when_full_marks_are_lost() -> None:
    clued = replace(bare(DEAL), options={"speedrun": True},
                    moves=(Move(3, 1, 3), Move(0, 9), Move(1, 0)))  # fmt: skip
    outcome = Game.from_json(clued.to_json()).replay()
    assert (outcome.end, outcome.score) == (5, 0)
    perfect = replace(clued, options={"allOrNothing": True})
    outcome = Game.from_json(perfect.to_json()).replay()
    assert (outcome.end, outcome.score) == (8, 0)


def test_ended_by_vote() -> None:
    game = Game.from_json(
        {
            "players": ["a", "b"],
            "seed": "p2v0s1",
            "actions": [{"type": 5, "target": -1, "value": 10}],
        }
    )
    assert game.replay().phrase == "terminated by vote"
    assert game.replay().score == 0


def test_a_seed_without_a_deck() -> None:
    game = Game.from_json('{"players": ["a", "b"], "seed": "p2v0s1", "actions": []}')
    assert game.deal == DEAL
    with pytest.raises(InputError, match="another number"):
        Game.from_json('{"players": ["a", "b", "c"], "seed": "p2v0s1"}')


def cards(deal: Deal) -> list[dict[str, int]]:
    return [{"suitIndex": card.suit, "rank": card.rank} for card in deal.deck]


def test_decks_without_a_variant_name_say_their_suits() -> None:
    six = deal_of_seed("p3v1s7")
    found = Game.from_json({"players": ["a", "b", "c"], "deck": cards(six)}).deal
    assert (found, found.variant) == (six, "6 Suits")
    mini = [{"suitIndex": s, "rank": r} for s in range(3) for r in (1, 1, 2, 3, 2)]
    found = Game.from_json({"players": ["a", "b"], "deck": mini}).deal
    assert [suit.copies for suit in found.rules.suits] == [(2, 2, 1)] * 3
    assert found.variant == ""


GOOD: dict[str, Any] = {"players": ["a", "b"], "deck": cards(DEAL), "actions": [], "options": {}}
RUBBISH: list[Any] = [None, True, -1, 1.5, 10**40, "x", [], {}, [[]], float("nan"), "٣", [None]]


@pytest.mark.parametrize("value", RUBBISH, ids=repr)
@pytest.mark.parametrize("field", ["players", "deck", "actions", "options", "seed"])
def test_wrong_types_are_refused(field: str, value: object) -> None:
    harmless = {
        ("options", "None"), ("options", "{}"), ("actions", "[]"), ("seed", "'x'"), ("seed", "'٣'"),
    }  # fmt: skip
    refused(json.dumps({**GOOD, field: value}), harmless, (field, repr(value)))


@pytest.mark.parametrize("value", RUBBISH, ids=repr)
@pytest.mark.parametrize("place", ["suitIndex", "rank", "type", "target", "value"])
def test_wrong_types_inside_are_refused(place: str, value: object) -> None:
    card = {**cards(DEAL)[0], place: value}
    action = {"type": 3, "target": 1, "value": 2, place: value}
    wrong = (
        {"deck": [card, *cards(DEAL)[1:]]} if place in card and place in ("suitIndex", "rank")
        else {"actions": [action]}
    )  # fmt: skip
    refused(json.dumps({**GOOD, **wrong}), {("target", "-1")}, (place, repr(value)))


@pytest.mark.parametrize("value", RUBBISH, ids=repr)
@pytest.mark.parametrize(
    "option", ["variant", "startingPlayer", "deckPlays", "timeBase", "oneExtraCard", "timed"]
)
def test_wrong_options_are_refused(option: str, value: object) -> None:
    flag = option in ("deckPlays", "oneExtraCard", "timed")
    harmless = {(option, "True")} if flag else {("timeBase", "1.5")}
    refused(json.dumps({**GOOD, "options": {option: value}}), harmless, (option, repr(value)))


def refused(text: str, harmless: set[tuple[str, str]], case: tuple[str, str]) -> None:
    if case in harmless:
        Game.from_json(text)
        return
    with pytest.raises(InputError) as caught:
        Game.from_json(text, "here.json")
    assert str(caught.value).startswith("here.json: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"players": ["a"]}, "players: there are 1, not 2 to 6"),
        ({"deck": cards(DEAL)[:49]}, "deck: suit p has"),
        ({"deck": []}, "deck: "),
        ({"deck": [{"suitIndex": 0, "rank": 1}] * 50}, "50 copies of rank 1"),
        ({"deck": [{"suitIndex": 0, "rank": 5}, *cards(DEAL)[1:]]}, "deck: card"),
        ({"options": {"variant": "Nope"}}, "variant 'Nope' is not known"),
        ({"options": {"variant": "6 Suits"}}, "deck: there are 50 cards, not 60"),
        ({"options": {"variant": "Sudoku (5 Suits)"}}, "deck: card .* number 3"),
        ({"options": {"variant": "Up or Down (5 Suits)"}}, "deck: card"),
        (
            {"options": {"variant": "Up or Down (5 Suits)"}, "deck": [{"suitIndex": 0, "rank": 6}]},
            r"card 1: Up or Down \(5 Suits\) has no rank 6",
        ),
        ({"actions": [{"type": 4, "target": 0, "value": 4}] * 2}, "action 1 ends the game"),
        ({"actions": [{"type": 4, "target": 0, "value": 11}]}, "action 1: value is no way"),
        ({"actions": [{"type": 2, "target": 1}]}, "action 1: a clue needs a value"),
    ],
)
def test_wrong_games(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Game.from_json({**GOOD, **change})


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "nul", "[" * 100_000, '{"a":' * 100_000, "1" * 5000, b"\xff\xfe", '"x"']
)
def test_what_is_no_json_object_is_refused(text: str | bytes) -> None:
    with pytest.raises(InputError) as caught:
        Game.from_json(text)
    assert "\n" not in str(caught.value)


@given(st.data())
def test_damaged_games_are_refused_or_read(data: st.DataObject) -> None:
    text = json.dumps({**GOOD, "actions": [{"type": 0, "target": 3, "value": 0}]})
    at = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 30))
    damaged = text[:at] + data.draw(st.text(max_size=8)) + text[at + length :]
    message = ""
    try:
        Game.from_json(damaged).replay()
    except InputError as error:
        message = str(error)
    assert "\n" not in message


@pytest.mark.slow
@given(lines())
def test_any_line_survives_the_site_s_format(drawn: tuple[Deal, Line]) -> None:
    deal, line = drawn
    try:
        game = game_of(line, deal)
    except IllegalActionError:
        # Only the types of clues can be to blame, for the line itself is legal.
        assert find(deal.variant).alternating
        line.replay()
        return
    again = Game.from_json(json.dumps(game.to_json()))
    assert again == game
    assert again.line() == line
    last = line.replay()
    assert again.position() == last
    assert again.orders().drawn == len(deal.deck) - last.pile_size


@given(deals())
def test_names_are_given(deal: Deal) -> None:
    game = game_of(Line.of(deal, ()), deal)
    assert game.players == NAMES[: deal.rules.players]
    assert game.deal.deck[0] == Card(*deal.deck[0])
