"""A predicate as users write it: the function, and a comparison over its variables in C.

`\\old(x)` is the value of a parameter or global when the function was entered, `\\result` what it returns (ACSL).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from knaster.base.errors import SourceError, UsageError
from knaster.base.hints import did_you_mean
from knaster.base.records import dataclass
from knaster.frontends.c import parse
from knaster.frontends.text.options import options_of
from knaster.program.expression import Choice, Compare, Convert, Expr, Not
from knaster.program.model import Assign, Program, Return, old
from knaster.program.types import Bool, Int, Type

_OLD = re.compile(r"\\old\s*\(\s*([A-Za-z_]\w*)\s*\)")
_NAME = re.compile(r"[A-Za-z_]\w*\Z")
_WORDS = {8: "char", 16: "short", 32: "int", 64: "long long", None: "int"}
FORM = "a predicate is written 'FUNCTION: COMPARISON', as in 'main: x > 0'"


@dataclass(frozen=True, slots=True)
class Given:
    """A predicate of a procedure; `names` says which variables of the model its variables stand for."""

    procedure: str
    condition: Expr
    names: Mapping[str, str]


def parse_predicate(program: Program, text: str) -> Given:
    """Return the function and the comparison of a predicate; raise `UsageError` where it is none."""
    name, colon, condition = (part.strip() for part in text.partition(":"))
    if not colon or not condition:
        raise UsageError(f"'{text}' is no predicate: {FORM}")
    known = [procedure.name for procedure in program.procedures]
    if name not in known:
        raise UsageError(
            f"there is no function '{name}' for the predicate '{text}'; {did_you_mean(name, known) or FORM}"
        )
    procedure = program.procedure(name)
    types = program.types_in(procedure)
    names = {n: n for n in types if _NAME.match(n)}
    names |= {f"old__{n}": old(n) for n in (*program.globals, *procedure.parameters) if n in names}
    if procedure.results:
        names["result__"] = procedure.results[0]
    plain = _OLD.sub(r"old__\1", condition).replace("\\result", "result__")
    declared = {n: types[n.removeprefix("old__") if n.startswith("old__") else model] for n, model in names.items()}
    return Given(name, _comparison(program, plain, declared, text), names)


def _comparison(program: Program, condition: str, types: Mapping[str, Type], text: str) -> Expr:
    """Return what the front end makes of a condition in a function that has only these variables."""
    lines = [f"{word} {name};" for name, type in types.items() if (word := _word(type))]
    unit = "int main(void) {\n" + "\n".join(lines) + f"\nreturn ({condition});\n}}\n"
    try:
        probe = parse(unit, "predicate", options=options_of(program.reading))
    except SourceError as error:
        raise UsageError(f"'{text}' is no predicate: {error.problems[0].message}; {FORM}") from None
    actions = [edge.action for edge in probe.procedure("main").edges]
    plain = [a for a in actions if not (isinstance(a, Assign) and isinstance(a.values[0], Choice))]
    match plain:
        case [Return((Convert(Compare() | Not() as found),))]:
            return found
        case _:
            raise UsageError(f"'{text}' is no predicate: give each comparison alone; {FORM}")


def _word(type: Type) -> str:
    """Return the type in C; empty where a predicate cannot speak of it."""
    match type:
        case Bool():
            return "_Bool"
        case Int(width, signed):
            return f"{'signed' if signed else 'unsigned'} {_WORDS[width]}"
        case _:
            return ""
