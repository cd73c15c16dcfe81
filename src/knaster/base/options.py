"""Options as data: one list of fields from which flags, JSON and checks of the Python arguments are derived.

Engines and languages have options; a field's metadata has its `help` and, where they are few, its `choices`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, dataclass_transform

from knaster.base.errors import UsageError

O = TypeVar("O", bound="Options")  # noqa: E741


def option(default: Any, help: str, choices: Sequence[str] = ()) -> Any:
    """Return a field of an options class."""
    return field(default=default, metadata={"help": help, "choices": tuple(choices)})


@dataclass_transform(frozen_default=True, eq_default=False)
class Options:
    """How an engine is to work, or a language to be read, where that leaves a choice.

    Each class of options is a frozen dataclass.  Its methods are those of this class and not made for it: options are
    read by every command, and making methods takes longer than all else.
    """

    if TYPE_CHECKING:
        __dataclass_fields__: ClassVar[dict[str, Any]]

    def __init_subclass__(cls) -> None:
        dataclass(init=False, repr=False, eq=False)(cls)

    def __init__(self, *values: Any, **named: Any) -> None:
        names = tuple(self.__dataclass_fields__)
        given = dict(zip(names, values, strict=False)) | named
        if len(values) > len(names) or not given.keys() <= set(names):
            raise TypeError(f"{type(self).__name__} has the options {', '.join(names)}")
        for name, own in self.__dataclass_fields__.items():
            object.__setattr__(self, name, given.get(name, own.default))

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field '{name}'")

    def in_force(self, threaded: bool) -> dict[str, object]:
        """Return what holds for a program, with threads or without."""
        return asdict(self)


dataclass(init=False, repr=False, eq=False)(Options)


def make_options(kind: type[O], given: Mapping[str, Any]) -> O:
    """Return options with these values; refuse what no choice allows and negative limits.

    Requires: `kind` has all of them.
    """
    known = {field.name: field for field in fields(kind)}
    for name, value in given.items():
        choices, default = known[name].metadata["choices"], known[name].default
        if choices and value not in choices:
            raise UsageError(f"unknown {name} '{value}'; choose one of {', '.join(choices)}")
        if type(value) is not type(default):
            raise UsageError(f"the option '{name}' is {type(default).__name__}, not {value!r}")
        if type(value) is int and value < 0:
            raise UsageError(f"the option '{name}' is a limit of 0 or more, not {value}")
    return kind(**given)


def names(kind: type[Options]) -> tuple[str, ...]:
    """Return the names of the options of a class."""
    return tuple(field.name for field in fields(kind))
