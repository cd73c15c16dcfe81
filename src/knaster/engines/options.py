"""The options of each engine.  Nothing heavy is imported here."""

from __future__ import annotations

from dataclasses import dataclass

from knaster.base.options import Options, option

__all__ = ["CalculusOptions", "ExplicitOptions", "Options", "PushdownOptions", "SearchOptions", "SymbolicOptions"]


UNITS = 200_000_000


@dataclass(frozen=True, eq=False, repr=False)
class SymbolicOptions(Options):
    """The choices of every engine that works on the relations of a program as BDDs."""

    order: str = option("auto", "the order of the BDD variables", ("auto", "declaration"))
    layout: str = option(
        "slots", "'slots': procedures share BDD variables; 'distinct': each has its own, slower", ("slots", "distinct")
    )


@dataclass(frozen=True, eq=False, repr=False)
class SummariesOptions(SymbolicOptions):
    """Path edges and summary edges."""

    liveness: bool = option(True, "track dead variables too, for measurement")
    effects: bool = option(True, "track untouched globals too, for measurement")


@dataclass(frozen=True, eq=False, repr=False)
class PushdownOptions(SymbolicOptions):
    """Saturation of a weighted pushdown system."""

    direction: str = option("post", "forward from the start, or backward from the targets", ("post", "pre"))
    fast: bool = option(False, "solve by path expressions instead of one rule at a time")


@dataclass(frozen=True, eq=False, repr=False)
class CalculusOptions(Options):
    """A file of the fixed-point calculus."""

    algorithm: str = option(
        "entry-forward", "'summary', 'entry-forward', 'entry-forward-opt', or a file of your own; not for threads"
    )
    strategy: str = option("frontier", "how fixed points are computed", ("frontier", "together", "plain"))

    def in_force(self, threaded: bool) -> dict[str, object]:
        """Return what holds for a program: for threads there is one formula."""
        return {**Options.in_force(self, threaded), **({"algorithm": "reach"} if threaded else {})}


@dataclass(frozen=True, eq=False, repr=False)
class StacksOptions(Options):
    """Sets of stacks of threads, all values explicit."""

    rules: int = option(1_000_000, "give up beyond so many rules of the pushdown systems")


@dataclass(frozen=True, eq=False, repr=False)
class TransducersOptions(Options):
    """Transducers of the contexts of threads, all values explicit."""

    rules: int = option(20_000, "give up beyond so many rules of the pushdown systems")


@dataclass(frozen=True, eq=False, repr=False)
class ExplicitOptions(Options):
    """One state after the other."""

    states: int = option(1_000_000, "give up beyond so many states")
    reduction: str = option(
        "local", "programs with references: 'local' lets a thread run on while nobody can notice", ("local", "none")
    )
    region: int = option(100_000, "programs with references: give up where an atomic region takes more steps")


@dataclass(frozen=True, eq=False, repr=False)
class ReferenceOptions(Options):
    """Summaries of programs with references."""

    edges: int = option(100_000, "give up where one call has more path edges")
    calls: int = option(100_000, "give up beyond so many different calls")
    changes: int = option(100_000, "give up where one call has changed and made more places and cells")


@dataclass(frozen=True, eq=False, repr=False)
class AutomaticOptions(ExplicitOptions):
    """The choices of whichever method is chosen, for a program with references or for C."""

    edges: int = option(10_000, "one thread: where one call has more path edges, start again with 'visible'")
    units: int = option(UNITS, "C: give up beyond so many resource units of z3, a few minutes")


@dataclass(frozen=True, eq=False, repr=False)
class SearchOptions(Options):
    """Runs on chosen inputs."""

    runs: int = option(100_000, "give up beyond so many states at which runs meet")


@dataclass(frozen=True, eq=False, repr=False)
class ModularOptions(Options):
    """One thread at a time, under all that the others can do."""

    visits: int = option(20_000, "give up beyond so many steps of a worklist")


@dataclass(frozen=True, eq=False, repr=False)
class HornOptions(Options):
    """Horn clauses, decided by Spacer."""

    units: int = option(UNITS, "C: give up beyond so many resource units of z3, a few minutes")


@dataclass(frozen=True, eq=False, repr=False)
class RankingOptions(Options):
    """Measures that decrease."""

    units: int = option(60_000_000, "give up beyond so many resource units of z3, about a minute")


@dataclass(frozen=True, eq=False, repr=False)
class RecurrenceOptions(Options):
    """Sets of states to which a run can always come back."""

    units: int = option(20_000_000, "give up beyond so many resource units of z3, seconds")


@dataclass(frozen=True, eq=False, repr=False)
class StatesOptions(Options):
    """Sets of configurations of threads."""


@dataclass(frozen=True, eq=False, repr=False)
class YasmOptions(Options):
    """Predicate abstraction from both sides."""

    predicate: tuple[str, ...] = option((), "a predicate to begin with, as in 'main: x > 0'")
    refine: bool = option(True, "do not look for other predicates")
    refinements: int = option(30, "give up after so many rounds of new predicates")
    units: int = option(UNITS, "C: give up beyond so many resource units of z3, a few minutes")
