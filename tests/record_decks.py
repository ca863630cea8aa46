"""Record decks from the environments themselves: ``python tests/record_decks.py >> FILE``.

Every row is ``{"spec", "players", "start", "count", "first", "sha256"}``: what a source is asked,
the environment's start player of the first deck, how many decks there are, the first of them in
the environment's own order of seats, and the digest of all of them, a line each, in the order
that the source gives them. An environment that is not installed is left out.
"""

from __future__ import annotations

import hashlib
import random
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from recording import print_rows

HLE, ROYGB = "rygwb", "roygb"
Recorded = tuple[int, list[str]]
"""The start player, and the deck in the environment's order."""


def row(spec: str, players: int, hand: int, found: Iterable[Recorded]) -> dict[str, Any]:
    digest, first, start, count = hashlib.sha256(), "", 0, 0
    for player, deck in found:
        dealt, own = players * hand, player * hand
        turned = deck[own:dealt] + deck[:own] + deck[dealt:]
        digest.update("".join(turned).encode() + b"\n")
        if not count:
            first, start = "".join(deck), player
        count += 1
    return {"spec": spec, "players": players, "start": start, "count": count, "first": first,
            "sha256": digest.hexdigest()}  # fmt: skip


def hle_deck(players: int, seed: int, **options: Any) -> Recorded:
    """Play a new game of the Hanabi Learning Environment until its deck is empty."""
    pyhanabi = import_module("hanabi_learning_environment.pyhanabi")
    game = pyhanabi.HanabiGame({"players": players, "seed": seed, **options})
    state = game.new_initial_state()

    def deal() -> None:
        while state.cur_player() == -1:
            state.deal_random_card()

    deal()
    start = state.cur_player()
    while state.deck_size():
        moves = state.legal_moves()
        discards = [m for m in moves if m.type() == pyhanabi.HanabiMoveType.DISCARD]
        state.apply_move(discards[0] if discards else moves[-1])
        deal()
    moves = [item.move() for item in state.move_history()]
    deals = [m for m in moves if m.type() == pyhanabi.HanabiMoveType.DEAL]
    return start, [HLE[m.color()] + str(m.rank() + 1) for m in deals]


def hle() -> Iterator[dict[str, Any]]:
    small = {"hand_size": 2, "max_information_tokens": 3, "max_life_tokens": 1}
    for players in (2, 3, 4, 5):
        hand = 5 if players < 4 else 4
        for options, hand_size, settings in (
            ("", hand, {}),
            ("+random-start", hand, {"random_start_player": True}),
            ("+small", 2, {"colors": 2, **small}),
            ("+very-small", 2, {"colors": 1, **small}),
            ("+colors=3+ranks=4+hand=3", 3, {"colors": 3, "ranks": 4, "hand_size": 3}),
            ("+random-start+ranks=2+hand=2", 2,
             {"random_start_player": True, "ranks": 2, "hand_size": 2}),
        ):  # fmt: skip
            found = (hle_deck(players, seed, **settings) for seed in range(200))
            yield row(f"hle{options}:0-199", players, hand_size, found)


def pettingzoo_deck(players: int, seed: int, **options: Any) -> Recorded:
    """Play PettingZoo's game, wildly, until its deck is empty.

    Past its limit of length too, where `step` would stop: by the two halves that a step is made of.
    """
    environment = import_module("pettingzoo.classic.hanabi_v5").env(players=players, **options)
    environment.reset(seed=seed)
    game = environment.unwrapped.hanabi_env
    hand, ranks = options.get("hand_size", 5), options.get("ranks", 5)
    choose = random.Random(seed + 1)
    state = game.game_state
    while not state.is_terminal():
        legal = state.legal_actions()
        discards = [a for a in legal if a < hand]
        hints = [a for a in legal if a >= 2 * hand]
        game._execute_action_node(choose.choice(discards or hints))
        game._execute_chance_node()
    history = state.full_history()
    start = next(x.player for x in history if x.player != -1)
    cards = [x.action for x in history if x.player == -1]
    return start, [HLE[c // ranks] + str(c % ranks + 1) for c in cards]


def pettingzoo() -> Iterator[dict[str, Any]]:
    for players in (2, 3, 4, 5):
        for options, hand, settings in (
            ("", 5, {}),
            ("+random-start", 5, {"random_start_player": True}),
            ("+ranks=4+hand=3", 3, {"ranks": 4, "hand_size": 3}),
        ):
            found = (pettingzoo_deck(players, seed, **settings) for seed in range(50))
            yield row(f"pettingzoo{options}:0-49", players, hand, found)


def jaxmarl_deck(environment: Any, seed: int) -> Recorded:
    """Read the deck off the first state of a game of JaxMARL."""
    numpy, jax = import_module("numpy"), import_module("jax")
    state = environment.reset_game(jax.random.PRNGKey(seed))
    kinds = environment.num_colors * environment.num_ranks
    hands = numpy.asarray(state.player_hands).reshape(-1, kinds).argmax(1)
    pile = numpy.asarray(state.deck).reshape(-1, kinds)
    cards = [*map(int, hands), *(int(card.argmax()) for card in pile if card.sum() > 0)]
    ranks = environment.num_ranks
    return 0, [HLE[c // ranks] + str(c % ranks + 1) for c in cards]


def jaxmarl() -> Iterator[dict[str, Any]]:
    numpy, jax = import_module("numpy"), import_module("jax")
    made = import_module("jaxmarl.environments.hanabi.hanabi").HanabiEnv
    for option, flag in (("", True), ("+jax04", False)):
        jax.config.update("jax_threefry_partitionable", flag)
        for players in (2, 3, 4, 5):
            environment = made(num_agents=players)
            found = (jaxmarl_deck(environment, seed) for seed in range(100))
            yield row(f"jaxmarl{option}:0-99", players, 5, found)
        environment = made(num_agents=3, num_colors=3, num_ranks=4, hand_size=3,
                           num_cards_of_rank=numpy.array([3, 2, 2, 1]))  # fmt: skip
        found = (jaxmarl_deck(environment, seed) for seed in range(100))
        yield row(f"jaxmarl{option}+colors=3+ranks=4+hand=3:0-99", 3, 3, found)


def compiled(questions: Sequence[str], letters: str) -> list[Recorded]:
    """Answer the questions that libstdcxx_decks.cc says, with the C++ compiler of this machine."""
    source = Path(__file__).with_name("libstdcxx_decks.cc")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "decks"
        subprocess.run(["g++", "-std=c++17", "-O1", "-o", program, source], check=True)
        done = subprocess.run(
            [program], input="\n".join(questions), text=True, capture_output=True, check=True
        )
    rows = [[int(word) for word in line.split()] for line in done.stdout.splitlines()]
    return [(start, [letters[c // 5] + str(c % 5 + 1) for c in cards]) for start, *cards in rows]


def libstdcxx(count: int = 200) -> Iterator[dict[str, Any]]:
    for players in (2, 3, 4, 5):
        for source in ("sad", "obl"):
            asked = [f"{source} {players} 5 {seed}" for seed in range(count)]
            yield row(f"{source}:0-{count - 1}", players, 5, compiled(asked, HLE))
        for source in ("sparta", "quux"):
            asked = [f"shuffle {players} 5 {seed} 0" for seed in range(1, count + 1)]
            yield row(f"{source}:1-{count}", players, 5, compiled(asked, ROYGB))
            asked = [f"shuffle {players} 5 7 {game}" for game in range(count)]
            yield row(f"{source}:7#0-{count - 1}", players, 5, compiled(asked, ROYGB))


if __name__ == "__main__":
    print_rows(hle, pettingzoo, jaxmarl, libstdcxx)
