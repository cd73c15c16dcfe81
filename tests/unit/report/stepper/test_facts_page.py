"""The page of facts: each fact above its line, summaries, and nothing that is not escaped."""

from __future__ import annotations

import knaster
from knaster.report.stepper.facts_page import facts_page

TEXT = """int g;
int f(int x) {
  if (x < 1)
    return 3;
  return 3;
}
int main(void) {
  g = f(2);
  return g;
}
"""


def test_facts_stand_above_their_lines() -> None:
    page = facts_page(knaster.facts(TEXT, file="<a>.c"))
    assert (
        '<div data-line="9"><span class="fact" data-proof>g == 3</span><i>9</i><code>  return g;</code></div>' in page
    )
    assert '<tr><th scope="row">f</th><td>\\result == 3' in page
    assert "<h1>&lt;a&gt;.c</h1>" in page and "<a>" not in page
    assert '<span class="never">no path leads here</span>' in page  # x is 2
    assert 'id="data">{}</script>' in page


def test_lines_alone() -> None:
    page = facts_page(knaster.facts(TEXT, "constants", file="a.c", at=[9]))
    assert "g == 3" in page and "What each call does" not in page
