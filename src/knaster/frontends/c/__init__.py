"""C without pointers: text to `Program`.

Integers of all sizes, arrays of fixed size and structs by value; every statement of C.  Needs pycparser, which the
extra `knaster[c]` installs.  docs/c.md says what is read and what is refused.
"""

from __future__ import annotations

from knaster.base.errors import Problem, SourceError
from knaster.frontends.c.text.clean import clean_tokens
from knaster.frontends.c.text.parse import Text, parse_tokens
from knaster.frontends.c.text.preprocess import preprocess
from knaster.frontends.c.text.tokens import laid_out
from knaster.frontends.text.options import COptions
from knaster.program.model import Program

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
    source = laid_out(text)
    problems: list[Problem] = []
    remarks: list[Problem] = [] if notes is None else notes
    tokens = clean_tokens(preprocess(source, file, options, problems), problems)
    tree = parse_tokens(tokens, problems)
    if tree is None:
        raise SourceError(file, source, problems)
    from knaster.frontends.c.lower.unit import Unit  # here pycparser is known to be there

    unit = Unit(Text(tokens), options, problems, remarks)
    procedures = unit.read(tree)
    if problems:
        raise SourceError(file, source, sorted(problems, key=lambda problem: problem.span))
    return unit.program(procedures, file, source)
