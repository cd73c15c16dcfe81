"""Many records of one class from columns: what the class would make one by one, without a call for each of them.

For classes of `records` that are frozen, have slots and do nothing after their fields are set.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from functools import cache
from itertools import repeat
from typing import Any, TypeVar

Made = TypeVar("Made")


def many_records(cls: type[Made], count: int, columns: dict[str, Iterable[Any]]) -> list[Made]:
    """Return `count` records whose fields have the values of `columns`, and their defaults where there is none."""
    own: Any = cls
    made: list[Made] = list(map(object.__new__, repeat(own, count)))
    for name, put, default in _fields(own):
        deque(map(put, made, columns[name] if name in columns else repeat(default, count)), maxlen=0)
    return made


@cache
def _fields(cls: Any) -> tuple[tuple[str, Any, Any], ...]:
    """Return each field with the function that sets it and its default."""
    return tuple((name, cls.__dict__[name].__set__, field.default) for name, field in cls.__record__.items())


def many_tuples(cls: type[Made], *columns: Iterable[Any]) -> list[Made]:
    """Return the named tuples whose fields have the values of the columns."""
    new: Any = tuple.__new__
    return list(map(new, repeat(cls), zip(*columns, strict=True)))
