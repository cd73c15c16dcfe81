"""Named tuples: the classes of `typing.NamedTuple`, whose `__new__` is written when more than a few tuples are made.

As in `records`: making all methods when a module is imported takes longer than a short command.  Type checkers see
`typing.NamedTuple`; `_make`, `_replace`, `_asdict`, `_fields` and `_field_defaults` are there.
"""

from __future__ import annotations

from collections import _tuplegetter  # type: ignore[attr-defined]
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from knaster.base.records import FEW


class _Maker(type):
    """Makes of a class body a subclass of `tuple`, an ordinary class."""

    def __new__(cls, name: str, bases: tuple[Any, ...], body: dict[str, Any]) -> Any:
        if not bases:
            return super().__new__(cls, name, bases, body)
        fields = tuple(body.get("__annotations__", ()))
        defaults = {field: body[field] for field in fields if field in body}
        getters = {field: _tuplegetter(place, "") for place, field in enumerate(fields)}
        methods = {"__repr__": _repr, "__getnewargs__": _values, "_replace": _replace, "_asdict": _as_dictionary}
        own = {"_fields": fields, "_field_defaults": defaults, "__match_args__": fields, "__slots__": ()}
        made: Any = type(name, (tuple, *bases[1:]), methods | body | own | getters | {"_make": classmethod(_make)})
        made.__new__ = _first_new(made)
        return made


def _first_new(made: Any) -> Callable[..., Any]:
    """Return a `__new__` that soon, or where it is called in a wrong way, puts a written one in its own place."""
    calls, fields, known, defaults = 0, made._fields, set(made._fields), made._field_defaults

    def __new__(cls: Any, *values: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls <= FEW and len(values) <= len(fields) and named.keys().isdisjoint(fields[: len(values)]):
            given = {**defaults, **dict(zip(fields, values, strict=False)), **named}
            if given.keys() == known:
                return tuple.__new__(cls, map(given.__getitem__, fields))
        written = made.__new__ = _write_new(made)
        return written(cls, *values, **named)

    return __new__


def _write_new(made: Any) -> Callable[..., Any]:
    names = {f"_default_{name}": value for name, value in made._field_defaults.items()} | {"_new": tuple.__new__}
    parameters = "".join(
        f", {name}=_default_{name}" if name in made._field_defaults else f", {name}" for name in made._fields
    )
    values = "".join(f"{name}, " for name in made._fields)
    exec(f"def __new__(_cls{parameters}): return _new(_cls, ({values}))", names)
    written: Callable[..., Any] = names["__new__"]
    written.__qualname__ = f"{made.__qualname__}.__new__"
    return written


def _values(self: Any) -> tuple[Any, ...]:
    return tuple(self)


def _make(cls: Any, values: Iterable[Any]) -> Any:
    return cls(*values)


def _replace(self: Any, /, **changes: Any) -> Any:
    return type(self)(**{**_as_dictionary(self), **changes})


def _as_dictionary(self: Any) -> dict[str, Any]:
    return dict(zip(self._fields, self, strict=True))


def _repr(self: Any) -> str:
    return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in _as_dictionary(self).items())})"


if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class NamedTuple(metaclass=_Maker):
        """What a class of named tuples inherits from."""
