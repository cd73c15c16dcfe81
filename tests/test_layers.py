"""Imports go downwards only: the order of rooms of docs/architecture.md, checked on every import of every module."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import ROOT

SOURCE = ROOT / "src" / "knaster"
ROOMS = (  # lowest first: a module imports its own room and earlier ones
    *("version", "base", "bdd", "calculus", "pushdown", "program", "frontends", "smt", "semantics"),
    *("evidence.questions", "evidence.traces", "evidence.proofs", "evidence.answers", "checkers"),
    *("transform", "views.symbolic", "views.summaries", "views.steps", "views.heap", "views.abstraction"),
    *("engines", "decide", "report", "api", "jobs", "commands", "cli", "__main__"),
)
OWNERS = {  # the only room that imports a library
    **{"oxidd": "bdd", "pycparser": "frontends.c"},
    **{"bitwuzla": "smt", "cvc5": "smt", "z3": "smt"},
}
CHOOSERS = ("engines.auto", "engines.integers.portfolio")  # of engines, which ask others
EXCEPTIONS = {  # a result, a trace and a projection draw themselves, inside functions
    ("evidence.answers", "report"),
    ("evidence.traces", "report"),
}
PENDING: set[tuple[str, str]] = set()  # what still goes against the order


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def covers(room: str, module: str) -> bool:
    return module == room or module.startswith(room + ".")


def room_of(module: str) -> str:
    return next((room for room in ROOMS if covers(room, module)), "")


def imports(name: str, tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield every module that a module imports, with its line, wherever the import stands."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module, names, 0):
                yield from ((node.lineno, f"{module}.{alias.name}") for alias in names)
            case ast.ImportFrom():
                pytest.fail(f"{name}:{node.lineno}: relative import")


def violations(name: str, tree: ast.AST) -> list[str]:
    room = room_of(name)
    wrong = []
    for line, target in imports(name, tree):
        below = room_of(target.removeprefix("knaster."))
        if not target.startswith("knaster.") or not room or not below or (room, below) in EXCEPTIONS | PENDING:
            continue
        if ROOMS.index(below) > ROOMS.index(room):
            wrong.append(f"{name}:{line} imports {target}: '{room}' stands below '{below}'")
    return wrong


@pytest.mark.parametrize(("name", "path"), list(modules()))
def test_no_room_looks_upwards(name: str, path: Path) -> None:
    assert not violations(name, ast.parse(path.read_text("utf-8")))


def engines() -> list[str]:
    """Return the folders that have a card; what else is in `engines` is shared by those beside it."""
    return [name for name, path in modules() if covers("engines", name) and "\nCARD = " in path.read_text("utf-8")]


@pytest.mark.parametrize("engine", engines())
def test_an_engine_is_imported_by_itself_and_those_that_choose(engine: str) -> None:
    for name, path in modules():
        if covers("engines", name) and not any(covers(one, name) for one in (engine, *CHOOSERS)):
            for line, target in imports(name, ast.parse(path.read_text("utf-8"))):
                assert not covers(engine, target.removeprefix("knaster.")), f"{name}:{line} imports {target}"


def test_a_library_has_one_owner() -> None:
    used = set()
    for name, path in modules():
        for line, target in imports(name, ast.parse(path.read_text("utf-8"))):
            library = target.split(".")[0]
            used.add(library)
            assert library not in OWNERS or covers(OWNERS[library], name), f"{name}:{line} imports {library}"
    assert used >= OWNERS.keys()


def test_checkers_share_nothing_with_engines_but_the_program_and_the_door_to_solvers() -> None:
    for name, path in modules():
        if covers("checkers", name):
            for line, target in imports(name, ast.parse(path.read_text("utf-8"))):
                module = target.removeprefix("knaster.")
                assert not covers("smt", module) or covers("smt.door", module), f"{name}:{line} imports {target}"
                assert not covers("views", module) or covers("views.symbolic", module), (
                    f"{name}:{line} imports {target}"
                )


def constructions(name: str, tree: ast.AST) -> list[int]:
    """Return the lines where a module outside of checkers makes a `Checked`."""
    if room_of(name) == "checkers" or "knaster.checkers.checked.Checked" not in dict(imports(name, tree)).values():
        return []
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call.lineno for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Checked"]


@pytest.mark.parametrize(("name", "path"), list(modules()))
def test_checkers_alone_say_that_a_proof_was_checked(name: str, path: Path) -> None:
    assert not constructions(name, ast.parse(path.read_text("utf-8")))


def test_a_claim_that_a_proof_was_checked_is_found() -> None:
    line = "from knaster.checkers.checked import Checked\nfound = Checked(proof, '', program)"
    assert constructions("engines.x", ast.parse(line)) == [2] and not constructions("checkers.x", ast.parse(line))


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("program.model", "from knaster.evidence.traces.trace import Trace"),
        ("bdd.store", "import knaster.program.model"),
        ("report.text", "def f():\n    from knaster.jobs.job import check_input"),
        ("pushdown.system", "from knaster.program.model import Program"),
    ],
)
def test_a_violation_is_found(module: str, line: str) -> None:
    assert violations(module, ast.parse(line))
