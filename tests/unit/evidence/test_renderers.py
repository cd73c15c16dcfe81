"""Every line of the table of renderers names a function, and evidence draws itself by it."""

from __future__ import annotations

import json
from typing import Any

import pytest

import knaster
from knaster.base.lazy import load_named
from knaster.evidence.renderers import RENDERERS, render
from support import ROOT


@pytest.mark.parametrize("what", RENDERERS)
def test_every_name_is_there(what: str) -> None:
    assert callable(load_named(RENDERERS[what]))
    assert RENDERERS[what].startswith("knaster.report.")


def test_a_result_draws_itself() -> None:
    result: Any = knaster.check(ROOT / "examples" / "figure1.bp", "R")
    assert result.to_text().splitlines()[0].endswith("FALSE. R (line 12) is reachable (trace replayed).")
    assert json.loads(result.to_json())["verdict"] == "FALSE"
    assert "<svg" in result._repr_svg_() and result._repr_html_().startswith("<")
    assert render("text of a result", result) == result.to_text()
