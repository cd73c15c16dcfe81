"""One attack: a program and a proof file about it that says what is not so, or is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from knaster.program.model import Program
from knaster_check import Refused
from support.kernel import kernel

Forged = tuple[Program, dict[str, Any]]


class Attack(NamedTuple):
    """An attack by its kind and name; what it is made of is made when it is asked for."""

    kind: str
    name: str
    make: Callable[[], Forged]

    def is_believed(self) -> bool:
        """Tell whether the kernel believes it."""
        try:
            kernel(*self.make())
        except Refused:
            return False
        return True
