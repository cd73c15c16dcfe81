"""Graphs whose nodes grow end by the count of their values."""

from __future__ import annotations

import pytest

import knaster
from knaster.engines.explicit import thread_product

GROWS = """class Box { Box next; };
class Main {
  static Box top;
  activate static void main() {
    Box one;
    while (true) { one = new Box; one.next = top; top = one; }
  }
};
"""


def test_a_list_that_grows_leaves_it_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thread_product, "ROOM", 2_000)
    result = knaster.check(GROWS, file="a.zing", property="termination")
    assert result.verdict.value == "UNKNOWN" and "more than 2,000 numbers" in result.reason
