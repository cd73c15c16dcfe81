"""The second look at a proof: the kernel reads the program and the proof as texts and says whether it holds.

`knaster_check` shares no code with us; what is handed over are the texts of `evidence.proofs.kernel_text` and of the
proof file.  It is loaded when it is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from knaster.base.errors import ProofError, UnsupportedError
from knaster.base.file_line import FileLine
from knaster.base.limits import Budget
from knaster.base.named_tuples import NamedTuple
from knaster.evidence.questions.question import Bound
from knaster.program.model import Program


class Word(NamedTuple):
    """What the kernel says of a proof: that it holds and who answered how many obligations, or why it is silent."""

    holds: bool
    silence: str = ""  # why it says nothing
    answered: Mapping[str, int] = {}  # of a tuple
    bound: Bound | None = None  # within which it holds


def ask_kernel(
    program: Program, proof: str, budget: Budget, any_number: Collection[str] = (), most: int | None = None
) -> Word:
    """Return what the kernel says of a proof file; raise `ProofError` where it refuses it.

    With `most` it is silent about a proof that takes more units of work.
    """
    from knaster.evidence.proofs.kernel_text import program_to_kernel
    from knaster_check import Refused, check, read_program
    from knaster_check.refused import Unsupported

    if any(isinstance(procedure.span.line, FileLine) for procedure in program.procedures):
        return Word(False, "it has no names for the lines of several files, and functions of the library are one")
    try:
        text = program_to_kernel(program, any_number)
    except UnsupportedError as unsupported:
        return Word(False, f"there is no {unsupported.feature} yet")
    try:
        verdict = check(read_program(text), proof, budget.check, most)
    except Unsupported as silent:
        return Word(False, silent.reason)
    except Refused as refused:
        raise ProofError(f"the proof does not hold, says the kernel: {refused}") from None
    bound = None if verdict.bound is None else Bound(*verdict.bound)
    return Word(True, "", dict(verdict.answered), bound)
