"""Reviews for people: a game turn by turn, a row a game, and the sums over many games."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from rich.text import Text

from solver.formats.editions import rating
from solver.formats.streams import clean
from solver.game.errors import InputError
from solver.game.line import Line
from solver.game.position import Kind
from solver.game.wording import amount, points
from solver.questions.losskind import KINDS
from solver.questions.review import Chance, Review, Turn
from solver.tables.review_rows import HINDSIGHT, Sums, turn_link
from solver.tables.show import make_console

__all__ = ["show_review", "show_reviews"]

LONGEST = 8
"""Actions of a line that are named; the link shows the rest."""

ROW = "{:>4} {:>4}  {:<22} {:>6} {:>6} {:>5}  {:<18} {:>4} {:>6}  {}"
GAME_ROW = "{:<24} {:>7}  {:>5}  {:>7}  {:>4}  {:>10}  {}"


def show_review(review: Review) -> None:
    """Print a game turn by turn, and in sentences where it was lost."""
    console = make_console()
    late = [turn for turn in review.turns if turn.win is not None]
    alive = any(turn.win is not None and turn.win.best for turn in late)
    what = ("chance of full marks" if alive else "mean score") if late else ""
    head = ROW.format("turn", "seat", "action", "before", "after", "loss", "kind", "pace", "spare",
                      what)  # fmt: skip
    console.print(Text(head.rstrip(), "bold"))
    for turn in review.turns:
        loss = str(turn.loss) if turn.loss.high else ""
        cells = (
            turn.number, "-" if turn.seat is None else turn.seat, turn.action, str(turn.before),
            str(turn.after), loss, KINDS.get(turn.kind, ""), _maybe(turn.pace),
            _maybe(turn.spare_clues),
            _chance(turn.win, str) if alive else _chance(turn.mean, points),
        )  # fmt: skip
        text = Text(ROW.format(*cells).rstrip())
        if turn.loss.low:
            text.stylize("bold red")
        console.print(text)
    console.print()
    for sentence in sentences(review):
        console.print(clean(sentence), markup=False)


def _maybe(number: int | None) -> str:
    return "-" if number is None else str(number)


def _chance(chance: Chance | None, write: Callable[[Fraction], str]) -> str:
    if chance is None:
        return ""
    best, taken = write(chance.best), write(chance.taken)
    return best if chance.best == chance.taken else f"{best} -> {taken}"


def sentences(review: Review) -> list[str]:
    """Say what the game scored, where it lost that, and what would have kept it."""
    scored = "unfinished"
    if review.score is not None:
        scored = f"score {review.score} ({rating(review.score, review.line.start.rules)})"
    lost = review.optimum.less(review.last)
    who = f" ({', '.join(review.players)})" if review.players else ""
    made = [
        f"{review.name or 'game'}{who}: {scored}, optimum {review.optimum} of {review.full}, "
        f"hindsight loss {lost}"
    ]
    if not review.proven:
        made.append("A limit was reached: a-b encloses what it left open.")
    first = review.first_loss
    if first is None:
        return made
    gone = "Full marks were gone" if first.before.high == review.full else "The optimum fell first"
    latest = "" if first is review.first_possible else " at the latest"
    name = "" if first.seat is None else f" by {_name(review, first)}"
    made.append(
        f"{gone} after turn {first.number}{latest}: {first.action}{name}"
        f" ({KINDS.get(first.kind, 'kind open')}), {first.before} -> {first.after}."
    )
    if first.best is not None:
        made.append(f"What would have kept it: {_actions(first.best)}")
        try:
            made.append(turn_link(review, first))
        except InputError as error:
            made.append(f"no link: {error}")
    made.append(HINDSIGHT)
    return made


def _name(review: Review, turn: Turn) -> str:
    assert turn.seat is not None
    known = turn.seat < len(review.players)
    return f"{review.players[turn.seat]} (seat {turn.seat})" if known else f"seat {turn.seat}"


def _actions(line: Line) -> str:
    """Name the first actions of a line, clues in a row as one."""
    words: list[str] = []
    position = line.start
    clues: list[str] = []
    for action, after in zip(line.actions, list(line.positions())[1:], strict=True):
        verb, _, what = position.describe(action).partition(" ")
        text = f"seat {position.seat} {verb}s {what}".rstrip()
        if action.kind is not Kind.CLUE:
            clues = []
        else:
            clues.append(str(position.seat))
            if len(clues) > 1:
                words.pop()
                text = f"seats {', '.join(clues[:-1])} and {clues[-1]} clue"
        words.append(text)
        position = after
    more = len(words) - LONGEST
    shown = words[:LONGEST] + ([f"and so on for {more} more"] if more > 0 else [])
    return "; ".join(shown) or "anything"


def show_reviews(reviews: Iterable[Review]) -> None:
    """Print a row a game, and the sums below."""
    console = make_console()
    head = GAME_ROW.format("game", "players", "score", "optimum", "loss", "first loss", "kind")
    sums = Sums()
    for review in reviews:
        if not sums.games:
            console.print(Text(head, "bold"))
        sums.add(review)
        where, kind = _first(review)
        lost = review.optimum.less(review.last)
        text = GAME_ROW.format(
            clean(review.name)[-24:], review.line.start.rules.players, _maybe(review.score),
            str(review.optimum), str(lost), where, kind,
        )  # fmt: skip
        console.print(Text(text.rstrip()))
    if sums.games:
        _show_sums(sums)


def _first(review: Review) -> tuple[str, str]:
    """Say in which turn a game first lost something, and how."""
    may, has = review.first_possible, review.first_loss
    if may is None:
        return "-", ""
    if may is has:
        return f"turn {may.number}", KINDS.get(may.kind, "kind open")
    return f"turn {may.number}-{'' if has is None else has.number}", "open"


def _show_sums(sums: Sums) -> None:
    console = make_console()
    finished = sums.games - sums.unfinished
    lines = [
        "",
        f"{amount(sums.games, 'game')}: {sums.winnable:,} winnable, {sums.full:,} with full marks"
        + (f", {sums.unfinished:,} unfinished" if sums.unfinished else "")
        + (f", {sums.open:,} not settled (what is certain is counted)" if sums.open else ""),
    ]
    if finished:
        lines.append(
            f"mean optimum {'at least ' if sums.open else ''}{sums.optimum / finished:.2f}, "
            f"mean score {sums.score / finished:.2f}"
        )
    total = sum(sums.kinds.values())
    if total:
        lines.append("")
        lines.append(f"{'hindsight loss by kind':<24} {'points':>6} {'turns':>6}")
        lines += [f"{name:<24} {points:>6} {turns:>6}" for name, points, turns in sums.by_kind()]
        lines.append("")
        lines.append(f"{'by turn':<24} {'points':>6}")
        lines += [f"{turns:<24} {points:>6}" for turns, points in sums.by_turn()]
        lines.append("")
        lines.append(f"{'by player':<24} {'points':>6} {'games':>6} {'a game':>7}")
        lines += [
            f"{clean(name)[:24]:<24} {points:>6} {games:>6} {float(each):>7.2f}"
            for name, games, points, each in sums.by_player()
        ]
    lines += ["", HINDSIGHT]
    for line in lines:
        console.print(line, markup=False)
