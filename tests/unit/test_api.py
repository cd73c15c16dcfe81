"""Keyword options of `check`: misspelt ones are refused with a hint, and type checkers know them all."""

from __future__ import annotations

import ast
import inspect

import pytest

import knaster
from knaster import api
from knaster.base.errors import UsageError
from knaster.base.records import fields
from knaster.engines.table import ENGINES
from knaster.frontends.languages import LANGUAGES

TEXT = "void main() begin\n  decl x;\n  assert(x);\nend\n"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("ordr", "did you mean 'order'"),
        ("engne", "did you mean 'engine'"),
        ("timeout", "limits=Limits"),
        ("q9", "--help-all"),
    ],
)
def test_a_misspelt_option_gets_a_hint(name: str, hint: str) -> None:
    with pytest.raises(UsageError, match=f"there is no option '{name}'; .*{hint}"):
        knaster.check(TEXT, **{name: "x"})  # type: ignore[arg-type]


def test_type_checkers_know_every_option() -> None:
    tree = ast.parse(inspect.getsource(api))
    (record,) = (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == "CheckOptions")
    declared = {
        ast.unparse(row.target): ast.unparse(row.annotation) for row in record.body if isinstance(row, ast.AnnAssign)
    }
    kinds = [*(card.options for card in ENGINES.values()), *(language.options for language in LANGUAGES)]
    assert declared == {field.name: str(field.type) for kind in kinds for field in fields(kind)}


def test_an_option_of_another_engine_is_still_named() -> None:
    with pytest.raises(UsageError, match="the engine 'summaries' has no option 'direction'"):
        knaster.check(TEXT, engine="summaries", direction="backward")
