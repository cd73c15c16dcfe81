"""Records and named tuples from columns are those that the classes make one by one."""

from __future__ import annotations

import pytest

from knaster.base.errors import Span
from knaster.base.many_records import many_records, many_tuples
from knaster.program.expression import NOWHERE, TRUE
from knaster.program.model import Assume, Edge


def test_fields_have_the_values_of_the_columns_and_defaults_elsewhere() -> None:
    made = many_records(Edge, 3, {"source": range(3), "action": [Assume(TRUE)] * 3, "target": range(1, 4)})
    assert made == [Edge(number, Assume(TRUE), number + 1) for number in range(3)]
    assert [edge.span for edge in made] == [NOWHERE] * 3
    with pytest.raises(AttributeError):
        made[0].source = 7  # type: ignore[misc]


def test_named_tuples_have_their_class() -> None:
    made = many_tuples(Span, [1, 2], [3, 4], [5, 6])
    assert made == [Span(1, 3, 5), Span(2, 4, 6)]
    assert made[1].column == 4
