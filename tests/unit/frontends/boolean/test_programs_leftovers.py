"""A command runs without the collector, so what a reader leaves behind in cycles stays until the end of a batch."""

from __future__ import annotations

import gc

from knaster.base.errors import SourceError
from knaster.frontends.boolean import parse

GOOD = "decl g; void main() begin decl x; x := g; if (x) then f(x); fi while (*) do skip; od end void f(p) begin end"
BAD = "void main() begin y := T; x := ; fi end"


def test_reading_leaves_nothing_for_the_collector() -> None:
    _read()
    gc.collect()
    gc.disable()
    try:
        _read()
        assert gc.collect() == 0
    finally:
        gc.enable()


def _read() -> None:
    parse(GOOD)
    try:
        parse(BAD)
    except SourceError as error:
        assert len(error.problems) >= 2
    else:
        raise AssertionError("the program was read")
