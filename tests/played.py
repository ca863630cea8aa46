"""The 105 played games of the test data, and hypothesis strategies for games of any variant."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from solver.formats.hanablive import NAMES, Game
from solver.formats.variants import find, names
from solver.game.deal import Deal
from solver.game.line import Line
from solver.game.position import Action, Position

DATA = Path(__file__).parent / "data"


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(row) for row in (DATA / name).read_text(encoding="utf-8").splitlines()]


ROWS: list[dict[str, Any]] = _lines("games.jsonl")
RESULTS: list[dict[str, Any]] = _lines("game_results.jsonl")


def read(file: str) -> Game:
    """Read the game whose file name begins so."""
    return Game.from_json(next(row for row in ROWS if row["file"].startswith(file)))


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """Draw a deal of a covered variant, any order of the deck."""
    covered = [n for n in range(len(names()))]
    variant = find(draw(st.sampled_from(covered)))
    rules = variant.rules(
        draw(st.integers(2, 6)),
        first_player=draw(st.integers(0, 1)),
        one_extra_card=draw(st.booleans()),
        deck_plays=draw(st.booleans()),
    )
    deck = draw(st.permutations(rules.sorted_deck()))
    return Deal(rules, tuple(deck), "", variant.name)


@st.composite
def lines(draw: st.DrawFn, longest: int = 25) -> tuple[Deal, Line]:
    """Draw a deal and a line of legal actions from its start."""
    deal = draw(deals())
    position = Position.start(deal)
    actions: list[Action] = []
    for _ in range(draw(st.integers(0, longest))):
        legal = position.legal_actions()
        if not legal:
            break
        actions.append(draw(st.sampled_from(legal)))
        position = position.after(actions[-1])
    return deal, Line.of(deal, tuple(actions))


def bare(deal: Deal) -> Game:
    """Make a game without moves."""
    return Game(NAMES[: deal.rules.players], deal)
