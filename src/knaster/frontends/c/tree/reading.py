"""From the text of a C file to its tree, on a stack that is deep enough for Clang."""

from __future__ import annotations

from knaster.base.errors import Problem, Span
from knaster.frontends.c.clang.library import load_library
from knaster.frontends.c.clang.reading import read_unit
from knaster.frontends.c.clang.stack import nesting, run_deep
from knaster.frontends.c.tree import nodes
from knaster.frontends.c.tree.spots import Layout
from knaster.frontends.c.tree.unit import Reader
from knaster.frontends.text.options import COptions

_NOTHING = nodes.File((), (), frozenset())


def read_tree(text: str, file: str, options: COptions, layout: Layout, problems: list[Problem]) -> nodes.File | None:
    """Return the tree of a text; what is wrong is added to the problems, and None where there is no tree."""

    def work() -> nodes.File:
        unit = read_unit(text, file, options, layout, problems)
        return _NOTHING if unit is None else Reader(unit, problems).read()

    load_library()
    found = run_deep(work, nesting(text))
    if found is None:
        problems.append(Problem("statements or expressions are nested too deep", Span(1, 1), "split them"))
    return None if problems and found is _NOTHING else found
