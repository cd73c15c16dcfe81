"""Programs that are edited since a session: targets, projections and facts are those of a fresh run."""

from __future__ import annotations

from random import Random

import pytest

import knaster
from knaster.decide.asked import Source
from knaster.decide.sessions.facts_since import facts_since
from knaster.decide.sessions.session_file import Session
from knaster.decide.sessions.since import project_since, reach_since
from knaster.evidence.answers.answer import Reachable
from knaster.frontends.languages import spelling_of
from support.edits import random_edit, random_edit_of_c
from support.generators.boolean_programs import Size, random_program
from support.generators.c_programs import text as text_of_c
from support.generators.c_programs import wilder_program

PLAIN = Size(enforced=0.0)


def compare(seed: int, edits: int) -> None:
    """Compare after each edit of one program; every statement has a label."""
    rng = Random(f"since {seed}")
    program = random_program(rng, PLAIN if rng.random() < 0.7 else Size())
    reached, projected, excluded = Session(), Session(), Session()
    for _ in range(edits + 1):
        text = spelling_of(program).to_text(program)
        source = Source(text, "p.bp")
        fresh = knaster.check(text, "all-labels", file="p.bp")
        expected = sorted((target.line, isinstance(answer, Reachable)) for target, answer in fresh.answers)
        found = reach_since(source, text, ["all-labels"], None, reached).targets
        assert sorted((line, hit) for _, line, hit in found) == expected, seed
        others = [target.name for target, answer in fresh.answers if not isinstance(answer, Reachable)]
        if others:
            shown = reach_since(source, text, others, None, excluded)
            assert not shown.any and not shown.unchecked, seed
        label = rng.choice(fresh.answers)[0].name
        wanted = knaster.project(text, label, file="p.bp")
        got = project_since(source, [label], None, projected)
        assert [node.place for node in got.nodes] == [node.place for node in wanted.nodes], (seed, label)
        program = random_edit(rng, program)


def compare_seeds(seeds: range) -> int:
    """Compare programs with three edits each; return how many."""
    for seed in seeds:
        compare(seed, 3)
    return len(seeds)


def compare_c(seeds: range) -> int:
    """Compare the facts of programs of C after each of three edits; return how many programs."""
    for seed in seeds:
        rng, kept = Random(f"since {seed}"), Session()
        program = wilder_program(seed)
        for _ in range(4):
            text = text_of_c(program)
            for domain in ("affine", "constants"):
                found = facts_since(Source(text, "p.c"), (domain,), (), None, kept)
                fresh = knaster.facts(text, domain, file="p.c")
                assert (found.lines, found.summaries) == (fresh.lines, fresh.summaries), (seed, domain)
            program = random_edit_of_c(rng, program)
    return len(seeds)


def test_random_edits_of_c() -> None:
    assert compare_c(range(2)) == 2


@pytest.mark.parametrize("seed", range(5))
def test_random_edits(seed: int) -> None:
    compare(seed, 2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5, 1_010))
def test_many_random_edits(seed: int) -> None:
    compare(seed, 3)
