"""From the text of a C file to its tree, on a stack that is deep enough for Clang."""

from __future__ import annotations

from collections.abc import Sequence

from knaster.base.errors import Problem, Span
from knaster.frontends.c.clang.library import load_library
from knaster.frontends.c.clang.stack import nesting, run_deep
from knaster.frontends.c.linkage.link import link_units
from knaster.frontends.c.linkage.units import read_units
from knaster.frontends.c.tree import nodes
from knaster.frontends.c.tree.spots import Layout
from knaster.frontends.c.tree.unit import Reader
from knaster.frontends.text.options import COptions

_NOTHING = nodes.File((), (), frozenset())


def read_tree(text: str, file: str, options: COptions, layout: Layout, problems: list[Problem]) -> nodes.File | None:
    """Return the tree of a text; what is wrong is added to the problems, and None where there is no tree."""

    def work() -> nodes.File:
        units = read_units(text, file, options, layout, problems)
        if problems:
            return _NOTHING
        links = link_units(units, problems)
        plain = options.volatile == "plain"
        readers = [Reader(unit, problems, link, plain) for unit, link in zip(units, links, strict=True)]
        return join_trees([reader.read() for reader in readers])

    load_library()
    found = run_deep(work, nesting(text))
    if found is None:
        problems.append(Problem("statements or expressions are nested too deep", Span(1, 1), "split them"))
    return None if problems and found is _NOTHING else found


def join_trees(files: Sequence[nodes.File]) -> nodes.File:
    """Return the tree of a program from those of its files."""
    if len(files) == 1:
        return files[0]
    functions = tuple(function for file in files for function in file.functions)
    objects = tuple(dict.fromkeys(found for file in files for found in file.objects))
    return nodes.File(functions, objects, frozenset().union(*(file.names for file in files)))
