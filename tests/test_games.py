"""Logs of research programs are read as the games that were played, and wrong ones are refused.

data/environment_games.jsonl was recorded from the environments by record_games.py; logs of SPARTA,
Quuxplusone's program and hanabi.rs are told by teller.py in their words.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.command.cli import main
from solver.formats.hanablive import Game
from solver.formats.link import decode
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.questions.review import review
from solver.reading.arrays import games_of_arrays
from solver.reading.games import of_object, of_text
from solver.reading.specs import Fault, deals, games, located_games
from teller import played, told

DATA = Path(__file__).parent / "data"
RECORDED = [
    json.loads(line)
    for line in (DATA / "environment_games.jsonl").read_text(encoding="utf-8").splitlines()
]
OBL = json.loads((DATA / "jaxmarl_obl_games.json").read_text(encoding="utf-8"))["games"]
LEARNING = json.loads((DATA / "hle_decks.json").read_text(encoding="utf-8"))["games"]


def read(text: str) -> list[Game | InputError]:
    found = of_object(json.loads(text)) if text.startswith("{") else of_text(text)
    assert found is not None
    return [game for _, game in found]


def one(text: str) -> Game:
    (game,) = read(text)
    assert isinstance(game, Game), game
    return game


def fault(text: str) -> str:
    (error,) = read(text)
    if isinstance(error, Game):
        with pytest.raises(InputError) as caught:
            error.replay()
        return str(caught.value)
    return str(error)


def dealt(spec: str, players: int) -> Deal:
    (deal,) = deals(spec, players)
    assert isinstance(deal, Deal), deal
    return deal


@pytest.mark.parametrize("row", RECORDED, ids=lambda row: f"{row['format']}-{row['players']}p")
def test_logs_of_environments_replay(row: dict[str, Any]) -> None:
    game = read(row["text"])[0]
    assert isinstance(game, Game), game
    outcome = game.replay()
    known = row["deck"].lower().split()
    assert game.deal.rules.players == row["players"]
    assert game.deal.text().startswith("".join(known))
    assert outcome.end in (1, 2)
    assert outcome.score == row["score"]
    assert game.record is not None
    if "serialized" not in row["text"] and row["format"] != "OpenSpiel":
        assert game.record.score == row["score"]
    whole = "seed" in row["text"] or row["format"].startswith("rl_env") or len(known) == 50
    assert (game.record.dealt is None) == whole
    assert bool(game.missing) == (not whole and row["score"] < 25)


def test_recorded_games_are_of_every_kind() -> None:
    outcomes = {(row["format"].split(",")[0], row["score"] > 0) for row in RECORDED}
    assert outcomes >= {("history", True), ("history", False), ("rl_env", True),
                        ("rl_env", False), ("OpenSpiel", False)}  # fmt: skip
    assert any("arrays" in row["format"] and row["players"] == 3 for row in RECORDED)


@pytest.mark.parametrize("number", range(len(LEARNING)))
def test_games_of_the_learning_environment(number: int) -> None:
    row = LEARNING[number]
    game = one(json.dumps(row))
    assert game.replay().score == row["score"]
    letters = game.deal.letters
    for turn, move in enumerate(row["moves"], 1):
        after = game.position(turn)
        fireworks = dict(zip(letters, after.stacks, strict=True))
        said = move["after"]
        lost = after.strikes == 3  # no card is drawn any more there
        assert (after.clues, 3 - after.strikes, after.pile_size + lost) == (
            said["clues"], said["lives"], said["deck"]
        )  # fmt: skip
        assert [fireworks[letter] for letter in "rygwb"] == said["fireworks"]


def test_moves_by_number_are_the_moves_in_words() -> None:
    for row in LEARNING:
        numbers = {**row, "moves": [move["uid"] for move in row["moves"]]}
        assert one(json.dumps(numbers)).moves == one(json.dumps(row)).moves


def test_seeds_stand_for_decks() -> None:
    for row in LEARNING:
        seeded = {key: value for key, value in row.items() if key != "deck"}
        assert one(json.dumps(seeded)).deal.deck == one(json.dumps(row)).deal.deck
    wrong = {key: value for key, value in LEARNING[1].items() if key != "deck"} | {"seed": 5}
    assert "turn" in fault(json.dumps(wrong))


def test_a_random_start_player_keeps_the_seats_of_the_environment() -> None:
    moves = [{"type": "discard", "player": seat, "index": 0} for seat in (1, 2, 0)]
    row = {"players": 3, "deal": "hle+random-start:42", "moves": [20, *moves]}
    del row["moves"][0]  # type: ignore[attr-defined]
    game = one(json.dumps(row))
    recorded = next(
        d for d in json.loads((DATA / "hle_decks.json").read_text())["decks"]
        if d["random_start_player"] and d["players"] == 3
    )  # fmt: skip
    assert game.deal.text() == recorded["deck"].replace(" ", "").lower()
    assert game.deal.rules.first_player == recorded["first_player"] == 1


def test_games_of_jaxmarl_replay_to_their_scores() -> None:
    found = list(games(str(DATA / "jaxmarl_obl_games.json")))
    assert len(found) == len(OBL) == 150
    for game, row in zip(found, OBL, strict=True):
        assert isinstance(game, Game), game
        outcome = game.replay()
        assert (outcome.score, outcome.turns) == (row["score"], len(row["actions"]))
        assert game.deal.rules.players == 2  # which the file does not say: nothing else fits


def test_arrays_of_all_players(tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    row = json.loads(next(r for r in RECORDED if r["format"] == "arrays")["text"])
    expected = [game for game in games_of_arrays(row) if isinstance(game, Game)]
    assert len(expected) == len(row["scores"]) == 2
    arrays = {key: numpy.array(value) for key, value in row.items()}
    numpy.savez_compressed(tmp_path / "games.npz", **arrays)
    found = list(games(str(tmp_path / "games.npz")))
    assert [game.moves for game in found if isinstance(game, Game)] == [g.moves for g in expected]
    counts = [len(game.moves) for game in expected]
    ids = [101, 102]
    human = {**row, "num_actions": counts, "num_players": 2, "game_ids": ids}
    tensors = {key: numpy.array(value, dtype="int32") for key, value in human.items()}
    header, body = {}, b""
    for key, tensor in tensors.items():
        span = [len(body), len(body) + tensor.nbytes]
        header[key] = {"dtype": "I32", "shape": list(tensor.shape), "data_offsets": span}
        body += tensor.tobytes()
    text = json.dumps(header).encode()
    (tmp_path / "g.safetensors").write_bytes(len(text).to_bytes(8, "little") + text + body)
    again = list(games(str(tmp_path / "g.safetensors")))
    assert [str(game.deal) for game in again if isinstance(game, Game)] == ["game 101", "game 102"]
    assert [game.moves for game in again if isinstance(game, Game)] == [g.moves for g in expected]
    assert again[0].record.source == "AH2AC2"  # type: ignore[union-attr]


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 10**6), st.integers(2, 5), st.booleans(), st.booleans())
def test_told_games_are_read_back(seed: int, players: int, careful: bool, sparta: bool) -> None:
    game = played(dealt(f"quux:{seed}", players), seed, careful)
    outcome = game.position()
    lost = outcome.strikes == 3
    score = outcome.points - 1 if lost and sparta else outcome.points
    score = max(score, 0)
    lines = list(told(game, sparta))
    if sparta:
        lines.append(f"Final score 0 : {score} bomb: {int(lost)}")
    else:
        lines.append(f"InfoBot scored {score} points in that first game.")
    found = one("\n".join(lines))
    assert found.moves == game.moves
    size = game.orders().drawn - lost  # after the last strike no card is drawn
    assert found.deal.deck[:size] == game.deal.deck[:size]
    assert found.replay().score == score
    unknown = len(set(game.deal.deck[size:])) > 1
    assert bool(found.missing) == (unknown and outcome.points < 25)
    named = one("\n".join([f"--seed {seed}", *lines]))
    assert named.deal.deck == game.deal.deck
    assert not named.missing


def test_a_run_of_sparta_by_its_settings() -> None:
    deals_of_run = [dealt(f"sparta:7#{number}", 3) for number in range(3)]
    run = [played(deal, number, number != 1) for number, deal in enumerate(deals_of_run)]
    points = [game.position().points for game in run]
    assert run[1].position().strikes == 3
    assert points[1] > 0
    lines = ["BOMB0: 1", "BOMBD: 0", "--seed 7"]
    for number, game in enumerate(run):
        score = 0 if number == 1 else points[number]
        lines += [*told(game), f"Final score {number} : {score} bomb: {int(number == 1)}"]
    found = read("\n".join(lines))
    assert [game.deal.deck for game in found if isinstance(game, Game)] == [
        deal.deck for deal in deals_of_run
    ]
    assert [game.replay().score for game in found if isinstance(game, Game)] == [
        points[0], 0, points[2]
    ]  # fmt: skip
    # By the default settings a lost game scores one less than its points.
    lost = read("\n".join(lines[2:]))[1]
    assert isinstance(lost, Game)
    with pytest.raises(InputError, match="a lost game scores 1 less than its points"):
        lost.replay()


def test_games_of_hanabi_rs() -> None:
    for line in (DATA / "hanabirs_links.txt").read_text(encoding="utf-8").splitlines():
        seed, link = line.split()
        game = decode(link)
        row = {
            **game.to_json(),
            "first_player": 0,
            "notes": [[]],
            "options": {"variant": "No Variant"},
        }
        found = one(json.dumps(row))
        assert found.deal.deck == dealt(f"hanabirs:{seed}", 4).deck
        assert found.replay().score == 24
        assert found.record is not None
        assert found.record.convention == "a lost game keeps its points"


def test_hanabi_rs_plays_on_after_full_marks_and_keeps_points() -> None:
    deal = dealt("hanabirs+no-full-discard:1", 3)
    game = next(g for g in (played(deal, n) for n in range(200)) if g.position().points == 25)
    row = {**game.to_json(), "first_player": 0}
    row["actions"].append({"type": 3, "target": 0, "value": 1})
    found = one(json.dumps(row))
    assert found.moves == game.moves
    lost = played(deal, 1, False)
    assert lost.position().strikes == 3
    found = one(json.dumps({**lost.to_json(), "first_player": 0}))
    assert found.replay().score == lost.position().points
    full = [{"type": 1, "target": 0}, {"type": 1, "target": 5}]
    found = one(json.dumps({**lost.to_json(), "first_player": 0, "actions": full}))
    assert found.replay().turns == 2  # it allows discards at full tokens, which the site does not


def test_bomb_conventions_are_explicit() -> None:
    row = dict(LEARNING[0])  # lost with a point on the stacks
    points = sum(row["fireworks"])
    assert points > 0
    for bomb, score in ((0, 0), (1, points), (-1, points - 1)):
        assert one(json.dumps({**row, "bomb": bomb, "score": score})).replay().score == score
    assert "a lost game scores 0" in fault(json.dumps({**row, "score": points}))


def test_incomplete_decks_are_reported_not_guessed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = next(r for r in RECORDED if r["format"] == "history" and r["score"] == 0)
    path = tmp_path / "lost.log"
    path.write_text(row["text"], encoding="utf-8")
    (found,) = games(str(path))
    assert isinstance(found, Fault)
    assert "deck incomplete: only 14 of 50 cards" in str(found)
    (deal,) = deals(str(path))
    assert isinstance(deal, Fault)
    assert main(["solve", str(path)]) == 2
    assert "deck incomplete" in capsys.readouterr().err
    ((game, _),) = located_games(str(path), whole=False)
    assert isinstance(game, Game)
    assert main(["replay", str(path), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["score"], answer["recorded"], answer["end"]) == (0, 0, 2)
    assert "only 14 of 50" in answer["missing"]
    assert answer["convention"] == "a lost game scores 0"


def test_a_won_game_needs_no_rest_of_the_deck() -> None:
    deal = dealt("hle:7", 3)
    game = next(g for g in (played(deal, n) for n in range(500)) if g.position().points == 25)
    if game.orders().drawn == 50:
        pytest.skip("every win took the whole deck")
    number = {c: n for n, c in enumerate("rygwb")}
    cards = [f"{deal.letters[c.suit].upper()}{c.rank}" for c in deal.deck[: game.orders().drawn]]
    assert set(number) == set(deal.letters)
    row = {"players": 3, "deck": " ".join(cards), "score": 25, "moves": []}
    for turn, move in enumerate(game.moves):
        hand = game.orders(turn).hands[turn % 3]
        kind = ("play", "discard", "clue_color", "clue_rank")[move.type]
        if move.type < 2:
            row["moves"].append({"type": kind, "index": hand.index(move.target)})  # type: ignore[attr-defined]
        else:
            value = deal.letters[move.value or 0].upper() if move.type == 2 else move.value
            row["moves"].append({"type": kind, "target": move.target, "value": value})  # type: ignore[attr-defined]
    found = one(json.dumps(row))
    assert found.record is not None
    assert found.record.dealt == game.orders().drawn < 50
    assert found.missing == ""
    assert found.replay().score == 25
    assert {turn.loss.high for turn in review(found).turns} == {0}


def test_replay_of_the_files(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("hle_decks.json", "jaxmarl_obl_games.json")
    assert main(["replay", *(str(DATA / name) for name in names), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(rows) == 154
    assert all(row["score"] == row["recorded"] for row in rows)
    assert main(["replay", str(DATA / "hle_decks.json")]) == 0
    out = capsys.readouterr().out
    assert out.count("; score as recorded\n") == 4


def test_recorded_decks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    numpy = pytest.importorskip("numpy")
    decks = [dealt(f"hle:{seed}", 3) for seed in range(3)]
    words = [[f"{d.letters[c.suit].upper()}{c.rank}" for c in d.deck] for d in decks]
    pairs = [[["RYGWB".index(w[0]), int(w[1]) - 1] for w in deck] for deck in words]
    numbers = [[5 * colour + rank for colour, rank in deck] for deck in pairs]
    numpy.savez(tmp_path / "decks.npz", decks=numpy.array(pairs))
    forms = {
        "pairs.json": json.dumps({"decks": pairs}),
        "numbers.json": json.dumps({"num_players": 3, "decks": numbers}),
        "texts.json": json.dumps([{"deck": " ".join(deck), "players": 3} for deck in words]),
        "rows.jsonl": "".join(json.dumps({"deck": deck}) + "\n" for deck in words),
    }
    for name, text in forms.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for name in ("decks.npz", *forms):
        found = list(deals(str(tmp_path / name), 3))
        assert [deal.deck for deal in found if isinstance(deal, Deal)] == [d.deck for d in decks]
        assert str(found[2]) == f"{tmp_path / name}:3"
    (unsaid, *_) = deals(str(tmp_path / "pairs.json"))
    assert "players is missing" in str(unsaid)
    (other, *_) = deals(str(tmp_path / "numbers.json"), 2)
    assert "--players is 2, and this is for 3" in str(other)
    (tmp_path / "short.json").write_text(json.dumps({"deck": "R1 R2", "players": 2}))
    (short,) = deals(str(tmp_path / "short.json"))
    assert "there are 2 cards, not 50" in str(short)
    hands = {"deck": words[0], "players": 5, "hand_size": 5, "first_player": 2}
    (tmp_path / "hands.json").write_text(json.dumps(hands))
    (deal,) = deals(str(tmp_path / "hands.json"))
    assert isinstance(deal, Deal)
    assert (deal.rules.hand_size, deal.rules.first_player) == (5, 2)


def changed(**change: Any) -> str:
    return json.dumps({**LEARNING[1], **change})


MOVES = LEARNING[1]["moves"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (changed(players=7), "players is not a number from 2 to 5"),
        (changed(deck="R1 R2", moves=[16]), "2 cards, and 10 were drawn"),
        (changed(deck="R1 Q2"), "card 2 is 'Q2'"),
        (changed(deck=7), "deck is neither"),
        (changed(moves=[{"type": "fly"}]), "turn 1: type 'fly' is not known"),
        (changed(moves=[{"type": "play", "index": 9}]), "turn 1: seat 0 has no card in slot 9"),
        (changed(moves=[{"type": "play", "index": 1, "card": "B5"}]), "is not B5"),
        (changed(moves=[{**MOVES[0], "player": 1}]), "turn 1: it is the turn of seat 0"),
        (changed(moves=[99]), "takes action 99"),
        (changed(moves=[-1]), "takes action -1"),
        (changed(moves=[None]), "in no form that is known"),
        (changed(moves=MOVES[:5], score=25), "the recorded score is 25"),
        (changed(score="20"), "score is not a whole number"),
        (changed(bomb=2), "bomb is not a number from -1 to 1"),
        (changed(deck=None, seed=-1), "seed is not a number"),
        (changed(deck=None, deal="nope:1"), "no spec of a source"),
        (changed(deck=None, deal="hle:1-3"), "names 3 deals"),
        (changed(first_player=4), "first_player is not a number from 0 to 1"),
        (changed(moves=[{"action_type": "REVEAL_COLOR", "target_offset": 2, "color": "R"}]),
         "target_offset"),
        (changed(moves=[{"action_type": "REVEAL_COLOR", "target_offset": 1, "color": "Q"}]),
         "clues colour -1"),
        (changed(moves=[{"type": "clue_rank", "target": 1, "value": 6}]), "clues rank 6"),
        ('{"deck": "R1", "actions": [1]}', "players is missing"),
        ('{"deck": "R1", "actions": [1], "score": 3}', "no number from 2 to 5 fits"),
        ('{"decks": [1], "actions": []}', "there are 1 decks and actions of 0 games"),
        ('{"decks": [[]], "actions": [[1, 2]]}', "num_players is missing"),
        ('{"decks": [[]], "actions": [[[1, 2]]], "num_players": 3}', "actions is for 2"),
        ('{"game": "go", "history": []}', "not the game hanabi"),
        ('{"game": "hanabi(players=9)", "history": []}', "players is not 2 to 5"),
        ('{"game": "hanabi(random_start_player=True)", "history": [1]}', "who starts is random"),
        ('{"games": [{"name": "x"}]}', "no game in a format that is known"),
        ("[Game]\nhanabi\n[State]\nx", "no [Game] with a [State]"),
        ("Final score 0 : 24 bomb: 0", "a score alone"),
        ("Current hands: 1r,2b 3y", "not 2 to 5 hands of the same size"),
        ("[<(Deal R1)>, <(Play 0) by player 0 scored R1>]", "no full round"),
        ("<(Deal R1)>", "no moves"),
        ("Agent: 0 action: {'action_type': 'PLAY'}", "no line before it names its deal"),
    ],
)  # fmt: skip
def test_wrong_logs(text: str, words: str) -> None:
    assert words in fault(text)


def test_wrong_tellings() -> None:
    game = played(dealt("sparta:3", 2), 3)
    lines = list(told(game))
    hand = next(n for n, line in enumerate(lines) if " card (" in line)
    wrong = lines[hand].replace("newest", "fattest").replace("oldest", "fattest")
    wrong = wrong.replace("middle", "fattest")
    assert "fattest card" in fault("\n".join([*lines[:hand], wrong]))
    other = lines[hand].replace("Player 0", "Player 9").replace("Player 1", "Player 9")
    assert "not of player 9" in fault("\n".join([*lines[:hand], other]))


def test_later_episodes_have_no_deck() -> None:
    row = next(r for r in RECORDED if r["format"] == "rl_env")
    first, second = read(row["text"] + row["text"].split("\n", 1)[1])
    assert isinstance(first, Game)
    assert "episode 1: no line before it names its deal" in str(second)


@pytest.mark.parametrize("name", ["x.npz", "x.safetensors"])
@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"\x02\0\0\0\0\0\0\0{}", b"\xff" * 40])
def test_broken_binary_files(name: str, data: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    (found,) = games(str(tmp_path / name))
    assert isinstance(found, Fault)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(RECORDED), st.data())
def test_damaged_logs_give_games_or_faults(row: dict[str, Any], data: st.DataObject) -> None:
    text = row["text"]
    at = data.draw(st.integers(0, len(text) - 1))
    put = data.draw(st.sampled_from(["", "9", "x", "-1", " ", "\n"]))
    damaged = text[:at] + put + text[at + 1 :]
    try:
        found = read(damaged)
    except (AssertionError, ValueError):
        return  # not this format any more
    for game in found:
        if isinstance(game, Game):
            with suppress(InputError):
                game.replay()
