"""Names that packages import when they are first used are the ones that type checkers see, and all exist."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

PACKAGES = ["knaster", "knaster.pushdown", "knaster.pushdown.domains"]


def declared(package: str) -> dict[str, str]:
    """Return what `if TYPE_CHECKING` imports: the public name, and where it comes from."""
    file = import_module(package).__file__
    assert file is not None
    return {
        alias.asname: node.module if alias.asname == alias.name else f"{node.module}:{alias.name}"
        for node in ast.walk(ast.parse(Path(file).read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module is not None
        for alias in node.names
        if alias.asname is not None
    }


@pytest.mark.parametrize("package", PACKAGES)
def test_names(package: str) -> None:
    module = import_module(package)
    assert declared(package) == module._HOMES
    assert sorted(module.__all__) == sorted(module._HOMES)
    assert set(module.__all__) <= set(dir(module))
    for name, home in module._HOMES.items():
        place, _, other = home.partition(":")
        assert getattr(module, name) is getattr(import_module(place), other or name)
        assert name in vars(module)  # the second time it costs nothing
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        module.nothing  # noqa: B018


def test_no_name_is_hidden_by_a_module() -> None:
    """A name that is also a module's would mean one thing before that module is imported and another after it."""
    for package in PACKAGES:
        module = import_module(package)
        folder = Path(module.__path__[0])
        assert not {path.stem for path in folder.iterdir()} & set(module._HOMES)


def test_importing_a_package_imports_little() -> None:
    script = "import sys, knaster, knaster.pushdown; print(sorted(n for n in sys.modules if n.startswith('knaster')))"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert ast.literal_eval(found) == [
        "knaster",
        "knaster.base",
        "knaster.base.lazy",
        "knaster.pushdown",
        "knaster.version",
    ]
