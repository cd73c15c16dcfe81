"""Records behave as the classes of `dataclasses`, whose methods are made at once."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from types import ModuleType
from typing import Any, ClassVar

import pytest

from knaster.base import records


def classes(make: ModuleType) -> tuple[Any, ...]:
    """Return the same classes, made by `dataclasses` or by `records`."""

    @make.dataclass(frozen=True, slots=True)
    class Point:
        """A point."""

        x: int
        y: int = 2
        note: str = make.field(default="", compare=False)
        hidden: list[int] = make.field(default_factory=list, repr=False, hash=False)
        count: ClassVar[int] = 7

    @make.dataclass(frozen=True, slots=True)
    class Spot(Point):
        """A point with a name that only keywords give, and a sum."""

        z: int = 5
        name: str = make.field(default="spot", kw_only=True)
        total: int = make.field(init=False, compare=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "total", self.x + self.y + self.z)

    @make.dataclass(slots=True)
    class Open:
        """What changes."""

        x: Any
        rows: dict[str, int] = make.field(default_factory=dict)
        late: bool = make.field(init=False, default=False)

    @make.dataclass(eq=False)
    class Alone:
        """What is only equal to itself, without slots."""

        x: int
        rest: tuple[int, ...] = ()

    @make.dataclass(frozen=True)
    class Own:
        """What has methods of its own."""

        x: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own)

        def __hash__(self) -> int:
            return 3

        def __repr__(self) -> str:
            return "own"

    @make.dataclass
    class Empty:
        """Nothing."""

    return Point, Spot, Open, Alone, Own, Empty


OURS, THEIRS = classes(records), classes(dataclasses)
VALUES: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}),
    ((1, 3), {"note": "n"}),
    ((), {"x": 0}),
    ((4, 5, "b", [6]), {}),
    ((), {}),
    ((1,), {"name": "s"}),
]


def told(make: type, values: tuple[Any, ...], named: dict[str, Any]) -> object:
    """Return all that an instance shows, or the error of making it."""
    try:
        made = make(*values, **named)
    except TypeError as problem:
        return str(problem)
    again = make(*values, **named)
    try:
        hashed: object = hash(made) if "__eq__" in vars(make) else None
    except TypeError as problem:
        hashed = str(problem)
    shown = {name: getattr(made, name, None) for name in (*vars(make).get("__slots__", ()), "x", "y", "late", "count")}
    return repr(made), made == again, made == 1, hashed, shown, hasattr(made, "__dict__")


@pytest.mark.parametrize(("ours", "theirs"), list(zip(OURS, THEIRS, strict=True)))
def test_they_behave_alike(ours: Any, theirs: Any) -> None:
    assert ours.__match_args__ == theirs.__match_args__ and ours.__doc__ == theirs.__doc__
    for values, named in VALUES * records.FEW:  # the first by hand, the others by what is written
        assert told(ours, values, named) == told(theirs, values, named)
    assert list(inspect.signature(ours).parameters) == list(inspect.signature(theirs).parameters)


@pytest.mark.parametrize(("values", "named"), VALUES)
def test_wrong_calls_of_new_classes_are_told_alike(values: tuple[Any, ...], named: dict[str, Any]) -> None:
    for ours, theirs in zip(classes(records), THEIRS, strict=True):
        assert told(ours, values, named) == told(theirs, values, named)


def test_signature_of_a_class_that_nobody_has_made() -> None:
    point = classes(records)[0]
    assert str(inspect.signature(point)).startswith("(x, y=2, note='', hidden=")


def test_instances_of_other_classes_differ() -> None:
    point, spot, *_ = OURS
    assert point(1, 2) != spot(1, 2) and point(1, 2) != point(1, 3)
    assert point(1, 2, "a") == point(1, 2, "b") and point(1, 2, "", [1]) != point(1, 2, "", [2])


def test_a_frozen_record_stays() -> None:
    made = OURS[0](1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        made.x = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'x'"):
        del made.x


def test_lists_are_not_shared() -> None:
    assert OURS[2](1).rows is not OURS[2](2).rows


def test_replace() -> None:
    made = OURS[1](1, 2, z=3, name="n")
    assert records.replace(made, y=7) == OURS[1](1, 7, z=3, name="n")
    assert records.replace(made, y=7).total == 11
    assert dataclasses.replace(made, x=7) == OURS[1](7, 2, z=3, name="n")


def test_dataclasses_understands_them() -> None:
    assert all(map(dataclasses.is_dataclass, OURS))
    assert [f.name for f in dataclasses.fields(OURS[1])] == [f.name for f in dataclasses.fields(THEIRS[1])]
    assert dataclasses.asdict(OURS[1](1)) == dataclasses.asdict(THEIRS[1](1))
    assert [f.name for f in records.fields(OURS[1])] == [f.name for f in dataclasses.fields(OURS[1])]


@records.dataclass(frozen=True, slots=True)
class Packed:
    """A record that goes to another process."""

    x: int
    y: Packed | None = None


def test_copies() -> None:
    made = Packed(1, Packed(2))
    assert pickle.loads(pickle.dumps(made)) == made and copy.deepcopy(made) == made
    match made:
        case Packed(x, Packed(y, None)):
            assert (x, y) == (1, 2)
        case _:
            pytest.fail("no match")
