"""What a run takes for granted of functions that nobody defines: that they return the values which it needs.

A function that the text only declares returns any value here.  In the program that is linked in the end it may not, so
whoever reads the verdict has to know.  `__VERIFIER_nondet_T` is meant to return any value, and is not named.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.evidence.traces.inputs import Input, list_inputs
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Kind, Program

_MEANT = "__VERIFIER_nondet_"
_LIBRARY = ("rand()", "rand_r()", "random()", "getchar()")  # inputs, and defined
_VOLATILE = " (volatile)"
_LEFT_OPEN = " (left open)"
_LOOKED = 1_000  # inputs of a run


def undefined_inputs(program: Program, trace: Trace) -> list[Input]:
    """Return the values that functions which nobody defines return in a run, as far as the run reads them."""
    if not any(map(_is_of_undefined, list_inputs(program, trace, _LOOKED))):
        return []  # mostly: spares the analysis of live variables
    return [one for one in list_inputs(program, trace, _LOOKED, live_only=True) if _is_of_undefined(one)]


def _is_of_undefined(one: Input) -> bool:
    return one.name.endswith("()") and not one.name.startswith(_MEANT) and one.name not in _LIBRARY


def condition_on(inputs: Sequence[Input]) -> str:
    """Return as the end of a sentence what functions have to return; empty where nothing is needed of any."""
    names = list(dict.fromkeys(one.name for one in inputs))
    if not names:
        return ""
    if len(names) == 1:
        value, same = inputs[0].value, len({one.value for one in inputs}) == 1
        said = f"{int(value)}" if same and isinstance(value, int) else "chosen values"
        return f" if {names[0]}, which is not defined, returns {said}"
    if len(names) == 2:
        return f" if {names[0]} and {names[1]}, which are not defined, return chosen values"
    return f" if {names[0]} and {len(names) - 1} other functions, which are not defined, return chosen values"


def condition_on_surroundings(program: Program, traces: Sequence[Trace]) -> str:
    """Return as the end of a sentence what runs need of volatile objects, and of results that C leaves open."""
    if program.kind is not Kind.MEMORY:
        return ""
    found = [one for trace in traces for one in list_inputs(program, trace, _LOOKED)]
    return both_conditions(_condition_on_volatile(found), _condition_on_library(found))


def _condition_on_volatile(inputs: Sequence[Input]) -> str:
    names = list(dict.fromkeys(one.name.removesuffix(_VOLATILE) for one in inputs if one.name.endswith(_VOLATILE)))
    if not names:
        return ""
    if len(names) == 1:
        return f" if {names[0]}, which is volatile, changes by itself"
    return f" if {names[0]} and {len(names) - 1} other objects, which are volatile, change by themselves"


def _condition_on_library(inputs: Sequence[Input]) -> str:
    values: dict[str, object] = {}
    for one in inputs:
        if one.name.endswith(_LEFT_OPEN):
            values.setdefault(one.name.removesuffix(_LEFT_OPEN), one.value)
    if not values:
        return ""
    name = next(iter(values))
    if len(values) == 1:
        return f" if {name} returns {values[name]}, as C allows"
    others = "another function" if len(values) == 2 else f"{len(values) - 1} other functions"
    return f" if {name} and {others} of the library return numbers that C allows"


def condition_of(program: Program, trace: Trace | None) -> str:
    """Return what a run needs of functions that nobody defines and of its surroundings, as the end of a sentence."""
    if trace is None:
        return ""
    return both_conditions(condition_on(undefined_inputs(program, trace)), condition_on_surroundings(program, [trace]))


def both_conditions(one: str, other: str) -> str:
    """Return two ends of a sentence as one; each may be empty."""
    return one + (f" and{other.removeprefix(' if')}" if one else other) if other else one
