"""The check of a run of threads with memory that never ends: its cycle leads back to the state in which it began.

The file has the inputs of all, and stem and cycle as turns (`run`).  States are compared up to the names of objects.
Where the first round leads elsewhere (the kernel compares variables that nobody reads again, too), a second one with
the same inputs is taken.  Where only fair runs count, each thread that takes no step of the cycle cannot move somewhere
on it (weakly), or nowhere on it (strongly); inside a section nobody is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster_check.memory.given import GivenInputs
from knaster_check.memory.run import Run
from knaster_check.memory.runs import no_judgement_where_it_stumbles
from knaster_check.memory.threads import key_of
from knaster_check.program import Program, Target
from knaster_check.refused import Refused, Unsupported, expect, list_of, object_with
from knaster_check.table import Verdict
from knaster_check.temporal.refutation import FIELDS, Refutation
from knaster_check.work import Tick


def check(program: Program, given: object, tick: Tick) -> Verdict:
    """Return that a run which counts never ends."""
    data = object_with(given, (*FIELDS, "inputs"), "'run_of_threads'")
    if data["formula"] is not None:
        raise Unsupported("the kernel looks at no formulas about threads with memory")
    question = Refutation(program, data)
    expect(not (question.deeper or question.stays), "a run of threads with memory comes back to the same state")
    expect(len(program.threads) == 1, "the program has threads from the start")
    with no_judgement_where_it_stumbles():
        run = _Around(program, data, question.fair, tick)
        run.follow(list_of(data["stem"], "stem"))
        run.check_cycle(list_of(data["cycle"], "cycle"))
    return question.verdict(run.steps)


class _Around(Run):
    """A run that follows a stem, and then goes around."""

    def __init__(self, program: Program, data: Mapping[str, Any], fair: str, tick: Tick) -> None:
        super().__init__(program, list_of(data["inputs"], "inputs"), Target("", program.threads[0], 0), tick)
        self.fair, self.around = fair, False
        self.moved: set[int] = set()  # threads that take a step of the cycle
        self.able: list[set[int]] = []  # who can move in the states of the cycle outside of sections

    def check_cycle(self, turns: list[Any]) -> None:
        """Refuse a cycle that does not come back, or is not fair."""
        inputs, states = self.machine.inputs, [key_of(self.machine)]
        assert isinstance(inputs, GivenInputs)
        read = inputs.count
        self.around = True
        self.follow(turns)
        states.append(key_of(self.machine))
        if states[0] != states[1]:
            inputs.rows = [*inputs.rows[: inputs.count], *inputs.rows[read:]]
            self.moved, self.able = set(), []
            try:
                self.follow(turns)
            except Refused:
                raise Unsupported("the cycle cannot be taken twice, as far as the kernel can tell") from None
            states = [states[1], key_of(self.machine)]
        if states[0] != states[1]:
            raise Unsupported("the cycle ends in another state, as far as the kernel can tell")
        expect(bool(self.moved) and bool(self.machine.may_run), "the cycle has no step")
        for thread in range(1, len(self.machine.threads) + 1) if self.fair != "none" else ():
            able = [thread in each for each in self.able]
            wronged = thread not in self.moved and (any(able) if self.fair == "strong" else all(able))
            expect(not wronged, "the run is not fair", f"thread {thread}")

    def _take(self, line: int) -> None:
        if self.around:
            self.moved.add(self.machine.current)
            if not self.machine.depth and self.fair != "none":
                self.able.append({number for number in self.machine.may_run if self._can_move(number)})
        super()._take(line)
