"""Fair tables: one with a row less, or of another question, is refused."""

from __future__ import annotations

from itertools import combinations, product
from random import Random
from typing import Any

import pytest

import knaster
from knaster.automata.automaton import Automaton
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers.fair_table import Cycles, check_fair_table
from knaster.evidence.answers.answer import Terminates
from knaster.evidence.proofs.fair_table import FairTable
from knaster.evidence.questions.question import Termination

BUSY = "decl x := 0; void main_1() begin while (!x) do skip; od end void main_2() begin x := 1; end\n"


def table(asked: str, fair: str) -> FairTable:
    ((_, answer),) = knaster.check(BUSY, property=asked, fair=fair, engine="explicit").answers
    assert isinstance(answer, Terminates) and isinstance(answer.proof, FairTable)
    return answer.proof


@pytest.mark.parametrize("asked", ["termination", "F ended"])
def test_every_row_is_needed(asked: str) -> None:
    proof = table(asked, "weak")
    check_fair_table(proof, proof.program, Budget())
    for at in range(len(proof.rows)):
        less = replace(proof, rows=proof.rows[:at] + proof.rows[at + 1 :])
        with pytest.raises(InternalError):
            check_fair_table(less, proof.program, Budget())


def test_another_question_is_not_answered() -> None:
    proof = table("termination", "weak")
    for wrong in (
        replace(proof, question=Termination()),
        replace(proof, automaton=Automaton(1, (), ())),
        replace(table("F ended", "weak"), automaton=Automaton(1, (0,), ())),
    ):
        with pytest.raises(InternalError):
            check_fair_table(wrong, wrong.program, Budget())
    other = knaster.parse(BUSY)
    with pytest.raises(InternalError):
        check_fair_table(proof, other, Budget())


class Places:
    """A graph whose nodes are numbers: which are inside sections, how many threads there are, and who can move."""

    def __init__(self, rng: Random, size: int) -> None:
        self.inside = {node for node in range(size) if rng.random() < 0.2}
        self.counts = [rng.randint(1, 2) for _ in range(size)]
        self.able = {(node, thread) for node in range(size) for thread in range(2) if rng.random() < 0.6}

    def is_inside(self, node: int) -> bool:
        return node in self.inside

    def count(self, node: int) -> int:
        return self.counts[node]

    def can_move(self, node: int, thread: int) -> bool:
        assert thread < self.counts[node]
        return (node, thread) in self.able

    def is_fair(self, nodes: set[int], moved: set[int], fair: str) -> bool:
        """Tell whether a cycle through all of some nodes is fair, by definition."""
        outside = nodes - self.inside
        if fair == "none" or not outside:
            return True
        for thread in set(range(max(self.counts[node] for node in outside))) - moved:
            able = [thread < self.counts[node] and (node, thread) in self.able for node in outside]
            if all(able) if fair == "weak" else any(able):
                return False
        return True


def has_cycle(graph: Places, after: dict[Any, Any], fair: str) -> bool:
    """Tell whether some set of rows has an accepted fair cycle through all of it."""
    for count in range(1, len(after) + 1):
        for rows in map(set, combinations(after, count)):
            steps = [(row, *step) for row in rows for step in after[row] if step[0] in rows]
            reach = {row: {target for source, target, _, _ in steps if source == row} for row in rows}
            for middle, source in product(rows, rows):
                if middle in reach[source]:
                    reach[source] |= reach[middle]
            whole = all(reach[row] == rows for row in rows)
            moved = {thread for _, _, thread, _ in steps}
            if whole and any(step[3] for step in steps) and graph.is_fair({node for node, _ in rows}, moved, fair):
                return True
    return False


@pytest.mark.parametrize("fair", ["none", "weak", "strong"])
def test_an_accepted_fair_cycle_is_found_wherever_it_is(fair: str) -> None:
    """As by trying every set of rows."""
    found = 0
    for seed in range(150):
        rng = Random(seed)
        rows = [(node, 0) for node in range(rng.randint(1, 5))]
        graph = Places(rng, len(rows))
        after: dict[Any, Any] = {row: [] for row in rows}
        for _ in range(rng.randint(1, 9)):
            after[rng.choice(rows)].append((rng.choice(rows), rng.choice((0, 0, 1)), rng.random() < 0.3))
        cycles = Cycles(graph, after, lambda: None)
        if has_cycle(graph, after, fair):
            found += 1
            with pytest.raises(InternalError, match="an accepted run"):
                cycles.refuse(fair)
        else:
            cycles.refuse(fair)
    assert 20 < found < 130
