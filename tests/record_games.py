"""Record games as the environments themselves tell them: ``python tests/record_games.py > FILE``.

Every row is ``{"format", "text", "players", "score", "deck"}``: a log in that format, and what the
environment says of the game; ``deck`` has the cards that were dealt. An environment that is not
installed is left out.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from recording import print_rows

HLE = "RYGWB"


def chosen(moves: list[Any], kinds: list[str], safe: bool, choose: random.Random) -> Any:
    """Choose a move; a safe player discards and clues, and seldom plays at random."""
    careful = [m for m, kind in zip(moves, kinds, strict=True) if kind != "play"]
    return choose.choice(careful if safe and careful and choose.random() < 0.995 else moves)


def fitting(state: Any) -> int:
    """Give the slot of a card that fits on its firework, -1 if there is none."""
    hand, fireworks = state.player_hands()[state.cur_player()], state.fireworks()
    slots = (slot for slot, card in enumerate(hand) if fireworks[card.color()] == card.rank())
    return next(slots, -1)


def histories() -> Iterator[dict[str, Any]]:
    pyhanabi = import_module("hanabi_learning_environment.pyhanabi")
    types = pyhanabi.HanabiMoveType
    for players, seed, safe, options in (
        (2, 11, False, {}), (3, 12, True, {}), (4, 13, True, {}), (5, 14, False, {}),
        (4, 15, True, {"hand_size": 5}), (3, 42, True, {"random_start_player": True}),
    ):  # fmt: skip
        choose = random.Random(seed)
        game = pyhanabi.HanabiGame({"players": players, "seed": seed, **options})
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.cur_player() == -1:
                state.deal_random_card()
                continue
            legal = state.legal_moves()
            kinds = ["play" if m.type() == types.PLAY else "" for m in legal]
            move = chosen(legal, kinds, safe, choose)
            if safe and (slot := fitting(state)) >= 0:
                move = next(m for m in legal if m.type() == types.PLAY and m.card_index() == slot)
            state.apply_move(move)
        items = [str(item) for item in state.move_history()]
        deck = [text.split()[1].rstrip(")>") for text in items if "Deal" in text]
        told = {"players": players, "score": state.score(), "deck": " ".join(deck)}
        form = "history" if seed % 2 else "history, an item a line"
        text = str(state.move_history()) if seed % 2 else "\n".join(items)
        yield {"format": form, "text": f"{text}\nscore: {state.score()}\n", **told}


def episodes() -> Iterator[dict[str, Any]]:
    rl_env = import_module("hanabi_learning_environment.rl_env")
    for players, seed, safe in ((2, 21, True), (3, 22, False)):
        environment = rl_env.HanabiEnv({"players": players, "seed": seed})
        choose = random.Random(seed)
        observations = environment.reset()
        lines, actions, done = [f"hle:{seed}"], [], False
        while not done:
            seat = observations["current_player"]
            legal = observations["player_observations"][seat]["legal_moves"]
            kinds = ["play" if m["action_type"] == "PLAY" else "" for m in legal]
            action = chosen(legal, kinds, safe, choose)
            if safe and (slot := fitting(environment.state)) >= 0:
                action = {"action_type": "PLAY", "card_index": slot}
            lines.append(f"Agent: {seat} action: {action}")
            actions.append(action)
            observations, _, done, _ = environment.step(action)
        score = environment.state.score()
        deals = [str(item) for item in environment.state.move_history() if "Deal" in str(item)]
        told = {"players": players, "score": score,
                "deck": " ".join(text.split()[1].rstrip(")>") for text in deals)}  # fmt: skip
        text = "\n".join([*lines, f"score: {score}", "Running episode: 0", "Max Reward: 0.000"])
        yield {"format": "rl_env", "text": text + "\n", **told}
        row = {"players": players, "seed": seed, "actions": actions, "score": score}
        yield {"format": "rl_env, JSON", "text": json.dumps(row), **told}


def spiels() -> Iterator[dict[str, Any]]:
    pyspiel = import_module("pyspiel")
    for name, safe in (("hanabi(players=2)", True), ("hanabi(players=3)", False),
                       ("hanabi(players=5,random_start_player=True,seed=9)", True)):  # fmt: skip
        game = pyspiel.load_game(name)
        choose = random.Random(name)
        state = game.new_initial_state()
        hand = 5 if game.num_players() < 4 else 4
        while not state.is_terminal():
            if state.is_chance_node():
                cards, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(choose.choices(cards, chances)[0])
                continue
            legal = state.legal_actions()
            kinds = ["play" if hand <= a < 2 * hand else "" for a in legal]
            state.apply_action(chosen(legal, kinds, safe, choose))
        history = state.full_history()
        deck = [HLE[x.action // 5] + str(x.action % 5 + 1) for x in history if x.player == -1]
        score = round(state.returns()[0])
        told = {"players": game.num_players(), "score": score, "deck": " ".join(deck)}
        text = pyspiel.serialize_game_and_state(game, state)
        yield {"format": "OpenSpiel", "text": text, **told}
        pairs = [[x.player, x.action] for x in history]
        row = {"game": name, "history": pairs, "score": score}
        yield {"format": "OpenSpiel, JSON", "text": json.dumps(row), **told}


def arrays() -> Iterator[dict[str, Any]]:
    numpy, jax = import_module("numpy"), import_module("jax")
    made = import_module("jaxmarl.environments.hanabi.hanabi").HanabiEnv
    for players in (2, 3):
        environment = made(num_agents=players)
        nothing, choose = int(environment.num_moves) - 1, random.Random(players)
        decks, actions, scores = [], [], []
        for seed in range(2):
            key = jax.random.PRNGKey(seed)
            _, state = environment.reset(key)
            hands = numpy.asarray(state.player_hands).reshape(-1, 25).argmax(1)
            pile = numpy.asarray(state.deck).reshape(-1, 25)
            cards = [*map(int, hands), *(int(card.argmax()) for card in pile if card.sum() > 0)]
            turns: list[list[int]] = []
            score, done = 0, False
            while not done:
                legal = environment.get_legal_moves(state)
                seat = int(numpy.asarray(state.cur_player_idx).argmax())
                numbers = [int(a) for a in numpy.flatnonzero(legal[f"agent_{seat}"]) if a < nothing]
                kinds = ["play" if 5 <= a < 10 else "" for a in numbers]
                action = int(chosen(numbers, kinds, seed == 0, choose))
                turns.append([action if s == seat else nothing for s in range(players)])
                agents = {f"agent_{s}": a for s, a in enumerate(turns[-1])}
                # Not step, which would begin the next game at once.
                _, state, rewards, dones, _ = environment.step_env(key, state, agents)
                score += round(float(rewards["__all__"]))
                done = bool(dones["__all__"])
            decks.append([[int(c) // 5, int(c) % 5] for c in cards])
            actions.append(turns)
            scores.append(score)
        longest = max(map(len, actions))
        padded = [turns + [[nothing] * players] * (longest - len(turns)) for turns in actions]
        row = {"decks": decks, "actions": padded, "scores": scores}
        deck = " ".join(HLE[c] + str(r + 1) for c, r in decks[0])
        yield {"format": "arrays", "text": json.dumps(row, separators=(",", ":")),
               "players": players, "score": scores[0], "deck": deck}  # fmt: skip


if __name__ == "__main__":
    print_rows(histories, episodes, spiels, arrays)
