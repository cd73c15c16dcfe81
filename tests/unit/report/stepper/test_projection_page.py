"""The page of a projection: what cannot matter is said in words, values and witnesses unfold, nothing is unescaped."""

from __future__ import annotations

import knaster
from knaster.report.stepper.projection_page import projection_to_html

TEXT = """\
decl g;
void main() begin
  decl l;
  l := *;
  if (l) then
    g := 1;
  else
    g := 0;
  fi
  assert(!g);
end
"""


def test_what_cannot_matter_is_said_in_words() -> None:
    page = projection_to_html(knaster.project(TEXT, file="<a>.bp"))
    assert '<div data-line="8" data-unreached><i>8</i><code>    g := 0;</code><span class="never">cannot matter' in page
    assert '<div data-line="6" data-matters><i>6</i><code>    g := 1;</code></div>' in page
    assert '<div data-line="1"><i>1</i><code>decl g;</code></div>' in page  # no statement
    assert "<h1>&lt;a&gt;.bp</h1>" in page and "<a>" not in page and "<details>" not in page


def test_annotations_unfold_and_lead_to_witnesses() -> None:
    page = projection_to_html(knaster.project(TEXT, annotate=True))
    assert '<details><summary><i>6</i><code>    g := 1;</code></summary><p>in <b>main</b> (<a href="#w1">' in page
    assert '<h3 id="w1">Witness 1</h3>' in page and "Click on a marked line" in page


def test_where_no_line_matters() -> None:
    page = projection_to_html(knaster.project(TEXT.replace("!g", "T")))
    assert "no line matters" in page and " data-matters>" not in page
