"""Pictures as SVG: cards, words and lines on a panel, legible on light and on dark pages.

A picture brings its own background, so it can stand on any page, and follows the reader's choice
of light or dark where that is known. It has a viewBox and no size of its own: it scales. Every
card has its letter and rank on it; colour says nothing that they do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files

from solver.game.card import Card
from solver.game.notation import card_text

__all__ = ["PALETTE", "PLAIN", "Canvas", "colours", "page_file"]

PALETTE = {
    "r": ("#c0272d", "#ffffff"), "y": ("#f0c330", "#1d2126"), "g": ("#237a3c", "#ffffff"),
    "b": ("#2a62b8", "#ffffff"), "p": ("#7a3fae", "#ffffff"), "t": ("#0b7a7a", "#ffffff"),
    "k": ("#33373c", "#ffffff"), "w": ("#fafafa", "#1d2126"), "o": ("#b8560f", "#ffffff"),
    "i": ("#c2327a", "#ffffff"),
}  # fmt: skip
"""What a card is painted with and written on it with, by its suit's letter."""

PLAIN = ("#8f969e", "#14171a")
"""The same for suits without a colour of their own, and for cards that are not known."""

TILE = (30, 40)
FONT = "system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"


def colours(letter: str) -> tuple[str, str]:
    """Give the ground and the ink of a suit's cards."""
    return PALETTE.get(letter, PLAIN)


@cache
def page_file(name: str) -> str:
    """Give the text of a file in the package's folder ``pages``."""
    return (files("solver") / "pages" / name).read_text(encoding="utf-8")


class Canvas:
    """What is drawn so far; coordinates grow to the right and downwards."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._right = self._bottom = 0.0

    def _reach(self, x: float, y: float) -> None:
        self._right, self._bottom = max(self._right, x), max(self._bottom, y)

    def raw(self, element: str, x: float = 0, y: float = 0) -> None:
        """Add an element that is drawn as far as (x, y)."""
        self._parts.append(element)
        self._reach(x, y)

    def text(
        self, x: float, y: float, words: str, size: int = 14, anchor: str = "start",
        style: str = "ink", bold: bool = False, fill: str = "",
    ) -> None:  # fmt: skip
        """Write words; ``y`` is their base line, ``anchor`` start, middle or end."""
        paint = f'fill="{fill}"' if fill else f'class="hs-{style}"'
        weight = ' font-weight="bold"' if bold else ""
        at = "" if anchor == "start" else f' text-anchor="{anchor}"'
        self._parts.append(
            f'<text x="{_n(x)}" y="{_n(y)}" font-size="{size}"{at}{weight} {paint}>'
            f"{escape(words)}</text>"
        )
        width = len(words) * size * 0.58
        self._reach(x + {"start": width, "middle": width / 2, "end": 0}[anchor], y + size * 0.3)

    def rect(
        self, x: float, y: float, width: float, height: float, style: str, more: str = ""
    ) -> None:
        """Draw a rounded box in one of the styles of picture.css."""
        self._parts.append(
            f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="4" '
            f'class="{style}"{more}/>'
        )
        self._reach(x + width, y + height)

    def line(self, x: float, y: float, to_x: float, to_y: float, style: str, width: float) -> None:
        """Draw a straight line."""
        self._parts.append(
            f'<line x1="{_n(x)}" y1="{_n(y)}" x2="{_n(to_x)}" y2="{_n(to_y)}" '
            f'class="hs-{style}" stroke-width="{_n(width)}"/>'
        )
        self._reach(max(x, to_x), max(y, to_y))

    def tile(
        self, x: float, y: float, words: str, letter: str = "", scale: float = 1.0,
        faded: bool = False, crossed: bool = False,
    ) -> None:  # fmt: skip
        """Draw a card.

        Parameters
        ----------
        words
            What is written on it.
        letter
            The letter of its suit; empty for none.
        scale
            1 is 30 by 40.
        faded
            Outlined rather than painted: a card that goes away.
        crossed
            Crossed out: a card that was misplayed.
        """
        width, height = TILE[0] * scale, TILE[1] * scale
        ground, ink = colours(letter)
        if faded:
            self.rect(x, y, width, height, "hs-slot hs-edge", ' stroke-dasharray="3 2"')
            bar = (x + 3 * scale, y + height - 6 * scale, width - 6 * scale, 3 * scale)
            self._parts.append(
                f'<rect x="{_n(bar[0])}" y="{_n(bar[1])}" width="{_n(bar[2])}" '
                f'height="{_n(bar[3])}" fill="{ground}"/>'
            )
        else:
            self.rect(x, y, width, height, "hs-edge", f' fill="{ground}"')
        size = round((17 if len(words) < 3 else 12) * scale)
        self.text(x + width / 2, y + height * 0.5 + size * 0.36, words, size, "middle",
                  bold=True, fill="" if faded else ink)  # fmt: skip
        if crossed:
            for from_x, to_x in ((x, x + width), (x + width, x)):
                self.line(from_x, y, to_x, y + height, "loss", 2.5)

    def card(
        self, x: float, y: float, card: Card, letters: Sequence[str], scale: float = 1.0,
        faded: bool = False, crossed: bool = False,
    ) -> None:  # fmt: skip
        """Draw a card with its letter and rank; ``?`` if it is unknown, a dot if it is useless."""
        letter = letters[card.suit] if card.is_face else ""
        words = card_text(card, letters)
        words = {"xx": "?", "kt": "\u00b7"}.get(words, words)
        self.tile(x, y, words, letter, scale, faded, crossed)

    def picture(self, title: str) -> str:
        """Give the whole as an SVG document that also stands inside HTML."""
        width, height = round(self._right) + 16, round(self._bottom) + 14
        style = page_file("picture.css").replace("\n", "")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'role="img" aria-label="{escape(title)}" font-family="{FONT}" '
            f'style="max-width:{width}px">\n'
            f"<title>{escape(title)}</title>\n<style>{style}</style>\n"
            f'<rect width="{width}" height="{height}" rx="6" class="hs-panel"/>\n'
            + "\n".join(self._parts)
            + "\n</svg>"
        )


def _n(number: float) -> str:
    """Write a number as short as it is."""
    return f"{number:.1f}".removesuffix(".0")
