"""What a notebook shows of a solution: the answers as a table, and sizes round by round where they were recorded."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from knaster.calculus.answers.plot import plot
from knaster.calculus.answers.render import answer_text

if TYPE_CHECKING:
    from knaster.calculus.answers.solution import Solution


def solution_to_html(solution: Solution) -> str:
    """Return a solution as a part of a page."""
    rows = [f"<tr><td><pre>{escape(answer_text(answer).strip())}</pre></td></tr>" for answer in solution.answers]
    rounds = ", ".join(f"{name} {count}" for name, count in solution.rounds.items())
    said = f"<p>Rounds: {escape(rounds)}</p>" if rounds else ""
    picture = plot(solution.sizes, "size of each relation") if any(solution.sizes.values()) else ""
    return f"<table>{''.join(rows)}</table>{said}{picture}"
