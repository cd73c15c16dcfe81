"""Rows and cycles that count, on graphs drawn by hand: who moves, who could have, and what is left of a cycle."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.boolean import parse
from knaster_check import Refused, read_program
from knaster_check.refused import Unsupported
from knaster_check.temporal import graph as graphs
from knaster_check.temporal.automaton import EVERYTHING
from knaster_check.temporal.fair_rows import FairRows
from knaster_check.temporal.graph import goes_on, is_fair
from knaster_check.temporal.question import Question
from knaster_check.work import nothing

NOBODY = read_program(program_to_kernel(parse("void main() begin skip; end", "p.bp")))
ENDS = Question(None, "none", EVERYTHING, {})


class Step(NamedTuple):
    """A move, drawn as `a0b`: thread 0 leads from a to b."""

    before: str
    thread: int
    after: str
    silent: bool = False


class Drawn:
    """A graph of nodes `a`, `b`...; those inside sections, and who is able where."""

    program = NOBODY

    def __init__(self, moves: str, inside: str = "", able: str = "", rests: str = "", threads: int = 2) -> None:
        self.drawn = [Step(text[0], int(text[1]), text[2], text.endswith("'")) for text in moves.split()]
        self.inside, self.resting, self.threads = inside, rests, threads
        self.able = {(text[0], int(text[1])) for text in able.split()}

    def starts(self) -> Iterable[str]:
        return ["a"]

    def moves(self, here: str) -> list[Step]:
        return [step for step in self.drawn if step.before == here]

    def is_inside(self, here: str) -> bool:
        return here in self.inside

    def is_over(self, here: str) -> bool:
        return False

    def rests(self, here: str) -> bool:
        return here in self.resting

    def count(self, here: str) -> int:
        return self.threads

    def can_move(self, here: str, thread: int) -> bool:
        return (here, thread) in self.able

    def standing(self, here: str) -> list[Any]:
        return []

    def shared(self, here: str) -> dict[str, Any]:
        return {}


def is_proof(drawn: Drawn, fair: str, rests: bool = False) -> bool:
    """Tell whether no run of a graph that counts goes around."""
    question = Question("G L" if rests else None, fair, EVERYTHING, {})
    rows = FairRows(drawn, question, implied=lambda node: True)
    rows.after["a", 0] = []
    try:
        rows.check(nothing)
    except Refused:
        return False
    return True


@pytest.mark.parametrize(
    ("moves", "able", "counts"),
    [  # for which fairness a run goes around that counts
        ("a0b", "", ""),
        ("a0a", "a0", "none weak strong"),  # nobody else
        ("a0a", "a0 a1", "none"),  # thread 1 could always move and never does
        ("a0b b0a", "a0 b0 a1 b1", "none"),
        ("a0b b0a", "a0 b0 b1", "none weak"),  # thread 1 can move again and again, but not always
        ("a0b b0a a0a", "a0 b0 b1", "none weak strong"),  # at b it could; whoever stays at a is fair to it
        ("a0b b0a b0b", "a0 b0 b1", "none weak"),
        ("a0b b1a", "a0 b1 a1", "none weak strong"),  # both move
        ("a1a", "a0 a1", "none"),
        ("a1a", "a1", "none weak strong"),
    ],
)
def test_cycles(moves: str, able: str, counts: str) -> None:
    drawn = Drawn(moves, able=able)
    for fair in ("none", "weak", "strong"):
        assert is_proof(drawn, fair) is (fair not in counts.split()), fair


def test_a_run_that_stays_in_a_section_is_fair() -> None:
    for fair in ("none", "weak", "strong"):
        assert not is_proof(Drawn("a0b b0b", inside="b", able="a0 a1"), fair)
    assert is_proof(Drawn("a0b b0a", inside="b", able="a0 a1"), "weak")
    assert not is_proof(Drawn("a0b b0a", inside="b", able="a0 b1"), "weak")  # inside, nobody asks who can move
    assert is_proof(Drawn("a0b b0a b0b'", inside="b", able="a0 a1"), "strong")  # a silent step takes no letter


def test_a_run_that_rests_goes_on_for_ever() -> None:
    assert is_proof(Drawn("a0b"), "none", rests=True)
    assert not is_proof(Drawn("a0b", rests="b"), "none", rests=True)
    assert is_proof(Drawn("a0b", rests="b"), "none", rests=False)


def test_what_leads_out_of_the_table_is_refused() -> None:
    for implied in ("", "b", "bc"):
        rows = FairRows(Drawn("a0b b0c"), ENDS, implied=implied.__contains__)
        rows.after["a", 0] = []
        if implied == "bc":
            rows.check(nothing)
            assert set(rows.after) == {("a", 0), ("b", 0), ("c", 0)}
        else:
            with pytest.raises(Refused, match="leads out"):
                rows.check(nothing)
    with pytest.raises(Refused, match="begin"):
        FairRows(Drawn("a0b"), ENDS).check(nothing)


@pytest.mark.parametrize(
    ("able", "moved", "weak", "strong"),
    [
        ("", {0}, True, True),
        ("a1 b1", {0}, False, False),
        ("a1", {0}, True, False),
        ("a1 b1", {0, 1}, True, True),
        ("a0 b0", {0}, True, True),
        ("c1 c0", set[int](), True, True),  # c is inside a section
    ],
)
def test_fairness_of_one_cycle(able: str, moved: set[int], weak: bool, strong: bool) -> None:
    drawn = Drawn("", inside="c", able=able)
    assert is_fair(drawn, "weak", "abc", moved) is weak
    assert is_fair(drawn, "strong", "abc", moved) is strong
    assert is_fair(drawn, "none", "abc", moved)
    assert is_fair(drawn, "weak", "c", moved) and is_fair(drawn, "strong", "c", moved)


def test_ways_out_of_a_section(monkeypatch: pytest.MonkeyPatch) -> None:
    assert goes_on(Drawn("b0c c0a", inside="bc"), "b") and goes_on(Drawn("b0b", inside="b"), "b")
    diamond = Drawn("b0c b0d c0e d0e", inside="bcde")
    assert not goes_on(diamond, "b") and goes_on(diamond, "a")
    monkeypatch.setattr(graphs, "MOST_INSIDE", 4)
    assert not goes_on(diamond, "b")
    monkeypatch.setattr(graphs, "MOST_INSIDE", 3)
    with pytest.raises(Unsupported):
        goes_on(diamond, "b")
