"""Smaller programs of C: what is left of a random program about which something is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from support.generators.c_programs import CProgram, Tree

Body = tuple[Tree, ...]
Item = TypeVar("Item")


def smaller(program: CProgram, fails: Callable[[CProgram], bool], on: Callable[[], bool]) -> CProgram:
    """Return a smaller program that fails as well; go on while there is time."""
    again = True
    while again:
        again = False
        for candidate in _candidates(program):
            if not on():
                return program
            if fails(candidate):
                program, again = candidate, True
                break
    return program


def _candidates(program: CProgram) -> Iterator[CProgram]:
    for index, function in enumerate(program.functions):
        given = sum(name.startswith("x") for name, _ in function.locals)  # first these get their values
        for body in _bodies(function.body[given:-1]):
            changed = replace(function, body=(*function.body[:given], *body, function.body[-1]))
            yield replace(program, functions=_at(program.functions, index, changed))
        for value in _values(function.body[-1][1]):
            changed = replace(function, body=(*function.body[:-1], ("return", value)))
            yield replace(program, functions=_at(program.functions, index, changed))
    called = {node[2] for f in program.functions for node in _nodes(f.body) if node[0] == "call"}
    kept = tuple(function for function in program.functions if function.name in called or function.name == "main")
    if len(kept) < len(program.functions):
        yield replace(program, functions=kept)


def _bodies(body: Body) -> Iterator[Body]:
    """Yield a sequence of statements without one of them, or with a simpler one."""
    for index in range(len(body)):
        yield (*body[:index], *body[index + 1 :])
    for index, statement in enumerate(body):
        for simpler in _statements(statement):
            yield (*body[:index], *simpler, *body[index + 1 :])


def _statements(statement: Tree) -> Iterator[Body]:
    match statement:
        case ("if", condition, then, otherwise):
            yield then
            yield otherwise
            yield from ((("if", condition, body, otherwise),) for body in _bodies(then))
            yield from ((("if", condition, then, body),) for body in _bodies(otherwise))
            yield from ((("if", value, then, otherwise),) for value in _values(condition))
        case ("while", number, condition, body):
            yield body
            yield from ((("while", number, condition, inner),) for inner in _bodies(body))
            yield from ((("while", number, value, body),) for value in _values(condition))
        case ("assign", name, value):
            yield from ((("assign", name, simpler),) for simpler in _values(value))
        case ("call", target, name, arguments):
            for index, argument in enumerate(arguments):
                for value in _values(argument):
                    yield (("call", target, name, _at(arguments, index, value)),)


def _values(tree: Tree) -> Iterator[Tree]:
    match tree:
        case ("number", 0):
            return
        case ("binary", sign, left, right):
            yield left
            yield right
            yield from (("binary", sign, value, right) for value in _values(left))
            if sign not in ("/", "%", ">>"):
                yield from (("binary", sign, left, value) for value in _values(right))
        case ("unary", _, operand):
            yield operand
        case _:
            yield ("number", 0)


def _nodes(body: Body) -> Iterator[Tree]:
    todo = list(body)
    while todo:
        node = todo.pop()
        yield node
        if node[0] in ("if", "while"):
            todo += [inner for part in node[2:] if part and isinstance(part[0], tuple) for inner in part]


def _at(items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    return (*items[:index], item, *items[index + 1 :])
