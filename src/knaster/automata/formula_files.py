"""Files of formulas: one to a line, `#` begins a comment, `NAME: FORMULA` gives it a name.

A name is a word before a colon; `at(FILE:LINE)` has its colon inside parentheses.
"""

from __future__ import annotations

import re

from knaster.automata.ltl import Formula
from knaster.automata.ltl_parser import parse_ltl
from knaster.base.errors import Problem, SourceError, Span
from knaster.base.named_tuples import NamedTuple

_NAMED = re.compile(r"\s*(?P<name>[A-Za-z_][\w.-]*)\s*:(?!=)")


class NamedFormula(NamedTuple):
    """A formula of a file, its text, and its name or nothing."""

    formula: Formula
    text: str
    name: str

    @property
    def property(self) -> str:
        """What `--property` takes for it."""
        return f"{self.name}: {self.text}" if self.name else self.text


def split_name(text: str) -> tuple[str, str]:
    """Return the name before a formula, empty where there is none, and the formula behind as many blanks."""
    found = _NAMED.match(text)
    return ("", text) if found is None else (found["name"], " " * found.end() + text[found.end() :])


def read_formulas(source: str, file: str) -> list[NamedFormula]:
    """Return the formulas of a file; raise `SourceError` where a line is none, or where there is none at all."""
    found: list[NamedFormula] = []
    for number, line in enumerate(source.split("\n"), start=1):
        name, text = split_name(line.partition("#")[0])
        if not text.strip() and not name:
            continue
        if name and name in {one.name for one in found}:
            problem = Problem(f"the name '{name}' is given twice", Span(number, 1 + line.index(name), len(name)))
            raise SourceError(file, source, [problem])
        found.append(NamedFormula(parse_ltl(text, file, number, source), text.strip(), name))
    if not found:
        raise SourceError(file, source, [Problem("there is no formula in the file", Span(1, 1))])
    return found
