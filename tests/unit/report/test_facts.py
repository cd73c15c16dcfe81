"""Facts as text, JSON and annotated C."""

from __future__ import annotations

import json

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.report.facts import annotate_source, facts_to_json, facts_to_text

TEXT = """int main(void) {
  int x = 3, y = x;
  if (y)
    x = x + 1;
  return x;
}
"""
ANNOTATED = """int main(void) {
  int x = 3, y = x;
  //@ assert y == 3;
  //@ assert x == 3;
  if (y)
    x = x + 1;
  //@ assert y == 3;
  //@ assert x == 4;
  return x;
}
"""


def test_text() -> None:
    text = facts_to_text(knaster.facts(TEXT, file="t.c"))
    assert "       | y == 3, x == 3\n    3    if (y)\n" in text and "       | y == 3, x == 4\n    5" in text
    assert facts_to_text(knaster.facts(TEXT, file="t.c", at=[5])).count("\n") == 4


def test_what_calls_do() -> None:
    text = "decl g;\nvoid main() begin f(); h(); end\nvoid f() begin g := !g; end\nvoid h() begin h(); end\n"
    shown = facts_to_text(knaster.facts(text))
    assert "  f: g = !\\old(g)\n  h: no call of it returns\n" in shown


def test_json() -> None:
    document = json.loads(facts_to_json(knaster.facts(TEXT, "affine", file="t.c", at=[5])))
    assert document["command"] == "facts" and document["lines"] == [
        {
            "line": 5,
            "procedure": "main",
            "reachable": True,
            "facts": [{"text": "y == 3", "constant": (1 << 32) - 3, "factors": {"y": 1}, "modulo_bits": 32}],
        }
    ]


def test_annotations_stand_where_statements_may() -> None:
    assert annotate_source(knaster.facts(TEXT, file="t.c")) == ANNOTATED
    with pytest.raises(UsageError, match="written into C"):
        annotate_source(knaster.facts("void main() begin skip; end\n"))
