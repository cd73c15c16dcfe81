"""A file of C as a tree with pointers: the reader of `tree`, with types that have a layout."""

from __future__ import annotations

from typing import Any

from knaster.base.errors import Problem, Span
from knaster.base.trampoline import run
from knaster.frontends.c.clang.library import load_library
from knaster.frontends.c.clang.reading import Unit, read_unit
from knaster.frontends.c.clang.stack import nesting, run_deep
from knaster.frontends.c.memory.declarations import MemoryDeclarations
from knaster.frontends.c.memory.tree import MemoryExpressions
from knaster.frontends.c.memory.types import FunctionType, MemoryTypes
from knaster.frontends.c.tree import nodes
from knaster.frontends.c.tree.initial import Initials
from knaster.frontends.c.tree.spots import Layout
from knaster.frontends.c.tree.statements import Statements
from knaster.frontends.c.tree.unit import Reader
from knaster.frontends.text.options import COptions

_NOTHING = nodes.File((), (), frozenset())


class MemoryReader(Reader):
    """One file while it becomes a tree with pointers."""

    def __init__(self, unit: Unit, problems: list[Problem], pointer: int) -> None:
        super().__init__(unit, problems)
        self.types = MemoryTypes(unit.cursors)
        self.types.pointer = pointer
        self.lengths: dict[nodes.Object, Any] = {}  # of arrays whose length is known only at run time
        self.constant: set[nodes.Object] = set()  # objects that must not be written
        self.per_thread: set[nodes.Object] = set()  # objects of which each thread has its own
        self.forms: dict[str, Any] = {}  # what the functions take that the file defines
        self.declarations = MemoryDeclarations(self)
        self.expressions = MemoryExpressions(self)
        self.initials = Initials(self)
        self.statements = Statements(self)

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
        unit = read_unit(text, file, options, layout, problems)
        if unit is None:
            return None
        reader = MemoryReader(unit, problems, 4 if options.data_model == "ILP32" else 8)
        return reader.read(), reader

    load_library()
    found = run_deep(work, nesting(text))
    if found is None and not problems:
        problems.append(Problem("statements or expressions are nested too deep", Span(1, 1), "split them"))
    return found
