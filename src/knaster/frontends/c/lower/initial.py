"""Initial values of variables: scalars, texts, and lists in braces with or without inner braces and designators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from knaster.frontends.c.lower.expressions import Expressions
from knaster.frontends.c.names.types import Boolean, CType, Integer, Leaf, Record, Vector, leaves
from knaster.frontends.c.tree import nodes
from knaster.frontends.c.tree.placing import place_values, text_in
from knaster.program.expression import Const, Element, Expr, Updated
from knaster.program.types import Value as ModelValue

if TYPE_CHECKING:
    from knaster.frontends.c.lower.unit import Unit

Path = tuple[str | int, ...]  # fields and indices from the variable to one of its scalars


def initial_values(unit: Unit, expressions: Expressions, type: CType, node: Any) -> Iterator[Expr]:
    """Yield the initial value of each variable of the model that an object consists of, in the order of `leaves`."""

    def problem(what: str, where: Any) -> None:
        unit.problem(what, unit.text.token(where))

    given: dict[Path, Expr] = {}
    if isinstance(type, Vector | Record) and isinstance(node, nodes.Braces) and not _FIELDS.takes(type, node):
        for path, inner, value in place_values(_FIELDS, type, node, problem):
            _read(unit, expressions, inner, value, _names(type, path), given)
    else:
        _read(unit, expressions, type, node, (), given)
    for leaf in leaves(type):
        yield _whole(unit, leaf, given)


def _read(unit: Unit, expressions: Expressions, type: CType, node: Any, path: Path, given: dict[Path, Expr]) -> None:
    """Read the initial value of one part: a scalar, or an array of characters."""
    span = unit.text.token(node)
    match type:
        case Integer() | Boolean():
            while isinstance(node, nodes.Braces) and node.items:
                node = node.items[0].value
            value = unit.values.constant(0)
            if not isinstance(node, nodes.Braces):
                value = expressions.evaluate(node)
            given[path] = unit.values.convert(value, type, span).expr
        case Vector(Integer(8) as element, length) if (text := text_in(node)) is not None:
            for index, code in enumerate(text.codes[:length]):
                given[(*path, index)] = unit.values.constant(code, element).expr
        case Record():
            unit.problem("a struct inside an initial value is not read", span, "assign it afterwards")
        case _:
            unit.problem("this is no initial value of an array or a struct", span)


class _Fields:
    """Types as the rules of lists see them."""

    def count(self, type: Any) -> int | None:
        """Return how many parts an object has; None where it is a scalar."""
        match type:
            case Vector():
                return type.length
            case Record():
                return len(type.fields)
        return None

    def part(self, type: Any, number: int) -> tuple[str | int, Any]:
        """Return the name of a field or the index of an element, and its type."""
        return (number, type.element) if isinstance(type, Vector) else type.fields[number]

    def is_union(self, type: Any) -> bool:
        """Tell whether only one of the parts has a value: unions are not read here."""
        return False

    def takes(self, type: Any, value: Any) -> bool:
        """Tell whether a value is one of the whole object: a text, or a struct of this type."""
        match type:
            case Vector():
                return self.text(type, value) is not None
            case Record():
                return getattr(value, "type", None) == type
        return False

    def text(self, type: Any, value: Any) -> nodes.Text | None:
        """Return the text that fills an array of characters; None where there is none."""
        return text_in(value) if isinstance(type, Vector) and type.element in _CHARACTERS else None


_CHARACTERS = (Integer(8, True), Integer(8, False))
_FIELDS = _Fields()


def _names(type: Any, numbers: tuple[int, ...]) -> Path:
    """Return the fields and indices that lead to a part."""
    path: list[str | int] = []
    for number in numbers:
        name, type = _FIELDS.part(type, number)
        path.append(name)
    return tuple(path)


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
