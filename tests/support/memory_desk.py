"""A machine for C with memory at which tests call one function of the library at a time, on texts of their own."""

from __future__ import annotations

from typing import Any

import knaster
from knaster.base.errors import Span
from knaster.program.expression import NOWHERE
from knaster.program.memory import Address
from knaster.semantics.memory.actions import FUNCTIONS, Codes
from knaster.semantics.memory.inputs import Given, Reading
from knaster.semantics.memory.machine import Frame, Inputs, Machine
from knaster.semantics.memory.objects import HEAP, Object
from support.symbol_values import Table

TEXT = "int g;\nint main(void) { int *p = &g; return *p; }\n"
_CODES: dict[str, Codes] = {}  # by text and data model


class Desk:
    """A machine that has just entered main; inputs are the `values` that are given, in this order."""

    def __init__(self, *values: Any, inputs: Inputs | None = None, strict: Any = (), text: str = TEXT) -> None:
        if text not in _CODES:
            _CODES[text] = Codes(knaster.parse(text, file="a.c"))
        self.machine = Machine(_CODES[text], inputs or Given(values), frozenset(strict))

    @property
    def frame(self) -> Frame:
        """The activation that runs."""
        return self.machine.frame

    @property
    def lapses(self) -> list[str]:
        """The kinds of undefined steps after which the run went on."""
        return [kind for kind, _ in self.machine.lapses]

    @property
    def read(self) -> list[Reading]:
        """The given inputs that were read."""
        assert isinstance(self.machine.inputs, Given)
        return self.machine.inputs.read

    def new(self, *cells: Any, size: int | None = None, kind: str = HEAP, **more: Any) -> Address:
        """Return the address of a new object with these bytes at its start; None is an unwritten one."""
        at = self.machine.allocate("o", len(cells) if size is None else size, kind, **more)
        for index, byte in enumerate(cells):
            if byte is not None:
                self.machine.objects[at.base].write(index, 1, byte)
        return at

    def text(self, text: str, size: int | None = None) -> Address:
        """Return the address of a new object with a text and the 0 at its end."""
        return self.new(*text.encode("latin-1"), 0, size=size)

    def object(self, at: Address) -> Object:
        """Return the object that an address points into."""
        return self.machine.objects[at.base]

    def bytes(self, at: Address, count: int | None = None) -> list[Any]:
        """Return the bytes from an address on."""
        found = self.object(at)
        return [found.byte(at.offset + index) for index in range(found.size - at.offset if count is None else count)]

    def call(self, name: str, *given: Any, span: Span = NOWHERE) -> Any:
        """Call a function of the library."""
        return FUNCTIONS[name](self.machine, self.frame, given, span)


def symbolic_desk(*values: int, **options: Any) -> tuple[Desk, Table]:
    """Return a desk whose inputs are symbols that stand for values."""
    inputs = Table(*values)
    return Desk(inputs=inputs, **options), inputs
