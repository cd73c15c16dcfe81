"""Who answers obligations: Bitwuzla, then cvc5, each as a script in one arithmetic in whole; z3 only where asked for.

Each obligation is answered by one solver in one arithmetic; what nobody answers is not known.  Work is counted in units
of the solver, so that two checks say the same.  A library is loaded when it is asked.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextvars import ContextVar
from importlib.util import find_spec
from typing import Any, NamedTuple, Protocol

from knaster_check.c.bits import Bits
from knaster_check.c.integers import Integers
from knaster_check.c.nodes import Node
from knaster_check.c.script import to_script
from knaster_check.c.terms import Unsuitable
from knaster_check.c.translation import Arithmetic, Translation
from knaster_check.refused import Refused, Unsupported
from knaster_check.work import Tick

LAST = ContextVar("whether z3 is asked where the others do not answer", default=False)
_EFFORTS = (1, 25)  # how much an obligation is worth, at first and at last
_OF_REALS = 1_000  # one with floating-point numbers that nobody has answered, to the first who has a term for it
_PER_EFFORT = 2_000  # units of work


class Question(Protocol):
    """An obligation: a condition that must be impossible."""

    @property
    def wrong(self) -> Node:
        """The condition."""

    @property
    def place(self) -> str:
        """Where it is about."""

    @property
    def why(self) -> str:
        """What is wrong where it is possible."""


class _Way(NamedTuple):
    """A solver and an arithmetic."""

    solver: str
    ask: Callable[..., str]  # of a script, an effort, a tick, and where values are to be noted
    arithmetic: type[Arithmetic]


class Solvers:
    """Answers the obligations of one proof."""

    def __init__(self, tick: Tick) -> None:
        self.tick = tick
        self.answered: dict[str, int] = {}
        self._ways = [way for way in _WAYS if find_spec(way.solver) is not None and (way.solver != "z3" or LAST.get())]
        self._failures = dict.fromkeys(self._ways, 0)
        self._translations: dict[type[Arithmetic], Translation] = {
            way.arithmetic: Translation(way.arithmetic()) for way in self._ways
        }
        if not self._ways:
            raise Unsupported("neither Bitwuzla nor cvc5 is installed: pip install bitwuzla cvc5")

    def refute(self, obligation: Question) -> None:
        """Return where the condition of an obligation is impossible; refuse the proof where it is not."""
        said = self._settle(obligation.wrong, None)
        if said == "sat":
            raise Refused(obligation.why, obligation.place)
        if said != "unsat":
            raise Unsupported(f"no solver answers: {obligation.why}", obligation.place)

    def find(self, condition: Node) -> dict[str, int] | None:
        """Return the bits of names for which a condition holds; None where it is impossible.

        Whoever uses them must see that it does hold: they are not trusted.
        """
        values: dict[str, int] = {}
        said = self._settle(condition, values)
        if said == "unknown":
            raise Unsupported("no solver answers whether there is another way")
        return values if said == "sat" else None

    def _settle(self, condition: Node, values: dict[str, int] | None) -> str:
        """Return whether a condition is possible, "sat" or "unsat"; "unknown" where nobody says."""
        for effort in _EFFORTS:
            for way in sorted(self._ways, key=self._failures.__getitem__):
                self.tick(_PER_EFFORT * effort)
                said = self._note(way, self._ask(way, condition, effort, values))
                if said == "unsat":
                    return said
                if said == "sat" and (values is None or way.solver == "bitwuzla"):
                    return said
                self._failures[way] += 1
        for way in self._ways:
            if way.arithmetic is Bits and self._translations[Bits].has_reals:
                self.tick(_PER_EFFORT * _OF_REALS)
                return self._note(way, self._ask(way, condition, _OF_REALS, values))
        return "unknown"

    def _note(self, way: _Way, said: str) -> str:
        """Note who has answered where nothing is possible."""
        if said == "unsat":
            name = f"{way.solver} {_version(way.solver)}"
            self.answered[name] = self.answered.get(name, 0) + 1
        return said

    def _ask(self, way: _Way, wrong: Node, effort: int, values: dict[str, int] | None) -> str:
        try:
            script = to_script(self._translations[way.arithmetic].term(wrong))
        except Unsuitable:
            return "unknown"
        return way.ask(script, effort, self.tick, values)


def _ask_bitwuzla(script: str, effort: int, tick: Tick, values: dict[str, int] | None = None) -> str:
    import bitwuzla  # type: ignore[import-not-found, unused-ignore]

    options: Any = bitwuzla.Options()
    options.set(bitwuzla.Option.SEED, 1)
    if values is not None:
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    parser: Any = bitwuzla.Parser(bitwuzla.TermManager(), options)
    # mutant: how long a solver is asked
    patience = _Patience(200 * effort, tick)
    try:
        parser.configure_terminator(patience)
        parser.parse(script, True, False)
        found = str(parser.bitwuzla().check_sat())
        if found == "sat" and values is not None:
            for name in parser.get_declared_funs():
                values[name.symbol().strip("|")] = int(parser.bitwuzla().get_value(name).value(10))
    except bitwuzla.BitwuzlaException:
        found = "unknown"  # something that it does not do
    patience.settle()
    return found


class _Patience:
    """Ends a question of Bitwuzla after so many looks, or where `tick` raises something."""

    def __init__(self, looks: int, tick: Tick) -> None:
        self.left = looks
        self.tick = tick
        self.raised: BaseException | None = None

    def __call__(self) -> bool:
        """Tell whether it is time to stop."""
        self.left -= 1
        try:
            self.tick()
        except BaseException as raised:
            self.raised = raised
        return self.left < 0 or self.raised is not None

    def settle(self) -> None:
        """Raise what has to be raised after the question."""
        if self.raised is not None:
            raise self.raised


def _ask_cvc5(script: str, effort: int, tick: Tick, values: dict[str, int] | None = None) -> str:
    import cvc5  # type: ignore[import-not-found, unused-ignore]

    solver: Any = cvc5.Solver()
    solver.setOption("seed", "1")
    solver.setOption("arrays-exp", "true")
    solver.setOption("rlimit-per", str(20_000 * effort))
    parser: Any = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "obligation")
    symbols = parser.getSymbolManager()
    try:
        while not (command := parser.nextCommand()).isNull():
            if "error" in (said := str(command.invoke(solver, symbols))):
                raise Unsupported(f"cvc5 does not read an obligation: {said[:200]}")
        found = str(solver.checkSat())
    except RuntimeError:
        found = "unknown"  # something that it does not do
    return found


def _ask_z3(script: str, effort: int, tick: Tick, values: dict[str, int] | None = None) -> str:
    import z3  # type: ignore[import-not-found, import-untyped, unused-ignore]

    context: Any = z3.Context()
    solver: Any = z3.Solver(ctx=context)
    # mutant: how long a solver is asked
    solver.set("rlimit", 100_000 * effort)
    solver.from_string(script)
    return str(solver.check())


def _version(solver: str) -> str:
    """Return what a loaded library says of itself: its metadata would take longer to read than a proof to check."""
    library: Any = sys.modules[solver]
    if solver == "bitwuzla":
        return str(library.version())
    return str(library.__version__ if solver == "cvc5" else library.get_version_string())


_WAYS = (
    _Way("bitwuzla", _ask_bitwuzla, Bits),
    _Way("cvc5", _ask_cvc5, Integers),
    _Way("cvc5", _ask_cvc5, Bits),
    _Way("z3", _ask_z3, Bits),
    _Way("z3", _ask_z3, Integers),
)
