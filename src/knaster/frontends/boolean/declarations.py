"""A first pass over the tokens: which variables are declared where.

The scope of a declaration is the whole program or the whole procedure, wherever it stands, so all are known before the
first expression is read.  A local that hides a global gets a name of its own: in the model all names in scope differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from knaster.base.errors import Problem
from knaster.base.named_tuples import NamedTuple
from knaster.frontends.boolean.mistakes import TYPES
from knaster.frontends.text.tokens import Tokens
from knaster.program.expression import Var

_MARKS = frozenset(("decl", "begin", "end", *TYPES))


class Declarations(NamedTuple):
    """The tokens that declare variables: the globals, and the locals by the token of their `begin`."""

    shared: list[int]
    local: dict[int, list[int]]


def find_declarations(tokens: Tokens) -> Declarations:
    """Return every declared name of the text as the index of its token."""
    found = Declarations([], {})
    spellings = tokens.spellings
    names = found.shared
    for at in [at for at, token in enumerate(spellings) if token in _MARKS]:
        match spellings[at]:
            case "begin":
                names = found.local.setdefault(at, [])
            case "end":
                names = found.shared
            case "decl":
                names.extend(_declared_names(tokens, at + 1))
            case _ if is_declaration(spellings, at):  # it is refused later; what it declares is known all the same
                names.extend(_declared_names(tokens, at + 1))
    return found


def is_declaration(spellings: Sequence[str], at: int) -> bool:
    """Tell whether `bool x;` or the like stands at token `at`, where `decl x;` is meant."""
    return spellings[at] in TYPES and spellings[at + 2] in (";", ",", ":=", "=", "==")


def _declared_names(tokens: Tokens, at: int) -> Iterator[int]:
    """Yield the names that stand behind `decl` or a comma; commas inside brackets belong to an initialiser."""
    spellings = tokens.spellings
    first, depth, due = at, 0, True
    while spellings[at] not in (";", "", "begin", "end", "decl"):
        token = spellings[at]
        if token in tokens.names and spellings[at - 1] in tokens.names and at > first:
            return  # a semicolon is missing here
        if due and token in tokens.names:
            yield at
        due = token == "," and depth == 0
        depth += (token in ("(", "[")) - (token in (")", "]"))
        at += 1


def declare(tokens: Tokens, places: Iterable[int], problems: list[Problem]) -> dict[str, int]:
    """Return the names at `places` in order with their tokens; report every name that comes twice."""
    declared: dict[str, int] = {}
    for at in places:
        name = tokens.spellings[at]
        if name in declared:
            line = tokens.line(declared[name])
            problems.append(Problem(f"'{name}' is already declared on line {line}", tokens.span(at)))
        else:
            declared[name] = at
    return declared


def visible_name(name: str, procedure: str, shared: Mapping[str, Var], declared: Mapping[str, int]) -> str:
    """Return the name that a local of `procedure` has in the model where its own hides a global."""
    plain = f"{procedure}.{name}"
    if "{" in plain:
        plain = "{" + plain.replace("{", "").replace("}", "") + "}"
    while plain in shared or plain in declared:
        plain = plain[:-1] + "#}" if plain.endswith("}") else plain + "#"
    return plain
