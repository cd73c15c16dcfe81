"""Options as data: one list of fields from which flags, JSON and checks of the Python arguments are derived.

Engines and languages have options; a field's metadata has its `help` and, where they are few, its `choices`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, dataclass_transform

from knaster.base.errors import UsageError
from knaster.base.records import dataclass, field, fields

O = TypeVar("O", bound="Options")  # noqa: E741


def option(default: Any, help: str, choices: Sequence[str] = (), short: str = "") -> Any:
    """Return a field of an options class; `short` is another name of its flag."""
    return field(default=default, metadata={"help": help, "choices": tuple(choices), "short": short})


@dataclass_transform(frozen_default=True, eq_default=False)
class Options:
    """How an engine is to work, or a language to be read, where that leaves a choice; each class is a frozen record."""

    if TYPE_CHECKING:
        __dataclass_fields__: ClassVar[dict[str, Any]]

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, repr=False, eq=False)(cls)

    def in_force(self, threaded: bool) -> dict[str, object]:
        """Return what holds for a program, with threads or without."""
        return {name: getattr(self, name) for name in names(type(self))}


dataclass(frozen=True, repr=False, eq=False)(Options)


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
