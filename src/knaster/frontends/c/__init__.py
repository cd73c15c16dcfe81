"""C: text to `Program`.

Clang reads the text (`clang`), `tree` makes a typed tree of what it read, `lower` a program of the tree: integers of
all sizes, arrays of fixed size and structs by value, every statement of C.  What needs pointers is read again by
`memory`, as a program with objects.  Needs libclang, which the extra `knaster[c]` installs.  docs/c.md says what is
read and what is refused.

Also here: `comments` (texts without their comments), `linkage` (several files as one program), `library` (functions
of the library that are written in C), `order` (where C leaves the order of evaluation open and that matters),
`predicate` (a predicate as users write it), `spelling` (how programs of C are shown).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from knaster.base.errors import Problem, SourceError, Span, UsageError
from knaster.frontends.text.options import COptions
from knaster.program.model import Program

if TYPE_CHECKING:
    from knaster.frontends.c.tree.spots import Layout

_NO_OPTIONS = COptions()


def parse(
    text: str,
    file: str = "<text>",
    dialect: str = "default",
    notes: list[Problem] | None = None,
    options: COptions = _NO_OPTIONS,
) -> Program:
    """Return the program that a text of C is; raise `SourceError` with everything that is wrong or not read.

    What a reader should know although nothing is wrong, such as functions that are inputs, is added to `notes`.
    """
    from knaster.frontends.c.library.sources import with_library
    from knaster.frontends.c.linkage.units import lay_out_files
    from knaster.frontends.c.lower.unit import Unit
    from knaster.frontends.c.tree.reading import read_tree
    from knaster.frontends.c.tree.spots import Text

    if options.argc and not options.argc.isdecimal():
        raise UsageError(f"'{options.argc}' is no number of arguments of main")
    text = with_library(text, file)
    layout = lay_out_files(text)
    problems: list[Problem] = []
    remarks: list[Problem] = [] if notes is None else notes
    if options.objects == "always":
        found = _read_with_memory(text, file, options, layout, problems, remarks)
        if found is None:
            raise SourceError(file, layout.text, sorted(problems, key=lambda problem: problem.span))
        return found
    tree = read_tree(text, file, options, layout, problems)
    unit = Unit(Text(layout.text), options, problems, remarks)
    procedures = unit.read(tree) if tree is not None else []
    auto = options.objects == "auto"
    if auto and problems and (found := _read_with_memory(text, file, options, layout, problems, remarks)) is not None:
        return found
    if problems:
        raise SourceError(file, layout.text, sorted(problems, key=lambda problem: problem.span))
    program = unit.program(procedures, file, layout.text)
    if not options.checks:
        return program
    from knaster.program.checks.step_checks import with_checks

    checked = with_checks(program, options.checks.split(","))
    if checked is None and auto:
        checked = _read_with_memory(text, file, options, layout, problems, remarks)
    if checked is None:
        what = "it cannot be told when its steps are undefined"
        raise SourceError(file, layout.text, problems or [Problem(what, Span(1, 1), "leave out '--objects never'")])
    return checked


def _read_with_memory(
    text: str, file: str, options: COptions, layout: Layout, problems: list[Problem], remarks: list[Problem]
) -> Program | None:
    """Return the program with memory that a text is, None where it is none; then the problems are those of this way."""
    if any(problem.hint == "" and "Clang" in problem.message for problem in problems):
        return None
    from knaster.frontends.c.memory.unit import read_memory

    again: list[Problem] = []
    notes: list[Problem] = []
    found = read_memory(text, file, options, layout, again, notes)
    if found is not None:
        remarks[:] = notes
    elif again:
        problems[:] = again
    return found
