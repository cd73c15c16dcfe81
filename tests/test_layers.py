"""Imports go downwards only: the table of docs/architecture.md, checked on every module."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "knaster"

SHARED = ("errors", "limits", "hints", "descent", "graphs", "spans", "version", "options")

ALLOWED: dict[str, tuple[str, ...]] = {
    "errors": (),
    "lazy": (),
    "version": (),
    "limits": (),
    "descent": (),
    "hints": (),
    "graphs": (),
    "spans": ("errors",),
    "options": ("errors",),
    "program": (*SHARED, "lazy"),
    "pushdown": (*SHARED, "lazy"),
    "pushdown.domains": (*SHARED, "lazy", "pushdown", "symbolic.bdd"),
    "heap": (*SHARED, "program"),
    "frontends": (*SHARED, "program"),
    "symbolic.bdd": ("errors",),
    "symbolic": (*SHARED, "program"),
    "calculus": (*SHARED, "symbolic.bdd", "symbolic.relation"),
    "smt": (*SHARED, "program"),
    "results": (*SHARED, "program", "symbolic", "heap", "smt"),
    "results.render": (
        *SHARED,
        "program",
        "symbolic",
        "heap",
        "results",
        "frontends.languages",
    ),  # no language
    "abstraction": (*SHARED, "program", "smt"),
    "reductions": (*SHARED, "program", "results"),
    "engines": (
        *SHARED,
        "abstraction",
        "program",
        "frontends.languages",
        "symbolic",
        "heap",
        "smt",
        "results",
        "calculus",
        "pushdown",
        "reductions",
    ),
    "conclude": (*SHARED, "bounded_proof", "program", "results", "reductions", "engines"),
    "bounded_proof": (*SHARED, "results", "reductions", "engines"),
    "schedule": (*SHARED, "program", "results"),
    "growing": (*SHARED, "schedule", "program", "results", "engines"),
    "pipeline": (
        *SHARED,
        "growing",
        "schedule",
        "program",
        "frontends.languages",
        "symbolic",
        "results",
        "reductions",
        "engines",
        "conclude",
    ),
    "projecting": (*SHARED, "program", "symbolic", "results", "reductions", "engines", "conclude", "pipeline"),
    "proofs": (*SHARED, "version", "program", "frontends.languages", "symbolic", "results"),
    "": ("lazy", "version", "limits", "engines", "conclude", "pipeline", "projecting", "program", "results"),
    "watchdog": SHARED,
    "commands": (
        *SHARED,
        "conclude",
        "schedule",
        "pipeline",
        "projecting",
        "proofs",
        "watchdog",
        "program",
        "frontends",
        "results",
        "calculus",
        "pushdown",
        "engines",
    ),
    "cli": (*SHARED, "commands"),
    "__main__": ("cli",),
}
"""Each layer and what it may import besides itself.  The longest name that fits a module counts."""


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imports(name: str, tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield every module of ours that a module imports, without the leading package, wherever the import stands."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                found = [alias.name for alias in names]
            case ast.ImportFrom(module, names, 0):
                found = [f"{module}.{alias.name}" for alias in names]
            case ast.ImportFrom():
                pytest.fail(f"{name}:{node.lineno}: relative import")
            case _:
                continue
        for full in found:
            if full == "knaster" or full.startswith("knaster."):
                yield node.lineno, full.removeprefix("knaster").removeprefix(".")


def covers(layer: str, module: str) -> bool:
    return layer == module or (layer != "" and module.startswith(layer + "."))


def layer_of(module: str) -> str:
    fitting = [layer for layer in ALLOWED if covers(layer, module)]
    assert fitting, f"{module} belongs to no layer: add it to ALLOWED and to docs/architecture.md"
    return max(fitting, key=len)


def violations(module: str, tree: ast.AST) -> list[str]:
    layer = layer_of(module)
    return [
        f"{module or 'knaster'}:{line} imports knaster.{target}, but '{layer or 'knaster'}' must not look there"
        for line, target in imports(module, tree)
        if not any(covers(below, target) for below in (layer, *ALLOWED[layer]))
    ]


@pytest.mark.parametrize(("name", "path"), list(modules()))
def test_no_layer_looks_upwards(name: str, path: Path) -> None:
    assert not violations(name, ast.parse(path.read_text("utf-8")))


MATERIAL = tuple(  # what engines are made of and work on, no engines themselves
    f"engines.{name}"
    for name in (
        "engine",
        "options",
        "table",
        "formulas",
        "rules",
        "systems",
        "contexts",
        "rings",
        "shortest",
        "path_edges",
        "abstract_path",
        "concrete_path",
        "excluding",
        "known",
        "conditions",
        "reasons",
        "retrace",
        "moves",
        "standstill",
        "watched",
        "guarantee",
        "interleaved",
        "interleavings",
        "switched",
        "by_effects",
        "closed_tables",
        "along",
        "handed",
        "reach",
        "handling",
        "clauses",
        "derived",
        "observed",
        "conjectured",
        "lawful",
        "laws",
        "learned",
        "inductive",
        "atoms",
        "houdini",
        "decreasing",
        "needed",
        "mixed",
        "following",
        "taking",
        "repeating",
        "lasso_path",
        "guided",
        "given",
        "suggested",
        "proving",
    )
)


def test_no_engine_imports_another() -> None:
    engines = [name for name, _ in modules() if name.startswith("engines.")]
    for name, path in modules():
        if name in engines and name not in ("engines.auto", "engines.portfolio"):  # whose work is to choose another
            found = {t for _, t in imports(name, ast.parse(path.read_text("utf-8"))) if covers("engines", t)}
            material = MATERIAL
            used = {t for t in found if not any(covers(layer, t) for layer in material)}
            assert not used, f"{name} imports {used}"


def test_only_one_layer_imports_a_library() -> None:
    owners = {"oxidd": "symbolic.bdd", "pycparser": "frontends.c", "z3": "smt"}
    used = set()
    for name, path in modules():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for library in (found.split(".")[0] for found in names):
                used.add(library)
                assert library not in owners or covers(owners[library], name), f"{name} imports {library}"
    assert used >= owners.keys()


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("program.model", "from knaster.evidence.traces.trace import Trace"),
        ("symbolic.bdd", "import knaster.program.model"),
        ("results.render.text", "def f():\n    from knaster.decide.check import check"),
        ("results.render.text", "from knaster.frontends.boolean.notation import NAME"),
        ("program.validate", "from knaster.frontends.languages import spelling_of"),
        ("pushdown.system", "from knaster.bdd.store import Store"),
    ],
)
def test_a_violation_is_found(module: str, line: str) -> None:
    assert violations(module, ast.parse(line))
