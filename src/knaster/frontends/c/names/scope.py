"""Names of the model for variables of C: a local that would hide another variable of the model gets a number (`x#2`).

A variable may be used again by another one of the same name and type when its block has ended.
"""

from __future__ import annotations

from knaster.base.records import dataclass, field
from knaster.frontends.c.names.types import CType


@dataclass(slots=True)
class Names:
    """The names of the model that are taken in one function, and those whose block has ended."""

    taken: set[str]
    reuse: bool
    free: dict[tuple[str, CType], list[str]] = field(default_factory=dict)

    def fresh(self, name: str, type: CType) -> tuple[str, bool]:
        """Return a name of the model for a local, and whether it is a new one."""
        if self.reuse and (ended := self.free.get((name, type))):
            return ended.pop(), False
        number, found = 1, name
        while found in self.taken:
            number += 1
            found = f"{name}#{number}"
        self.taken.add(found)
        return found, True

    def release(self, name: str, type: CType, model: str) -> None:
        """Let another variable have the name of one whose block has ended."""
        self.free.setdefault((name, type), []).append(model)
