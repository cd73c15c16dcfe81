"""What was proved, in C's own words: invariants of loops, guarantees of functions, and what no run does."""

from __future__ import annotations

import knaster
from knaster.report.text import result_to_text

TEXT = """int down(int n) { while (n > 0) n--; return n; }
int never(int n) { while (n > 0) n--; return n; }
void stop(void) { abort(); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  int i = 0;
  while (i < 7) i++;
  assert(down(x) <= 0 && i == 7);
  if (x == 5) stop();
  assert(x != 5);
  return 0;
}
"""


def test_loops_and_functions_are_shown_and_other_places_only_on_request() -> None:
    result = knaster.check(TEXT, file="test.c", engine="horn")
    lines = [line.strip() for line in result_to_text(result)]
    assert any(line.startswith("line 7, main: always") for line in lines)
    assert not any(line.startswith(("line 0,", "line 5,", "line 8,")) for line in lines)
    assert "never is never called" in lines
    assert not any(line.endswith((" 0", "always 0")) and "requires" in line for line in lines)
    assert any(line.startswith("down guarantees") and "\\result <= 0" in line for line in lines)
    shown = [line.strip() for line in result_to_text(result, verbose=True)]
    assert not any(line.startswith("line 0,") for line in shown)
