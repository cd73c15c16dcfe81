"""A file of C as a tree with pointers: the reader of `tree`, with types that have a layout."""

from __future__ import annotations

from typing import Any

from knaster.base.errors import Problem, Span
from knaster.base.trampoline import run
from knaster.frontends.c.clang.library import load_library
from knaster.frontends.c.clang.reading import Unit
from knaster.frontends.c.clang.stack import nesting, run_deep
from knaster.frontends.c.linkage.link import Link, link_units
from knaster.frontends.c.linkage.units import read_units
from knaster.frontends.c.memory.declarations import MemoryDeclarations
from knaster.frontends.c.memory.jumps import JumpStatements
from knaster.frontends.c.memory.lengths import Length
from knaster.frontends.c.memory.tree import MemoryExpressions
from knaster.frontends.c.memory.types import FunctionType, MemoryTypes, Sequence
from knaster.frontends.c.tree import nodes
from knaster.frontends.c.tree.initial import Initials
from knaster.frontends.c.tree.reading import join_trees
from knaster.frontends.c.tree.spots import Layout
from knaster.frontends.c.tree.unit import Reader
from knaster.frontends.text.options import COptions


class MemoryReader(Reader):
    """One file while it becomes a tree with pointers."""

    def __init__(self, unit: Unit, problems: list[Problem], link: Link, pointer: int) -> None:
        super().__init__(unit, problems, link)
        self.types = MemoryTypes(unit.cursors, link)
        self.types.pointer = pointer
        self.lengths: dict[nodes.Object, list[Length]] = {}  # that the declarations of variables say
        self.measured: set[int] = set()  # the arrays of which it is known who says their lengths
        self.constant: set[nodes.Object] = set()  # objects that must not be written
        self.volatile: set[nodes.Object] = set()  # variables that may change by themselves
        self.shown: dict[nodes.Object, str] = {}  # how values of variables are shown
        self.per_thread: set[nodes.Object] = set()  # objects of which each thread has its own
        self.forms: dict[str, Any] = {}  # what the functions take that the file defines
        self.declarations = MemoryDeclarations(self)
        self.expressions = MemoryExpressions(self)
        self.initials = Initials(self)
        self.statements = JumpStatements(self)

    def is_measured(self, type: Any) -> bool:
        """Tell whether all lengths of an array are constants or computed somewhere."""
        while isinstance(type, Sequence):
            if type.length is None and type.key not in self.measured:
                return False
            type = type.element
        return True

    def share(self, other: MemoryReader) -> None:
        """Let what is known of objects and functions be known with that of another file."""
        self.lengths, self.measured, self.constant = other.lengths, other.measured, other.constant
        self.volatile, self.shown = other.volatile, other.shown
        self.per_thread, self.forms = other.per_thread, other.forms

    def _function(self, cursor: Any) -> nodes.Function:
        """Read a function; its problems are its own."""
        outside, self.problems = self.problems, []
        type: Any = self.types.of_cursor(cursor)
        assert isinstance(type, FunctionType)
        found = run(self.declarations.function(cursor, type.result))
        self.forms[found.name] = type.form
        for word in self.strange.get(found.name, ()):
            self.problem(f"the attribute '{word}' is not read", found.at, "write the program without it")
        found.problems, self.problems = self.problems, outside
        return found


def read_memory_tree(
    text: str, file: str, options: COptions, layout: Layout, problems: list[Problem]
) -> tuple[nodes.File, MemoryReader] | None:
    """Return the tree of a text and who read it; what is wrong is added to the problems, None where there is none."""

    def work() -> tuple[nodes.File, MemoryReader] | None:
        units = read_units(text, file, options, layout, problems)
        if problems:
            return None
        links = link_units(units, problems)
        pointer = 4 if options.data_model == "ILP32" else 8
        readers = [MemoryReader(unit, problems, link, pointer) for unit, link in zip(units, links, strict=True)]
        for other in readers[1:]:
            other.share(readers[0])
        return join_trees([reader.read() for reader in readers]), readers[0]

    load_library()
    found = run_deep(work, nesting(text))
    if found is None and not problems:
        problems.append(Problem("statements or expressions are nested too deep", Span(1, 1), "split them"))
    return found
