"""What an assignment copies: constants, variables of which every value is kept, or anything."""

from __future__ import annotations

import pytest

from knaster.program.expression import Choice, Const, Convert, Expr, Not, Var
from knaster.program.types import BOOL, Int
from knaster.pushdown.domains.constants import TOP, Source
from knaster.views.weighted.constant_sources import constant_source

INT, CHAR = Int(32), Int(8)
SLOTS, TYPES = {"i": "#0", "c": "#1"}, {"i": INT, "c": CHAR}


@pytest.mark.parametrize(
    ("expr", "source"),
    [
        (Const(5), 5),
        (Const(True), 1),
        (Const((1, 2)), TOP),
        (Var("i"), "#0"),
        (Var("other"), TOP),
        (Convert(Const(300), CHAR), 44),
        (Convert(Var("c"), INT), "#1"),
        (Convert(Var("i"), CHAR), TOP),
        (Convert(Var("i"), BOOL), TOP),
        (Choice(INT), TOP),
        (Not(Var("i")), TOP),
    ],
)
def test_sources(expr: Expr, source: Source) -> None:
    assert constant_source(expr, SLOTS, TYPES) == source
