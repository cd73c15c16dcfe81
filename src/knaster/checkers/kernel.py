"""The second look at a proof: the kernel reads the program and the proof as texts and says whether it holds.

`knaster_check` shares no code with us; what is handed over are the texts of `evidence.proofs.kernel_text` and of the
proof file.  It is loaded when it is asked.  Where it is silent about a program with memory that was reduced to one over
integers, it is asked about that one (`memory.reduced_texts`), and what it says of it is kept apart.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import chain

from knaster.base.deferred_interrupt import DeferredInterrupt
from knaster.base.errors import ProofError, UnsupportedError
from knaster.base.limits import Budget
from knaster.base.named_tuples import NamedTuple
from knaster.evidence.questions.question import Bound
from knaster.program.expression import postorder
from knaster.program.model import Program, expressions

PATHS_WITH_FLOATS = 500_000  # units of work that paths are worth before the kernel is asked about a reduced program


class Word(NamedTuple):
    """What the kernel says of a proof: that it holds and who answered how many obligations, or why it is silent."""

    holds: bool  # of the program itself
    silence: str = ""  # why it says nothing of that
    answered: Mapping[str, int] = {}  # of a tuple
    bound: Bound | None = None  # within which it holds
    of_reduced: bool = False  # it says nothing but that the proof of the reduced program holds; who reduces is trusted
    claim: str = ""  # what holds of all runs, such as "unreachable" or "ends"; empty for formulas and for fair runs


def ask_kernel(
    program: Program, proof: str, budget: Budget, any_number: Collection[str] = (), most: int | None = None
) -> Word:
    """Return what the kernel says of a proof file; raise `ProofError` where it refuses it.

    With `most` it is silent about a proof that takes more units of work.
    """
    first = PATHS_WITH_FLOATS if most is None and _has_floats(program) and _is_reduced(proof) else most
    word = _ask(program, proof, budget, any_number, first)
    return word if word.holds else _ask_about_reduced(program, proof, budget, most, word)


def _has_floats(program: Program) -> bool:
    """Tell whether a variable or a value of a program with memory is a floating-point number."""
    from knaster.program.memory import Floating, Load

    types = (type for procedure in program.procedures for _, type in procedure.types)
    edges = (edge for procedure in program.procedures for edge in procedure.edges)
    nodes = (node for edge in edges for expr in expressions(edge.action) for node in postorder(expr))
    loads = (node.type for node in nodes if isinstance(node, Load))
    return program.memory is not None and any(isinstance(type, Floating) for type in chain(types, loads))


def _is_reduced(proof: str) -> bool:
    """Tell whether a proof file is about a reduced program, of which the kernel may be asked, too."""
    from knaster.checkers.memory.reduced_texts import REDUCED
    from knaster.evidence.proofs.files import read_document

    return read_document(proof)[1].name in REDUCED


def _ask(program: Program, proof: str, budget: Budget, any_number: Collection[str], most: int | None) -> Word:
    """Return what the kernel says of a proof of the program itself."""
    from knaster.evidence.proofs.kernel_text import program_to_kernel

    try:
        text = program_to_kernel(program, any_number)
    except UnsupportedError as unsupported:
        return Word(False, f"there is no {unsupported.feature} yet")
    return _check(text, proof, budget, most)


def _ask_about_reduced(program: Program, proof: str, budget: Budget, most: int | None, silent: Word) -> Word:
    """Return what the kernel says of the reduced program of a proof that it is silent about, if there is one."""
    from knaster.checkers.memory.reduced_texts import reduced_texts

    try:
        texts = reduced_texts(program, proof)
    except UnsupportedError:
        return silent
    if texts is None:
        return silent
    word = _check(texts.program, texts.proof, budget, most, texts.claim)
    if not word.holds:
        return silent
    return Word(False, silent.silence, word.answered, texts.bound, of_reduced=True)


def _check(program: str, proof: str, budget: Budget, most: int | None, claim: str = "") -> Word:
    """Return what the kernel says of two texts; a proof that shows something else than a `claim` is refused."""
    from knaster_check import Refused, check, read_program
    from knaster_check.refused import Unsupported

    def tick() -> None:
        if interrupt.came:
            raise KeyboardInterrupt
        budget.check()

    try:
        with DeferredInterrupt() as interrupt:  # its solvers call `tick`, and would print what is raised elsewhere
            verdict = check(read_program(program), proof, tick, most)
    except Unsupported as silent:
        return Word(False, silent.reason)
    except Refused as refused:
        raise ProofError(f"the proof does not hold, says the kernel: {refused}") from None
    if claim and (verdict.claim != claim or verdict.bound is not None):
        raise ProofError(f"the proof does not hold, says the kernel: it shows '{verdict.claim}', not '{claim}'")
    bound = None if verdict.bound is None else Bound(*verdict.bound)
    is_plain = not verdict.formula and verdict.fair == "none"
    return Word(True, "", dict(verdict.answered), bound, claim=verdict.claim if is_plain else "")
