"""Ways: loops have heads."""

from __future__ import annotations

import pytest

from knaster.engines.references.shapes.ways import Ways, loop_heads
from knaster.frontends.languages import load
from knaster.program.model import Program
from knaster.semantics.memory.actions import Codes

pytest.importorskip("clang.cindex")
TEXT = "int in(void);\nint main(void) { int *p = 0; while (in()) { while (in()) p = 0; } return p != 0; }\n"


def test_every_cycle_has_a_head_and_ways_end_there() -> None:
    program = load(TEXT, file="a.c", objects="always")
    assert isinstance(program, Program)
    main = program.procedure("main")
    heads = loop_heads(main)
    assert len(heads) == 2
    ways = Ways(Codes(program), frozenset(), frozenset(), lambda: None)
    (start,) = ways.starts()
    (way,) = ways.ways(start)
    assert way.shape is not None and way.shape.top.location in heads
    ends = {found.shape.top.location for found in ways.ways(way.shape) if found.shape is not None}
    assert ends == {main.exit, *(heads - {way.shape.top.location})}
