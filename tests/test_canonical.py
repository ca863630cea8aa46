"""The canonical form: the same for what differs in names only, and for nothing else."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzling import sample
from solver.endgames.endgame import useless_faces
from solver.game.card import USELESS, Card
from solver.game.position import Position
from solver.puzzles.canonical import canonical
from solver.puzzles.judge import examine
from solver.puzzles.themes import themes


def relabelled(position: Position, suits: list[int], turn: int) -> Position:
    """Permute the suits and rotate the seats."""

    def cards(found: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(Card(suits[c.suit], c.rank) if c.is_face else c for c in found)

    players = position.rules.players
    stacks = [0] * len(suits)
    for suit, state in enumerate(position.stacks):
        stacks[suits[suit]] = state
    hands = [cards(hand) for hand in position.hands]
    pile = cards(position.pile)
    return replace(
        position,
        stacks=tuple(stacks),
        hands=tuple(hands[(seat - turn) % players] for seat in range(players)),
        pile=pile if position.ordered else tuple(sorted(pile)),
        discards=tuple(sorted(cards(position.discards))),
        seat=(position.seat + turn) % players,
    )


@settings(max_examples=25)
@given(
    st.integers(0, 30), st.integers(2, 5), st.sampled_from(["open", "known"]),
    st.permutations(range(5)), st.integers(0, 4), st.randoms(use_true_random=False),
)  # fmt: skip
def test_canonical_form_ignores_names(
    number: int, players: int, model: str, suits: list[int], turn: int, dice: random.Random
) -> None:
    position = sample(number, players, 3, model)
    other = relabelled(position, suits, turn % players)
    hands = tuple(tuple(dice.sample(hand, len(hand))) for hand in other.hands)
    other = replace(other, hands=hands)
    one, two = examine(position, model), examine(other, model)
    assert one.canonical == two.canonical
    assert one.puzzle_id == two.puzzle_id
    assert (one.value, one.second, one.tight) == (two.value, two.second, two.tight)
    assert themes(one) == themes(two)
    assert (one.depth, one.difficulty, one.trap_loss) == (two.depth, two.difficulty, two.trap_loss)


def test_canonical_form_of_what_is_known() -> None:
    """Suits r and b change places, and so do the cards of the hand with what is known of them."""
    text = "rb:32221 {} xxxxxx/{}kt ?{}ktkt {} 1/8 0/3 0 -"
    one = text.format("r3,b4", "r5b5", "r4r4", "r3")
    two = text.format("r4,b3", "b5r5", "b4b4", "b3")
    red, blue, known = Card(0, 4), Card(1, 4), [USELESS]
    forms = {
        examine(Position.from_text(position), "hidden", possible).canonical
        for position, possible in [
            (one, (known, [red, USELESS], None)),
            (one, (None, known, [USELESS, red])),
            (two, ([blue, USELESS], None, known)),
        ]
    }
    assert len(forms) == 1
    for possible in (None, (known, None, None), (known, known, None)):
        assert examine(Position.from_text(one), "hidden", possible).canonical not in forms


def test_canonical_form_collapses_useless_cards() -> None:
    text = "rygbp:32221 r3,y5,g5,b5,p5 {}y1r4/y2g1r5 ?{} - 1/8 0/3 0 -"
    forms = set()
    for card, drawn in (("r1", "b1"), ("g2", "kt"), ("p5", "y3")):
        position = Position.from_text(text.format(card, drawn))
        forms.add(canonical(position, useless_faces(position)))
    assert len(forms) == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda p: replace(p, clues=p.clues + 1),
        lambda p: replace(p, strikes=1),
        lambda p: replace(p, seat=(p.seat + 1) % p.rules.players),
        lambda p: replace(p, pile=p.pile[1:]),
        lambda p: replace(p, hands=(p.hands[1], p.hands[0], *p.hands[2:])),
    ],
)
def test_canonical_form_tells_what_counts(change: Any) -> None:
    text = "rygbp:32221 r3,y4,g5,b5,p5 r4y5kt/r5y1kt/ktktkt ?r1kt - 1/8 0/3 0 -"
    position = Position.from_text(text)
    other = change(position)
    assert canonical(position, useless_faces(position)) != canonical(other, useless_faces(other))
