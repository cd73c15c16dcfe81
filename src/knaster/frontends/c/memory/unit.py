"""A file of C with pointers as a whole, and the program with memory that it is."""

from __future__ import annotations

from typing import Any

from knaster.base.errors import Problem
from knaster.frontends.c.lower.unit import Unit
from knaster.frontends.c.memory.arithmetic import PointerValues
from knaster.frontends.c.memory.functions import MemoryFunctions, calls_main
from knaster.frontends.c.memory.objects import MemoryObjects
from knaster.frontends.c.memory.reader import MemoryReader, read_memory_tree
from knaster.frontends.c.memory.threads import has_threads
from knaster.frontends.c.memory.types import member_extents, scalar_parts
from knaster.frontends.c.memory.wide_fields import find_wide_fields
from knaster.frontends.c.names.library import TARGETS
from knaster.frontends.c.tree import nodes
from knaster.frontends.c.tree.spots import Layout, Text
from knaster.frontends.text.options import COptions
from knaster.program.expression import TRUE
from knaster.program.memory import Addresses, Extent, MemoryLayout, Part
from knaster.program.model import Kind, Procedure, Program


class MemoryUnit(Unit):
    """One file while it is read."""

    def __init__(
        self, text: Text, options: COptions, problems: list[Problem], notes: list[Problem], reader: MemoryReader
    ) -> None:
        super().__init__(text, options, problems, notes)
        self.reader = reader
        self.pointer: int = reader.types.pointer  # type: ignore[attr-defined]
        self.pointers = PointerValues(self.pointer)
        self.addresses = Addresses(self.pointer)
        self.registers: set[nodes.Object] = set()  # locals that are variables of the model
        self.constant = reader.constant
        self.forms = reader.forms
        self.local_parts: dict[tuple[str, str], tuple[Part, ...]] = {}
        self.members: dict[tuple[str, str], tuple[Extent, ...]] = {}  # of structs with arrays
        self.threaded = False
        self.called_main = False  # by the program itself
        self.objects: Any = MemoryObjects(self)
        self.functions: Any = MemoryFunctions(self)

    @property
    def has_volatile(self) -> bool:
        """Whether what is volatile changes by itself."""
        return self.options.volatile == "input" or (self.options.volatile == "auto" and not self.threaded)

    def note_shown(self, function: str, name: str, found: nodes.Object) -> None:
        """Note how a local that is a variable of the model is shown, where that is not as a number."""
        if shown := self.reader.shown.get(found, ""):
            self.local_parts[function, name] = tuple(scalar_parts(found.type, shown=shown))

    def note_members(self, function: str, name: str, type: Any) -> None:
        """Note where the members of an object stand that is a struct with arrays."""
        if members := member_extents(type):
            self.members[function, name] = members

    def note_function(self, user: str, name: str) -> None:
        """Note that a function may be called by another one, or by whoever reads a global."""
        self.calls.setdefault(user or "main", set()).add(name)

    def program(self, procedures: list[Procedure], file: str, source: str) -> Program:
        """Return the program."""
        names = {procedure.name for procedure in procedures}
        forms = tuple((name, form) for name, form in self.forms.items() if name in names)
        layout = MemoryLayout(
            tuple(self.objects.declared.values()),
            forms,
            self.pointer,
            tuple(self.local_parts.items()),
            self.threaded,
            tuple(self.members.items()),
        )
        return Program(
            (),
            tuple(procedures),
            ("main",),
            TRUE,
            file,
            source,
            "c",
            kind=Kind.MEMORY,
            memory=layout,
            errors=(*TARGETS, "ERROR"),
            undefined=tuple(self.undefined.items()),
            reading=self.options.how(),
        )


def read_memory(
    text: str, file: str, options: COptions, layout: Layout, problems: list[Problem], notes: list[Problem]
) -> Program | None:
    """Return the program with memory that a text is; what is not read is added to the problems, None where it is."""
    if options.integers == "mathematical":
        return None
    found = read_memory_tree(text, file, options, layout, problems)
    if found is None or problems:
        return None
    tree, reader = found
    unit = MemoryUnit(Text(layout.text), options, problems, notes, reader)
    unit.threaded = has_threads(tree)
    unit.called_main = calls_main(tree)
    procedures = unit.read(tree)
    for node, said in find_wide_fields(tree, unit.reachable("main")):
        unit.note_once(said, unit.text.token(node))
    return None if problems else unit.program(procedures, file, layout.text)
