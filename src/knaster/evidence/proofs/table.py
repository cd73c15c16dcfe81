"""THE TABLE of proofs: for each kind its record, its form in a file, who checks it, and its words for people.

A kind is a module here (`to_fields`, `from_fields`, perhaps `to_words` and `to_json`), a module of the same name in
`checkers`, and a line of `PROOFS`.  What lives in a higher room, or is needed by few, is named and loaded when it is
used.  Whoever saves, reads, checks or shows a proof asks the table, and nobody else tells kinds of proofs apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from knaster.base.named_tuples import NamedTuple

if TYPE_CHECKING:
    from knaster.program.model import Place, Program


class Proof(Protocol):
    """Why targets are unreachable, or why every run ends, as a record of some kind."""

    @property
    def program(self) -> Program:
        """What it is about."""

    def unreached_places(self) -> Sequence[Place] | None:
        """Return the statements that no run reaches, in the order of the text; None where that is not known."""


class ProofKind(NamedTuple):
    """A kind of proof; every name is `MODULE:NAME`, or empty where there is nothing."""

    name: str
    record: str  # the class
    marks: tuple[str, ...]  # fields that only files with such a proof have; `table.roots` is a field of a field
    excludes: str = ""  # checker(proof, program, targets, budget): no run reaches a target
    ends: str = ""  # checker(proof, program, budget): every run ends, or one never does
    reaches: str = ""  # checker(proof, program, targets, budget): it is a run to the target
    endless: bool = False  # what it shows about the end of runs is that one never ends
    threads: bool = False  # it is one for any number of threads of a procedure
    broken: str = ""  # what is wrong where the checker stumbles over what a file says; empty: it never does
    words: bool = False  # the module has words for it
    module: str = ""  # where its form is, if not here

    @property
    def with_memory(self) -> bool:
        """Whether it is about a program with memory."""
        return any(".checkers.memory." in checker for checker in (self.excludes, self.ends, self.reaches))

    def to_fields(self, proof: Any, program: Program) -> dict[str, Any]:
        """Return a proof as fields of a document."""
        found: dict[str, Any] = self._part("to_fields")(proof, program)
        return found

    def from_fields(self, document: Mapping[str, Any], program: Program, nodes: int, budget: Any) -> Any:
        """Return the proof of a document; raise `ProofError` or `MalformedNodes` where there is none.

        `nodes` is the size of the node table of decision diagrams.
        """
        return self._part("from_fields")(document, program, nodes, budget)

    def to_words(self, proof: Any, program: Program, verbose: bool = False) -> list[str]:
        """Return what was proved as lines for people; none where there are no words for it."""
        return list(self._part("to_words")(proof, program, verbose)) if self.words else []

    def to_json(self, proof: Any, program: Program) -> dict[str, Any] | None:
        """Return what was proved for programs; None where there are no words for it."""
        return self._part("to_json")(proof, program) if self.words else None

    def is_in(self, document: Mapping[str, Any]) -> bool:
        """Tell whether a document has a proof of this kind."""
        return all(_has(document, mark) for mark in self.marks)

    @property
    def fields(self) -> frozenset[str]:
        """The fields of a document that belong to such a proof."""
        return frozenset(mark.split(".")[0] for mark in self.marks)

    def _part(self, name: str) -> Any:
        return getattr(import_module(self.module or f"{__package__}.{self.name}"), name)


def _has(document: Mapping[str, Any], mark: str) -> bool:
    field, _, inner = mark.partition(".")
    return field in document and (not inner or (isinstance(document[field], dict) and inner in document[field]))


def _kind(name: str, record: str, marks: str, excludes: str = "", ends: str = "", **more: Any) -> ProofKind:
    """Return a kind whose record is in its own module (`FOLDER.Record`: in a folder), its checkers in `checkers`."""
    folder, _, simple = record.rpartition(".")
    own = record
    if ":" not in record:
        module = more["module"] = f"{__package__}.{folder}.{name}" if folder else f"{__package__}.{name}"
        own = f"{module}:{simple}"
    first, second = (checker and f"knaster.checkers.{checker}" for checker in (excludes, ends))
    return ProofKind(name, own, tuple(marks.split()), first, second, **more)


_FORMULAS = "one of its formulas has no meaning"
_ROWS = "the program cannot run from one of its rows"
_STACKS = "the program cannot run from one of its stacks"
_STATES = "one of its states is none of the program"
_VALUES = "one of its values or formulas has no meaning"
_SETS = "one of its sets is none of the program"
_LASSO = "knaster.evidence.traces.lasso:Lasso"
_TRACE = "knaster.evidence.traces.trace:Trace"
PROOFS = (  # name, record, marks in a file, who checks that targets are excluded, who checks how runs end
    _kind("path_edges", "Certificate", "procedures nodes", "path_edges:check_path_edges"),
    _kind("state_table", "heap.StateTable", "table.states", "heap.state_table:check_state_table", broken=_ROWS),
    _kind(
        "reduced_table",
        "heap.ReducedTable",
        "table.representatives",
        "heap.reduced_table:check_reduced_table",
        broken=_ROWS,
    ),
    _kind("effect_table", "heap.EffectTable", "table.roots", "heap.effect_table:check_effect_table", broken=_ROWS),
    _kind(
        "transaction_table",
        "heap.TransactionTable",
        "table.boundaries",
        "heap.transactions.transaction_table:check_transaction_table",
        broken=_ROWS,
    ),
    _kind("referred_table", "heap.ReferredTable", "referred", "heap.referred_table:check_referred_table", broken=_ROWS),
    _kind("configurations", "threads.Configurations", "configurations", "threads.configurations:check_configurations"),
    _kind(
        "sequential_program",
        "threads.SequentialProof",
        "sequential",
        "threads.sequential_program:check_sequential_program",
        broken=_SETS,
    ),
    _kind(
        "interference", "threads.Interference", "interference", "threads.interference:check_interference", threads=True
    ),
    _kind("stack_table", "threads.StackTable", "stacks", "threads.stack_table:check_stack_table", broken=_STACKS),
    _kind("invariants", "Invariants", "invariants", "invariants:check_invariants", broken=_FORMULAS, words=True),
    _kind("unrolling", "Unrolling", "unrolling", "unrolling:check_unrolling", "unrolling:check_ending", words=True),
    _kind("ranking", "Ranking", "ranking", "", "ranking:check_ranking", broken=_FORMULAS, words=True),
    _kind("all_runs", "AllRuns", "runs", "all_runs:check_all_runs", "all_runs:check_ending", broken=_STATES),
    _kind(
        "memory_runs",
        "memory.MemoryRuns",
        "runs_of_memory",
        "memory.memory_runs:check_memory_runs",
        "memory.memory_runs:check_ending",
    ),
    _kind(
        "memory_shapes",
        "memory.MemoryShapes",
        "shapes_of_memory",
        "memory.memory_shapes:check_memory_shapes",
        broken=_ROWS,
    ),
    _kind(
        "memory_states",
        "memory.MemoryStates",
        "states_of_memory",
        "memory.memory_states:check_memory_states",
        "memory.ending_states:check_ending",
    ),
    _kind(
        "memory_paths",
        "memory.MemoryPaths",
        "paths_of_memory",
        "memory.memory_paths:check_memory_paths",
        "memory.memory_paths:check_ending",
    ),
    _kind(
        "regions",
        "memory.RegionProof",
        "regions",
        "memory.regions:check_regions",
        "memory.regions:check_ending",
        words=True,
    ),
    _kind(
        "reduced_threads",
        "memory.ReducedThreads",
        "reduced_threads",
        "memory.reduced_threads:check_reduced_threads",
    ),
    _kind(
        "guaranteed_threads",
        "memory.GuaranteedThreads",
        "guaranteed_threads",
        "memory.guaranteed_threads:check_guaranteed_threads",
        broken=_FORMULAS,
    ),
    _kind("ranks", "Ranks", "ranking_of_heads", "", "ranks:check_ranks", broken=_SETS),
    _kind("fair_table", "FairTable", "fair_table", "", "fair_table:check_fair_table", broken=_ROWS),
    _kind("fair_sets", "threads.FairSets", "fair_sets", "", "threads.fair_sets:check_fair_sets", broken=_SETS),
    _kind("fair_effects", "heap.FairEffects", "fair_effects", "", "heap.fair_effects:check_fair_effects", broken=_ROWS),
    _kind("fair_states", "heap.FairStates", "fair_states", "", "heap.fair_states:check_fair_states", broken=_ROWS),
    _kind(
        "thread_lasso",
        "threads.ThreadLasso",
        "run_of_threads",
        "",
        "runs.thread_lasso:check_saved_lasso",
        endless=True,
        broken=_VALUES,
    ),
    _kind("lasso", _LASSO, "lasso", "", "runs.lasso:check_lasso", endless=True, broken=_VALUES),
    _kind("run", _TRACE, "run", reaches="knaster.checkers.runs.run:check_run", threads=True, broken=_VALUES),
)


def kind_of(proof: object) -> ProofKind | None:
    """Return the kind of a proof; None where it is none."""
    record = f"{type(proof).__module__}:{type(proof).__qualname__}"
    return next((kind for kind in PROOFS if kind.record == record), None)


def kind_in(document: Mapping[str, Any]) -> ProofKind | None:
    """Return the kind of the proof in a document; None where there is none."""
    return next((kind for kind in PROOFS if kind.is_in(document)), None)
