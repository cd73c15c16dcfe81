"""The cells of the tutorial run in order; what a cell ends with can draw or print itself."""

from __future__ import annotations

import ast
import json
from typing import Any

from support import ROOT


def test_every_cell_runs() -> None:
    notebook = json.loads((ROOT / "docs" / "tutorial.ipynb").read_text("utf-8"))
    names: dict[str, Any] = {}
    shown = []
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert not cell["outputs"]
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "tutorial.ipynb", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "tutorial.ipynb", "eval"), names)
            shown.append(value._repr_html_() if hasattr(value, "_repr_html_") else repr(value))
    assert len(shown) >= 9 and sum(text.startswith("<iframe") for text in shown) >= 3
    assert "('__VERIFIER_nondet_int()', 4, 3)" in "".join(shown)
