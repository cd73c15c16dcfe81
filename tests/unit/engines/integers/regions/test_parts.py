"""Groups of targets of a larger program with pointers, each on the part that it depends on."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import knaster
from knaster.base.limits import Budget
from knaster.engines.contract import Findings, Task, Undecided
from knaster.engines.integers import UNITS
from knaster.engines.integers.portfolio import portfolio
from knaster.engines.integers.regions import RegionOptions, engine, parts
from knaster.evidence.answers.answer import Reachable, Unknown, Unreachable
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.questions.question import Target
from knaster.evidence.questions.targets import default_targets
from knaster.program.model import Program
from knaster.transform.cones.reduction import ConeReduction
from knaster.transform.regions.reduce import reduce_regions

CHANNEL = """
static struct chan {{ int sent, acked; }} c{0};
static void run{0}(struct chan *c) {{
  while (in()) {{
    if (c->sent < 9 && in() > 3) c->sent = c->sent + 1;
    if (c->acked < c->sent{1} && in() < 0) c->acked = c->acked + 1;
    assert(c->acked <= c->sent);
    assert(c->sent >= 0 && c->sent <= 9);
  }}
}}
"""


def channels(count: int, wrong: int = -1) -> str:
    """Return a program of independent channels, one of them wrong."""
    head = "#include <assert.h>\nextern int in(void);\n"
    bodies = "".join(
        CHANNEL.format(number, " + 1" if number == wrong else "").replace("struct chan", f"struct chan{number}")
        for number in range(count)
    )
    calls = " ".join(f"run{number}(&c{number});" for number in range(count))
    return f"{head}{bodies}int main(void) {{ {calls} return 0; }}\n"


def ask(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[knaster.Result, list[ConeReduction]]:
    """Return what is known of a program, and the parts that were looked at."""
    looked: list[ConeReduction] = []

    def find_groups(program: Program, targets: Sequence[Target]) -> list[ConeReduction]:
        looked.extend(parts.find_groups(program, targets))
        return list(looked)

    monkeypatch.setattr(parts, "LARGE", 0)
    monkeypatch.setattr(engine, "find_groups", find_groups)
    return knaster.check(text, file="a.c", engine="regions", property="reach"), looked


def test_all_hold_and_one_proof_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    result, looked = ask(channels(3), monkeypatch)
    assert result.verdict.value == "TRUE" and result.stats["parts"] == 3
    assert [sorted({t.procedure for t in part.reduction.targets}) for part in looked] == [["run0"], ["run1"], ["run2"]]
    proofs = {answer.proof for _, answer in result.answers if isinstance(answer, Unreachable) and answer.checked}
    assert len(result.answers) == 6 and len(proofs) == 1


def test_one_that_fails_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    result, _ = ask(channels(3, 1), monkeypatch)
    kinds = [answer.__class__ for _, answer in result.answers]
    assert kinds == [Unreachable, Unreachable, Reachable, Unreachable, Unreachable, Unreachable]


def test_what_no_part_decides_is_open_and_the_rest_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    def solve(task: Task, units: int) -> Findings:
        if any(target.procedure == "run1" for target in task.targets):
            return Findings(frozenset(), Undecided("not today"), {})
        return portfolio(task, units)

    monkeypatch.setattr(parts, "portfolio", solve)
    monkeypatch.setattr(engine, "portfolio", solve)
    result, _ = ask(channels(3), monkeypatch)
    kinds = [answer.__class__ for _, answer in result.answers]
    assert kinds == [Unreachable, Unreachable, Unknown, Unknown, Unreachable, Unreachable]
    assert result.verdict.value == "UNKNOWN"


def test_a_proof_that_does_not_fit_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole program is looked at then."""

    def lift(program: Program, proofs: Sequence[Invariants]) -> Invariants:
        return Invariants(program, {}, {})

    monkeypatch.setattr(parts, "lift_invariants", lift)
    result, _ = ask(channels(2), monkeypatch)
    assert result.verdict.value == "TRUE" and "parts" not in result.stats


def test_small_programs_are_looked_at_whole() -> None:
    assert parts.find_groups(knaster.parse("int main(void) { return 0; }", file="a.c"), ()) == []


def test_what_is_decided_is_kept_where_time_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the first part no more time is left than its proof takes."""
    program = knaster.parse(channels(2), file="a.c")
    reduced = reduce_regions(program, default_targets(program))
    inner = Task(reduced.program, reduced.question, Budget(seconds=10.0**9), RegionOptions())
    monkeypatch.setattr(parts, "LARGE", 0)
    found = parts.find_groups(inner.program, inner.targets)
    monkeypatch.setattr(parts, "CHECKING", 10.0**30)
    decided = parts.decide_in_parts(found, inner, UNITS)
    assert decided is not None and decided.spent.exhausted and decided.proof is not None
    assert {target.procedure for target in decided.doubtful} == {"run1"}
    assert set(decided.doubtful.values()) == {parts.LATE}


def test_a_part_has_its_least_of_units_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    units: list[int] = []

    def ask_part(task: Task, most: int) -> Findings:
        units.append(most)
        return portfolio(task, most)

    monkeypatch.setattr(parts, "portfolio", ask_part)
    found, looked = ask(channels(3), monkeypatch)
    assert found.verdict.value == "TRUE" and units == [UNITS // 6] * len(looked) and len(looked) == 3
    units.clear()
    monkeypatch.setattr(parts, "LEAST", UNITS)
    ask(channels(3), monkeypatch)
    assert units == [UNITS] * 3


def test_targets_of_a_group_that_is_not_decided_are_asked_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def alone(task: Task, units: int) -> Findings:
        asked.append(len(task.targets))
        if len(task.targets) > 1:
            return Findings(frozenset(), Undecided("there are too many"), {})
        return portfolio(task, units)

    monkeypatch.setattr(parts, "portfolio", alone)
    result, _ = ask(channels(2), monkeypatch)
    assert result.verdict.value == "TRUE" and asked == [2, 2, 1, 1, 1, 1]
