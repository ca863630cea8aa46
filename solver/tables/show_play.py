"""Games of the open-hands player for people: turn by turn, or a row a game and the share won."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.text import Text

from solver.formats.editions import rating
from solver.formats.streams import clean
from solver.game.deal import Deal
from solver.game.errors import InputError
from solver.game.position import Position
from solver.game.result import Result
from solver.game.wording import amount, share
from solver.players.openhands import Played
from solver.surveys.intervals import wilson
from solver.tables.rows import game_link, made_game
from solver.tables.show import WIDTH, line_text, make_console

__all__ = ["Bracket", "show_game", "show_games"]

Row = tuple[Deal | Position, Played, Result | None]
FORM = "{:<16} {:>7}  {:>5}  {:>7}  {:<16} {:>9}  {}"
HEAD = FORM.format("deal", "players", "score", "optimum", "verdict", "seconds", "rating")


@dataclass
class Bracket:
    """Counts over many games: what the player won, and what could have been won."""

    games: int = 0
    won: int = 0
    winnable: int = 0
    unknown: int = 0
    solved: int = 0

    def add(self, played: Played, optimum: Result | None) -> None:
        """Count one game."""
        self.games += 1
        self.won += played.won
        if optimum is not None:
            self.solved += 1
            self.winnable += optimum.winnable is True
            self.unknown += optimum.winnable is None

    def text(self) -> str:
        """Sum up in one sentence, the share with its 95% interval."""
        games = max(self.games, 1)
        low, high = wilson(self.won, games)
        text = (
            f"{amount(self.games, 'game')}: {self.won:,} won ({share(self.won / games)}, "
            f"95% interval {share(low)} to {share(high)})"
        )
        if not self.solved:
            return text
        most = self.winnable + self.unknown
        part = share(self.winnable / games)
        if self.unknown:
            part += f" to {share(most / games)}, {self.unknown:,} unknown"
        return f"{text}; with the draw order known {self.winnable:,} can be won ({part})"


def show_game(games: Iterable[Row]) -> None:
    """Print each game in full: turn by turn, what it came to, the link."""
    console = make_console()
    for asked, played, optimum in games:
        console.print(line_text(played.line, min(console.width, WIDTH)))
        name = "position" if isinstance(asked, Position) else clean(asked.name) or "deal"
        word = rating(played.score, asked.rules)
        text = f"{name}: {played.score} of {played.max_score} ({word}) played"
        if optimum is not None:
            text += f", {_most(optimum)} possible with the draw order known"
        console.print(f"{text} ({played.seconds:.3f} s)", markup=False)
        if isinstance(asked, Deal):
            try:
                link = game_link(made_game(asked, played))
            except InputError as error:
                link = f"no link: {error}"
            console.print(clean(link), markup=False)


def _most(optimum: Result) -> str:
    return f"{optimum.score}" if optimum.proven else f"{optimum.score} to {optimum.bound}"


def show_games(games: Iterable[Row]) -> None:
    """Print a row a game, and below them the share won beside what can be won."""
    console = make_console()
    bracket = Bracket()
    for number, (asked, played, optimum) in enumerate(games, 1):
        if number == 1:
            console.print(HEAD, style="bold")
        name = f"position {number}" if isinstance(asked, Position) else clean(asked.name)
        word, style = ("won", "green") if played.won else ("lost", "red")
        most = ""
        if optimum is not None:
            most = _most(optimum)
            if not played.won and optimum.winnable is False:
                word, style = "cannot be won", ""
        cells = (name or f"deal {number}", asked.rules.players, played.score, most, word,
                 f"{played.seconds:.3f}", rating(played.score, asked.rules))  # fmt: skip
        text = Text(FORM.format(*cells))
        text.highlight_words([word], style)
        console.print(text)
        bracket.add(played, optimum)
    if bracket.games:
        console.print(bracket.text())
