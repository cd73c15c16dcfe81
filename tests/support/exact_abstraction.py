"""C programs under given predicates, from above and from below, for the tests of exact abstraction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knaster.engines.integers.yasm.equations import Mixed, Solution
from knaster.engines.integers.yasm.user_predicates import place_predicates
from knaster.frontends.languages import load
from knaster.program.model import Place, Program
from knaster.smt.signs import Oracle
from knaster.smt.solver import Session
from knaster.views.abstraction.preimage import Over, Under
from knaster.views.abstraction.relations import Abstraction
from knaster.views.steps.cut import cut_program, inlined_paths
from support import ROOT

EXAMPLES = ROOT / "examples" / "c"


def read(text: str, integers: str = "mathematical") -> Program:
    return load(text, file="test.c", integers=integers)


def example(name: str) -> str:
    return (EXAMPLES / f"{name}.c").read_text("utf-8")


def places(program: Program, label: str) -> list[Place]:
    return [(p.name, location) for p in program.procedures for name, location in p.labels if name == label]


class Sides:
    """Both sides of one program for given predicates."""

    def __init__(
        self,
        text: str,
        predicates: Mapping[str, Sequence[str]],
        label: str = "ERROR",
        integers: str = "mathematical",
        avoid: Sequence[str] = (),
        statements: bool = False,  # cut at every location
        composed: bool = False,  # calls of inlined procedures are parts of paths
    ) -> None:
        self.program = read(text, integers)
        self.targets = places(self.program, label)
        avoided = [place for name in avoid for place in places(self.program, name)]
        every = (
            [(p.name, location) for p in self.program.procedures for location in range(p.size)] if statements else []
        )
        asked = [*self.targets, *avoided, *every]
        inlined = inlined_paths(self.program, {name for name, _ in asked}) if composed else frozenset()
        self.paths = cut_program(self.program, asked, inlined).paths
        texts = [f"{procedure}: {text}" for procedure in self.paths.points for text in _of(predicates, procedure)]
        self.abstraction = Abstraction(self.paths, Oracle(Session()), dict(place_predicates(self.paths, texts).at), {})
        self.over = Mixed(Over(self.abstraction), avoided)
        self.under = Mixed(Under(self.abstraction), avoided)

    def may_reach(self) -> bool:
        return self._starts(self.over.reach(self.targets))

    def must_reach(self) -> bool:
        return self._starts(self.under.reach(self.targets))

    def may_run_on(self) -> bool:
        return self._starts(self.over.endless())

    def must_run_on(self) -> bool:
        return self._starts(self.under.endless())

    def reach(self) -> str:
        """Return "yes", "no" or "unknown" to EF."""
        return _answer(self.may_reach(), self.must_reach())

    def endless(self) -> str:
        """Return "yes", "no" or "unknown" to EG."""
        return _answer(self.may_run_on(), self.must_run_on())

    def _starts(self, found: Solution) -> bool:
        return bool(found.sets[self.paths.entries["main"]] & self.abstraction.initial())


def _of(predicates: Mapping[str, Sequence[str]], procedure: str) -> Sequence[str]:
    return predicates.get(procedure, predicates.get("*", ()))


def _answer(may: bool, must: bool) -> str:
    assert may or not must, "must has it, and may excludes it"
    return "yes" if must else "unknown" if may else "no"
