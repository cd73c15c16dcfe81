"""Answers that were found before: the evidence of an earlier run is checked again on the program in hand.

Nothing is believed.  An entry holds proof files (`checkers.files`) and which target each is about; a proof is checked,
a run replayed, and what fails is deleted and found anew.  So a cache that somebody else has written cannot lie.  Kept
are answers of sequential programs of Boolean variables, of integers and of memory, without a bound, of which all are
decided.

A proof that the kernel has checked is handed to the kernel again, and the others to their checkers: one check of each.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from knaster.base.errors import InternalError, KnasterError, ProofError
from knaster.base.file_store import FileStore
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers.files import examine_evidence, read_evidence
from knaster.checkers.kernel import Word, ask_kernel
from knaster.decide.asked import How
from knaster.decide.conclusions.second_look import WORK, replay_again
from knaster.decide.node_tables import with_enough_nodes
from knaster.evidence.answers.answer import (
    DELETED_ENTRY,
    Answer,
    Answers,
    Diverges,
    Reachable,
    Result,
    Terminates,
    Unreachable,
)
from knaster.evidence.proofs.files import entry_of, fingerprint, write_document
from knaster.evidence.proofs.table import kind_of
from knaster.evidence.questions.question import Question, Reach, Target, Termination
from knaster.program.model import Kind, Program
from knaster.version import VERSION

_SCHEMA = 2
_CLAIMS = ("unreachable", "ends", "endless")  # of the kernel, about all runs
_BROKEN = (
    KnasterError,
    InternalError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    AssertionError,
    RecursionError,
)


class NotKept(Exception):
    """Nothing is known of a question that was to be answered from the cache alone."""


class ProofCache:
    """Answers in a folder; with `alone` nothing else is to be asked, and `recall` raises `NotKept` instead."""

    def __init__(self, folder: str, alone: bool = False) -> None:
        self.store = FileStore(folder)
        self.alone = alone

    def by_itself(self) -> ProofCache:
        """Return the same answers for somebody who asks nothing else."""
        return ProofCache(self.store.folder, alone=True)

    def recall(self, opened: Result, how: How, budget: Budget) -> Result | None:
        """Return the answer to a question whose evidence was found before and holds; None where there is none.

        `opened` is the result in which nothing is answered yet.
        """
        key = _key(opened.program, opened.question, how)
        text = self.store.get(key) if key is not None else None
        if key is None or text is None:
            if self.alone:
                raise NotKept
            return None
        try:
            entry = json.loads(text)
            if entry["key"] != key:  # which its name has said
                raise ProofError("it is about another question")
            answers, unreached = _answers(entry, opened, budget)
            found = replace(opened, answers=answers, engine=str(entry["engine"]), unreached=unreached)
            found = replay_again(found, budget)
        except _BROKEN as wrong:
            if self.alone:
                raise NotKept from None
            self.store.drop(key)
            said = str(wrong).partition("\n")[0][:200]
            return replace(opened, notes=(f"{DELETED_ENTRY}, because it does not hold: {said}",))
        return replace(found, stats={"cached": 1, "seconds": budget.seconds_spent})

    def keep(self, result: Result, how: How) -> bool:
        """Keep an answer with its evidence, where all of it can be checked again; tell whether it was kept."""
        key = _key(result.program, result.question, how)
        entry = _entry(result) if key is not None else None
        if key is None or entry is None:
            return False
        return self.store.put(key, json.dumps({"key": key, **entry}))


def _key(program: Program, question: Question, how: How) -> str | None:
    """Return what tells a question from others; None where its answers are not kept."""
    if program.kind not in (Kind.BOOLEAN, Kind.INTEGERS, Kind.MEMORY) or program.is_threaded:
        return None
    if not isinstance(question, Reach | Termination) or question.bound is not None:
        return None
    asked: object = "termination"
    if isinstance(question, Reach):
        if any(target.condition is not None for target in question.targets):
            return None
        if program.kind is not Kind.MEMORY and any(not target.has_place for target in question.targets):
            return None
        asked = [question.first, *([target.procedure, target.location, target.kind] for target in question.targets)]
    elif question.fair != "none":
        return None
    parts = [_SCHEMA, VERSION, program.language, dict(program.reading), fingerprint(program), entry_of(program)]
    return json.dumps([*parts, asked, how.engine, sorted((k, repr(v)) for k, v in how.options.items())])


def _entry(result: Result) -> dict[str, Any] | None:
    """Return the evidence of a result as plain data; None where some is missing."""
    documents: list[str] = []
    numbers: dict[int, int] = {}
    about: list[int] = []
    kernel: list[bool] = []
    targets_by_proof: dict[int, list[Target]] = {}
    proofs = [_evidence_of(answer, result) for _, answer in result.answers]
    for (target, _), proof in zip(result.answers, proofs, strict=True):
        if proof is None:
            return None
        targets_by_proof.setdefault(id(proof), []).append(target)
    for (_, answer), proof in zip(result.answers, proofs, strict=True):
        if id(proof) not in numbers:
            kind = kind_of(proof)
            if kind is None:
                return None
            excluded = targets_by_proof[id(proof)] if isinstance(answer, Reachable | Unreachable) else []
            numbers[id(proof)] = len(documents)
            documents.append(write_document(result.program, excluded, kind, proof))
            kernel.append(_has_asked_kernel(answer))
        about.append(numbers[id(proof)])
    return {
        "engine": result.engine,
        "about": about,
        "documents": documents,
        "kernel": kernel,  # who is asked again
        "unreached": result.unreached is not None,
    }


def _evidence_of(answer: Answer, result: Result) -> object | None:
    """Return the evidence of an answer that was checked and holds without a bound; None where there is none."""
    program = result.program
    match answer:
        case Reachable(trace, True):
            return trace
        case Unreachable(proof, None, True) | Terminates(proof, None, True):
            return proof if proof is not None and proof.program is program else None
        case Diverges(lasso, True) if lasso is not None and program.kind is Kind.MEMORY:
            from knaster.evidence.proofs.threads.thread_lasso import ThreadLasso

            return ThreadLasso(program, lasso, Termination())
        case Diverges(lasso, True):
            return lasso
    return None


def _has_asked_kernel(answer: Answer) -> bool:
    """Tell whether the kernel has checked a proof, or that of the reduced program."""
    match answer:
        case Unreachable() | Terminates():
            return answer.kernel or answer.kernel_reduced
        case Diverges():
            return answer.kernel
    return False


def _answers(entry: Mapping[str, Any], opened: Result, budget: Budget) -> tuple[Answers, Any]:
    """Return the answers of an entry, each of them checked, and the statements that no run reaches."""
    asked = [target for target, _ in opened.answers]
    if len(entry["about"]) != len(asked):
        raise ProofError("it is about other targets")
    answers: list[tuple[Target, Answer]] = []
    checked: dict[int, Answer] = {}
    unreached = None
    for target, number in zip(asked, entry["about"], strict=True):
        if number not in checked:
            own = [other for other, same in zip(asked, entry["about"], strict=True) if same == number]
            text, asks_kernel = entry["documents"][number], entry["kernel"][number] is True
            checked[number], never = _check(text, asks_kernel, own, opened, budget)
            unreached = never if never is not None and entry["unreached"] else unreached
        answers.append((target, checked[number]))
    return tuple(answers), unreached


def _check(text: str, asks_kernel: bool, own: Sequence[Target], opened: Result, budget: Budget) -> tuple[Answer, Any]:
    """Return the answer that a proof file gives about its targets, after checking it."""
    program, is_reach = opened.program, isinstance(opened.question, Reach)
    document = json.loads(text)
    document["targets"] = [
        {"name": target.name, "procedure": target.procedure, "location": target.location}
        for target in (own if is_reach else ())
    ]
    renamed = json.dumps(document)  # lines, and so names, may have moved
    word = ask_kernel(program, renamed, budget, most=WORK) if asks_kernel else Word(False)
    holds = word.holds and word.bound is None and word.claim in _CLAIMS
    look = read_evidence if holds else examine_evidence
    (proved, proof), _ = with_enough_nodes(lambda nodes: look(renamed, program, nodes, budget), budget)
    if proved.bound is not None or proved.formula or proved.runs != "run" or bool(proved.targets) != is_reach:
        raise ProofError("it proves something else")
    found: Any = proof
    if is_reach:
        if set(proved.targets) != set(own) or (proved.reached and len(own) != 1):
            raise ProofError("it is about other targets")
        if proved.reached:
            return Reachable(found, checked=True, failure=proved.failure), None
    claim = "unreachable" if is_reach else "endless" if proved.endless else "ends"
    if holds and word.claim != claim:
        raise ProofError(f"it shows '{word.claim}', says the kernel, not '{claim}'")
    if is_reach:
        never = found.unreached_places()
        answer = Unreachable(found, checked=True, kernel=holds, kernel_reduced=word.of_reduced)
        return answer, None if never is None else tuple(never)
    if proved.endless:
        return Diverges(getattr(found, "lasso", found), checked=True, kernel=holds), None
    return Terminates(found, checked=True, kernel=holds, kernel_reduced=word.of_reduced), None
