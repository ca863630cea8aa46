"""Pages: one HTML file each with everything in it, no network, no framework.

Styles, markup and scripts are files in the folder ``pages``; the data stand in the page as JSON.
The page's own policy lets nothing else in: no address, no script but this one.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from solver.game.notation import DIGITS, card_text, stack_text
from solver.game.position import Position
from solver.pictures.svg import PALETTE, page_file

__all__ = ["board", "page_html"]


def page_html(
    title: str,
    body: str,
    scripts: Sequence[str],
    data: object,
    parts: Mapping[str, str] | None = None,
    connect: str = "'none'",
) -> str:
    """Give a whole page.

    Parameters
    ----------
    body
        The name of the file with the page's markup.
    scripts
        The names of the files with its code, in order.
    data
        What the code reads, as JSON, from the element ``data``.
    parts
        Markup for the marks ``@@name@@`` in the body.
    connect
        Where the page may send requests to.
    """
    script = "\n".join(page_file(name) for name in scripts)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        f"img-src data:; connect-src {connect}; base-uri 'none'; form-action 'none'"
    )
    # Nothing in the data can end its element: no less-than sign is left in it.
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    return _filled(
        page_file("page.html"),
        {
            "policy": policy,
            "title": escape(title),
            "style": page_file("page.css") + _suits(),
            "body": _filled(page_file(body), parts or {}),
            "data": text,
            "script": script,
        },
    )


def _filled(text: str, parts: Mapping[str, str]) -> str:
    """Put parts where their marks are; marks inside of parts are none."""
    return re.sub("@@([a-z]+)@@", lambda mark: parts[mark[1]], text)


def _suits() -> str:
    """Give the colours of cards as styles."""
    painted = ".card:not(.empty, .useless)"
    return "\n".join(
        f'{painted}[data-suit="{letter}"] {{ background: {ground}; color: {ink}; }}'
        for letter, (ground, ink) in PALETTE.items()
    )


def board(position: Position) -> dict[str, Any]:
    """Give what `drawBoard` in ``board.js`` draws of a position.

    A stack is what it shows (`solver.game.notation.stack_text`), and the cards that go on it next.
    """
    rules, letters = position.rules, position.letters
    stacks = []
    for number, (suit, state) in enumerate(zip(rules.suits, position.stacks, strict=True)):
        after = " or ".join(suit.letter + DIGITS[rank] for rank in position.next_ranks(number))
        stacks.append([stack_text(suit, state), after])
    price = rules.clue_price
    return {
        "stacks": stacks,
        "hands": [[card_text(card, letters) for card in hand] for hand in position.hands],
        "pile": [card_text(card, letters) for card in position.pile],
        "ordered": position.ordered,
        "pileSize": position.pile_size,
        "discards": [card_text(card, letters) for card in position.discards],
        "clues": f"{position.clues / price:g}",
        "mostClues": f"{rules.max_clues / price:g}",
        "strikes": position.strikes,
        "mostStrikes": rules.max_strikes,
        "seat": position.seat,
        "left": position.turns_left,
        "score": position.score,
        "full": rules.max_score,
    }
