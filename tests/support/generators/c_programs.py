"""Random recursive programs of C, and an oracle that runs them on every input.

A program is a tree of tuples that `text` writes as C and `Oracle` runs, with C's conversions written a second time.
Inputs are few-valued and read at the start of main, so all runs can be tried: one that comes back to the same state in
the same activation, or to the same call with the same arguments and globals, never ends.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

TYPES = {"int": (32, True), "unsigned char": (8, False), "unsigned int": (32, False)}
Tree = tuple[Any, ...]
INPUTS = (0, 1, 2)


@dataclass(frozen=True)
class Function:
    name: str
    parameters: tuple[tuple[str, str], ...]
    locals: tuple[tuple[str, str], ...]
    body: tuple[Tree, ...]


@dataclass(frozen=True)
class CProgram:
    globals: tuple[tuple[str, str], ...]
    functions: tuple[Function, ...]  # the last one is main
    inputs: int


def random_program(seed: int) -> CProgram:
    return _Maker(random.Random(seed)).program()


def wilder_program(seed: int) -> CProgram:
    """Return a program that also reads inputs wherever it likes, and recurses deep: `c_tabulation` is its oracle."""
    return _Maker(random.Random(f"wild {seed}"), wild=True).program()


class _Maker:
    def __init__(self, choose: random.Random, wild: bool = False) -> None:
        self.choose = choose
        self.wild = wild
        self.own: tuple[str, tuple[tuple[str, str], ...]] = ("", ())
        self.signatures: list[tuple[str, int]] = []
        self.loops = 0

    def program(self) -> CProgram:
        shared = tuple((f"g{i}", self.type()) for i in range(self.choose.randint(0, 2)))
        count = self.choose.randint(1, 3)
        parameters = [tuple((f"p{i}", self.type()) for i in range(self.choose.randint(1, 2))) for _ in range(count)]
        self.signatures = [(f"f{i}", len(names)) for i, names in enumerate(parameters)]
        functions = [self.function(f"f{i}", parameters[i], shared) for i in range(count)]
        inputs = self.choose.randint(0, 2)
        given = tuple((f"i{i}", "int") for i in range(inputs))
        functions.append(self.function("main", (), (*shared, *given), given))
        return CProgram(shared, tuple(functions), inputs)

    def type(self) -> str:
        return self.choose.choice(tuple(TYPES))

    def function(
        self,
        name: str,
        parameters: tuple[tuple[str, str], ...],
        shared: Sequence[tuple[str, str]],
        given: tuple[tuple[str, str], ...] = (),
    ) -> Function:
        local = tuple((f"x{i}", self.type()) for i in range(2))
        self.names = [variable for variable, _ in (*shared, *parameters, *local)]
        self.own = (name, parameters)
        self.loops = 0
        start = tuple(("assign", variable, ("number", self.choose.randint(0, 2))) for variable, _ in local)
        body = (*start, *self.block(2), ("return", self.expression(1)))
        return Function(name, parameters, (*given, *local), body)

    def block(self, depth: int) -> tuple[Tree, ...]:
        return tuple(self.statement(depth) for _ in range(self.choose.randint(1, 3)))

    def statement(self, depth: int) -> Tree:
        kinds = ["assign", "assign", "call", "error", "step"] + (["if", "if", "while"] if depth else [])
        if self.wild:
            kinds += ["input", "deep"] if self.own[1] else ["input"]
        kind = self.choose.choice(kinds)
        variable = self.choose.choice(self.names)
        if kind == "input":
            return ("input", variable)
        if kind == "deep":
            return self.deep(variable)
        if kind == "assign":
            return ("assign", variable, self.expression(2))
        if kind == "step":
            return ("step", variable, self.choose.choice(("++", "--")))
        if kind == "call":
            name, count = self.choose.choice(self.signatures)
            arguments = tuple(self.expression(1) for _ in range(count))
            guarded = ("call", variable, name, arguments)
            return ("if", self.condition(), (guarded,), ()) if self.choose.random() < 0.7 else guarded
        if kind == "error":
            return ("if", self.condition(), (("error",),), ())
        if kind == "if":
            return ("if", self.condition(), self.block(depth - 1), self.block(depth - 1))
        self.loops += 1
        return ("while", self.loops, self.condition(), self.block(depth - 1))

    def deep(self, variable: str) -> Tree:
        """Return a call of the function itself with less, where there is less."""
        name, ((first, _), *others) = self.own
        less = ("binary", "-", ("variable", first), ("number", 1))
        passed = (less, *(self.expression(1) for _ in others))
        above = ("binary", ">", ("variable", first), ("number", 0))
        return ("if", above, (("call", variable, name, passed),), ())

    def condition(self) -> Tree:
        if self.wild and self.choose.random() < 0.15:
            return ("choice",)
        sign = self.choose.choice(("<", "<=", ">", ">=", "==", "!=", "<", ">"))
        simple = ("binary", sign, self.expression(1), self.expression(1))
        if self.choose.random() < 0.2:
            joined = self.choose.choice(("&&", "||"))
            return ("binary", joined, simple, ("variable", self.choose.choice(self.names)))
        return ("unary", "!", simple) if self.choose.random() < 0.1 else simple

    def expression(self, depth: int) -> Tree:
        if depth == 0 or self.choose.random() < 0.3:
            if self.choose.random() < 0.5:
                return ("number", self.choose.randint(0, 90 if self.wild and self.choose.random() < 0.1 else 4))
            return ("variable", self.choose.choice(self.names))
        sign = self.choose.choice(("+", "-", "+", "-", "*", "%", "/", "&", "<", ">>"))
        right = self.expression(depth - 1)
        if sign in ("%", "/", ">>"):
            right = ("number", self.choose.randint(1, 4))
        if self.choose.random() < 0.1:
            return ("unary", self.choose.choice(("-", "~", "!")), self.expression(depth - 1))
        return ("binary", sign, self.expression(depth - 1), right)


def text(program: CProgram) -> str:
    lines = ["extern int __VERIFIER_nondet_int(void);", "extern unsigned int __VERIFIER_nondet_uint(void);"]
    lines.append("extern void reach_error(void);")
    lines += [f"{type} {name};" for name, type in program.globals]
    for function in program.functions[:-1]:
        lines.append(f"int {function.name}({', '.join(type for _, type in function.parameters)});")
    for function in program.functions:
        listed = ", ".join(f"{type} {name}" for name, type in function.parameters) or "void"
        lines.append(f"int {function.name}({listed}) {{")
        lines += [f"  {type} {name};" for name, type in function.locals]
        for index in range(program.inputs if function.name == "main" else 0):
            lines.append(f"  i{index} = __VERIFIER_nondet_int();")
            lines.append(f"  if (i{index} < 0 || i{index} > {max(INPUTS)}) return 0;")
        lines += ["  " + line for statement in function.body for line in _statement(statement)]
        lines.append("}")
    return "\n".join(lines) + "\n"


def _statement(tree: Tree) -> Iterator[str]:
    match tree:
        case ("assign", name, value):
            yield f"{name} = {_expression(value)};"
        case ("step", name, sign):
            yield f"{name}{sign};"
        case ("input", name):
            yield f"{name} = __VERIFIER_nondet_uint() % {len(INPUTS)};"
        case ("call", target, name, arguments):
            yield f"{target} = {name}({', '.join(map(_expression, arguments))});"
        case ("error",):
            yield "reach_error();"
        case ("return", value):
            yield f"return {_expression(value)};"
        case ("if", condition, then, otherwise):
            yield f"if ({_expression(condition)}) {{"
            yield from ("  " + line for part in then for line in _statement(part))
            yield "} else {"
            yield from ("  " + line for part in otherwise for line in _statement(part))
            yield "}"
        case ("while", _, condition, body):
            yield f"while ({_expression(condition)}) {{"
            yield from ("  " + line for part in body for line in _statement(part))
            yield "}"


def _expression(tree: Tree) -> str:
    match tree:
        case ("number", value):
            return str(value)
        case ("variable", name):
            return str(name)
        case ("choice",):
            return "__VERIFIER_nondet_int()"
        case ("unary", sign, operand):
            return f"{sign}({_expression(operand)})"
        case (_, sign, left, right):
            return f"({_expression(left)} {sign} {_expression(right)})"
    raise AssertionError(tree)


class Error(Exception):
    """The run reached the error."""


class Endless(Exception):
    """The run never ends."""


class TooLong(Exception):
    """The oracle gives up."""


@dataclass(frozen=True)
class Truth:
    """What the oracle found: None where it gave up on some run before it was sure."""

    error: bool | None
    endless: bool | None


def truth(program: CProgram, steps: int = 4_000) -> Truth:
    error: bool | None = False
    endless: bool | None = False
    for inputs in product(INPUTS, repeat=program.inputs):
        try:
            Oracle(program, steps).run(inputs)
        except Error:
            error = True
        except Endless:
            endless = True
        except (TooLong, RecursionError):
            error, endless = error or None, endless or None
    return Truth(error, endless)


class Oracle:
    """One run on given inputs; `reach_error` ends it."""

    def __init__(self, program: CProgram, steps: int) -> None:
        self.functions = {function.name: function for function in program.functions}
        self.types = dict(program.globals)
        self.globals = dict.fromkeys(self.types, 0)
        self.left = steps
        self.stack: list[tuple[str, tuple[int, ...], tuple[int, ...]]] = []

    def run(self, inputs: Sequence[int]) -> None:
        main = self.functions["main"]
        frame = {name: (inputs[int(name[1:])] if name.startswith("i") else 0) for name, _ in main.locals}
        self.body(main.body, frame, dict(main.locals), {})

    def call(self, function: Function, arguments: Sequence[int]) -> int:
        key = (function.name, tuple(arguments), tuple(self.globals.values()))
        if key in self.stack:
            raise Endless
        if len(self.stack) > 150:
            raise TooLong
        self.stack.append(key)
        types = dict((*function.parameters, *function.locals))
        frame = dict(zip([name for name, _ in function.parameters], arguments, strict=True))
        result = self.body(function.body, frame, types, {})
        self.stack.pop()
        assert result is not None
        return result

    def body(
        self, statements: Sequence[Tree], frame: dict[str, int], types: dict[str, str], seen: dict[int, set[Tree]]
    ) -> int | None:
        for statement in statements:
            self.left -= 1
            if self.left < 0:
                raise TooLong
            match statement:
                case ("assign", name, value):
                    self.store(name, self.value(value, frame, types)[0], frame, types)
                case ("step", name, sign):
                    self.store(name, self.load(name, frame) + (1 if sign == "++" else -1), frame, types)
                case ("call", target, name, arguments):
                    callee = self.functions[name]
                    passed = [self.value(argument, frame, types)[0] for argument in arguments]
                    passed = [wrap(v, type) for v, (_, type) in zip(passed, callee.parameters, strict=True)]
                    self.store(target, self.call(callee, passed), frame, types)
                case ("error",):
                    raise Error
                case ("return", value):
                    return wrap(self.value(value, frame, types)[0], "int")
                case ("if", condition, then, otherwise):
                    chosen = then if self.value(condition, frame, types)[0] else otherwise
                    result = self.body(chosen, frame, types, seen)
                    if result is not None:
                        return result
                case ("while", _, condition, inside):
                    visited: set[Tree] = set()
                    while self.value(condition, frame, types)[0]:
                        state = (*frame.items(), *self.globals.items())
                        if state in visited:
                            raise Endless
                        visited.add(state)
                        result = self.body(inside, frame, types, seen)
                        self.left -= 1
                        if result is not None:
                            return result
                        if self.left < 0:
                            raise TooLong
        return None

    def load(self, name: str, frame: dict[str, int]) -> int:
        return frame[name] if name in frame else self.globals[name]

    def store(self, name: str, value: int, frame: dict[str, int], types: dict[str, str]) -> None:
        if name in types:
            frame[name] = wrap(value, types[name])
        else:
            self.globals[name] = wrap(value, self.types[name])

    def value(self, tree: Tree, frame: dict[str, int], types: dict[str, str]) -> tuple[int, bool]:
        """Return a value and whether it is of type unsigned int; everything else is an int."""
        match tree:
            case ("number", number):
                return number, False
            case ("variable", name):
                return self.load(name, frame), types.get(name, self.types.get(name)) == "unsigned int"
            case ("unary", "!", operand):
                return int(self.value(operand, frame, types)[0] == 0), False
            case ("unary", sign, operand):
                number, unsigned = self.value(operand, frame, types)
                return _fit(-number if sign == "-" else ~number, unsigned), unsigned
            case (_, "&&", left, right):
                return int(bool(self.value(left, frame, types)[0] and self.value(right, frame, types)[0])), False
            case (_, "||", left, right):
                return int(bool(self.value(left, frame, types)[0] or self.value(right, frame, types)[0])), False
        _, sign, left, right = tree
        (first, a), (second, b) = self.value(left, frame, types), self.value(right, frame, types)
        if sign == ">>":
            return first >> second, a
        unsigned = a or b
        first, second = _fit(first, unsigned), _fit(second, unsigned)
        if sign in ("<", "<=", ">", ">=", "==", "!="):
            return int(eval(f"{first} {sign} {second}")), False
        if sign in ("/", "%"):
            quotient = abs(first) // second * (1 if first >= 0 else -1)
            return (quotient if sign == "/" else first - quotient * second), unsigned
        found = {"+": first + second, "-": first - second, "*": first * second, "&": first & second}
        return _fit(found[sign], unsigned), unsigned


def wrap(value: int, type: str) -> int:
    width, signed = TYPES[type]
    value %= 1 << width
    return value - (1 << width) if signed and value >= 1 << width - 1 else value


def _fit(value: int, unsigned: bool) -> int:
    return wrap(value, "unsigned int" if unsigned else "int")
