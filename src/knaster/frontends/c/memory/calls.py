"""Calls of programs with memory: of functions of the program, through pointers, of the library, of known words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from knaster.base.trampoline import Steps
from knaster.frontends.c.lower.values import both
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.memory.arithmetic import Result, is_pointer
from knaster.frontends.c.memory.builtins import ORDERS, PLAIN, compare_numbers
from knaster.frontends.c.memory.open_results import calls_in_test, is_open, leave_open
from knaster.frontends.c.memory.threads import ATOMIC, ThreadCalls
from knaster.frontends.c.memory.types import Structure, cell_of, is_scalar
from knaster.frontends.c.memory.unnamed import type_number, with_types
from knaster.frontends.c.names.formats import FORMATS, misfits, reads_memory, writes_count
from knaster.frontends.c.names.library import (
    HANDLERS,
    KNOWN,
    OBJECT_SIZES,
    RANGES,
    UNREACHABLE_WORD,
    Meaning,
    is_input,
    refusal,
)
from knaster.frontends.c.names.types import Boolean, Foreign, Integer, Void
from knaster.frontends.c.tree import nodes
from knaster.program.checks import FORMAT, UNREACHABLE
from knaster.program.expression import TRUE, Choice, Compare, Comparison, Const, Expr, Var
from knaster.program.memory import NULL, Floating, Invoke, Library
from knaster.program.model import Assume, Call
from knaster.program.types import BOOL

if TYPE_CHECKING:
    from knaster.frontends.c.memory.expressions import MemoryExpressions

LIBRARY = """malloc calloc realloc free cfree alloca aligned_alloc memalign valloc memcpy memmove memset memcmp
strlen strnlen strcpy stpcpy strncpy strcat strncat strcmp strncmp strcasecmp strncasecmp strchr strrchr memchr strstr
strspn strcspn strpbrk strdup atoi isalpha isdigit isalnum isspace isblank isupper islower isxdigit ispunct isprint
isgraph iscntrl toupper tolower sprintf snprintf scanf fscanf time ffs ffsl ffsll
asprintf vasprintf vsprintf vsnprintf vprintf vfprintf getenv localtime localtime_r gmtime gmtime_r asctime asctime_r
ctime ctime_r mktime clock difftime usleep fopen fdopen fclose fgets fread fwrite fgetc fseek fseeko rewind
isnan isinf isfinite signbit fpclassify isnormal inf inff huge_val huge_valf nan nanf strtod strtof atof"""
_OF_BOTH_WIDTHS = """fabs floor ceil trunc round rint nearbyint sqrt fmod remainder drem fmin fmax fdim copysign ldexp
scalbn scalbln logb ilogb fma nextafter lround llround lrint llrint frexp modf"""
_BY_WIDTH = ("fpclassify", "isnormal")  # what they say depends on the type of their last argument
_CONSTANTS = ("inf", "inff", "huge_val", "huge_valf")  # of the compiler: without `__builtin_` they are anybody's names
_ALLOCATES = frozenset(["malloc", "calloc", "realloc", "aligned_alloc", "memalign", "valloc", "strdup"])
_BITS = [f"__builtin_{name}{size}" for name in ("clz", "ctz", "popcount", "parity", "ffs") for size in ("", "l", "ll")]
_MATHEMATICS = [f"{name}{suffix}" for name in _OF_BOTH_WIDTHS.split() for suffix in ("", "f")]
_SWAPS = [f"__builtin_bswap{width}" for width in (16, 32, 64)]
_LIBRARY = frozenset([*LIBRARY.split(), *_MATHEMATICS, *_BITS, *_SWAPS])
_OVERFLOW = re.compile(r"__builtin_([su]?)(add|sub|mul)(l|ll)?_overflow")
_UNINTERPRETED = "__CPROVER_uninterpreted_"  # a function of which only that it is one is known
_ARGUMENTS = {"__builtin_va_start": "va_start", "__builtin_va_end": "va_end", "__builtin_va_copy": "va_copy"}


class Calls:
    """The calls of one function."""

    def __init__(self, expressions: MemoryExpressions) -> None:
        self.expressions = expressions
        self.unit = expressions.unit
        self.threads = ThreadCalls(self)
        self._tested: set[int] = set()  # calls whose results are only compared with 0

    def note_tests(self, calls: Iterable[nodes.Call]) -> None:
        """Note calls of whose results nobody needs more than how they compare with 0."""
        self._tested.update(map(id, calls))

    def call(self, node: Any, wanted: bool) -> Steps[Result]:
        """Perform a call; return its result where it is wanted and there is one."""
        if isinstance(node, memory.Invocation):
            done: Result = yield self.invocation(node, wanted)
            return done
        if isinstance(node, memory.NextArgument):
            place: Result = yield self.expressions.value(node.operand)
            number = self.expressions.values.constant(type_number(node.type))
            return self.library("va_arg", [place, number], node.type, wanted)
        name = node.name
        if name in self.unit.defined:
            done = yield self.defined(node, wanted)
            return done
        if self.threads.knows(name):
            done = yield self.threads.call(node, wanted)
            return done
        if name in OBJECT_SIZES:
            self.unit.note_once(f"'{name}' is what Clang says without optimisation", self.expressions.at(node))
            return self.unknown_size(node)
        if name in PLAIN:
            done = yield self.expressions.value(PLAIN[name](node))
            return done
        if name.removeprefix("__builtin_") in ORDERS:
            done = yield compare_numbers(self.expressions, node)
            return done
        if name in _ARGUMENTS:
            given = yield self.expressions.operands(node.arguments[: 2 if name.endswith("copy") else 1])
            return self.library(_ARGUMENTS[name], given, node.type, False)
        if misfits(name, node.arguments, self.unit.pointer):
            self.expressions.graph.mark_undefined(FORMAT, *node.at)
        short = name.removeprefix("__builtin_") if name not in _LIBRARY else name
        if short in _LIBRARY and name not in _CONSTANTS:
            given = yield self.expressions.operands(node.arguments)
            single = short in _BY_WIDTH and given[-1].type == Floating(32)
            done = self.library(f"{short}f" if single else short, given, node.type, wanted)
            if wanted and id(node) not in self._tested and is_open(short, node.type):
                leave_open(self.expressions, short, done)
            return done
        if (match := _OVERFLOW.fullmatch(name)) is not None and (said := self.overflow(match, node)) is not None:
            given = yield self.expressions.operands(node.arguments)
            return self.library(said, given, node.type, wanted)
        if name.startswith(_UNINTERPRETED) and isinstance(node.type, Integer | Boolean):
            given = yield self.expressions.operands(node.arguments)
            bits = "b" if isinstance(node.type, Boolean) else f"{'s' if node.type.signed else 'u'}{node.type.width}"
            return self.library(f"{name} {bits}", given, node.type, True)
        if name in KNOWN:
            done = yield self.known(KNOWN[name], node, wanted)
            return done
        if (refused := refusal(name, node.ours and not is_input(name))) is not None:
            self.unit.problem(refused.what, self.expressions.at(node), refused.advice)
            return self.expressions.values.constant(0)
        done = yield self.undefined(node, wanted)
        return done

    def unknown_size(self, node: nodes.Call) -> Result:
        """Return what compilers say of the size of an object that they do not know; nothing is evaluated."""
        kind: Any = node.arguments[-1]
        while isinstance(kind, nodes.Convert):
            kind = kind.operand
        bits = 8 * self.unit.pointer
        least = isinstance(kind, nodes.Number) and kind.value in (2, 3)
        return Result(Const(0 if least else (1 << bits) - 1), Integer(bits, False))

    def overflow(self, match: re.Match[str], node: nodes.Call) -> str | None:
        """Return the name of a builtin that says whether a result overflows, with the type of the result."""
        sign, operation, size = match.groups()
        type: Any = Integer(32 if not size else 64 if size == "ll" else 8 * self.unit.pointer, sign == "s")
        place = node.arguments[2] if len(node.arguments) == 3 else None
        if not sign:
            while isinstance(place, nodes.Convert):
                place = place.operand
            type = place.operand.type if isinstance(place, memory.AddressOf) else None
        if not isinstance(type, Integer) or type.width > 64:
            return None
        return f"overflow {operation} {'s' if type.signed else 'u'}{type.width}"

    def result(self, type: Any, wanted: bool, about: str) -> tuple[str | None, Result]:
        """Return the variable for a result, None where nobody wants it, and the value that it then has."""
        if not wanted or not (is_scalar(type) or isinstance(type, Structure)):
            return None, self.expressions.values.constant(0)
        name = self.expressions.temporary(cell_of(type), about)
        return name, Result(Var(name), type)

    def defined(self, node: nodes.Call, wanted: bool) -> Steps[Result]:
        """Call a function of the program."""
        function = self.unit.defined[node.name]
        types = [parameter.type for parameter in function.parameters]
        if len(node.arguments) < len(types) and node.name != "main":
            counts = f"{len(types)} arguments, not {len(node.arguments)}"
            self.unit.problem(f"'{node.name}' takes {counts}", self.expressions.at(node))
            return self.expressions.values.constant(0)
        given: list[Result] = yield self.expressions.operands(node.arguments)
        passed = [
            self.expressions.values.convert(value, type, self.expressions.at(node)).expr
            for value, type in zip(given, types, strict=False)
        ]
        if self.unit.forms[node.name].variadic:
            passed += with_types(given[len(types) :])
        self.unit.orders.close(node, self.expressions)
        self.unit.note_function(self.expressions.function, node.name)
        target, found = self.result(function.result, wanted, node.name)
        atomic = node.name.startswith(ATOMIC) and self.unit.threaded
        if atomic:
            self.threads.emit("section_begin", (), None)
        self.expressions.graph.emit(Call(node.name, tuple(passed), (target,)), self.expressions.span)
        if atomic:
            self.threads.emit("section_end", (), None)
        return found

    def invocation(self, node: memory.Invocation, wanted: bool) -> Steps[Result]:
        """Call what a pointer names."""
        function, *given = yield self.expressions.operands((node.function, *node.arguments))
        self.unit.orders.close(node, self.expressions)
        if not is_pointer(function.type) or function.type.form is None:
            return self.expressions.problem("this is no function", node)
        target, found = self.result(node.type, wanted, "")
        form = function.type.form
        named = len(form.parameters or ()) if form.variadic else len(given)
        arguments = (*(value.expr for value in given[:named]), *with_types(given[named:]))
        action = Invoke(function.expr, arguments, (target,), form)
        self.expressions.graph.emit(action, self.expressions.span)
        return found

    def library(self, name: str, given: list[Result], type: Any, wanted: bool) -> Result:
        """Call a function that the machine knows."""
        target, found = self.result(type, wanted, name)
        cell = cell_of(type) if target is not None else None
        action = Library(name, tuple(value.expr for value in given), target, cell)
        if name in _ALLOCATES and self.unit.options.malloc == "may-fail":
            self.unless_it_fails(name, action)
        else:
            self.expressions.graph.emit(action, self.expressions.span)
        return found

    def unless_it_fails(self, name: str, action: Library) -> None:
        """Ask for memory, or give null for it: which of the two is an input."""
        expressions, graph = self.expressions, self.expressions.graph
        fails = expressions.temporary(BOOL, "fails")
        expressions.assign(fails, Choice(BOOL, expressions.span, f"{name} fails"))
        null, memory, behind = graph.new(), graph.new(), graph.new()
        graph.branch(Var(fails), null, memory, expressions.span)
        graph.place(null)
        if action.target is not None:
            expressions.assign(action.target, Const(NULL))
        graph.jump(behind)
        graph.place(memory)
        graph.emit(action, expressions.span)
        graph.place(behind)

    def undefined(self, node: nodes.Call, wanted: bool) -> Steps[Result]:
        """Call a function that nobody defines: its result is an input."""
        yield self.effects(node.arguments)
        name, type, span = node.name, node.type, self.expressions.at(node)
        if not is_input(name) and name not in RANGES:
            self.unit.note_undefined(name, span)
        if isinstance(type, Foreign):
            self.unit.problem(type.what, span, type.advice)
            return self.expressions.values.constant(0)
        scalar = is_scalar(type)
        self.unit.undefined[name] = cell_of(type) if scalar else None
        scalar = scalar or isinstance(type, Structure)
        target, found = self.result(type, wanted, name)
        if target is not None and scalar:
            self.expressions.assign(target, Choice(cell_of(type), span, f"{name}()"))
            if name in RANGES and isinstance(type, Integer):
                least, most = (Const(bound) for bound in RANGES[name])
                bounds = (
                    Compare(Comparison.AT_LEAST, Var(target), least),
                    Compare(Comparison.AT_MOST, Var(target), most),
                )
                self.expressions.graph.emit(Assume(both(*bounds)), self.expressions.span)
        return found

    def effects(self, arguments: tuple[Any, ...]) -> Steps[None]:
        """Evaluate arguments for what they do."""
        for argument in arguments:
            yield self.expressions.effect(argument)

    def all_effects(self, node: nodes.Call) -> Steps[None]:
        """Evaluate the arguments of a function that does not return for what they do."""
        yield self.effects(node.arguments)
        self.unit.orders.close(node, self.expressions)

    def call_handlers(self) -> None:
        """Call what `atexit` has registered."""
        self.unit.note_function(self.expressions.function, HANDLERS)
        self.expressions.graph.emit(Call(HANDLERS, (), ()), self.expressions.span)

    def known(self, meaning: Meaning, node: nodes.Call, wanted: bool) -> Steps[Result]:
        """Call a function that is known by name."""
        expressions, graph, statement = self.expressions, self.expressions.graph, self.expressions.span
        nothing, span = expressions.values.constant(0), expressions.at(node)
        needed = meaning in (Meaning.ASSUME, Meaning.ASSERT, Meaning.SAME, Meaning.ABSOLUTE)
        if needed and not node.arguments:
            return expressions.problem(f"'{node.name}' needs an argument", node)
        match meaning:
            case Meaning.STOP:
                yield self.all_effects(node)
                if node.name == "exit" and HANDLERS in self.unit.defined:
                    self.call_handlers()
                if node.name == UNREACHABLE_WORD:
                    graph.mark_undefined(UNREACHABLE, *node.at)
                graph.stop(statement)
            case Meaning.FAIL:
                yield self.all_effects(node)
                graph.emit(Assume(TRUE), statement, self.failure())
                graph.here = None
            case Meaning.TARGET:
                yield self.all_effects(node)
                self.unit.targets.setdefault(node.name, statement)
                graph.emit(Call(node.name, (), ()), statement)
            case Meaning.ASSUME:
                self.note_tests(calls_in_test(node.arguments[0]))
                value: Result = yield expressions.value(node.arguments[0])
                graph.emit(Assume(expressions.values.truth(value)), statement)
            case Meaning.ASSERT:
                passed = graph.new()
                yield expressions.branch(node.arguments[0], passed, self.failure())
                graph.place(passed)
            case Meaning.SAME:
                value = yield expressions.value(node.arguments[0])
                yield self.effects(node.arguments[1:])
                return value
            case Meaning.ABSOLUTE:
                value = yield expressions.value(node.arguments[0])
                value = expressions.keep(value)
                minus = expressions.values.unary("-", value, span)
                negative: Expr = Compare(Comparison.LESS, value.expr, Const(0))
                return expressions.values.choose(negative, minus, value, value.type, span)
            case _:
                done: Result = yield self.silent(node, wanted)
                return done
        return nothing

    def silent(self, node: nodes.Call, wanted: bool) -> Steps[Result]:
        """Call a function that only prints; its result is an input where somebody wants it."""
        name, arguments = node.name, node.arguments
        if writes_count(name, arguments):
            self.unit.problem("the format '%n' is not read", self.expressions.at(node), "count what is printed")
            return self.expressions.values.constant(0)
        counts = wanted and name in FORMATS and isinstance(node.type, Integer)
        if counts or reads_memory(name, arguments):
            stream = {"fprintf": 0, "fputs": 1}.get(name, len(arguments))
            yield self.effects(arguments[stream : stream + 1])
            given: list[Result] = yield self.expressions.operands((*arguments[:stream], *arguments[stream + 1 :]))
            return self.library(name.removeprefix("f"), given, node.type, wanted)
        if wanted and is_scalar(node.type):
            done: Result = yield self.undefined(node, wanted)
            return done
        yield self.effects(node.arguments)
        return self.expressions.values.constant(0)

    def failure(self) -> int:
        """Return a location of its own for an assertion that fails."""
        graph = self.expressions.graph
        graph.failures.append(graph.new())
        return graph.failures[-1]


__all__ = ["Calls", "Void"]
