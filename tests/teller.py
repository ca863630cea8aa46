"""Tells a game as Quuxplusone's program and SPARTA do, for tests of the reader of their logs."""

from __future__ import annotations

import random
from collections.abc import Iterator

from solver.formats.hanablive import NAMES as NAMES_OF_PLAYERS
from solver.formats.hanablive import Game
from solver.formats.moves import DISCARD, PLAY, Move, Orders
from solver.formats.variants import COLOUR, RANK
from solver.game.deal import Deal
from solver.game.position import Kind, Position

NAMES = {
    5: ["oldest", "second-oldest", "middle", "second-newest", "newest"],
    4: ["oldest", "second-oldest", "second-newest", "newest"],
    3: ["oldest", "middle", "newest"],
    2: ["oldest", "middle"],
    1: ["oldest"],
}
COLOURS = {"r": "red", "o": "orange", "y": "yellow", "g": "green", "b": "blue"}


def listed(names: list[str]) -> str:
    if len(names) < 3:
        return " and ".join(names)
    return ", ".join(names[:-1]) + ", and " + names[-1]


def told(game: Game, sparta: bool = True) -> Iterator[str]:
    """Give the lines of the game, without its score; the suits are r y g b o."""
    letters = game.deal.letters

    def word(order: int) -> str:
        card = game.deal.deck[order]
        return f"{card.rank}{letters[card.suit]}"

    if sparta:
        yield "Starting game..."
    steps = list(game._steps())
    for turn, move in enumerate(game.moves):
        (before, orders), (after, _) = steps[turn], steps[turn + 1]
        if sparta:
            empty = int(not before.pile_size)
            yield (f"====> cards remaining: {before.pile_size} , empty? {empty} , countdown 0 , "
                   f"mulligans {3 - before.strikes} , score {before.points}")  # fmt: skip
        if before.seat == 0:
            yield "Current hands: " + " ".join(",".join(map(word, hand)) for hand in orders.hands)
        yield from _acted(game, move, before, after, orders)


def _acted(
    game: Game, move: Move, before: Position, after: Position, orders: Orders
) -> Iterator[str]:
    letters, seat = game.deal.letters, before.seat
    deck = game.deal.deck
    if move.type not in (PLAY, DISCARD):
        hand = [deck[order] for order in orders.hands[move.target]]
        colour = move.type == COLOUR
        names = NAMES[len(hand)]
        touched = [
            name
            for name, card in zip(names, hand, strict=True)
            if (card.suit if colour else card.rank) == move.value
        ]
        one = len(touched) == 1
        what = "whole hand was" if len(touched) == len(hand) else (
            f"{listed(touched)} {'card was' if one else 'cards were'}")  # fmt: skip
        value = COLOURS[letters[move.value or 0]] if colour else f"{move.value}{'' if one else 's'}"
        yield f"Player {seat} told player {move.target} that his {what} {value}."
        return
    hand_orders = orders.hands[seat]
    name = NAMES[len(hand_orders)][hand_orders.index(move.target)]
    card = deck[move.target]
    word = f"{card.rank}{letters[card.suit]}"
    if move.type == DISCARD:
        yield f"Player {seat} discarded his {name} card ({word})."
    elif after.strikes > before.strikes:
        yield f"Player {seat} tried to play his {name} card ({word}) but failed."
        left = 3 - after.strikes
        yield ["That was the last mulligan.", "There is only one mulligan remaining.",
               f"There are {left} mulligans remaining."][min(left, 2)]  # fmt: skip
    else:
        yield f"Player {seat} played his {name} card ({word})."
    if before.pile_size and after.strikes < 3:
        drawn = deck[orders.drawn]
        yield f"Player {seat} drew a replacement ({drawn.rank}{letters[drawn.suit]})."
    if after.clues > before.clues:
        verb = "is" if after.clues == 1 else "are"
        yield (f"Player {seat} returned a hint stone; there {verb} now {after.clues} "
               "remaining.")  # fmt: skip
    if move.type == PLAY:
        # Piles are told in the order red, orange, yellow, green, blue.
        piles = {s: after.stacks[i] for i, s in enumerate(letters)}
        yield "Current piles: " + " ".join(f"{piles[s]}{s}" for s in "roygb")


def played(deal: Deal, seed: int, careful: bool = True) -> Game:
    """Play a deal at random to its end; careful players play what fits and nothing else."""
    choose = random.Random(seed)
    position, orders, moves = Position.start(deal), Orders.start(deal.rules), []
    while legal := position.legal_actions():
        hand = position.hands[position.seat]
        fits = [a for a in legal if a.kind is Kind.PLAY and position.is_playable(hand[a.slot])]
        others = [a for a in legal if a.kind is not Kind.PLAY] or legal
        action = choose.choice((fits or others) if careful else legal)
        if action.kind is Kind.CLUE:
            targets = [p for p, h in enumerate(position.hands) if h and p != position.seat]
            target = choose.choice(targets)
            card = choose.choice(position.hands[target])
            kind = choose.choice((COLOUR, RANK))
            move = Move(kind, target, card.suit if kind == COLOUR else card.rank)
        else:
            part = PLAY if action.kind is Kind.PLAY else DISCARD
            move = Move(part, orders.hands[position.seat][action.slot])
        orders = orders.after(position, action, move.type)
        position = position.after(action)
        moves.append(move)
    return Game(NAMES_OF_PLAYERS[: deal.rules.players], deal, tuple(moves))
