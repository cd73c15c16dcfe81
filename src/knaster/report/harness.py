"""A run of a C program as C: the undefined functions, which return the inputs of the run in order.

Compiled together with the program (`cc prog.c OUT.c`) it runs into the error.  Where the run depends on the arguments
of main, the program starts itself again with them.  What an uninitialised variable must be, a byte of the heap that
nobody wrote, a volatile object, or a result that C leaves open, cannot be set from outside; a comment says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from knaster.evidence.traces.inputs import MOST, Input, list_inputs
from knaster.evidence.traces.trace import Trace
from knaster.program.memory import Addresses, Floating
from knaster.program.model import Kind, Program
from knaster.program.types import Bool, Int, Type, Value

_KNOWN = """\
#include <stdio.h>
#include <stdlib.h>

__attribute__((weak)) void reach_error(void) { fprintf(stderr, "the error is reached\\n"); exit(10); }
__attribute__((weak)) void __VERIFIER_error(void) { reach_error(); }
__attribute__((weak)) void __VERIFIER_assert(int holds) { if (!holds) reach_error(); }
__attribute__((weak)) void __CPROVER_assert(int holds, const char *text) { (void)text; if (!holds) reach_error(); }
__attribute__((weak)) void __VERIFIER_assume(int holds) { if (!holds) exit(0); }
__attribute__((weak)) void __CPROVER_assume(int holds) { if (!holds) exit(0); }
__attribute__((weak)) void assume_abort_if_not(int holds) { if (!holds) abort(); }
"""
_ARGUMENT = re.compile(r"argc$|the (length|text) of argv\[")
_REASONS = {"(volatile)": "changes by itself", "(left open)": "may be another number in this library"}
_NAMES = {8: "char", 16: "short", 32: "int", 64: "long long"}


def harness(program: Program, trace: Trace, before: str = "") -> str:
    """Return C that defines every function from which a run reads, each with a statement `before` it returns."""
    arguments = None
    if program.kind is Kind.MEMORY:
        from knaster.evidence.traces.memory_inputs import arguments_of_main

        arguments = arguments_of_main(program, trace, MOST)
    return "\n".join(_lines(program, list_inputs(program, trace), before, arguments)) + "\n"


def _lines(program: Program, inputs: list[Input], before: str, arguments: list[bytes] | None) -> Iterator[str]:
    yield f"/* The inputs of a run of {_comment(program.file)} into its error, as 'knaster check' found it. */"
    yield _KNOWN
    if arguments:
        yield from _arguments(arguments)
    for one in inputs:
        if not one.name.endswith("()") and not (arguments and _ARGUMENT.match(one.name)):
            value = _constant(one.value, one.type)
            why = next((why for end, why in _REASONS.items() if one.name.endswith(end)), "is not initialised")
            yield f"/* line {one.line}: '{_comment(one.name)}' {why}; it must be {value} there. */"
    functions: dict[str, list[Input]] = {}
    for one in inputs:
        if one.name.endswith("()"):
            functions.setdefault(one.name.removesuffix("()"), []).append(one)
    for name, read in functions.items():
        yield from _function(name, read, before)
    for name, returned in program.undefined:
        if name not in functions:
            type = "void" if returned is None else _type(returned) or "void"
            yield f"__attribute__((weak)) {type} {name}() {{{'' if type == 'void' else ' return 0; '}}}"


def _arguments(texts: list[bytes]) -> Iterator[str]:
    """Yield a function that starts the program again with the arguments that it is to be given (Linux)."""
    spelt = ", ".join('"' + "".join(f"\\{code:03o}" for code in text) + '"' for text in texts)
    yield "#include <unistd.h>"
    yield "__attribute__((constructor)) static void give_arguments(void) {"
    yield f"  static char *arguments[] = {{{spelt}, 0}};"
    yield '  if (getenv("KNASTER_ARGUMENTS")) return;'
    yield '  setenv("KNASTER_ARGUMENTS", "given", 1);'
    yield '  execv("/proc/self/exe", arguments);'
    yield "}"


def _function(name: str, read: list[Input], before: str) -> Iterator[str]:
    type = _type(read[0].type)
    if type is None:
        yield f"/* '{name}' returns a struct or an array; its values are not written here. */"
        return
    values = ", ".join(_constant(one.value, one.type) for one in read)
    yield f"{type} {name}() {{"
    constant = "" if "*" in type else "const "
    yield f"  static {constant}{type} values[] = {{{values}}};"
    yield "  static unsigned next;"
    if before:
        yield f"  {before}"
    yield f"  return next < {len(read)} ? values[next++] : 0;"
    yield "}"


def _type(type: Type) -> str | None:
    match type:
        case Bool():
            return "_Bool"
        case Floating(width):
            return "float" if width == 32 else "double"
        case Addresses():
            return "void *"
        case Int(None):
            return "long long"
        case Int(int(width), signed):
            return ("" if signed else "unsigned ") + ("signed " if signed and width == 8 else "") + _NAMES[width]
        case _:
            return None


def _constant(value: Value, type: Type) -> str:
    """Return a value as a constant of C; the smallest ones have no constant of their own."""
    if isinstance(type, Addresses):
        return "0" if value in ("NULL", 0) else "(void *)0xDEAD0001"
    if isinstance(value, float):
        infinite = {"inf": "__builtin_inf()", "-inf": "-__builtin_inf()", "nan": '__builtin_nan("")'}
        return infinite.get(str(value), value.hex())
    if isinstance(value, bool) or not isinstance(value, int):
        return str(int(value)) if isinstance(value, bool) else "{...}"
    if isinstance(type, Int) and type.signed and value < 0:
        return f"({value + 1}LL - 1)"
    return f"{value}{'LL' if isinstance(type, Int) and type.signed else 'ULL'}"


def _comment(text: str) -> str:
    return text.replace("*/", "* /")
