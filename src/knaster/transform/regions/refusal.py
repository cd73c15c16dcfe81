"""What the reduction to variables does not take: said by name, so that other methods answer."""

from __future__ import annotations

from knaster.base.errors import Span


class Refused(Exception):
    """A program has something that is not made variables."""

    def __init__(self, what: str, span: Span | None = None) -> None:
        self.what = what if span is None or not span.line else f"line {span.line}: {what}"
        super().__init__(self.what)
