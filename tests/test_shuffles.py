"""Deals by Python's `random`: the same made one by one as all at once by the kernel."""

from __future__ import annotations

import random

import pytest

from solver.decks.request import Asked, Shape, Suits
from solver.decks.shuffles import Shuffles, key, names
from solver.formats.editions import House
from solver.game.deal import Deal
from solver.game.rules import Ending
from solver.models.packing import pack_decks
from solver.reading.specs import deals, shuffled
from solver.surveys import bulk
from solver.surveys.bulk import decks_of, solve_bulk
from solver.surveys.plan import Part

DARK = Shape(6, 1)
ENDLESS = Asked("Up or Down (5 Suits)", House(ending=Ending.ENDLESS, hand_size=3))


@pytest.mark.parametrize(("spec", "players", "variant"), [
    ("random:0-120", 2, None),
    ("random:4294967290-4294967300", 3, None),
    ("random:999999999999989-999999999999999", 6, DARK),
    ("python:p2c1s0-99", None, None),
    ("python:p2v0s95-105", None, None),
    ("python:p5s7", 5, "Black (6 Suits)"),
    (f"python:p4{'long' * 700}s9-11", None, None),
    ("random:0-30", 4, Asked(None, House("french", strikes=2, deck_plays=True))),
    ("random:0-30", 4, Asked(DARK, House(clues=5))),
])  # fmt: skip
def test_the_same_deals(spec: str, players: int | None, variant: Suits | Asked) -> None:
    found = shuffled(spec, players, variant)
    assert found is not None
    wanted = list(deals(spec, players, variant))
    assert list(found) == wanted
    for deal, other in zip(found, wanted, strict=True):
        assert isinstance(other, Deal)
        assert (deal.rules, deal.name, deal.variant, deal.origin) == (
            other.rules, other.name, other.variant, other.origin,
        )  # fmt: skip
    assert names(found) == names(list(found)) == [deal.name for deal in found]
    assert list(found[3:1:-1]) == list(found)[3:1:-1]
    assert decks_of(found) == pack_decks(list(found))


@pytest.mark.parametrize(("spec", "players", "variant"), [
    ("p3v0s1", None, None),
    ("hle:0-9", 2, None),
    ("random:0-9", None, None),
    ("random:9-0", 2, None),
    ("random:0-9", 7, None),
    ("python:p3c1s0-9", 2, None),
    ("python:p3c1s0-9", None, "No Such Variant"),
    ("random:0-9", 5, Asked(None, House("french"))),
])  # fmt: skip
def test_all_else_is_left_alone(spec: str, players: int | None, variant: Suits | Asked) -> None:
    assert shuffled(spec, players, variant) is None


def test_rules_of_variants_and_houses_reach_the_kernel() -> None:
    found = shuffled("random:0-19", 3, ENDLESS)
    assert found is not None
    assert found.rules.ending is Ending.ENDLESS
    assert [o._replace(seconds=0) for o in solve_bulk(found, 1000)] == [
        o._replace(seconds=0) for o in solve_bulk(list(found), 1000)
    ]


@pytest.mark.parametrize("seed", [0, 7, 2**32, 10**15 - 1, "", "p2c1s0", "é" * 99])
def test_keys_are_what_python_takes_in(seed: int | str) -> None:
    assert random.Random(key(seed)).getstate() == random.Random(seed).getstate()


def test_parts_are_made_when_they_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    part = Part("random:0-999", 2, None, 1000)
    wanted = decks_of(part.deals())
    monkeypatch.setattr(random.Random, "shuffle", None)
    found = part.deals()
    assert isinstance(found, Shuffles)
    assert (len(found), names(found)[-1]) == (1000, "random:999")
    assert decks_of(found) == wanted


def test_another_shuffle_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = shuffled("random:0-99", 2)
    assert found is not None
    monkeypatch.setattr(bulk, "decks_of", lambda deals: decks_of(found[1:]) + decks_of(found[:1]))
    with pytest.raises(AssertionError, match="random:0: the kernel shuffles another deck"):
        solve_bulk(found, 1000)
