"""Tables in Markdown, aligned so that they also read well as plain text."""

from __future__ import annotations

from collections.abc import Sequence


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return the rows below their header; every column but the first is aligned to the right."""
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        padded = [
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return f"| {' | '.join(padded)} |"

    rule = ["-" * (width + 1) + "-" if column == 0 else "-" * (width + 1) + ":" for column, width in enumerate(widths)]
    return "\n".join([line(header), f"|{'|'.join(rule)}|", *(line(row) for row in rows)])


def seconds(value: float) -> str:
    """Return a duration with three digits that matter."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}" if value >= 0.1 else f"{value:.3f}"
