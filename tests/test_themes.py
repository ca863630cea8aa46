"""Themes: positions that have them, and positions that have not."""

from __future__ import annotations

import pytest

from puzzling import SACRIFICE, at, case
from solver.game.position import Position
from solver.puzzles.themes import THEMES, themes
from solver.questions.tightness import pace

RIGHT_PERSON = "rygbp:32221 r4,y4,g4,b5,p4 b4g5g4p5r2/y4g2p1r5g3/y5y2y1r4b3 ?p4 - 1/8 0/3 2 -"
BURN = "rb:32221 r3,b3 ktkt/b5r5 ?b4r4ktkt - 1/1 0/3 0 -"
LOCKOUT = "rb:32221 r3,b4 ktr4/r5kt/ktb5 ?kt - 0/8 0/3 0 -"
CRITICAL = "rb:32221 r3,b4 b5r5/r4kt/r4kt ?kt - 0/8 0/3 0 -"
FREE = "rb:32221 r2,b4 b5kt/r3kt/r4kt ?r5 - 0/8 0/3 0 -"
DISTRIBUTION = "rb:32221 r3,b3 b4r4/b4kt ?b5ktr5 - 0/8 0/3 0 -"
ZUGZWANG = "rb:32221 r2,b3 ktr3/r5kt/r4b4 ?b5ktkt - 2/8 0/3 0 -"
EXAMPLES = {
    "only-win": (BURN, SACRIFICE, RIGHT_PERSON),
    "trap": (BURN, RIGHT_PERSON, case("clueless-1-fives-win-this").text()),
    "stall": (RIGHT_PERSON,),
    "discard-for-token": (case("clueless-0-puff-ups").text(),),
    "token-from-5": (case("clueless-1-fives-win-this").text(),),
    "order-of-two-playables": (case("clueless-1-fives-win-this").text(),),
    "right-person-draws": (RIGHT_PERSON,),
    "void-player": (case("clueless-0-puff-ups").text(), BURN),
    "pace-0": (case("clueless-1-fives-win-this").text(),),
    "bottom-deck-risk": (case("clueless-2-a-big-fuel-vessel").text(), BURN),
    "sole-holder": ("rb:32221 r3,b5 r4r5/ktkt ?ktkt - 0/8 0/3 0 -",),
    "sacrifice": (SACRIFICE,),
    "last-round": (case("rule-last-card-order").text(),),
    "misplay-burn": (BURN, "rb:32221 r3,b4 ktkt/ktr5/ktr4 ?b5kt - 1/1 0/3 0 -"),
    "five-lockout": (LOCKOUT, LOCKOUT.replace("r5kt", "ktr5")),
    "two-critical": (CRITICAL,),
    "distribution": (DISTRIBUTION, "rb:32221 r4,b3 b5b4/b4kt ?ktr5 - 0/8 0/3 0 -"),
    "zugzwang": (ZUGZWANG, "rb:32221 r2,b3 ktr3/b5r4/ktb4 ?r3r4r5 - 1/1 0/3 0 -"),
}


@pytest.mark.parametrize("name", THEMES)
def test_theme_of_handmade_positions(name: str) -> None:
    for text in EXAMPLES[name]:
        assert name in themes(at(text))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("only-win", "rb:32221 r3,b4 r5r4/ktr4 ?b4b5 - 0/8 0/3 0 -"),
        ("trap", case("clueless-0-puff-ups").text()),
        ("stall", BURN),
        ("discard-for-token", SACRIFICE.replace(" 0/8", " 1/8")),
        ("token-from-5", BURN),
        ("order-of-two-playables", RIGHT_PERSON),
        ("right-person-draws", BURN),
        ("void-player", SACRIFICE),
        ("pace-0", BURN),
        ("bottom-deck-risk", RIGHT_PERSON),
        ("sole-holder", SACRIFICE),
        ("sole-holder", BURN),
        ("sacrifice", case("clueless-0-puff-ups").text()),
        ("last-round", RIGHT_PERSON),
        ("misplay-burn", SACRIFICE),
        ("five-lockout", FREE),
        ("five-lockout", BURN),
        ("two-critical", LOCKOUT),
        ("two-critical", BURN),
        ("distribution", LOCKOUT),
        ("distribution", SACRIFICE),
        ("zugzwang", LOCKOUT),
    ],
)
def test_theme_that_a_position_has_not(name: str, text: str) -> None:
    assert name not in themes(at(text))


def test_pace() -> None:
    assert pace(case("clueless-1-fives-win-this")) == 0
    assert pace(Position.from_text(BURN)) == 2
    assert pace(Position.from_text("rb:32221 r3,b4 r4/r5 - - 0/8 0/3 0 2")) == -1
