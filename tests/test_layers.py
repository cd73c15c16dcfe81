"""Who imports whom: the order of rooms of docs/architecture.md and its four rules, on every import of every module."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from support import ROOT

SOURCE = ROOT / "src" / "knaster"
ROOMS = (  # lowest first: a module imports its own room and earlier ones
    *("version", "base", "native", "automata", "bdd", "calculus", "pushdown"),
    *("program", "frontends", "smt", "semantics"),
    *("evidence.renderers", "evidence.questions", "evidence.traces", "evidence.proofs", "evidence.answers", "checkers"),
    *("transform", "views.symbolic", "views.summaries", "views.steps", "views.heap", "views.abstraction"),
    *("engines", "decide", "report", "competition", "api", "jobs", "editor", "commands"),
    *("cli", "__main__", "integrations"),
)
FORMULAS = ("automata.automaton", "automata.ltl", "automata.ltl_parser", "automata.words")  # what they mean
TRUSTED = ("base", "bdd", *FORMULAS, "program", "semantics", "evidence", "checkers", "smt.door")  # of checkers
CHOOSERS = ("engines.auto", "engines.integers.portfolio")  # engines that ask other engines
OWNERS = {"oxidd": "bdd", "clang": "frontends.c", "bitwuzla": "smt", "cvc5": "smt", "z3": "smt"}


def name_of(parts: tuple[str, ...]) -> str:
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


TEXTS = {
    name_of(path.relative_to(SOURCE).with_suffix("").parts): path.read_text("utf-8")
    for path in sorted(SOURCE.rglob("*.py"))
}
# folders with a card; whatever else is in `engines` is shared by those beside it
ENGINES = [name for name, text in TEXTS.items() if re.search(r"^CARD\b.*=", text, re.MULTILINE)]


def within(module: str, *rooms: str) -> bool:
    return any(module == room or module.startswith(room + ".") for room in rooms)


def room_of(module: str) -> str:
    return next((room for room in ROOMS if within(module, room)), "")


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield every module that a module imports, with its line, wherever the import stands; ours without `knaster`."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                yield from ((node.lineno, alias.name.removeprefix("knaster.")) for alias in names)
            case ast.ImportFrom(module, names, 0):
                yield from ((node.lineno, f"{module}.{alias.name}".removeprefix("knaster.")) for alias in names)
            case ast.ImportFrom():
                yield node.lineno, "a relative import"


def problems(name: str, tree: ast.AST) -> Iterator[str]:
    """Yield what is wrong with the imports of a module."""
    room, calls = room_of(name), [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for line, target in imports(tree):
        below, said = room_of(target), f"{name}:{line}: {target}"
        if room and below and ROOMS.index(below) > ROOMS.index(room):
            yield f"{said} stands above '{room}'"
        if room == "checkers" and below and not within(target, *TRUSTED):
            yield f"{said} is no part of the trusted base"
        if room == "engines" and any(within(target, e) and not within(name, e, *CHOOSERS) for e in ENGINES):
            yield f"{said} is another engine"
        if (owner := OWNERS.get(target.split(".")[0])) and not within(name, owner):
            yield f"{said} belongs to '{owner}'"
        if target == "a relative import":
            yield said
        if target == "checkers.checked.Checked" and room != "checkers":
            yield from (f"{name}:{c.lineno}: makes Checked" for c in calls if ast.unparse(c.func) == "Checked")


@pytest.mark.parametrize("room", sorted({name.split(".")[0] for name in TEXTS}))
def test_imports(room: str) -> None:
    found = [
        problem for name, text in TEXTS.items() if within(name, room) for problem in problems(name, ast.parse(text))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("program.model", "from knaster.evidence.traces.trace import Trace"),
        ("report.text", "def f():\n    import knaster.jobs.job"),
        ("checkers.ranking", "from knaster.smt.solver import Session"),
        ("checkers.ranking", "from knaster.frontends.languages import load"),
        ("engines.threads.lazy.engine", "from knaster.engines.explicit.engine import explicit"),
        ("views.steps.step", "import z3"),
        ("engines.x", "from knaster.checkers.checked import Checked\nfound = Checked(proof, '', program)"),
        ("base.graphs", "from . import hints"),
    ],
)
def test_a_problem_is_found(module: str, line: str) -> None:
    assert list(problems(module, ast.parse(line)))
    assert len(ENGINES) > 15 and {room_of(name) for name in TEXTS} >= set(ROOMS)
