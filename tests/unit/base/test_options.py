"""Options: what no choice allows, what has another type, and negative limits are refused."""

from __future__ import annotations

import pytest

from knaster.base.errors import UsageError
from knaster.base.options import names
from knaster.engines.table import ENGINES, make_options

LIMITS = [
    (engine, option)
    for engine in sorted(ENGINES)
    for option in names(ENGINES[engine].options)
    if type(ENGINES[engine].options.__dataclass_fields__[option].default) is int
]


@pytest.mark.parametrize(("engine", "option"), LIMITS)
def test_a_negative_limit_is_refused(engine: str, option: str) -> None:
    with pytest.raises(UsageError, match=f"'{option}' is a limit of 0 or more, not -1"):
        make_options(engine, {option: -1})
    assert getattr(make_options(engine, {option: 0}), option) == 0


def test_values_of_another_kind_are_refused() -> None:
    with pytest.raises(UsageError, match="'states' is int, not '3'"):
        make_options("explicit", {"states": "3"})
    with pytest.raises(UsageError, match="has no option 'units'"):
        make_options("explicit", {"units": 3})
