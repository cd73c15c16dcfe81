"""Attacks on what the kernel believes about all runs, made by hand: ranks, fair tables, and runs that break a formula.

A proof of one formula is given for another one that is false, its automaton is exchanged, its ranks, rows and steps are
changed one by one; a run is given for a formula that holds on it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

import knaster
from knaster.automata.ltl_parser import parse_ltl
from knaster.automata.translate import translate
from knaster.base.errors import KnasterError, ProofError
from knaster.base.limits import Budget
from knaster.checkers.files import check_proof_text, examine, proof_to_text
from knaster_check import Refused
from support.kernel import kernel
from support.temporal_programs import CASES

Document = dict[str, Any]
PETERSON = """decl f1 := 0, f2 := 0, turn := 0;
void one() begin while (1) do f1 := 1; A: turn := 1; W: while (f2 & turn) do skip; od C: f1 := 0; od end
void two() begin while (1) do f2 := 1; B: turn := 0; while (f1 & !turn) do skip; od D: f2 := 0; od end
"""
FAIR = (("G F C", "weak"), ("G !(C & D)", "none"), ("G (A -> F C)", "strong"))
UNFAIR = ("G F C", "G (A -> F C)")


@cache
def proved(text: str, asked: str, **options: Any) -> tuple[knaster.Result, str]:
    result = knaster.check(text, property=asked, file="p.bp", **options)
    return result, proof_to_text(result)


def believes(result: knaster.Result, document: Document) -> bool:
    """Tell whether the kernel believes a file."""
    try:
        kernel(result.program, document)
    except Refused:
        return False
    return True


def automaton_of(text: str) -> Document:
    """Return the automaton of what a formula excludes, as fields of a proof."""
    if text == "termination":
        return {"states": 1, "initial": [0], "steps": [[0, [], 0, [0]]], "formula": None}
    found = translate(parse_ltl(text), positive=False)
    steps = [[s.source, [list(one) for one in sorted(s.guard)], s.target, sorted(s.marks)] for s in found.steps]
    return {"states": found.states, "initial": list(found.initial), "steps": steps, "formula": str(parse_text(text))}


def parse_text(text: str) -> str:
    from knaster.automata.ltl import to_text

    return to_text(parse_ltl(text))


@pytest.mark.parametrize("case", CASES, ids=[name for name, _, _ in CASES])
def test_a_proof_for_another_formula(case: tuple[str, str, dict[str, bool]]) -> None:
    _, text, table = case
    for asked, true in table.items():
        result, proof = proved(text, asked)
        document = json.loads(proof)
        assert kernel(result.program, document).claim in ("ends", "holds", "endless", "violated")
        (part,) = (name for name in ("ranking_of_heads", "lasso") if name in document)
        for other, holds in table.items():
            forged = deepcopy(document)
            if part == "lasso" and holds and other != "termination":
                forged["lasso"] |= {"formula": parse_text(other), "stays": forged["lasso"].get("stays", False)}
            elif part == "lasso" and holds:
                forged["lasso"] = {k: v for k, v in forged["lasso"].items() if k not in ("formula", "stays")}
            elif part == "ranking_of_heads" and not holds:
                forged[part] |= {"formula": automaton_of(other)["formula"]}
                assert not believes(result, forged), (asked, other)
                forged[part] |= automaton_of(other)
            else:
                continue
            assert not believes(result, forged), (asked, other, true)


def changes(document: Document) -> Iterator[tuple[str, Document]]:
    """Yield ranks that are changed in one place."""
    data = document["ranking_of_heads"]

    def changed(*path: Any, value: Any) -> Document:
        found = deepcopy(document)
        part: Any = found["ranking_of_heads"]
        for key in path[:-1]:
            part = part[key]
        part[path[-1]] = value
        return found

    yield "no ranks", changed("ranks", value=[])
    yield "other states", changed("states", value=data["states"] + 1)
    yield "no initial state", changed("initial", value=[])
    yield "no steps", changed("steps", value=[])
    for at, (name, location, numbers) in enumerate(data["ranks"]):
        rest = data["ranks"][:at] + data["ranks"][at + 1 :]
        yield f"ranks {at} left out", changed("ranks", value=rest)
        yield f"ranks {at} twice", changed("ranks", value=[*data["ranks"], data["ranks"][at]])
        yield f"ranks {at} elsewhere", changed("ranks", at, value=[name, location + 1000, numbers])
        for rank in range(len(numbers)):
            yield f"rank {at} {rank} empty", changed("ranks", at, 2, rank, value=0)
            yield f"rank {at} {rank} full", changed("ranks", at, 2, rank, value=1)
    for at, step in enumerate(data["steps"]):
        yield f"step {at} left out", changed("steps", value=data["steps"][:at] + data["steps"][at + 1 :])
        yield f"step {at} counts not", changed("steps", at, 3, value=[] if step[3] else [0])
    for name, row in data["procedures"].items():
        for location in range(len(row["sets"])):
            yield f"set {name} {location} empty", changed("procedures", name, "sets", location, value=0)


def test_changed_ranks() -> None:
    texts = [(text, asked) for _, text, table in CASES for asked, true in table.items() if true]
    refused = harmless = 0
    for text, asked in texts[::6]:
        result, proof = proved(text, asked)
        for attack, forged in changes(json.loads(proof)):
            if not believes(result, forged):
                refused += 1
                continue
            harmless += 1  # what is left holds, says the other checker, too
            try:
                check_proof_text(json.dumps(forged), result.program, 1 << 12, Budget())
            except KnasterError:
                raise AssertionError((asked, attack)) from None
    assert refused > 150 and harmless < refused / 2


def test_a_cycle_that_does_not_repeat_its_letters() -> None:
    """The flag is dead, so the cycle can be taken again, but the second time another letter is read."""
    text = "decl x := 0; void main() begin L: while (1) do x := !x; od end"
    result, proof = proved(text, "G !{x}")
    document = json.loads(proof)
    assert kernel(result.program, document).claim == "violated"
    paths, lasso = document["lasso"]["paths"], document["lasso"]
    once = [0] if len(paths) == 1 else lasso["cycle"]
    for formula in ("F {x}", "G F {x}", "F G {x}", "X X X F {x}"):
        for steps in range(1, 6):
            forged = deepcopy(document)
            forged["lasso"]["formula"] = parse_text(formula)
            path = forged["lasso"]["paths"][once[-1]]
            path[3] = (path[3] * 3)[:steps]
            if formula != "F G {x}":  # that one is false
                assert not believes(result, forged), (formula, steps)
                with pytest.raises(ProofError):
                    examine(json.dumps(forged), result.program, 1 << 10, Budget())
    _, ended = proved("decl x := 0; void main() begin x := 1; end", "G !{x}")
    assert json.loads(ended)["lasso"]["formula"]


@pytest.mark.parametrize(("asked", "fair"), FAIR)
def test_fair_tables(asked: str, fair: str) -> None:
    result, proof = proved(PETERSON, asked, fair=fair, threads=("one", "two"), engine="explicit")
    document = json.loads(proof)
    verdict = kernel(result.program, document)
    assert (verdict.claim, verdict.fair) == ("holds", fair)
    table = document["fair_table"]
    for other in UNFAIR:
        forged = deepcopy(document)
        forged["fair_table"] |= {**automaton_of(other), "fair": "none"}
        assert not believes(result, forged)
        forged["fair_table"] |= {"formula": table["formula"]}
        assert not believes(result, forged) or other == asked
    if fair != "none":
        assert not believes(result, {**document, "fair_table": {**table, "fair": "none"}})
    assert not believes(result, {**document, "fair_table": {**table, "fair": "very"}})
    for number in range(0, len(table["rows"]), 1 + len(table["rows"]) // 12):
        rows = table["rows"][:number] + table["rows"][number + 1 :]
        assert not believes(result, {**document, "fair_table": {**table, "rows": rows}}), number
    for number, step in enumerate(table["steps"]):
        steps = table["steps"][:number] + table["steps"][number + 1 :]
        assert not believes(result, {**document, "fair_table": {**table, "steps": steps}}), step
    wrong = deepcopy(table["rows"][0])
    for at, value in enumerate(([2], [[["nobody", 0, [], None]]], 9, 1, 99)):
        row = [*wrong[:at], value, *wrong[at + 1 :]]
        assert not believes(result, {**document, "fair_table": {**table, "rows": [*table["rows"], row]}}), at


@pytest.mark.parametrize("first", ["assume(l);", "enforce(!l | !g); g := 1;", "f(l);"])
def test_a_thread_that_waits_with_some_locals_is_in_the_table(first: str) -> None:
    """A thread begins without a step, and its locals let it wait for ever: tables without such rows are no proofs."""
    text = f"decl g := 1; void one() begin decl l; {first} A: skip; end\nvoid two() begin B: skip; end\n"
    text += "void f(x) begin enforce(x); skip; end\n"
    result, proof = proved(text, "G {g}", threads=("one", "two"), engine="explicit")
    document = json.loads(proof)
    assert kernel(result.program, document).claim == "holds"
    rows = document["fair_table"]["rows"]
    waiting = [row for row in rows if any(stack and stack[0][1:3] == [0, [0]] for stack in row[1])]
    assert waiting
    for row in waiting:
        table = document["fair_table"] | {"rows": [other for other in rows if other != row]}
        assert not believes(result, document | {"fair_table": table})
