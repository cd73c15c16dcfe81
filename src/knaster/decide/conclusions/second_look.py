"""The second look at a result: the kernel checks its proof, where that takes no longer than the check itself.

Runs of programs with memory are replayed by it, too; other runs `certify` hands to it.

What is small enough is counted, so that two runs say the same: edges of the program, nodes of decision diagrams or rows
of tables, and characters of the proof; and the kernel says nothing after so many units of work.  What is larger
`knaster certify` looks at.  See docs/kernel.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from knaster.base.errors import KernelRefusal, KnasterError, ProofError
from knaster.base.limits import OutOfBudget
from knaster.base.records import replace
from knaster.evidence.answers.answer import Answer, Diverges, Reachable, Result, Terminates, Unreachable

if TYPE_CHECKING:
    from knaster.base.limits import Budget
    from knaster.checkers.kernel import Word
    from knaster.evidence.proofs.table import ProofKind
    from knaster.evidence.questions.question import Target
    from knaster.program.model import Program

EDGES = 200  # of a program
NODES = 1_000  # of all decision diagrams of a proof
ROWS = 100  # of a table
CHARACTERS = 20_000  # of a proof file
SHAPES = 60_000  # of one of shapes, whose characters are little work
MEMORY_EDGES = 2_000  # of a program with memory, whose proofs are runs
RUNS = 8  # to targets of a program with memory
WORK = 60_000  # units of the kernel (`knaster_check.work`), each about a microsecond
LOOKED_AT = frozenset(  # kinds of proofs that the kernel checks in the time of a check
    (
        *("path_edges", "configurations", "interference", "stack_table"),
        *("invariants", "ranking", "all_runs", "state_table", "effect_table", "ranks", "fair_table", "lasso"),
        *("fair_sets", "unrolling", "sequential_program", "reduced_table", "memory_runs", "memory_states"),
        *("transaction_table", "fair_effects", "memory_paths", "regions", "reduced_threads"),
        "memory_shapes",
    )
)


def look_again(result: Result, any_number: Collection[str], budget: Budget) -> Result:
    """Return a result in which the answers say whose proof the kernel has checked, too.

    Raises `KernelRefusal` where the kernel refuses a proof.
    """
    return replay_again(_look_at_proof(result, any_number, budget), budget)


def _look_at_proof(result: Result, any_number: Collection[str], budget: Budget) -> Result:
    """Return a result in which the answers of a proof say whether the kernel has checked it."""
    candidates = [(target, answer) for target, answer in result.answers if _may_be_asked(result, answer)]
    most = EDGES if result.program.memory is None else MEMORY_EDGES
    if not candidates or result.program.size > most or _is_made(result.program):
        return result
    from knaster.evidence.proofs.table import kind_of

    proof = _evidence(candidates[0][1])
    kind = kind_of(proof)
    if kind is None or kind.name not in LOOKED_AT or (any_number and not kind.threads) or not _is_small(proof):
        return result
    own = [target for target, answer in candidates if _evidence(answer) is proof]
    ends = not isinstance(candidates[0][1], Unreachable)
    word = _ask(result, kind, proof, () if ends else own, any_number, budget)
    answers = tuple(
        (target, _mark_checked(answer, word) if target in own else answer) for target, answer in result.answers
    )
    return replace(result, answers=answers)


def replay_again(result: Result, budget: Budget) -> Result:
    """Return a result in which runs with memory to targets say whether the kernel has replayed them."""
    program = result.program
    own = [target for target, answer in result.answers if isinstance(answer, Reachable) and answer.checked]
    own = [target for target in own if target.condition is None]
    if program.memory is None or len(own) > RUNS or program.size > MEMORY_EDGES or _is_made(program):
        return result
    from knaster.evidence.proofs.table import kind_of

    answers = []
    for target, answer in result.answers:
        if isinstance(answer, Reachable) and target in own and (kind := kind_of(answer.trace)) is not None:
            answer = replace(answer, kernel=_ask(result, kind, answer.trace, (target,), (), budget).holds)
        answers.append((target, answer))
    return replace(result, answers=tuple(answers))


def _is_made(program: Program) -> bool:
    """Tell whether a program was made of another one, so that its targets have names of places in that."""
    return any(edge.origin is not None for procedure in program.procedures for edge in procedure.edges)


def _may_be_asked(result: Result, answer: Answer) -> bool:
    """Tell whether an answer has evidence about the very program that was asked about."""
    if not isinstance(answer, Unreachable | Terminates | Diverges) or not answer.checked:
        return False
    proof = _evidence(answer)
    return proof is not None and (isinstance(answer, Diverges) or proof.program is result.program)


def _evidence(answer: Answer) -> Any:
    return answer.lasso if isinstance(answer, Diverges) else getattr(answer, "proof", None)


def _is_small(proof: Any) -> bool:
    """Tell whether a proof has few nodes and rows, and is of no large reduced program."""
    inner = getattr(proof, "inner", None)
    if inner is not None and inner.program.size > MEMORY_EDGES:
        return False
    if getattr(proof, "size", len(getattr(proof, "rows", ()))) > ROWS:
        return False
    count = 0
    for function in _diagrams(proof):
        count += function.node_count()
        if count > NODES:
            return False
    return True


def _diagrams(proof: Any) -> Iterator[Any]:
    """Yield each decision diagram of a proof once."""
    layers = [sets.values() for layer in getattr(proof, "layers", ()) for sets in layer]
    conducts = [proof, *getattr(proof, "conducts", {}).values()]
    edges = [sets for conduct in conducts for sets in getattr(conduct, "path_edges", {}).values()]
    if hasattr(proof, "certificate"):  # ranks, a sequential program
        edges += [*proof.certificate.path_edges.values(), *getattr(proof, "sets", {}).values()]
    if hasattr(proof, "removals"):  # fair sets
        edges += [proof.reached.values(), *(each.kept.values() for each in (*proof.removals, *proof.inside))]
    guarantees = [conduct.guarantee.values() for conduct in conducts[1:]]
    yield from dict.fromkeys(function for sets in (*layers, *edges, *guarantees) for function in sets)


def _ask(
    result: Result,
    kind: ProofKind,
    proof: Any,
    targets: Collection[Target],
    any_number: Collection[str],
    budget: Budget,
) -> Word:
    """Return what the kernel says of a proof."""
    from knaster.checkers.kernel import Word, ask_kernel
    from knaster.evidence.proofs.files import write_document

    try:
        text = write_document(result.program, targets, kind, proof)
    except KnasterError:
        return Word(False, "it cannot be written down")
    if len(text) > (SHAPES if kind.name == "memory_shapes" else CHARACTERS):
        return Word(False, "it is too long")
    try:
        word = ask_kernel(result.program, text, budget, any_number, WORK)
    except ProofError as refused:
        raise KernelRefusal(str(refused)) from None
    except OutOfBudget:
        return Word(False, "there was no time")
    if (word.holds or word.of_reduced) and word.bound != getattr(proof, "bound", None):
        raise KernelRefusal(f"the kernel says that the proof holds within {word.bound}")
    return word


def _mark_checked(answer: Answer, word: Word) -> Answer:
    """Return an answer that says what the kernel has checked."""
    if word.of_reduced and isinstance(answer, Unreachable | Terminates):
        return replace(answer, kernel_reduced=True)
    if word.holds and isinstance(answer, Unreachable | Terminates | Diverges):
        return replace(answer, kernel=True)
    return answer
