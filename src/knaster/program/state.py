"""States: a value for every variable in scope; and why a state has no successor."""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.errors import Span
from knaster.program.types import Value

State = Mapping[str, Value]
NOTHING: State = {}


class Undefined(Exception):
    """The program has no next step: its text leaves undefined what would happen."""

    def __init__(self, what: str, span: Span) -> None:
        self.what = what
        self.span = span
        super().__init__(what)


class NoInput(Exception):
    """A choice is to be made and no input is left for it."""
