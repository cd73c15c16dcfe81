"""Edited programs: facts are those of a fresh run, and one changed procedure of many costs little."""

from __future__ import annotations

from random import Random

import pytest

import knaster
from knaster.decide.facts_session import FactsSession
from knaster.views.weighted.program_facts import AffineFacts, ConstantFacts
from support.edits import random_edit
from support.generators.boolean_programs import random_program


def compare(seeds: range, edits: int) -> int:
    """Compare facts after each of some edits of programs; return how many programs."""
    for seed in seeds:
        rng = Random(f"edits {seed}")
        program = random_program(rng)
        session = FactsSession(program)
        for _ in range(edits):
            program = random_edit(rng, program)
            session.edit(program)
            fresh_ones: list[AffineFacts | ConstantFacts] = [AffineFacts(program), ConstantFacts(program)]
            for one, fresh in zip(session.known, fresh_ones, strict=True):
                for own in program.procedures:
                    for place in {(own.name, own.entry), *((own.name, edge.source) for edge in own.edges)}:
                        assert one.at(place) == fresh.at(place), (seed, place)
                    if own.name not in program.threads:
                        assert one.summary(own) == fresh.summary(own), seed
    return len(seeds)


def test_random_edits() -> None:
    compare(range(3), 3)


CALLS = "decl g;\nvoid main() begin\n  {first}\n  f();\n  out: skip;\nend\nvoid f() begin\n  g := !g;\nend\n"


def test_a_call_that_an_edit_excludes_has_no_summary() -> None:
    session = FactsSession(knaster.parse(CALLS.format(first="skip;")), ("affine",))
    assert session.facts().summaries[0].equations
    excluded = CALLS.format(first="goto out;")
    session.edit(knaster.parse(excluded))
    assert session.facts().summaries == knaster.facts(excluded, "affine").summaries
    assert session.facts().summaries[0].equations is None


@pytest.mark.slow
def test_many_random_edits() -> None:
    compare(range(3, 260), 4)


def large_text(procedures: int, changed: int | None = None) -> str:
    """Return C functions that call each other in a chain of pairs, one of which is another where it is asked for."""
    parts = ["int g;"]
    for number in range(procedures):
        callee = f"  g = g + f{number - 1}(x);\n" if number % 10 else ""
        constant = 7 if number == changed else 1
        parts.append(f"int f{number}(int x) {{\n  int y = x + {constant};\n{callee}  return y;\n}}")
    calls = "".join(f"  g = f{number}(g);\n" for number in range(9, procedures, 10))
    return "\n".join([*parts, f"int main(void) {{\n{calls}  return g;\n}}\n"])


def test_one_of_many_procedures_costs_at_most_a_tenth() -> None:
    session = FactsSession(knaster.parse(large_text(100), file="p.c"), ("constants",))
    (known,) = session.known
    assert known.session is not None
    session.facts()
    first = known.session.explain().operations
    said = session.edit(knaster.parse(large_text(100, 55), file="p.c"))
    session.facts()
    assert not said.startswith("solved from scratch"), said
    assert known.session.explain().operations * 10 <= first, (first, str(known.session.explain()))


def test_a_changed_signature_is_solved_from_scratch() -> None:
    text = "int f(int x) {\n  return x;\n}\nint main(void) {\n  return f(1);\n}\n"
    session = FactsSession(knaster.parse(text, file="p.c"))
    other = text.replace("int x)", "int x, int y)").replace("f(1)", "f(1, 2)")
    assert session.edit(knaster.parse(other, file="p.c")) == "solved from scratch: the signature of 'f' has changed"
    assert session.facts().at(5) == knaster.facts(other, "affine", file="p.c").at(5)
