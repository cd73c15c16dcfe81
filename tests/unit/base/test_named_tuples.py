"""Named tuples behave as those of `typing`, whose methods are made at once."""

from __future__ import annotations

import copy
import pickle
import typing
from typing import Any, Generic, TypeVar

import pytest

from knaster.base import named_tuples
from knaster.base.records import FEW

W = TypeVar("W")


class OurPoint(named_tuples.NamedTuple):
    """A point."""

    x: int
    y: int = 2
    rows: tuple[int, ...] = ()

    @property
    def sum(self) -> int:
        """Both."""
        return self.x + self.y

    @classmethod
    def of(cls, text: str) -> OurPoint:
        """Return the point of a text."""
        x, y = map(int, text.split())
        return cls(x, y)


class TheirPoint(typing.NamedTuple):
    """A point."""

    x: int
    y: int = 2
    rows: tuple[int, ...] = ()


class OurPair(named_tuples.NamedTuple, Generic[W]):
    """A pair with a type of its own."""

    left: W
    right: W


CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    *[((1,), {}), ((1, 3), {}), ((), {"x": 4, "rows": (5,)}), ((1, 2, (3,)), {})],
    *[((), {}), ((1,), {"z": 3}), ((1, 2, (), 4), {}), ((1,), {"x": 3}), ((), {"z": 3}), ((), {"y": 3})],
]


def told(make: Any, values: tuple[Any, ...], named: dict[str, Any]) -> object:
    """Return all that a tuple shows, or that it cannot be made."""
    try:
        made = make(*values, **named)
    except TypeError as problem:
        return str(problem).replace("Their", "Our")
    parts = (tuple(made), hash(made), made == tuple(made), made.x, made.y, made.rows, made._asdict())
    return (
        *parts,
        repr(made).replace("Their", "Our"),
        tuple(made._replace(y=9)),
        hasattr(made, "__dict__"),
        made < (2,),
    )


@pytest.mark.parametrize(("values", "named"), CALLS)
def test_they_behave_alike(values: tuple[Any, ...], named: dict[str, Any]) -> None:
    class OurNew(named_tuples.NamedTuple):  # whose `__new__` is not written yet
        x: int
        y: int = 2
        rows: tuple[int, ...] = ()

    for _ in range(FEW + 2):
        assert told(OurPoint, values, named) == told(TheirPoint, values, named)
    shown = str(told(OurNew, values, named)).replace("test_they_behave_alike.<locals>.", "")
    assert shown.replace("OurNew", "OurPoint") == str(told(TheirPoint, values, named))


def test_the_classes_are_alike() -> None:
    for name in ("_fields", "_field_defaults", "__match_args__", "__doc__"):
        assert getattr(OurPoint, name) == getattr(TheirPoint, name)
    assert type(OurPoint) is type and OurPoint.__mro__[1] is tuple
    assert OurPoint._make([1, 2]) == OurPoint(1, 2)
    assert OurPoint.of("3 4").sum == 7


def test_fields_cannot_be_set() -> None:
    with pytest.raises(AttributeError):
        OurPoint(1).x = 2  # type: ignore[misc]


def test_copies_and_patterns() -> None:
    made = OurPair(OurPoint(1), OurPoint(2))
    assert pickle.loads(pickle.dumps(made)) == made and copy.deepcopy(made) == made
    assert isinstance(pickle.loads(pickle.dumps(made)), OurPair)
    match made:
        case OurPair(OurPoint(x, y), right):
            assert (x, y, right.x) == (1, 2, 2)
    left, right = made
    assert left.x < right.x and OurPair[int](1, 2).left == 1
