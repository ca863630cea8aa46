"""Share links: published ones, round trips, and damaged ones."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from played import ROWS, bare, lines
from solver.formats.hanablive import Game, deal_of_seed, game_of
from solver.formats.link import decode, encode, is_link
from solver.formats.moves import Move
from solver.game.deal import Deal
from solver.game.errors import IllegalActionError, InputError
from solver.game.line import Line
from solver.game.rules import Rules

CODE = (
    "415wpiksfxldvautbukq-caxdvrochugihfywsepn-qjnmflmaprgbk,03obpd-elepgcsdejwaeaxaeken-"
    "ftehsaerebsceqsbewee-eiemkdegfse4kce5pafo-e1ffe3gbece8tbobfdeE-fu1ceDexeC,0"
)
LINK = "https://hanab.live/replay-json/" + CODE


def test_the_published_example() -> None:
    game = decode(LINK)
    assert game.deal == deal_of_seed("p4v0s2")
    assert game.deal.variant == "No Variant"
    assert game.moves[:2] == (Move(2, 1, 2), Move(3, 3, 2))
    assert game.moves[-1] == Move(0, 38, 0)
    assert (len(game.moves), game.replay().score) == (47, 25)
    assert encode(game) == LINK
    assert encode(game, 12) == LINK + "#12"


@pytest.mark.parametrize(
    "text",
    [
        LINK + "#47",
        CODE,
        f"  {CODE}\n",
        CODE.replace("-", ""),
        "hanab.live/replay-json/" + CODE,
        "https://hanab.live/shared-replay-json/" + CODE + "?x=1",
        "http://localhost/replay-json/" + CODE + "/",
    ],
)
def test_forms_of_one_link(text: str) -> None:
    assert is_link(text)
    assert decode(text) == decode(LINK)


def test_the_seed_in_a_fourth_field() -> None:
    game = decode(CODE + ",p4v0s2")
    assert game.seed == game.deal.name == "p4v0s2"
    assert (game.deal, game.moves) == (decode(LINK).deal, decode(LINK).moves)
    _, actions, number = CODE.split(",")
    assert decode(f",{actions},{number},p4v0s2") == game
    assert decode(CODE + ",").seed == ""
    with pytest.raises(InputError, match="the deck is not the seed's"):
        decode(CODE + ",p4v0s2-x")
    with pytest.raises(InputError, match="another variant or number of players"):
        decode(CODE + ",p3v0s2")
    hyphens = deal_of_seed("p4v0sa-b-c")
    assert decode(f",00,0,{hyphens.name}").deal == hyphens


@pytest.mark.slow
def test_played_games() -> None:
    for row in ROWS:
        game = Game.from_json(row)
        again = decode(encode(game))
        assert (again.moves, again.deal.deck, again.deal.variant) == (
            game.moves,
            game.deal.deck,
            game.deal.variant,
        )
        assert again.ending == game.ending
        if not game.options:
            assert again.replay() == game.replay()


def test_what_has_no_place_in_a_link() -> None:
    deal = deal_of_seed("p2v0s1")
    assert decode(encode(replace(bare(deal), ending=Move(5, -1, 10)))).ending is None
    assert decode(encode(replace(bare(deal), ending=Move(4, -1, 3)))).ending is None
    with pytest.raises(InputError, match="no room for the target number 70"):
        encode(replace(bare(deal), moves=(Move(0, 70),)))
    rules = Rules.standard(2, "rg")
    with pytest.raises(InputError, match="needs a variant"):
        encode(bare(Deal(rules, tuple(rules.sorted_deck()))))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1 of 3 fields"),
        (CODE[:80], "2 of 3 fields"),
        (CODE[:-2], "1 of 3 fields|2 of 3 fields"),
        (f"415{CODE.replace('-', '')[3:53]},,0", "second field begins with ''"),
        ("415" + "a" * 50 + ",00,0", "deck: card 4 is r1 number 4"),
        ("415" + "Z" * 50 + ",00,0", "deck: card 1 is"),
        ("715wp,00,0", "first field begins with '715'"),
        ("451wp,00,0", "first field begins with '451'"),
        ("4٣5wp,00,0", "first field begins with"),
        ("415w!,00,0", "card 2 is '!'"),
        ("415wp,00,", "third field"),
        ("415wp,00,٣", "third field"),
        ("415wp,00,99999999999999999999", "the numbers end at 2425"),
        ("415wp,00,24", "there are 2 cards, not 45"),
        ("416wpf,00,24", r"card 3: Up or Down \(5 Suits\) has no rank 6"),
        (CODE.replace(",0", ",07", 1), "second field begins"),
        (CODE[:-2] + "x,0", "half an action"),
        (CODE.replace("03ob", "03cb"), "action 1 is a clue without a value"),
        (CODE.replace("03ob", "03!b"), "action 1 is '!b'"),
        ("x" * 3000, "3000 characters"),
    ],
)
def test_wrong_links(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        decode(text)
    assert re.fullmatch("link: .*", str(caught.value))


@given(st.data())
def test_damaged_links_are_refused_or_read(data: st.DataObject) -> None:
    at, length = data.draw(st.integers(0, len(LINK))), data.draw(st.integers(0, 40))
    damaged = LINK[:at] + data.draw(st.text(max_size=6)) + LINK[at + length :]
    message = ""
    try:
        decode(damaged).replay()
    except InputError as error:
        message = str(error)
    assert "\n" not in message


@pytest.mark.slow
@given(lines(40))
def test_any_game_survives_a_link(drawn: tuple[Deal, Line]) -> None:
    deal, line = drawn
    try:
        game = game_of(line, deal)
    except IllegalActionError:
        return
    again = decode(encode(game))
    assert (again.deal.deck, again.deal.variant, again.moves) == (
        deal.deck,
        deal.variant,
        game.moves,
    )
    assert encode(again) == encode(game)
