"""The table of kinds: every entry can be used, and what it says is what happens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

import knaster
from knaster.base.errors import UnsupportedError
from knaster.base.lazy import load_named
from knaster.checkers.runs.replay import replay
from knaster.evidence.questions.question import Target
from knaster.evidence.questions.targets import every_target, resolve_targets
from knaster.evidence.traces.trace import Trace
from knaster.frontends.languages import load
from knaster.program.model import Kind, Program
from knaster.report.entries import Entry, list_entries
from knaster.semantics import table
from knaster.semantics.table import SEMANTICS, Semantics, semantics_of

TEXTS = {
    Kind.BOOLEAN: ("a.bp", "decl g;\nvoid main() begin g := 1; assert(!g); L: skip; end\n"),
    Kind.INTEGERS: ("a.c", "int main(void) { int x = 1; if (x) { ERROR: return 1; } return 0; }\n"),
    Kind.MEMORY: ("b.c", "int main(void) { int x = 1, *p = &x; if (*p) { ERROR: return 1; } return 0; }\n"),
    Kind.REFERENCES: ("a.zing", "class C { activate static void main() { int x; x = 1; assert(x == 2); } };\n"),
}


@pytest.mark.parametrize("semantics", SEMANTICS.values(), ids=lambda semantics: semantics.kind.value)
def test_every_function_that_the_table_names_is_there(semantics: Semantics) -> None:
    assert all(callable(load_named(name)) for name in semantics if isinstance(name, str))


def test_every_kind_has_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(SEMANTICS) == set(Kind) == set(TEXTS)
    monkeypatch.setattr(table, "SEMANTICS", {})
    with pytest.raises(UnsupportedError, match="programs of kind 'memory' have no meaning yet"):
        semantics_of(Program((), (), kind=Kind.MEMORY))


@pytest.mark.parametrize(
    ("kind", "default", "every"),
    [
        (Kind.BOOLEAN, ["assert at line 2"], {"assert at line 2", "L"}),
        (Kind.INTEGERS, ["ERROR"], {"ERROR"}),
        (Kind.MEMORY, ["ERROR"], {"ERROR"}),
        (Kind.REFERENCES, ["any failure"], {"any failure", "deadlock", "assert at line 1", "overflow"}),
    ],
)
def test_targets_are_those_of_the_kind(kind: Kind, default: list[str], every: set[str]) -> None:
    file, text = TEXTS[kind]
    program = load(text, file=file)
    assert [target.name for target in resolve_targets(program, None)] == default
    assert every <= {target.name for target in every_target(program)}


def test_only_threads_have_a_deadlock_among_their_targets() -> None:
    program = load("decl g;\nvoid main() begin L: skip; end\n", file="a.bp")
    assert [target.name for target in every_target(program)] == ["L"]
    threads = replace(program, threads=("main", "main"))
    assert [target.name for target in every_target(threads)] == ["L", "deadlock"]


@pytest.mark.parametrize("kind", TEXTS)
def test_runs_are_replayed_and_shown_as_the_table_says(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    file, text = TEXTS[kind]
    result = knaster.check(text, file=file)
    assert result.trace is not None
    said: list[str] = []

    def pretend(program: Program, trace: Trace, what: object, shared: object = None) -> Iterator[Entry] | None:
        said.append(type(what).__name__)
        return iter(()) if isinstance(what, int) else None

    replay(result.program, result.trace, resolve_targets(result.program, None)[0])
    assert list(list_entries(result.program, result.trace))
    monkeypatch.setattr("knaster.checkers.runs.replay.replay_states", pretend)
    here = SEMANTICS[kind]._replace(replay="knaster.checkers.runs.replay:replay_states")
    here = here._replace(entries="knaster.checkers.runs.replay:replay_states")
    monkeypatch.setattr(table, "SEMANTICS", {kind: here})
    replay(result.program, result.trace, Target("nowhere", "main", 99, 1))
    assert list(list_entries(result.program, result.trace)) == [] and said == ["Target", "int"]


def test_only_c_reads_inputs_and_has_remarks() -> None:
    for kind, semantics in SEMANTICS.items():
        c = kind in (Kind.INTEGERS, Kind.MEMORY)
        assert (semantics.reads_inputs, semantics.remarks is not None) == (c, c)
