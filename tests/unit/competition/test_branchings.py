"""Branchings of a run: whether conditions were true, from where the run goes on."""

from __future__ import annotations

import pytest

from knaster.base.errors import Span
from knaster.competition.branchings import branchings_of
from knaster.competition.tokens import TokenText

TEXT = """\
int main(void) {
  L: if (a)
    b = 1;
  else c = 2;
  if (d) goto M;
  while (e)
    f = 3;
  M: if (g) { goto L; }
  N: x = 1;
  if (h) goto M;
  goto L;
}
"""


@pytest.mark.parametrize(
    ("way", "outcomes"),
    [
        ([(2, 6), (3, 5), (5, 3), (6, 3), (7, 5), (6, 3), (8, 6)], [True, False, True, False]),
        ([(2, 6), (4, 8), (5, 3), (8, 6), (2, 6)], [False, True, True]),
        ([(2, 6), (2, 6), (4, 8)], [False]),
        ([(3, 5), (9, 9)], []),
        ([(10, 3), (2, 3), (2, 6), (3, 5)], [False, True]),
        ([(10, 3), (8, 6)], [True]),
    ],
)
def test_conditions_on_a_way(way: list[tuple[int, int]], outcomes: list[bool]) -> None:
    spans = [Span(line, column, 1) for line, column in way]
    assert [one.outcome for one in branchings_of(TokenText(TEXT), spans)] == outcomes
