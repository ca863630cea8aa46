"""Decks of the environments are those that the environments deal, and options mean what they say.

data/environment_decks.jsonl was recorded from them by record_decks.py.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from record_decks import compiled
from solver.command.cli import main
from solver.decks import mersenne, pettingzoo
from solver.decks.chacha import shuffled, words
from solver.decks.pcg import Pcg
from solver.formats.link import decode
from solver.game.card import Card
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.reading.specs import Fault, deals

DATA = Path(__file__).parent / "data"
RECORDED = [
    json.loads(line)
    for line in (DATA / "environment_decks.jsonl").read_text(encoding="utf-8").splitlines()
]
LEARNING = json.loads((DATA / "hle_decks.json").read_text(encoding="utf-8"))


def dealt(spec: str, players: int | None = None) -> list[Deal]:
    found = list(deals(spec, players))
    assert all(isinstance(deal, Deal) for deal in found), found
    return [deal for deal in found if isinstance(deal, Deal)]


def fault(spec: str, players: int | None = 2, variant: str | None = None) -> str:
    (found,) = deals(spec, players, variant)
    assert isinstance(found, Fault), found
    return str(found)


def turned(text: str, players: int, hand: int, start: int) -> str:
    """Deal the start player's hand first."""
    own, hands = 2 * hand * start, 2 * hand * players
    return text[own:hands] + text[:own] + text[hands:]


@pytest.mark.parametrize("row", RECORDED, ids=lambda row: f"{row['spec']}-{row['players']}p")
def test_decks_are_those_of_the_environment(row: dict[str, Any]) -> None:
    found = dealt(row["spec"], row["players"])
    first = found[0]
    assert len(found) == row["count"]
    assert first.text() == turned(row["first"], row["players"], first.rules.hand_size, row["start"])
    assert first.origin is not None
    assert first.origin.start == row["start"]
    lines = "".join(f"{deal.text()}\n" for deal in found)
    assert hashlib.sha256(lines.encode()).hexdigest() == row["sha256"]


@pytest.mark.parametrize("row", LEARNING["decks"], ids=lambda row: f"{row['seed']}")
def test_decks_of_the_learning_environment(row: dict[str, Any]) -> None:
    players, start = row.get("players", 4), row.get("first_player", 0)
    option = "+random-start" if row["random_start_player"] else ""
    (deal,) = dealt(f"hle{option}:{row['seed']}", players)
    text = row["deck"].replace(" ", "").lower()
    assert deal.text() == turned(text, players, deal.rules.hand_size, start)
    assert deal.name == f"hle{option}:{row['seed']}"


def test_decks_of_recorded_games() -> None:
    for game in LEARNING["games"]:
        (deal,) = dealt(f"hle:{game['seed']}", game["players"])
        assert deal.text() == game["deck"].replace(" ", "").lower()


@pytest.mark.parametrize("spec", ["hle+random-start:0-199", "sad:0-99", "hle+very-small:0-99"])
def test_fast_draws_are_those_of_doubles(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fast = dealt(spec, 3)
    monkeypatch.setattr(mersenne, "EDGE", 2**64)
    assert dealt(spec, 3) == fast


def test_fast_draws_of_numpy_are_those_of_doubles(monkeypatch: pytest.MonkeyPatch) -> None:
    fast = dealt("pettingzoo:0-99", 3)
    monkeypatch.setattr(pettingzoo, "EDGE", 2**53)
    assert dealt("pettingzoo:0-99", 3) == fast


def test_draws_on_a_border_of_two_kinds_go_by_doubles() -> None:
    # Six kinds of two cards each: the third sum of sixths is 0.5 exactly, and u = 0.5 is not above.
    left = [kind for kind in "abcdef" for _ in range(2)]
    assert left[mersenne._in_doubles(2**63, left)] == "c"
    assert left[mersenne._in_doubles(2**63 + 2**12, left)] == "d"
    assert left[mersenne._in_doubles(0, left)] == "a"
    assert left[mersenne._in_doubles(2**64 - 1, left)] == "f"
    assert mersenne._in_doubles(2**64 - 1, ["a", "a"]) == 1


def test_engine_is_the_standard_one() -> None:
    # The C++ standard fixes the 10,000th word of the default seed 5489.
    engine = next(mersenne.engines([5489]))
    *_, last = (engine.getrandbits(32) for _ in range(10_000))
    assert last == 4123659995


def test_engines_do_not_depend_on_their_neighbours() -> None:
    alone = [next(mersenne.engines([seed])).getrandbits(96) for seed in range(150)]
    assert [engine.getrandbits(96) for engine in mersenne.engines(range(150))] == alone


def test_bounded_draws_redraw() -> None:
    class Words:
        def __init__(self, *words: int) -> None:
            self.left = list(words)

        def getrandbits(self, bits: int) -> int:
            assert bits == 32
            return self.left.pop(0)

    # 2**32 is one more than a multiple of 3 and of 5: only a low half of 0 is drawn again.
    assert mersenne.bounded(Words(0, 2**32 - 1), 3) == 2  # type: ignore[arg-type]
    assert mersenne.bounded(Words(0), 2) == 0  # type: ignore[arg-type]


def test_pcg_is_numpys() -> None:
    numpy = pytest.importorskip("numpy")
    for seed in (0, 1, 42, 2**31 - 1, 2**40 + 7, 2**200 + 3):
        numbers = Pcg(seed)
        expected = numpy.random.Generator(numpy.random.PCG64(numpy.random.SeedSequence(seed)))
        assert [numbers.bits() / 2**53 for _ in range(5)] == [expected.random() for _ in range(5)]


def test_pettingzoo_draws_as_numpy_chooses() -> None:
    numpy = pytest.importorskip("numpy")
    for deal in dealt("pettingzoo:0-19", 2):
        seed = int(deal.name.removeprefix("pettingzoo:"))
        generator = numpy.random.Generator(numpy.random.PCG64(numpy.random.SeedSequence(seed)))
        left = [c + r for c in "rygwb" for r in "1112233445"]
        for card in deal.text()[::2]:
            kinds = list(dict.fromkeys(left))
            chances = [left.count(kind) / len(left) for kind in kinds]
            drawn = kinds[int(generator.choice(len(kinds), p=chances))]
            left.remove(drawn)
            assert drawn[0] == card


def test_chacha_of_rust() -> None:
    # The first block of the zero key: test vector 1 of RFC 7539, appendix A.1.
    assert list(islice(words(()), 4)) == [0xADE0B876, 0x903DF1A0, 0xE56A5D40, 0x28BD8653]
    assert next(islice(words(()), 16, None)) == 0xBEE7079F
    sorted_deck = [Card(s, int(r)) for s in range(5) for r in "1112233445"]
    text = (DATA / "hanabirs_links.txt").read_text(encoding="utf-8")
    for seed, link in map(str.split, text.splitlines()):
        game = decode(link)
        (deal,) = dealt(f"hanabirs:{seed}", game.deal.rules.players)
        # Its colours are r y g b w, which are suits in the same order as the site's.
        assert deal.deck == game.deal.deck == tuple(shuffled(int(seed), sorted_deck)[::-1])


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is needed to ask libstdc++")
@pytest.mark.slow
def test_libstdcxx_deals_the_same() -> None:
    for source, letters in (("hle", "rygwb"), ("sad", "rygwb"), ("obl", "rygwb")):
        asked = [f"{source} 3 5 {seed}" for seed in range(1000, 2000)]
        expected = [turned("".join(d), 3, 5, s) for s, d in compiled(asked, letters)]
        assert [deal.text() for deal in dealt(f"{source}:1000-1999", 3)] == expected


def test_games_of_a_run() -> None:
    run = dealt("sparta:7#2-4", 4)
    assert [deal.name for deal in run] == ["sparta:7#2", "sparta:7#3", "sparta:7#4"]
    assert dealt("sparta:7#3", 4) == run[1:2]
    assert dealt("sparta:7", 4)[0].deck == dealt("quux:7#0", 4)[0].deck != run[0].deck
    assert dealt("quux:7", 2)[0].rules.lost_scores_stacks
    assert not run[0].rules.lost_scores_stacks


def test_hand_sizes_and_rules_are_those_of_the_environment() -> None:
    hands = {
        source: [dealt(f"{source}:1", players)[0].rules.hand_size for players in (2, 3, 4, 5)]
        for source in ("hle", "sad", "obl", "sparta", "quux", "pettingzoo", "jaxmarl", "hanabirs")
    }
    assert {s for s, sizes in hands.items() if sizes == [5, 5, 5, 5]} == {
        "sad", "obl", "pettingzoo", "jaxmarl"
    }  # fmt: skip
    assert {s for s, sizes in hands.items() if sizes == [5, 5, 4, 4]} == {
        "hle", "sparta", "quux", "hanabirs"
    }  # fmt: skip
    small = dealt("hle+small:0", 2)[0].rules
    assert (len(small.suits), small.hand_size, small.max_clues, small.max_strikes) == (2, 2, 3, 1)
    tiny = dealt("hle+very-small+lives=3:0", 2)[0].rules
    assert (len(tiny.suits), tiny.deck_size, tiny.start_clues, tiny.max_strikes) == (1, 10, 3, 3)
    assert dealt("quux+empty-clues+full-discard+hand=3:1", 2)[0].rules.empty_clues
    assert dealt("hanabirs:1", 2)[0].rules.discard_at_full


@pytest.mark.parametrize("players", [2, 5])
def test_start_player_takes_seat_0(players: int) -> None:
    starts = set()
    for fixed, free in zip(
        dealt("obl+fixed-start:0-49", players), dealt("obl:0-49", players), strict=True
    ):
        assert free.origin is not None
        starts.add(free.origin.start)
        assert fixed.origin is not None
        assert fixed.origin.start == 0
        assert free.rules.first_player == 0
    assert starts == set(range(players))


def test_names_are_specs_and_decks_read_back() -> None:
    for spec in ("hle+random-start:5", "sparta:7#3", "jaxmarl+jax04:1", "obl:9", "hanabirs:8"):
        (deal,) = dealt(spec, 5)
        assert deal.name == spec
        assert dealt(deal.name, 5) == [deal]
        (again,) = dealt(deal.text(), 5)
        assert again.deck == deal.deck


def test_hanablive_ranges() -> None:
    assert [deal.name for deal in dealt("hanablive:p3v0s9-10")] == ["p3v0s9", "p3v0s10"]
    assert dealt("hanablive:p3v0s9") == dealt("p3v0s9")


def test_json_names_the_generator(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deck", "hle+random-start:3", "--players", "3", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["name"] == "hle+random-start:3"
    assert row["origin"]["environment"] == "Hanabi Learning Environment"
    assert row["origin"]["version"] == "0.0.4"
    assert "libstdc++" in row["origin"]["generator"]
    assert "start player" in row["origin"]["generator"]


def test_solved_rows_have_links_although_rules_differ(capsys: pytest.CaptureFixture[str]) -> None:
    specs = ["hle:42", "sad:42", "quux:42", "hanabirs+no-full-discard:42", "obl:42"]
    assert main(["solve", *specs, "--players", "4", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["name"] for row in rows] == specs
    linked = {row["name"] for row in rows if row["link"]}
    # A link has no room for five cards each.
    assert linked == {"hle:42", "quux:42", "hanabirs+no-full-discard:42"}


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("hle+nope:1", "option 'nope' is not known; there are +random-start, +small"),
        ("hle+colors=6:1", "'colors=6' is not colors=1 to 5"),
        ("hle+colors=:1", "is not colors=1 to 5"),
        ("hle+small=2:1", "takes no value"),
        ("hle+small+small:1", "twice"),
        ("random+small:1", "there are none"),
        ("hle:1-", "no range"),
        ("hle:2147483648", "beyond the largest seed"),
        ("quux:0-9", "seed 0"),
        ("sparta:0", "seed 0"),
        ("sparta:1-2#0-9", "need one seed"),
        ("sparta:1#", "no range"),
        ("pettingzoo+colors=1:1", "2 to 5"),
        ("hanablive:p3v0s", "no seed and range"),
        ("hle+hand=10+colors=1+ranks=1:1", "hands of 10 need more"),
    ],
)
def test_wrong_requests(spec: str, words: str) -> None:
    assert words in fault(spec)


def test_wrong_players_and_variants() -> None:
    assert "needs the number of players" in fault("hle:1", None)
    assert "players is 6, not 2 to 5" in fault("sad:1", 6)
    assert "no more players than colours" in fault("pettingzoo+colors=2:1", 3)
    assert "deals no variants" in fault("hle:1", 2, "6 Suits")
    assert isinstance(next(deals("hle:1", 2, "No Variant")), Deal)
    (deal,) = dealt("hle:1", 2)
    with pytest.raises(InputError, match="occurs"):
        Deal(deal.rules, deal.deck[:-1])
