"""The steps of a trace with memory in the order of execution."""

from __future__ import annotations

import knaster
from knaster.evidence.answers.answer import Reachable
from knaster.evidence.traces.memory_moves import lines_of, moves_of, moves_of_segment

TEXT = """#include <stdlib.h>
int *p;
void put(int n) {
  *p = n;
}
int main(void) {
  p = malloc(4);
  put(1);
  put(2);
  if (*p == 2)
    ERROR: ;
  return 0;
}
"""


def test_lines_of_calls_that_return() -> None:
    result = knaster.check(TEXT, file="a.c", property="reach")
    ((_, answer),) = result.answers
    assert isinstance(answer, Reachable) and answer.trace is not None
    ((thread, lines),) = lines_of(answer.trace)
    assert thread == 1
    passed = [line for line, count in lines for _ in range(count)]
    assert passed.count(0) == 2  # two activations end
    assert [line for line in dict.fromkeys(passed) if line] == [7, 8, 4, 3, 9, 10]
    (segment,) = answer.trace.segments
    assert list(moves_of_segment(segment)) == list(moves_of(segment.paths[0]))
    assert len(passed) == len(list(moves_of_segment(segment)))
