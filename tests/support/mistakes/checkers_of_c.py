"""Deliberate mistakes in the checkers of proofs about C, each a change of one line of a module."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from inspect import getsource
from types import ModuleType

_C = "knaster.checkers.c"
MODULES = (
    f"{_C}.names",
    f"{_C}.walk",
    f"{_C}.lines",
    f"{_C}.claims",
    f"{_C}.meaning",
    f"{_C}.solvers",
    "knaster.checkers.invariants",
    "knaster.checkers.ranking",
    "knaster.checkers.recurrence",
)  # in the order in which they import each other
_NAMES, _WALK, _LINES, _CLAIMS, _MEANING, _SOLVERS, _INVARIANTS, _RANKING, _RECURRENCE = MODULES

MISTAKES = {
    "where ways meet the values are those of one": (_WALK, "Conditional(node.at, other, chosen)", "other"),
    "only one of the ways that meet is taken": (_WALK, "any_of([node.at for node in nodes])", "nodes[0].at"),
    "all edges out of a location are taken": (_WALK, "if len(edges) > 1:", "if len(edges) > 9:"),
    "a call leaves globals as they were": (_WALK, "{each: state[each] for each in self.program.globals}", "{}"),
    "a call has no results": (_WALK, "            if target is not None:\n", "            if target is None:\n"),
    "a callee has the locals of its caller": (_WALK, "{**rest, **call.given}", "{**rest, **call.node.state}"),
    "cycles without a place are walked around": (
        _WALK,
        "if position[other] >= position[location]:",
        "if position[other] > len(position):",
    ),
    "an input is read once": (_NAMES, 'self.variable("input", type)', 'Var("input")'),
    "a procedure that is left out is never called": (_CLAIMS, "self.proof.requires.get(name, FALSE)", "(TRUE)"),
    "old values are those of now": (_CLAIMS, "**now, **{old(each): value", "**now, **{old(each): now.get(each, value)"),
    "an operator that has no value goes on": (_MEANING, "[] if claimed else list(sides.defined)", "[]"),
    "facts hold nowhere": (_MEANING, "        if fact.when != TRUE:\n", "        if fact.when == TRUE:\n"),
    "what is to be shown is not denied": (_MEANING, 'self.door.term("not", self._con', "(lambda f: f)(self._con"),
    "an unknown answer is a good one": (_SOLVERS, "self.answer(obligation, works) is Answer", "None is Answer"),
    "nothing is asked of the start": (_INVARIANTS, "yield self._start()", "pass"),
    "nothing is asked of entries": (_INVARIANTS, "yield self._entry(name)", "pass"),
    "nothing is asked of calls": (_INVARIANTS, "yield from self._calls(region)", "pass"),
    "nothing is asked of places": (_INVARIANTS, "yield from self._ends(region)", "pass"),
    "nothing is asked of targets": (_INVARIANTS, "yield from self._targets(region, targets)", "pass"),
    "a target on the way is overlooked": (_INVARIANTS, "for node in region.nodes:", "for node in region.ends:"),
    "a condition of a target is overlooked": (_INVARIANTS, "if condition != TRUE:", "if False:"),
    "a measure may be negative": (_RANKING, ", Compare(Comparison.AT_LEAST, last, Const(0))]", "]"),
    "a component before may increase": (_RANKING, "kept.append(Compare(Comparison.AT_MOST, new, last))", "pass"),
    "a cycle needs no point": (_RANKING, "if len(part) > 1 or part[0] in around(part[0]):", "if False:"),
    "calls that are entered need not decrease": (_RANKING, "for call in region.calls:", "for call in ():"),
    "an entry needs no point": (
        _RANKING,
        "            if self.cycle.get(entry) == cycle:\n",
        "            if self.cycle.get(entry) == cycle and entry in self.proof.measures:\n",
    ),
    "a step over a call is none": (_RANKING, "for node in region.ends:", "for node in ():"),
    "invariants of measures are not checked": (
        _RANKING,
        "check_invariants(proof.invariants, program, (), budget)",
        '""',
    ),
    "a recurrent set need not be entered": (_RECURRENCE, "(*node.history(), claim(inside))", "node.history()"),
    "given inputs are forgotten": (_LINES, "if values is not None and any(", "if False and any("),
}  # fmt: skip


@contextmanager
def mistaken(name: str) -> Iterator[None]:
    """Check with a mistake."""
    real = {module: import_module(module) for module in MODULES}
    texts = {module: getsource(real[module]) for module in MODULES}
    module, old, new = MISTAKES[name]
    assert texts[module].count(old) == 1, f"{name}: {module} is another one now"
    texts[module] = texts[module].replace(old, new)
    try:
        for each in MODULES:
            made = ModuleType(each)
            made.__file__ = real[each].__file__
            sys.modules[each] = made
            exec(compile(texts[each], each, "exec"), made.__dict__)
        yield
    finally:
        sys.modules.update(real)
