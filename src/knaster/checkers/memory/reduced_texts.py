"""A proof by a reduced program as two texts for the kernel: that program, made again, and its proof of the file.

The reduced program is made from the program that was asked about, never read from a file.  Its targets are the places
that the reduction says they stand for, and all those where it knows nothing.  What the kernel says of these texts it
says of the reduced program alone: that this one reaches what the program reaches is trusted (docs/trust.md).
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from knaster.base.errors import ProofError
from knaster.base.lazy import load_named
from knaster.base.named_tuples import NamedTuple
from knaster.base.records import replace
from knaster.evidence.proofs.files import check_subject, fingerprint, read_document, targets_of
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.evidence.proofs.memory.reduced_threads import read_bound, reduce_threads
from knaster.evidence.proofs.memory.regions import REFUSED, reduce_memory
from knaster.evidence.proofs.reading import expect, has_keys
from knaster.evidence.questions.question import Bound, Target
from knaster.program.model import Program

REDUCED = ("regions", "reduced_threads")  # kinds of proofs that are about a reduced program


class ReducedTexts(NamedTuple):
    """What the kernel reads of a reduced program, what it has to say of it, and the bound of the reduction."""

    program: str
    proof: str
    claim: str
    bound: Bound | None


def reduced_texts(program: Program, proof: str) -> ReducedTexts | None:
    """Return the texts of a proof file about a program that is reduced; None where it has a proof of another kind.

    Raises `ProofError` where it is no proof of this program, `UnsupportedError` where the kernel has no text of it.
    """
    document, kind = read_document(proof)
    if kind.name not in REDUCED:
        return None
    check_subject(document, program)
    data = document[kind.name]
    has_keys(data, {"asked", "proof"} | ({"bound"} if kind.name == "reduced_threads" else set()), f"'{kind.name}'")
    expect(isinstance(data["proof"], dict), "its proof is none")
    asked, excluded = targets_of({"targets": data["asked"]}, program), targets_of(document, program)
    expect(set(excluded) <= set(asked), "it is about other targets")
    bound = read_bound(data.get("bound"))
    try:
        reduced = reduce_memory(program, asked) if kind.name == "regions" else reduce_threads(program, asked, bound)
    except load_named(REFUSED) as refused:
        raise ProofError(f"the proof does not hold: the program is not reduced: {refused}") from None
    own = [target for target, original in reduced.targets if original is None or original in excluded]
    if excluded:
        expect(set(excluded) <= {original for _, original in reduced.targets}, "it is about other targets")
    else:
        expect(not own, "a run may come to a place where the reduced program knows nothing")
    labelled = _label(reduced.program, own)
    inner = {
        **{name: document[name] for name in ("format", "version", "tool", "file")},
        "reading": dict(labelled.reading),
        "program": fingerprint(labelled),
        "entry": ", ".join(labelled.threads),
        "targets": [{"name": _name(n), "procedure": t.procedure, "location": t.location} for n, t in enumerate(own)],
    }
    expect(not inner.keys() & data["proof"].keys(), "its proof is none")
    claim = "unreachable" if excluded else "ends"
    return ReducedTexts(program_to_kernel(labelled), json.dumps({**inner, **data["proof"]}), claim, bound)


def _name(number: int) -> str:
    return f"target {number}"


def _label(program: Program, targets: Sequence[Target]) -> Program:
    """Return a program in which targets have labels, by which a proof file names them."""
    labels: dict[str, list[tuple[str, int]]] = {}
    for number, target in enumerate(targets):
        labels.setdefault(target.procedure, []).append((_name(number), target.location))
    procedures = [replace(own, labels=tuple(labels.get(own.name, ()))) for own in program.procedures]
    return replace(program, procedures=tuple(procedures))
