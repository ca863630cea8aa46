"""Endgames for people: every action with its chance, the best line in words, what to do next."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice

from rich.console import Console
from rich.table import Table
from rich.text import Text

from solver.endgames.continuations import Continuation
from solver.endgames.endgame import Choice, Verdict, as_seen
from solver.endgames.endgame_rows import MOST_ORDERS, choice_name, order_words
from solver.endgames.policy import Decision, Move, Outcome, Policy
from solver.formats.editions import rating
from solver.game.card import Card
from solver.game.notation import card_text
from solver.game.position import Kind, Position
from solver.game.wording import amount, percent, points
from solver.tables.show import make_console

__all__ = ["show_continuations", "show_endgame", "show_losing_orders", "show_policy"]

MOST_LINES = 60
"""Lines of a policy that are printed."""

MODELS = {
    "known": "the draw order is known",
    "open": "all hands are known, the draw order is not",
    "hidden": "unknown cards of a hand and the draw order are not known",
}


def show_endgame(
    wins: Verdict,
    scores: Verdict,
    worlds: int,
    policy: Policy | None,
    lead: Verdict | None = None,
    told: bool = False,
) -> None:
    """Print a table of all actions, with both objectives, and the best line in words.

    Parameters
    ----------
    wins, scores
        The same position with the objectives ``win`` and ``score``, the one asked for first.
    worlds
        For ``hidden``, how many hands there may be.
    policy
        The best continuation, if it is known.
    lead
        What decides where the action makes no difference to what is asked: `scores`, ranked.
    told
        Whether the draw order is known after all, but nobody asked for that model.
    """
    console = make_console()
    asked, other = wins, scores
    if asked.objective != "win":
        wins, scores = scores, wins
    full = wins.position.rules.max_score
    seen = as_seen(asked.position, asked.model)
    if asked.model == "open":
        seen = seen.unordered()
    console.print(str(seen), markup=False)
    counted = f", {amount(worlds, 'hand')} possible" if worlds else ""
    console.print(f"\n{asked.model}: {MODELS[asked.model]}{counted}", markup=False)
    if asked.model == "hidden":
        console.print("(after the action all hands are open: at a table it is this much at most)")
    if told:
        console.print("(the draw order was given and is not used: --model known uses it)")
    goal = f"chance of {wins.target}" + (" points" if wins.target != full else ", full marks")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("action", no_wrap=True)
    for head in (goal, "", "mean score"):
        table.add_column(head, justify="right", no_wrap=True)
    means = {choice.actions: choice for choice in other.choices}
    floor = max(means[choice.actions].low for choice in asked.best)
    for choice in asked.choices:
        pair = (choice, means[choice.actions])
        win, score = pair if asked is wins else pair[::-1]
        best = choice in asked.best and means[choice.actions].high >= floor
        name = Text(choice_name(asked, choice), "bold" if best else "")
        table.add_row(name, _fraction(win), _percent(win), _mean(score))
    with console.capture() as capture:
        console.print(table, soft_wrap=False)
    for line in capture.get().splitlines():
        console.out(line.rstrip(), highlight=False)
    if asked.ceiling is not None and asked.exact and asked.ceiling > asked.high:
        console.print(
            f"Whoever saw the hand before choosing would have {asked.ceiling}.", markup=False
        )
    if lead is not None:
        console.print(_lead(asked, lead), markup=False)
    if policy is not None and (lead is None or lead.high > asked.position.score):
        console.print(_best_line(policy), markup=False)
    if not (asked.exact and other.exact):
        console.print("A limit was reached: the values lie between those given.", markup=False)
    console.print(f"({wins.states + scores.states:,} states, "
                  f"{wins.seconds + scores.seconds:.3f} s)", markup=False)  # fmt: skip


def _fraction(choice: Choice) -> str:
    low, high = choice.low, choice.high
    return str(low) if low == high else f"{low} to {high}"


def _percent(choice: Choice) -> str:
    ends = [percent(end) for end in sorted({choice.low, choice.high})]
    return " to ".join(ends)


def _mean(choice: Choice) -> str:
    return " to ".join(points(end) for end in sorted({choice.low, choice.high}))


def show_continuations(
    verdict: Verdict, found: Sequence[Continuation], count: int, total: int
) -> None:
    """Print the best action of the model ``hidden`` and how it goes on, by what the cards are."""
    console = make_console()
    name = choice_name(verdict, verdict.choices[0])
    console.print(f"Best: {name}. Hands are open then; with the best draws:", markup=False)
    for one in found:
        letters, start = one.start.letters, one.start
        known = [f"it is {_drawn(one.acted, letters)}"] if one.acted else []
        for seat, cards in enumerate(one.cards):
            names = " ".join(card_text(card, letters) for card in cards)
            if cards and seat != start.seat:
                known.append(f"seat {seat} has {names}")
            elif cards:
                what = "other" if one.acted else "card"
                known.append(f"the {what} is {names}" if len(cards) == 1 else
                             f"the {what}s are {names}")  # fmt: skip
        worth = f" [{one.value}]" if one.value < 1 or verdict.objective == "score" else ""
        said = "; ".join(_said(start, *step) for step in one.steps)
        end = f"{said}: {one.steps[-1][2].position.score} points" if one.value else "lost"
        console.print(f"  if {', '.join(known)} ({one.ways:,} of {total:,}){worth}: {end}",
                      markup=False)  # fmt: skip
    if count > len(found):
        console.print(f"  ... and {count - len(found)} more", markup=False)


def _lead(asked: Verdict, lead: Verdict) -> str:
    """Say that the action makes no difference to what is asked, and to what it does."""
    fate = "are out of reach" if asked.high == 0 else "are there already"
    words = f"{asked.target} points {fate}"
    if not lead.exact:
        return f"{words}."
    if len(lead.best) == len(lead.choices):
        return f"{words}; the mean score is the same after every action."
    names = " or ".join(choice_name(lead, choice) for choice in lead.best)
    return f"{words}; best by mean score: {names}."


def _best_line(policy: Policy) -> str:
    """Say the line that the best draws allow."""
    steps = policy.line()
    said = [_said(policy.start, *step) for step in steps]
    last = steps[-1][2].position
    lucky = any(len(move.outcomes) > 1 for _, move, _ in steps)
    head = "Best line, with the best draws" if lucky else "Best line"
    return f"{head}: {'; '.join(said)}: {last.score} points ({rating(last.score, last.rules)})."


def _said(start: Position, decision: Decision, move: Move, outcome: Outcome) -> str:
    at = decision.position
    if move.action.kind is Kind.DECK_PLAY and outcome.drawn is not None:
        return f"seat {at.seat} plays {_drawn(outcome.drawn, start.letters)} from the draw pile"
    verb, _, what = move.name.partition(" ")
    verb += "s"
    what = "a useless card" if what == "useless" else what
    words = f"seat {at.seat} {verb} {what}".rstrip()
    if outcome.drawn is None:
        return words
    drawn = _drawn(outcome.drawn, start.letters)
    odds = "" if len(move.outcomes) == 1 else f" ({outcome.copies} of {at.pile_size})"
    return f"{words} and draws {drawn}{odds}"


def _drawn(card: Card, letters: Sequence[str]) -> str:
    return card_text(card, letters) if card.is_face else "a useless card"


def show_policy(policy: Policy, most: int = MOST_LINES) -> None:
    """Print what to do after each draw."""
    console = make_console()
    console.print("\nWhat to do:", markup=False)
    lines = _tree(policy, policy.start, "  ", {})
    for line in islice(lines, most):
        console.print(line, markup=False)
    if next(lines, None) is not None:
        console.print("  ... and more: --json has all of it", markup=False)


def _tree(
    policy: Policy, at: Position, indent: str, seen: dict[Position, int]
) -> Iterator[str]:  # fmt: skip
    """Write a decision and what follows; what was written before is only referred to."""
    decision = policy.at(at)
    while decision.moves:
        move = decision.moves[0]
        odds = "" if decision.value == 1 else f"  [{decision.value}]"
        number = seen.setdefault(at, len(seen) + 1)
        yield f"{indent}{number}. seat {at.seat}: {move.name}{odds}"
        outcomes = move.outcomes
        if len(outcomes) > 1:
            for outcome in outcomes:
                yield from _branch(policy, at, outcome, indent, seen)
            return
        at = outcomes[0].position
        if at in seen:
            yield f"{indent}go on at {seen[at]}"
            return
        decision = policy.at(at)
    yield f"{indent}{_fate(policy, decision)}"


def _branch(
    policy: Policy, at: Position, outcome: Outcome, indent: str, seen: dict[Position, int]
) -> Iterator[str]:
    assert outcome.drawn is not None
    drawn = _drawn(outcome.drawn, at.letters)
    head = f"{indent}   if {drawn} is drawn ({outcome.copies} of {at.pile_size})"
    following = policy.at(outcome.position)
    if not following.moves:
        yield f"{head}: {_fate(policy, following)}"
    elif outcome.position in seen:
        yield f"{head}: go on at {seen[outcome.position]}"
    else:
        yield f"{head}:"
        yield from _tree(policy, outcome.position, indent + "      ", seen)


def _fate(policy: Policy, decision: Decision) -> str:
    if policy.objective == "score":
        return f"{decision.value} points"
    return "won" if decision.value == 1 else "lost"


def show_losing_orders(policy: Policy, console: Console | None = None) -> None:
    """Print which draws lose, at most `MOST_ORDERS` lines, and how many orders that makes."""
    console = console or make_console()
    start = policy.start
    total = 1 if start.ordered else math.factorial(start.pile_size)
    lost = int(total * (1 - policy.value))
    console.print(f"\nDraw orders that lose: {lost:,} of {total:,}", markup=False)
    orders = policy.losing_orders()
    for drawn, count in islice(orders, MOST_ORDERS):
        left = start.pile_size - len(drawn)
        rest = " ..." if left and drawn else "any order" if left else ""
        console.print(f"  {order_words(drawn, start.letters)}{rest}  ({count:,})", markup=False)
    if next(orders, None) is not None:
        console.print("  ...", markup=False)
