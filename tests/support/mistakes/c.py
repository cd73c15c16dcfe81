"""Deliberate mistakes in exact abstraction: each has to be seen.

A mistake is a few replacements in the texts of modules.  `mistaken` makes the modules that the method consists of anew
from their texts, and takes them back afterwards; the checkers, but for the one that a mistake is about, stay right.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from inspect import getsource
from types import ModuleType

MODULES = (  # each after what it imports
    "knaster.smt.integers",
    "knaster.smt.signs",
    "knaster.views.abstraction.normal_form",
    "knaster.views.steps.points",
    "knaster.views.steps.cut",
    "knaster.views.steps.paths",
    "knaster.views.steps.inputs",
    "knaster.views.steps.walk",
    "knaster.views.abstraction.relations",
    "knaster.views.abstraction.predicates",
    "knaster.views.abstraction.preimage",
    "knaster.views.abstraction.interpolants",
    "knaster.views.abstraction.discovery",
    "knaster.views.abstraction.boolean_program",
    "knaster.engines.integers.yasm.equations",
    "knaster.engines.integers.yasm.execute",
    "knaster.engines.integers.yasm.must_runs",
    "knaster.checkers.recurrence",
    "knaster.engines.integers.yasm.lassos",
    "knaster.engines.integers.yasm.may_runs",
    "knaster.engines.integers.yasm.abstract_path",
    "knaster.engines.integers.yasm.concrete_path",
    "knaster.engines.integers.yasm.lasso_path",
    "knaster.engines.integers.yasm.proof_backwards",
    "knaster.engines.integers.yasm.proof_forwards",
    "knaster.engines.integers.yasm.user_predicates",
    "knaster.engines.integers.yasm.predicates_from_runs",
    "knaster.engines.integers.yasm.engine",
    "support.exact_abstraction",
)
Change = tuple[str, str, str]  # module, what stands there, what shall
_MIXED, _PREIMAGE, _ABSTRACT = (
    "knaster.engines.integers.yasm.equations",
    "knaster.views.abstraction.preimage",
    "knaster.views.abstraction.relations",
)
_NORMAL, _SUGGESTED = "knaster.views.abstraction.normal_form", "knaster.engines.integers.yasm.predicates_from_runs"
_GUIDED = "knaster.engines.integers.yasm.may_runs"
_WALK, _PATH = "knaster.views.steps.walk", "knaster.engines.integers.yasm.concrete_path"
_INTEGERS, _RECURRENCE = "knaster.smt.integers", "knaster.checkers.recurrence"
_INPUTS = "knaster.views.steps.inputs"

_BACKWARDS = """        from knaster.program.algebra import conjunction, substitute
        from knaster.program.expression import Compare, Comparison, Var

        for path in self.abstraction.paths.leaving[place]:
            types, target = dict(self.abstraction.paths.types[place[0]]), (place[0], path.target)
            was = {name: Var("was " + name) for name in types}
            before = (*path.guard, *self.abstraction.meaning(place, minterm))
            same = [Compare(Comparison.EQUAL, Var(name), substitute(path.before(Var(name)), was)) for name in types]
            inputs = tuple(("was " + name, type) for name, type in types.items())
            step = Step(tuple(substitute(part, was) for part in before), conjunction(same), inputs)
            for after in goals.get(target, NONE):
                if self.abstraction.oracle.covers(self.abstraction.meaning(target, after), (step,), types):
                    return True
        return False
        some, all = False, True
"""
_GREATEST = """        leave = self.paths.exits[procedure]
        places = [(procedure, location) for location in self.paths.points[procedure]]
        table = Solution({place: self.pre.abstraction.minterms(place) for place in places})
        table.sets[leave] = exits
        self.tables[procedure, exits] = table
        for place in [each for each in places if each != leave] * 9:
            goals = dict(table.sets)
            kept = [m for m in sorted(goals[place]) if self._holds(place, m, goals, {}, self.answer) is not None]
            table.sets[place] = frozenset(kept)
"""

MISTAKES: Mapping[str, tuple[Change, ...]] = {
    "E1: what lies behind two returns is lost": (
        (_MIXED, "return self.tables[other].sets[self.paths.entries[procedure]]", "return NONE"),
    ),
    "E2: calls are stepped over whatever they pass": (
        (_MIXED, "dead = {self.paths.exits[place[0]], *self.avoid}", "dead = {self.paths.exits[place[0]]}"),
    ),
    "must- on a cycle": ((_PREIMAGE, "        some, all = False, True\n", _BACKWARDS),),
    "the greatest instead of the least summaries": (
        (_MIXED, "        self._solve((procedure, exits))\n", _GREATEST),
    ),
    "infeasible minterms are kept": (
        (
            _ABSTRACT,
            "            return frozenset(row[0] for row in bits.rows())\n\n        return self._remember(\"minterms\"",
            "            from itertools import product\n"
            "            return frozenset(product((False, True), repeat=len(bits.lists[0])))\n\n"
            "        return self._remember(\"minterms\"",
        ),
    ),
    "mixed predicates survive a return": (
        (
            _ABSTRACT,
            "later = [substitute(predicate, after) for",
            "later = [predicate if variables(predicate) - after.keys() else substitute(predicate, after) for",
        ),
    ),
    "formals are captured by actuals": (
        (
            _ABSTRACT,
            "            passed = [substitute(predicate, site.arguments) for predicate in self.at(entry)]\n",
            "            passed = list(self.at(entry))\n"
            "            for each in site.arguments.items():\n"
            "                passed = [substitute(predicate, dict([each])) for predicate in passed]\n",
        ),
    ),
    "unsigned numbers are unbounded": (
        (
            _INTEGERS,
            "        if type.low is None or type.high is None or type.width is None:\n",
            "        if type.low is None or type.high is None or type.width is None or not type.signed:\n",
        ),
        (
            _INTEGERS,
            "low, high = (type.low, type.high) if isinstance(type, Int) else (None, None)",
            "low, high = (type.low, type.high) if isinstance(type, Int) and type.signed else (None, None)",
        ),
    ),
    "a recurrent set need not be entered again": (
        (_RECURRENCE, "steps = (*node.history(), claim(inside))", "steps = node.history()"),
    ),
    "some state of a recurrent set is enough": (
        (_RECURRENCE, "(claim(inside),), tuple(goals)", "(claim(inside), *goals[0].steps), tuple(goals)"),
    ),
    "a composed callee writes what its caller has under the same name": (
        (_WALK, "{**frame.values, **{name: point.values[name] for", "{**point.values, **{name: point.values[name] for"),
    ),
    "inputs of a composed call are chosen once": (
        (_INPUTS, "inputs.append(Input(f\"?{len(inputs) + 1}\"", "inputs.append(Input(\"?1\""),
    ),
    "another recurrent set need not be entered": (
        (_RECURRENCE, "claim(inside))\n", "claim(inside if place == next(iter(self.sets)) else TRUE))\n"),
    ),
    "only one of several recurrent sets has to be left": (
        (_RECURRENCE, "for each in sets]", "for each in [*sets][:1]]"),
    ),
    "a state comes back as another one": (
        (_PATH, "self.solver.add([self.translation.same(self.then[name], end[name]) for name in kept])", "pass"),
    ),
    "the change of a sum is taken for the sum": (
        (_NORMAL, "_combine(IntegerOperator.SUBTRACT, change, ", "_combine(IntegerOperator.ADD, change, "),
    ),
    "an equation of runs loses the sign of its constant": ((_SUGGESTED, "-form.constant)", "form.constant)"),),
    "a guided run never steps over a call": (
        (_GUIDED, "if exits and entry in self.over.answer(site.callee, exits):", "if not exits:"),
    ),
    "must is may": ((_PREIMAGE, "        if all and self._moves_on(place, minterm):\n", "        if some:\n"),),
    "a step may stop": ((_PREIMAGE, "if all and self._moves_on(place, minterm):", "if all:"),),
    "each predicate of must alone": (
        (
            _PREIMAGE,
            "return not self.abstraction.is_determined(place) and self.abstraction.is_covered(place, minterm, goals)",
            "return not self.abstraction.is_determined(place)",
        ),
    ),
    "partial summaries while the greatest set shrinks": (
        (
            _MIXED,
            "        while todo:\n            self.tick()\n            current, places",
            "        for _ in range(1):\n            self.tick()\n            current, places",
        ),
    ),
}  # fmt: skip


@contextmanager
def mistaken(name: str) -> Iterator[None]:
    """Run exact abstraction with a mistake."""
    real = {module: import_module(module) for module in MODULES}
    texts = {module: getsource(real[module]) for module in MODULES}
    for module, old, new in MISTAKES[name]:
        assert texts[module].count(old) == 1, f"{name}: {module} is another one now"
        texts[module] = texts[module].replace(old, new)
    try:
        for module in MODULES:
            made = ModuleType(module)
            made.__file__ = real[module].__file__
            sys.modules[module] = made
            exec(compile(texts[module], module, "exec"), made.__dict__)
        yield
    finally:
        sys.modules.update(real)
