"""Initial values of variables: scalars, texts, and lists in braces with or without inner braces and designators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from knaster.frontends.c.lower.expressions import Expressions
from knaster.frontends.c.names.types import Boolean, CType, Integer, Leaf, Record, Vector, leaves
from knaster.frontends.c.tree import nodes
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
                while isinstance(node, nodes.Braces) and node.items:
                    node = node.items[0].value
                value = self.unit.values.constant(0)
                if not isinstance(node, nodes.Braces):
                    value = self.expressions.evaluate(node)
                self.given[path] = self.unit.values.convert(value, type, span).expr
            case Vector(Integer(8), length) if isinstance(node, nodes.Text):
                for index, code in enumerate(node.codes[:length]):
                    assert isinstance(type.element, Integer)
                    self.given[(*path, index)] = self.unit.values.constant(code, type.element).expr
            case Vector(Integer(8)) if isinstance(text := _only_text(node), nodes.Text):
                self.read(type, text, path)
            case Vector() | Record() if isinstance(node, nodes.Braces):
                rest = list(reversed(node.items))
                self.members(type, rest, path, braces=True)
                if rest:
                    self.unit.problem("there are more initial values than parts", self.unit.text.token(rest[-1]))
            case Record():
                self.unit.problem("a struct inside an initial value is not read", span, "assign it afterwards")
            case _:
                self.unit.problem("this is no initial value of an array or a struct", span)

    def members(self, type: CType, rest: list[Any], path: Path, braces: bool) -> None:
        """Take the initial values of the parts of an object from a list, the next one last.

        A designator names a part of the object that has the braces.
        """
        parts = _parts(type)
        names = [name for name, _ in parts]
        position = 0
        while rest and (position < len(parts) or (braces and rest[-1].path)):
            item = rest[-1]
            if item.path:
                if not braces:
                    return
                if item.path[0] not in names:
                    self.unit.problem("this initial value names no part", self.unit.text.token(item))
                    rest.pop()
                    continue
                position = names.index(item.path[0])
                if len(item.path) > 1:
                    self.unit.problem(
                        "several designators in a row are not read", self.unit.text.token(item), "use inner braces"
                    )
                    rest.pop()
                    continue
                item = rest[-1] = nodes.Item((), item.value, item.at)
            name, inner = parts[position]
            position += 1
            aggregate = isinstance(inner, Vector | Record)
            struct = isinstance(inner, Record) and getattr(item.value, "type", None) == inner
            whole = isinstance(item.value, nodes.Braces | nodes.Text) or struct
            if aggregate and not whole:
                self.members(inner, rest, (*path, name), braces=False)  # they may be left out
            else:
                rest.pop()
                self.read(inner, item.value, (*path, name))


def _only_text(node: Any) -> Any:
    """Return the text that alone stands in braces; None where there is none."""
    alone = isinstance(node, nodes.Braces) and len(node.items) == 1 and not node.items[0].path
    return node.items[0].value if alone else None


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
