"""Compiles programs over any types to Python functions: what one edge does to one state, for millions of steps.

A state is a list of values in the order of `Program.scope`.  The functions mean what `evaluate` means; an expression
that is too deep for Python's own compiler is left to `evaluate`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from knaster.base.records import dataclass
from knaster.program.evaluate import arithmetic, evaluate
from knaster.program.expression import (
    NOWHERE,
    TRUE,
    Arithmetic,
    Binary,
    Choice,
    Compare,
    Conditional,
    Const,
    Convert,
    Element,
    Expr,
    IntegerOperator,
    Not,
    Operator,
    Updated,
    Var,
    has_choice,
    postorder,
)
from knaster.program.model import Assign, Assume, Call, Edge, Location, Procedure, Program, Return
from knaster.program.state import Undefined
from knaster.program.types import Bool, Int, Type, Value

State = list[Value]
DEEPEST = 40  # levels of brackets that Python's compiler is given
_SIMPLE = (IntegerOperator.ADD, IntegerOperator.SUBTRACT, IntegerOperator.MULTIPLY)
_CONNECTIVES = {
    Operator.AND: "and",
    Operator.OR: "or",
    Operator.XOR: "!=",
    Operator.EQUAL: "==",
    Operator.IMPLIES: "<=",
}


@dataclass(frozen=True, slots=True)
class Test:
    """An edge that passes where `holds`."""

    edge: Edge
    holds: Callable[[State], object]


@dataclass(frozen=True, slots=True)
class Write:
    """An edge that changes a state in place; raises `Undefined` where it has no successor."""

    edge: Edge
    apply: Callable[[State], object]


@dataclass(frozen=True, slots=True)
class Read:
    """An edge that gives the variable at `index` an input of a type."""

    edge: Edge
    index: int
    type: Type
    choice: Choice


@dataclass(frozen=True, slots=True)
class Enter:
    """A call: the arguments, and where each result goes (None: nowhere)."""

    edge: Edge
    callee: str
    arguments: Callable[[State], tuple[Value, ...]]
    targets: tuple[int | None, ...]


Move = Test | Write | Read | Enter


@dataclass(frozen=True, slots=True)
class Code:
    """One procedure: the moves at each location, and where things are in its states."""

    procedure: Procedure
    scope: tuple[str, ...]
    globals: int  # so many variables at the front are global
    moves: tuple[tuple[Move, ...], ...]
    results: tuple[int, ...]
    initial: tuple[Value, ...]  # a value of its type for each variable


class NotCompiled(Exception):
    """A program that is nothing for this: an assignment with a constraint, an input inside an expression."""


def compile_program(program: Program) -> dict[str, Code]:
    """Return the code of each procedure; raise `NotCompiled` where inputs are not assignments of their own."""
    scopes = {procedure.name: program.scope(procedure) for procedure in program.procedures}
    return {procedure.name: _code(program, procedure, scopes) for procedure in program.procedures}


def default(type: Type) -> Value:
    """Return a value of a type: 0, false, or an array of them."""
    match type:
        case Bool():
            return False
        case Int():
            return 0
    element = getattr(type, "element", None)
    return None if element is None else (default(element),) * getattr(type, "length", 0)


def _code(program: Program, procedure: Procedure, scopes: Mapping[str, tuple[str, ...]]) -> Code:
    scope = scopes[procedure.name]
    index = {name: number for number, name in enumerate(scope)}
    moves: list[list[Move]] = [[] for _ in range(procedure.size)]
    for edge in procedure.edges:
        moves[edge.source].append(_move(procedure, edge, index))
    types = program.types_in(procedure)
    return Code(
        procedure,
        scope,
        len(program.globals),
        tuple(map(tuple, moves)),
        tuple(index[name] for name in procedure.results),
        tuple(default(types[name]) for name in scope),
    )


def _move(procedure: Procedure, edge: Edge, index: Mapping[str, int]) -> Move:
    match edge.action:
        case Assume(condition) if not has_choice(condition):
            return Test(edge, function(condition, index))
        case Assign((target,), (Choice() as choice,), constraint) if constraint == TRUE:
            return Read(edge, index[target], choice.type, choice)
        case Assign(targets, values, constraint) if constraint == TRUE and not any(map(has_choice, values)):
            return Write(edge, _make_writer(targets, values, index))
        case Return(values) if not any(map(has_choice, values)):
            return Write(edge, _make_writer(procedure.results, values, index))
        case Call(name, arguments, targets) if not any(map(has_choice, arguments)):
            places = tuple(None if target is None else index[target] for target in targets)
            return Enter(edge, name, _together(arguments, index), places)
        case _:
            raise NotCompiled(f"line {edge.span.line}: inputs stand inside an expression")


def function(expr: Expr, index: Mapping[str, int]) -> Callable[[State], Any]:
    """Return the value of an expression as a function of a state; it raises `Undefined` where there is none."""
    source = _source(expr, index)
    if source is None:
        names = tuple(index)
        return lambda state: evaluate(expr, dict(zip(names, state, strict=True)), iter(()))
    return _make_function(f"lambda s: {source[0]}", source[1])


def _make_writer(targets: Sequence[str], values: Sequence[Expr], index: Mapping[str, int]) -> Callable[[State], object]:
    """Return a function that changes several variables of a state at once."""
    if len(targets) == 1:
        source = _source(values[0], index)
        if source is not None:
            return _make_function(f"lambda s: s.__setitem__({index[targets[0]]}, {source[0]})", source[1])
    together, places = _together(values, index), [index[target] for target in targets]

    def write(state: State) -> None:
        for place, value in zip(places, together(state), strict=True):
            state[place] = value

    return write


def _together(values: Sequence[Expr], index: Mapping[str, int]) -> Callable[[State], tuple[Value, ...]]:
    functions = [function(value, index) for value in values]
    return lambda state: tuple(part(state) for part in functions)


def _make_function(text: str, constants: Mapping[str, object]) -> Callable[[State], Any]:
    if not constants:
        return _plain(text)
    names = {"A": arithmetic, "E": _element, "U": _update, **constants}
    made: Callable[[State], Any] = eval(text, names)  # the text is ours: numbers, operators and the names above
    return made


@lru_cache(maxsize=10_000)
def _plain(text: str) -> Callable[[State], Any]:
    """Return a function whose text speaks of no object; long programs have many that are the same."""
    made: Callable[[State], Any] = eval(text, {})
    return made


def _source(expr: Expr, index: Mapping[str, int]) -> tuple[str, dict[str, object]] | None:
    """Return an expression as Python, and the objects that its names stand for; None where it is too deep."""
    stack: list[tuple[str, int]] = []
    named: dict[str, object] = {}

    def name(thing: object) -> str:
        key = f"k{len(named)}"
        named[key] = thing
        return key

    for node in postorder(expr):
        match node:
            case Const(value):
                # mutant: a text or a name for the same value
                text = repr(value) if isinstance(value, bool) or abs(_small(value)) < 1 << 64 else name(value)
                stack.append((f"({text})" if text.startswith("-") else text, 1))  # mutant(if): a sign binds tightly
            case Var(variable):
                stack.append((f"s[{index[variable]}]", 1))
            case Not():
                operand, depth = stack.pop()
                stack.append((f"(not {operand})", depth + 1))
            case Binary(operator):
                _infix(stack, _CONNECTIVES[operator])
            case Compare(comparison):
                _infix(stack, comparison.value)
            case Conditional():
                (otherwise, third), (then, second), (condition, first) = stack.pop(), stack.pop(), stack.pop()
                text = f"_pick({condition}, {then}, {otherwise})"
                named["_pick"] = _pick
                stack.append((text, 1 + max(first, second, third)))
            case Arithmetic(integer, _, _, type, span):
                if integer in _SIMPLE:
                    _infix(stack, integer.value)
                    inner, depth = stack.pop()
                    stack.append((_wrap(inner, type), depth + 1))
                else:
                    (right, second), (left, first) = stack.pop(), stack.pop()
                    text = f"A({name(integer)}, {left}, {right}, {name(type)}, {name(span)})"
                    stack.append((text, 1 + max(first, second)))
            case Convert(_, type):
                operand, depth = stack.pop()
                text = _wrap(operand, type) if isinstance(type, Int) else f"({operand} != 0)"
                stack.append((f"int({text})" if isinstance(type, Int) and type.width is None else text, depth + 1))
            case Element(_, _, span):
                (position, second), (array, first) = stack.pop(), stack.pop()
                # mutant(+): only how deep it is taken to be
                stack.append((f"E({array}, {position}, {name(span)})", 1 + max(first, second)))
            case Updated(_, _, _, span):
                (new, third), (position, second), (array, first) = stack.pop(), stack.pop(), stack.pop()
                # mutant(+): only how deep it is taken to be
                stack.append((f"U({array}, {position}, {new}, {name(span)})", 1 + max(first, second, third)))
            case _:
                return None
        if stack[-1][1] > DEEPEST:  # mutant: the evaluator says the same
            return None
    return stack[-1][0], named


def _small(value: Value) -> int:
    return value if isinstance(value, int) else 1 << 64  # mutant(<<): its text means the same


def _infix(stack: list[tuple[str, int]], sign: str) -> None:
    (right, second), (left, first) = stack.pop(), stack.pop()
    stack.append((f"({left} {sign} {right})", 1 + max(first, second)))


def _wrap(text: str, type: Int) -> str:
    if type.width is None:
        return text
    mask = (1 << type.width) - 1
    if not type.signed:
        return f"({text} & {mask})"
    half = 1 << type.width - 1
    return f"((({text} + {half}) & {mask}) - {half})"


def _pick(condition: object, then: Value, otherwise: Value) -> Value:
    return then if condition else otherwise


def _element(array: Sequence[Value], index: int, span: Any = NOWHERE) -> Value:
    if not 0 <= index < len(array):
        raise Undefined("an index out of range", span)
    return array[index]


def _update(array: tuple[Value, ...], index: int, value: Value, span: Any = NOWHERE) -> Value:
    if not 0 <= index < len(array):
        raise Undefined("an index out of range", span)
    return (*array[:index], value, *array[index + 1 :])


def loop_heads(procedure: Procedure) -> frozenset[Location]:
    """Return locations such that every cycle inside the procedure passes one: where a depth-first search comes back."""
    successors: dict[Location, list[Location]] = {}
    for edge in procedure.edges:
        successors.setdefault(edge.source, []).append(edge.target)
    heads: set[Location] = set()
    state: dict[Location, bool] = {}  # True while the search is inside
    for root in (procedure.entry, *successors):
        if root in state:
            continue  # mutant: all to which it leads is known
        stack = [(root, iter(successors.get(root, ())))]
        state[root] = True
        while stack:
            location, ways = stack[-1]
            for target in ways:
                if target not in state:
                    state[target] = True
                    stack.append((target, iter(successors.get(target, ()))))
                    break
                if state[target]:
                    heads.add(target)
            else:
                state[location] = False
                stack.pop()
    return frozenset(heads)
