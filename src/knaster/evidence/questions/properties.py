"""THE TABLE of properties: what can be asked of a program besides naming targets, and what SV-COMP calls it.

A property is about targets, which are then found by `targets`, or about all runs.  A new one is a record here; flags,
their help, and refusals are made from the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from knaster.base.errors import UsageError
from knaster.base.lazy import load_named
from knaster.base.named_tuples import NamedTuple
from knaster.evidence.questions.question import Question, Reach, Target, Termination

if TYPE_CHECKING:  # the table is read for every `--help`
    from knaster.program.model import Program


class Property(NamedTuple):
    """Something that can be asked of a program.

    `targets` names a function from a program to what must not be reached; None where the property is about all runs.
    """

    name: str  # as `--property` takes it
    svcomp: str  # the formula of the .prp file
    targets: str | None
    question: Question  # about targets, or as it is
    asks: str  # a question, for `--help`
    about: str  # the same after "the question is whether"

    def wording(self, question: Wording) -> Wording:
        """Return what is asked where a user names this property and, perhaps, targets or a whole question."""
        if self.targets is not None:
            return self if question is None and self != REACH else question
        if question is None:
            return self.question
        if isinstance(question, type(self.question)):
            return question
        raise UsageError(f"a target cannot be named where the question is whether {self.about}")

    def targets_in(self, program: Program) -> tuple[Target, ...]:
        """Return what must not be reached in a program."""
        assert self.targets is not None
        found: tuple[Target, ...] = load_named(self.targets)(program)
        return found


Wording = Question | Property | str | Iterable[str | Target] | None

_LIST = (
    Property(
        "reach",
        "G ! call(reach_error())",
        "knaster.evidence.questions.targets:default_targets",
        Reach(()),
        "can a target be reached",
        "a target can be reached",
    ),
    Property("termination", "F end", None, Termination(), "does every run end", "every run ends"),
)
REACH, TERMINATION = _LIST[:2]
PROPERTIES: Mapping[str, Property] = {one.name: one for one in _LIST}
"""Every property; the first one is asked where nobody names one."""


def property_named(name: str) -> Property:
    """Return a property; raise `UsageError` where there is none of that name."""
    if name not in PROPERTIES:
        raise UsageError(f"unknown property '{name}'; choose one of {', '.join(PROPERTIES)}")
    return PROPERTIES[name]


def property_of(question: Question) -> Property:
    """Return the property that a question is about."""
    return next(each for each in PROPERTIES.values() if isinstance(question, type(each.question)))


def help_on_properties() -> str:
    """Return what the properties ask, for `--help`."""
    first, *others = (each.asks for each in PROPERTIES.values())
    return ", ".join((f"{first} (default)", *others[:-1], *(f"or {last}?" for last in others[-1:])))
