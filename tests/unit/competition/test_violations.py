"""Full expressions: where they begin and end, and the one around a place."""

from __future__ import annotations

import pytest

from knaster.base.errors import KnasterError
from knaster.competition.tokens import TokenText
from knaster.competition.violations import enclosing_full_expression, end_of_full_expression, find_full_expression
from knaster.competition.witness import WitnessPlace

TEXT = """\
int main(void) {
  int x = a[3] + 1, y;
  for (i = p; i < q[2]; i += s) t(u);
  do { v = 1; } while (w / z);
  if (k) return m[n];
}
"""


@pytest.mark.parametrize(
    ("word", "line", "column", "last"),
    [
        ("3", 2, 3, ";"),
        ("p", 3, 8, "p"),
        ("q", 3, 15, "]"),
        ("s", 3, 25, "s"),
        ("u", 3, 33, ";"),
        ("v", 4, 8, ";"),
        ("z", 4, 24, "z"),
        ("k", 5, 7, "k"),
        ("n", 5, 10, ";"),
    ],
)
def test_the_full_expression_around_a_word(word: str, line: int, column: int, last: str) -> None:
    text = TokenText(TEXT)
    inside = next(n for n, token in enumerate(text.tokens) if token.text == word)
    found = enclosing_full_expression(text, inside)
    assert found is not None
    assert (text.tokens[found].line, text.tokens[found].column) == (line, column)
    assert find_full_expression(text, WitnessPlace("p.c", line, column), "p.c") == found
    assert text.tokens[end_of_full_expression(text, found)].text == last


def test_a_place_inside_is_none() -> None:
    with pytest.raises(KnasterError, match=r"p\.c:2:11: the witness expects a statement or a full expression"):
        find_full_expression(TokenText(TEXT), WitnessPlace("p.c", 2, 11), "p.c")
