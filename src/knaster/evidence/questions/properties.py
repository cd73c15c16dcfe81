"""THE TABLE of properties: what can be asked of a program besides naming targets, and what SV-COMP calls it.

A property is about targets, which are then found by `targets`, or about all runs.  A new one is a record here; flags,
their help, and refusals are made from the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from knaster.base.errors import UsageError
from knaster.base.lazy import load_named
from knaster.base.named_tuples import NamedTuple
from knaster.base.records import replace
from knaster.evidence.questions.question import FAIRNESS, Question, Reach, Target, Temporal, Termination

if TYPE_CHECKING:  # the table is read for every `--help`
    from knaster.program.model import Program


_WORD = r"[A-Za-z_@][\w.-]*"


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
    undefined: bool = False  # it asks for steps that C leaves undefined
    checks: str = ""  # the kinds of these that programs over integers have; empty: variables are objects in memory

    def wording(self, question: Wording, fair: str = "none") -> Wording:
        """Return what is asked where a user names this property and, perhaps, targets or a whole question."""
        if fair != "none":
            if self.targets is not None:
                raise UsageError("--fair is about termination and formulas; name one with --property")
            if fair not in FAIRNESS:
                raise UsageError(f"'{fair}' is no fairness; choose one of {', '.join(FAIRNESS)}")
            assert isinstance(self.question, Termination | Temporal)
            return self._replace(question=replace(self.question, fair=fair)).wording(question)
        if self.targets is not None:
            return self if question is None else question
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
    Property(
        "safety",
        "",
        "knaster.evidence.questions.memory_targets:safety_targets",
        Reach(()),
        "C: undefined steps too",
        "a target or an undefined step can be reached",
        undefined=True,
        checks="division,shift,bounds",
    ),
    Property(
        "memory",
        "G valid-deref",
        "knaster.evidence.questions.memory_targets:memory_targets",
        Reach(()),
        "C: wrong uses of memory",
        "memory can be used that must not be",
        undefined=True,
        checks="bounds",
    ),
    Property(
        "overflow",
        "G ! overflow",
        "knaster.evidence.questions.memory_targets:overflow_targets",
        Reach(()),
        "C: signed overflow",
        "a signed integer can overflow",
        undefined=True,
        checks="overflow",
    ),
    Property(
        "leak",
        "G valid-memcleanup",
        "knaster.evidence.questions.memory_targets:leak_targets",
        Reach(()),
        "C: heap that is left",
        "an object of the heap can live when main ends",
        undefined=True,
        checks="leak",
    ),
    Property(
        "race",
        "G ! data-race",
        "knaster.evidence.questions.memory_targets:race_targets",
        Reach(()),
        "C: two threads use the same memory at once",
        "two threads can use the same memory at once",
        undefined=True,
    ),
    Property(
        "deadlock",
        "",
        "knaster.evidence.questions.memory_targets:deadlock_targets",
        Reach(()),
        "can all threads wait",
        "all threads can wait for each other",
    ),
)
REACH, TERMINATION, SAFETY = _LIST[:3]
FORMULA = "FORMULA"  # what stands for a formula of linear temporal logic where properties are listed
PROPERTIES: Mapping[str, Property] = {one.name: one for one in _LIST}
"""Every property; where nobody names one, `SAFETY` is asked of C, and `REACH` of other languages."""


def property_named(name: str) -> Property:
    """Return a property: that of this name, or the one that a formula stands for.

    Raises `UsageError` where it is neither, `SourceError` where it looks like a formula and is none.
    """
    if name in PROPERTIES:
        return PROPERTIES[name]
    if name.strip() and not re.fullmatch(_WORD, name):
        from knaster.automata.formula_files import split_name

        called, text = split_name(name)
        return formula_property(text, called)
    from knaster.base.hints import did_you_mean

    hint = did_you_mean(name, PROPERTIES)
    choices = f"{', '.join(PROPERTIES)}, a formula such as 'G (at(L) -> F ended)', or @FILE with formulas"
    raise UsageError(f"unknown property '{name}'; {hint or f'choose one of {choices}'}")


def formula_property(text: str, name: str = "") -> Property:
    """Return the property that a formula of linear temporal logic holds on every run."""
    from knaster.automata.ltl_parser import parse_ltl

    question, text = Temporal(parse_ltl(text), text, name), text.strip()
    return Property("formula", text, None, question, "does it hold on every run", f"{text} holds on every run")


def property_of(question: Question) -> Property:
    """Return the property that a question is about."""
    if isinstance(question, Temporal):
        return formula_property(str(question), question.name)
    return next(each for each in PROPERTIES.values() if isinstance(question, type(each.question)))


def help_on_properties() -> str:
    """Return what the properties ask, for `--help`."""
    first, *others = PROPERTIES.values()
    plain = [each for each in others if not each.undefined and each.name != "deadlock"]
    named = [f"'{first.name}' (default, but for C): {first.asks}", *(f"'{each.name}': {each.asks}" for each in plain)]
    undefined = ", ".join(each.name for each in others if each.undefined and each != SAFETY)
    named += [f"C: '{SAFETY.name}' (default: targets and undefined steps), {undefined}", "threads: deadlock"]
    return "; ".join([*named, "a formula such as 'G (at(L) -> F {x})', or @FILE with several"])
