"""The kernel imports nothing from Knaster, no engine, no BDD library, and solvers only inside functions."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from support import ROOT

SOURCE = ROOT / "src" / "knaster_check"
SOLVERS = {"bitwuzla", "cvc5", "pysat", "z3"}  # loaded when an obligation is handed to one
MODULES = sorted(SOURCE.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports(path: object) -> None:
    from pathlib import Path

    assert isinstance(path, Path)
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            top = name.split(".")[0]
            assert top in {"knaster_check", *SOLVERS} | sys.stdlib_module_names, f"{path.name} imports {name}"
            assert top not in SOLVERS or node not in tree.body, f"{path.name} loads {name} at once"


def test_it_loads_nothing_of_knaster() -> None:
    code = (
        "import sys; sys.modules['knaster'] = None; import knaster_check; "
        "print(*sorted({name.split('.')[0] for name in sys.modules} & {'oxidd', 'z3', 'pysat', 'cvc5', 'bitwuzla'}))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout.strip()) == (0, ""), result.stderr
