"""Suits that are not built upwards, in every part of the solver."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from nasty import nasty_position
from solver.endgames.endgame import Teller, useless_faces
from solver.engines import search
from solver.formats import link
from solver.formats.hanablive import Game, deal_of_seed, game_of
from solver.formats.positionfile import read, write
from solver.formats.variants import find
from solver.game.card import Card
from solver.game.errors import InputError
from solver.game.position import Position
from solver.game.suit import Suit
from solver.proofs.certificate import verify
from solver.puzzles.canonical import canonical
from solver.questions.explain import explain
from solver.questions.explanation_rows import explanation_row
from solver.solving.certify import certify

REVERSED = ("Reversed (5 Suits)", "Black Reversed (6 Suits)", "Rainbow Reversed (3 Suits)")


def mirrored(position: Position) -> Position:
    """Turn every suit round: rank 1 becomes the highest, and what was built up is built down."""
    rules = position.rules

    def turn(card: Card) -> Card:
        return (
            Card(card.suit, rules.suits[card.suit].ranks + 1 - card.rank) if card.is_face else card
        )

    suits = tuple(
        Suit.ordered(s.letter, s.copies[::-1], [s.ranks + 1 - rank for rank in s.order])
        for s in rules.suits
    )
    bare = frozenset(map(turn, rules.untouchable))
    return replace(
        position,
        rules=replace(rules, suits=suits, untouchable=bare),
        hands=tuple(tuple(map(turn, hand)) for hand in position.hands),
        pile=tuple(map(turn, position.pile)),
        discards=tuple(sorted(map(turn, position.discards))),
    )


def test_order_of_a_suit() -> None:
    down = Suit.ordered("k", (1, 2, 2, 2, 3), (5, 4, 3, 2, 1))
    assert down.order == (5, 4, 3, 2, 1)
    assert down.steps == (5, 4, 3, 2, 1)
    assert not down.is_upward
    assert Suit("k", (1, 2, 2, 2, 3), down.build) == down
    assert Suit("r").order == (1, 2, 3, 4, 5)
    both_ways = Suit("r", (1, 1), ((1, 2), (-1, 3), (3, -1), (-1, -1)))
    assert both_ways.order == ()
    with pytest.raises(InputError, match="no order of its ranks"):
        Suit.ordered("k", (1, 1), (2, 2))


@pytest.mark.parametrize("name", REVERSED)
def test_reversed_variants(name: str) -> None:
    rules = find(name).rules(3)
    assert rules.suits[-1].order == (5, 4, 3, 2, 1)
    dark = find(name).suits[-1].dark
    assert rules.suits[-1].copies == ((1,) * 5 if dark else (1, 2, 2, 2, 3))
    deal = deal_of_seed(f"p3v{find(name).number}s1")
    assert deal.rules == rules
    result = search.solve(Position.start(deal))
    assert result.winnable
    last = [c.rank for c in played_cards(result.line.start, result.line.actions) if
            c.suit == len(rules.suits) - 1]  # fmt: skip
    assert last == [5, 4, 3, 2, 1]


def played_cards(position: Position, actions: tuple) -> list[Card]:  # type: ignore[type-arg]
    """Give the cards that went on a stack, in their order."""
    cards = []
    for action in actions:
        after = position.after(action)
        if after.points > position.points:
            cards.append(position.hands[position.seat][action.slot])
        position = after
    return cards


def test_a_mirrored_game_is_the_same_game() -> None:
    """Optimum, certificate, chances, explanation and canonical form know nothing of ranks."""
    for seed in range(100):
        position = nasty_position(random.Random(7000 + seed), 12)
        other = mirrored(position)
        assert Position.from_text(other.text()) == other
        ours, theirs = search.solve(position), search.solve(other)
        assert (ours.score, ours.bound) == (theirs.score, theirs.bound), position.text()
        assert canonical(position, useless_faces(position)) == canonical(
            other, useless_faces(other)
        )
        if position.end is not None:
            continue
        cards = len(position.pile)
        if cards <= 6 and position.rules.stack_gain <= position.rules.discard_gain:
            one, two = (Teller(p, "score").counts(p) for p in (position, other))
            assert one == two
        ours_row, theirs_row = (explanation_row(explain(p)) for p in (position, other))
        for key in ("rung", "kind", "first", "minimal", "more"):
            assert ours_row[key] == theirs_row[key], (key, position.text())


@pytest.mark.parametrize(
    ("seed", "kind"), [("p5v1346s7", "shared-hand"), ("p5v1346s24", "clauses")]
)
def test_certificates_of_reversed_deals(seed: str, kind: str) -> None:
    """Black Reversed: the certificate holds, and the explanation names cards that are there."""
    deal = deal_of_seed(seed)
    result = search.solve(Position.start(deal))
    assert (result.score, result.bound) == (29, 29)
    text = certify(result)
    assert f'"kind": "{kind}"' in text
    verify(text)
    row = explanation_row(explain(deal))
    assert row["winnable"] is False
    assert all(line["copies"] for line in row["table"])


@pytest.mark.parametrize("name", REVERSED)
def test_links_and_position_files(name: str) -> None:
    deal = deal_of_seed(f"p2v{find(name).number}s1")
    position = Position.start(deal)
    line = search.solve(position).line
    game = game_of(line, deal)
    assert link.decode(link.encode(game)).line() == line
    assert Game.from_json(game.to_json()).line() == line
    for moment in line.positions():
        assert Position.from_text(moment.text()) == moment
        if moment.pile:
            assert read(write(moment)) == moment
