"""A file of C as Clang read it, as a tree: its variables, and its functions with the problems of each."""

from __future__ import annotations

from typing import Any

from knaster.base.errors import Problem
from knaster.base.trampoline import run
from knaster.frontends.c.clang.cursors import expression_kinds
from knaster.frontends.c.clang.reading import Unit
from knaster.frontends.c.linkage.link import Link
from knaster.frontends.c.names.types import Function
from knaster.frontends.c.tree import nodes
from knaster.frontends.c.tree.declarations import Declarations
from knaster.frontends.c.tree.expressions import Expressions
from knaster.frontends.c.tree.initial import Initials
from knaster.frontends.c.tree.selections import Selections
from knaster.frontends.c.tree.spots import Text
from knaster.frontends.c.tree.statements import SILENT, Statements
from knaster.frontends.c.tree.types import Types

_WRITES = frozenset(("++", "--", "p++", "p--", "&"))


class Reader:
    """One file while it becomes a tree."""

    def __init__(self, unit: Unit, problems: list[Problem], link: Link, plain: bool = False) -> None:
        self.unit = unit
        self.link = link
        self.cursors = unit.cursors
        self.selections = Selections(unit)
        self.text = Text(unit.layout.text)
        self.problems = problems
        self.types = Types(unit.cursors, link, plain)
        self.strange: dict[str, list[str]] = {}  # functions with attributes that are not read
        self._expressions = expression_kinds()
        self._objects: dict[nodes.Object, None] = {}
        self._changed: frozenset[int] | None = None
        self.declarations = Declarations(self)
        self.expressions = Expressions(self)
        self.initials = Initials(self)
        self.statements = Statements(self)

    def problem(self, what: str, at: nodes.Spot, hint: str = "") -> None:
        """Note something that is not read."""
        found = Problem(what, self.text.first(at), hint)
        if found not in self.problems:
            self.problems.append(found)

    def is_expression(self, cursor: Any) -> bool:
        """Tell whether a cursor is an expression."""
        return cursor._kind_id in self._expressions

    def add_object(self, found: nodes.Object) -> None:
        """Add a variable of the file."""
        self._objects[found] = None

    def read(self) -> nodes.File:
        """Return the tree of the file; what is wrong outside of functions is added to the problems."""
        functions: list[nodes.Function] = []
        names: set[str] = set()
        with self.cursors.watch():
            for cursor in self.cursors.below(self.unit.root.cursor):
                kind, mine = self.cursors.kind(cursor), not self.unit.is_ours(cursor)
                if kind == "VAR_DECL":
                    run(self.declarations.global_variable(cursor))
                    names.add(self.link.name(cursor))
                elif kind == "FUNCTION_DECL":
                    self.declarations.note_function(cursor)
                    name = self.link.name(cursor)
                    if cursor.is_definition():
                        functions += [] if name in self.link.dropped else [self._function(cursor)]
                    elif mine:
                        names.add(name)
                elif kind not in SILENT and self.cursors.text(cursor).strip() not in ("", ";"):
                    self._refuse(cursor, kind)
            self.cursors.check()
        return nodes.File(tuple(functions), tuple(self._objects), frozenset(names))

    def _refuse(self, cursor: Any, kind: str) -> None:
        asm = "asm" in self.cursors.text(cursor)[:8]
        what = "assembly is not read" if asm else f"this declaration is not read ({kind.lower().replace('_', ' ')})"
        self.problem(what, self.unit.start(cursor), "write it in plain C")

    def _function(self, cursor: Any) -> nodes.Function:
        """Read a function; its problems are its own."""
        outside, self.problems = self.problems, []
        type = self.types.of_cursor(cursor)
        assert isinstance(type, Function)
        found = run(self.declarations.function(cursor, type.result))
        for word in self.strange.get(found.name, ()):
            self.problem(f"the attribute '{word}' is not read", found.at, "write the program without it")
        found.problems, self.problems = self.problems, outside
        return found

    def changed(self) -> frozenset[int]:
        """Return the variables that are assigned, or whose address is taken, anywhere in the file."""
        if self._changed is None:
            found, todo = set(), [self.unit.root.cursor]
            while todo:
                cursor = todo.pop()
                below = self.cursors.below(cursor)
                kind = self.cursors.kind(cursor)
                writes = kind == "COMPOUND_ASSIGNMENT_OPERATOR" or (
                    kind == "BINARY_OPERATOR" and self.cursors.operator(cursor) == "="
                )
                if writes or (kind == "UNARY_OPERATOR" and self.cursors.sign(cursor) in _WRITES):
                    found.add(self._root(below[0]))
                todo += below
            self._changed = frozenset(found)
        return self._changed

    def _root(self, cursor: Any) -> int:
        """Return the variable that a place belongs to; 0 where it belongs to none."""
        while self.cursors.kind(cursor) != "DECL_REF_EXPR":
            below = self.selections.below(cursor)
            if not below:
                return 0
            cursor = below[0]
        return int(cursor.referenced.canonical.data[0] or 0)
