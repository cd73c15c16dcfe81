"""Initial values of variables: scalars, texts, and lists in braces with or without inner braces and designators."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from pycparser import c_ast as syntax

from knaster.frontends.c.lower.expressions import Expressions
from knaster.frontends.c.names.types import Boolean, CType, Integer, Leaf, Record, Vector, leaves
from knaster.frontends.c.text.characters import characters
from knaster.program.expression import Const, Element, Expr, Updated
from knaster.program.types import Value as ModelValue

if TYPE_CHECKING:
    from knaster.frontends.c.lower.unit import Unit

Path = tuple[str | int, ...]  # fields and indices from the variable to one of its scalars


def initial_values(unit: Unit, expressions: Expressions, type: CType, node: Any) -> Iterator[Expr]:
    """Yield the initial value of each variable of the model that an object consists of, in the order of `leaves`."""
    given: dict[Path, Expr] = {}
    _Reader(unit, expressions, given).read(type, node, ())
    for leaf in leaves(type):
        yield _whole(unit, leaf, given)


def text_length(node: Any, constant: Callable[[Any], int | None]) -> int | None:
    """Return the number of elements that an initialiser gives an array without a length; None where it gives none."""
    if isinstance(node, syntax.Constant) and node.type == "string":
        return len(_text(node.value)) + 1
    if not isinstance(node, syntax.InitList):
        return None
    position = length = 0
    for item in node.exprs:
        if isinstance(item, syntax.NamedInitializer):
            first = item.name[0]
            index = constant(first.expr) if isinstance(first, syntax.ArrayDesignator) else None
            position = position if index is None else index
        position += 1
        length = max(length, position)
    return length


def _text(literal: str) -> list[int]:
    return [code - 256 if code > 127 else code for code in characters(literal[literal.index('"') + 1 : -1])]


class _Reader:
    """Collects the scalars that an initialiser names."""

    def __init__(self, unit: Unit, expressions: Expressions, given: dict[Path, Expr]) -> None:
        self.unit = unit
        self.expressions = expressions
        self.given = given

    def read(self, type: CType, node: Any, path: Path) -> None:
        """Read the initialiser of one object."""
        span = self.unit.text.token(node)
        match type:
            case Integer() | Boolean():
                while isinstance(node, syntax.InitList) and node.exprs:
                    node = node.exprs[0]
                value = self.unit.values.constant(0)
                if not isinstance(node, syntax.InitList):
                    value = self.expressions.evaluate(node)
                self.given[path] = self.unit.values.convert(value, type, span).expr
            case Vector(Integer(8), length) if isinstance(node, syntax.Constant) and node.type == "string":
                for index, code in enumerate(_text(node.value)[:length]):
                    assert isinstance(type.element, Integer)
                    self.given[(*path, index)] = self.unit.values.constant(code, type.element).expr
            case Vector() | Record() if isinstance(node, syntax.InitList):
                rest = list(reversed(node.exprs))
                self.members(type, rest, path, braces=True)
                if rest:
                    self.unit.problem("there are more initial values than parts", self.unit.text.token(rest[-1]))
            case _:
                self.unit.problem("this is no initial value of an array or a struct", span)

    def members(self, type: CType, rest: list[Any], path: Path, braces: bool) -> None:
        """Take the initial values of the parts of an object from a list, the next one last.

        A designator names a part of the object that has the braces.
        """
        parts = _parts(type)
        names = [name for name, _ in parts]
        position = 0
        while rest and (position < len(parts) or (braces and isinstance(rest[-1], syntax.NamedInitializer))):
            item = rest[-1]
            if isinstance(item, syntax.NamedInitializer):
                if not braces:
                    return
                key = self.find_designated(item)
                if key not in names or len(item.name) > 1:
                    self.unit.problem("this initial value names no part", self.unit.text.token(item))
                    rest.pop()
                    continue
                position, rest[-1] = names.index(key), item.expr
                item = item.expr
            name, inner = parts[position]
            position += 1
            aggregate = isinstance(inner, Vector | Record)
            whole = isinstance(item, syntax.InitList) or (isinstance(item, syntax.Constant) and item.type == "string")
            if aggregate and not whole:
                self.members(inner, rest, (*path, name), braces=False)  # they may be left out
            else:
                rest.pop()
                self.read(inner, item, (*path, name))

    def find_designated(self, item: Any) -> str | int | None:
        """Return the part that a designator names."""
        first = item.name[0]
        if isinstance(first, syntax.ID):
            return str(first.name)
        return self.unit.constant(first.expr) if isinstance(first, syntax.ArrayDesignator) else None


def _parts(type: CType) -> list[tuple[str | int, CType]]:
    match type:
        case Vector(element, length):
            return [(index, element) for index in range(length)]
        case Record(_, fields):
            return list(fields)
        case _:
            return []


def _whole(unit: Unit, leaf: Leaf, given: dict[Path, Expr]) -> Expr:
    """Return the value of a variable of the model: what is given, and 0 elsewhere."""
    fields = tuple(leaf.suffix.split(".")[1:])
    chosen = {
        tuple(step for step in path if isinstance(step, int)): value
        for path, value in given.items()
        if tuple(step for step in path if isinstance(step, str)) == fields
    }
    if not leaf.lengths:
        return chosen.get((), unit.objects.zero(leaf))
    zero = False if isinstance(leaf.scalar, Boolean) else 0
    constants = {path: value.value for path, value in chosen.items() if isinstance(value, Const)}
    whole: Expr = Const(_nest(leaf.lengths, (), constants, zero))
    for path, value in chosen.items():
        if not isinstance(value, Const):
            whole = _update(whole, path, value)
    return whole


def _nest(lengths: tuple[int, ...], path: tuple[int, ...], constants: dict[tuple[int, ...], Any], zero: Any) -> Any:
    if not lengths:
        return constants.get(path, zero)
    found: list[ModelValue] = [_nest(lengths[1:], (*path, index), constants, zero) for index in range(lengths[0])]
    return tuple(found)


def _update(whole: Expr, path: tuple[int, ...], value: Expr) -> Expr:
    arrays = [whole]
    for index in path[:-1]:
        arrays.append(Element(arrays[-1], Const(index)))
    for array, index in zip(reversed(arrays), reversed(path), strict=True):
        value = Updated(array, Const(index), value)
    return value
