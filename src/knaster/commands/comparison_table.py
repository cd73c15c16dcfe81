"""What several engines say, as a table: a line for each file, or one for each answer where that is too wide."""

from __future__ import annotations

from collections.abc import Sequence

from knaster.base.exits import STATUS, ExitCode
from knaster.commands.comparison import Outcome

NARROWEST = 12  # columns of the name of a file


class ComparisonTable:
    """Files and engines: a line for each file, or one for each answer where that is too wide."""

    def __init__(self, files: Sequence[str], engines: Sequence[str], width: int) -> None:
        self.engines = engines
        self.columns = [max(len(engine), len("UNKNOWN 12.34 s")) for engine in engines]
        taken = sum(column + 2 for column in self.columns)
        longest = max(map(len, files))
        self.wide = width - taken >= min(longest, NARROWEST)
        self.left = max(NARROWEST, min(longest, width - taken)) if self.wide else longest

    def header(self) -> list[str]:
        """Return the line above the table, if there is one."""
        if not self.wide:
            return []
        cells = (f"{engine:<{column}}" for engine, column in zip(self.engines, self.columns, strict=True))
        return ["  ".join([f"{'file':<{self.left}}", *cells]).rstrip()]

    def row(self, file: str, outcomes: Sequence[Outcome], failure: tuple[ExitCode, Exception, str] | None) -> list[str]:
        """Return the lines of one file."""
        said = {outcome.engine: _cell(outcome) for outcome in outcomes}
        if failure is not None:
            said = {self.engines[0]: STATUS[failure[0]].upper()}
        if not self.wide:
            longest = max(map(len, self.engines))
            return [f"{file}:", *(f"  {engine:<{longest}}  {cell}" for engine, cell in said.items())]
        name = file if len(file) <= self.left else "..." + file[3 - self.left :]
        pairs = zip(self.engines, self.columns, strict=True)
        cells = (f"{said.get(engine, '' if failure else '-'):<{column}}" for engine, column in pairs)
        return ["  ".join([f"{name:<{self.left}}", *cells]).rstrip()]


def _cell(outcome: Outcome) -> str:
    if outcome.seconds is None:
        return outcome.word
    return f"{outcome.word:<7} {outcome.seconds:{'5.2f' if outcome.seconds < 99 else '5.0f'}} s"
