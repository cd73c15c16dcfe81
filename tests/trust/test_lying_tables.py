"""Tables of programs with references that lack something, or say something else, are refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.checked import check_excludes
from knaster.cli import main
from knaster.decide.asked import Evidence
from knaster.evidence.answers.answer import Reachable, Unreachable
from knaster.evidence.proofs.heap.effect_table import EffectTable, RootRow
from knaster.evidence.proofs.heap.state_table import StateTable
from knaster.evidence.proofs.heap.values import UNREAD
from knaster.evidence.questions.question import Target
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.zing import parse
from knaster.program.model import Call, Program
from knaster.program.objects import Choose, Join
from knaster.semantics.heap.explore import explore
from support.generators.zing_models import ALIASING, RICH, random_model, random_threads
from support.kernel_heap import kernel_believes
from support.oracles.zing_switches import handed

HELD = """class C { C f; bool b; };
class Main {
  static C g;
  static C h;
  activate static void main() {
    C l;
    g = new C;
    h = new C;
    l = g;
    change(h);
    assert(l.b && l.f != null && l.f.b);
    change(g);
    assert(g != h);
  }
  static void change(C p) {
    bool nd;
    C old;
    old = g;
    nd = choose(bool);
    g = new C;
    old.b = true;
    old.f = new C;
    deeper(old.f);
    if (nd) { h = old; }
  }
  static void deeper(C p) { p.b = true; }
};
"""
THREADS = """chan Q int;
class Main {
  static Q c = new Q;
  static int u;
  static bool lock;
  activate static void one() {
    int l;
    l = 1;
    l = l + 1;
    atomic { select { wait(!lock) -> lock = true; } }
    u = u + 1;
    assert(u == 1);
    u = u - 1;
    lock = false;
    send(c, l);
  }
  activate static void two() {
    bool nd;
    int k;
    nd = choose(bool);
    atomic { select { wait(!lock) -> lock = true; } }
    u = u + 1;
    assert(u == 1);
    u = u - 1;
    lock = false;
    select { receive(c, k) -> ; }
    assert(k == 2);
  }
};
"""


def table_of(program: Program, engine: str, **options: Any) -> Any:
    """Return the table that an engine makes, whatever it finds, and the targets that it does not reach."""
    result = knaster.check(program, "failures", engine=engine, evidence=Evidence(proofs=True), **options)
    return result.proof, [target for target, answer in result.answers if isinstance(answer, Unreachable)]


def holds(table: Any, program: Program, targets: list[Target]) -> bool:
    """Tell whether our checker and the kernel believe a table; they have to agree."""
    believed = True
    try:
        check_excludes(table, program, targets, Budget())
    except InternalError:
        believed = False
    if getattr(table, "bound", None) is None or table.bound.kind == "switches":
        assert kernel_believes(program, table, targets) is believed
    return believed


@pytest.mark.parametrize("engine", ["visible", "patterns"])
def test_a_table_of_effects_that_lacks_something(engine: str) -> None:
    program = parse(HELD)
    table, targets = table_of(program, engine)
    assert isinstance(table, EffectTable) and holds(table, program, targets)
    damaged = list(lacking(table, program))
    assert len(damaged) > 15
    for what, wrong in damaged:
        assert not holds(wrong, program, targets), what


def lacking(table: EffectTable, program: Program) -> Iterator[tuple[str, EffectTable]]:
    """Yield a table without each of its roots, path edges and effects, and with each effect changed."""
    roots = table.roots
    for number, root in enumerate(roots):
        yield f"root {number}", replace(table, roots=without_root(roots, number))
        for index, path in enumerate(root.paths):
            action = next(e.action for e in program.procedure(root.procedure).edges if e.source == path.location)
            if index == 0 or isinstance(action, Call | Choose | Join):  # others are passed without a choice
                rest = root.paths[:index] + root.paths[index + 1 :]
                yield f"path {number} {index}", with_root(table, number, replace(root, paths=rest))
        for index, effect in enumerate(root.effects):
            rest_ = root.effects[:index] + root.effects[index + 1 :]
            yield f"effect {number} {index}", with_root(table, number, replace(root, effects=rest_))
            others: list[dict[str, Any]] = [
                {"exception": "E", "results": ()},
                {"changed": {}},
                {"statics": root.statics},
            ]
            for other in others:
                changed = replace(effect, **other)
                effects = (*root.effects[:index], changed, *root.effects[index + 1 :])
                if changed not in root.effects:
                    yield f"{other} {number} {index}", with_root(table, number, replace(root, effects=effects))


def with_root(table: EffectTable, number: int, root: RootRow) -> EffectTable:
    return replace(table, roots=(*table.roots[:number], root, *table.roots[number + 1 :]))


def without_root(roots: tuple[RootRow, ...], number: int) -> tuple[RootRow, ...]:
    def moved(callee: int) -> int:
        return -1 if callee == number else callee - (callee > number)

    return tuple(
        replace(root, paths=tuple(replace(path, callee=moved(path.callee)) for path in root.paths))
        for index, root in enumerate(roots)
        if index != number
    )


def test_cells_that_somebody_holds_are_not_kept_secret() -> None:
    program = parse(HELD)
    table, targets = table_of(program, "visible")
    secretive = 0
    for number, root in enumerate(table.roots):
        for cell in root.held:
            held = tuple(each for each in root.held if each != cell)
            assert not holds(with_root(table, number, replace(root, held=held)), program, targets)
            secretive += 1
    assert secretive > 1


def test_what_is_read_is_part_of_the_pattern() -> None:
    program = parse(HELD)
    table, targets = table_of(program, "patterns")
    hidden = 0
    for number, root in enumerate(table.roots):
        for slot, value in enumerate(root.statics):
            if value is UNREAD:
                continue
            assert not holds(with_root(table, number, unread(root, slot)), program, targets), (number, slot)
            hidden += 1
    assert hidden


def unread(root: RootRow, slot: int) -> RootRow:
    """Return a root that pretends never to have read a static."""

    def hide(row: Any) -> Any:
        if row.statics[slot] != root.statics[slot]:
            return row
        return replace(row, statics=(*row.statics[:slot], UNREAD, *row.statics[slot + 1 :]))

    paths, effects = tuple(map(hide, root.paths)), tuple(map(hide, root.effects))
    changed: RootRow = hide(replace(root, paths=paths, effects=effects))
    return changed


@pytest.mark.parametrize("reduction", ["none", "local"])
def test_a_table_of_states_that_lacks_something(reduction: str) -> None:
    program = parse(THREADS)
    table, targets = table_of(program, "explicit", reduction=reduction)
    assert isinstance(table, StateTable) and holds(table, program, targets) and table.size > 30
    for number in sorted(Random(reduction).sample(range(table.size), 12)):
        wrong = replace(table, rows=table.rows[:number] + table.rows[number + 1 :])
        assert not holds(wrong, program, targets), number
    if reduction == "local":
        assert not holds(replace(table, reduced=False), program, targets)


@pytest.mark.parametrize("reduction", ["none", "local"])
def test_a_table_within_a_bound_that_lacks_something(reduction: str) -> None:
    program = parse(THREADS)
    table, targets = table_of(program, "explicit", switches=1, reduction=reduction)
    assert isinstance(table, StateTable) and holds(table, program, targets) and table.bound is not None
    assert 15 < table.size == len(table.ran) and {switches for _, switches in table.ran} == {0, 1}
    for number in sorted(Random(reduction).sample(range(table.size), 12)):
        rows, ran = table.rows, table.ran
        last, switches = ran[number]
        without = replace(table, rows=rows[:number] + rows[number + 1 :], ran=ran[:number] + ran[number + 1 :])
        assert not holds(without, program, targets), number
        later = (*ran[:number], (last, switches + 1), *ran[number + 1 :])
        assert not holds(replace(table, ran=later), program, targets), number
        other = (*ran[:number], (3 - last, switches), *ran[number + 1 :])
        assert not holds(replace(table, ran=other), program, targets), number
    more = replace(table.bound, number=2)
    assert not holds(replace(table, bound=more), program, targets)
    assert not holds(replace(table, ran=table.ran[1:]), program, targets)
    assert not holds(replace(table, bound=replace(table.bound, kind="rounds")), program, targets)


@pytest.mark.parametrize("reduction", ["none", "local"])
def test_a_proof_within_a_bound_is_none_for_what_a_switch_more_reaches(reduction: str) -> None:
    program = parse(handed("", ""))
    result = knaster.check(program, "failures", engine="explicit", switches=6, reduction=reduction)
    late = {t: a.least for t, a in result.answers if isinstance(a, Reachable) and a.least}
    assert len(set(late.values())) > 1
    for target, least in late.items():
        assert least is not None
        table, targets = table_of(program, "explicit", switches=least - 1, reduction=reduction)
        assert target in targets and holds(table, program, [target])
        assert not holds(replace(table, bound=replace(table.bound, number=least)), program, [target])
        assert not holds(replace(table, bound=None, ran=()), program, [target])


def test_targets_that_are_reached() -> None:
    program = parse(HELD.replace("assert(g != h);", "L: g = null; g.b = true;"))
    reached = [*resolve_targets(program, "L"), *resolve_targets(program, "null-dereference")]
    for engine in ("visible", "patterns", "explicit"):
        table, targets = table_of(program, engine)
        assert targets and holds(table, program, targets)
        for target in reached:
            assert not holds(table, program, [target]), (engine, target)
        for target in set(resolve_targets(program, "failures")) - set(targets):
            assert not holds(table, program, [target]), (engine, target)


@pytest.mark.parametrize("kind", ["aliasing", "rich", "threads"])
def test_no_damage_hides_a_failure(kind: str) -> None:
    """Whatever is taken out of the table of a program that fails: it is no proof that it does not."""
    make: dict[str, Callable[[Random], str]] = {
        "aliasing": lambda rng: random_model(rng, ALIASING),
        "rich": lambda rng: random_model(rng, RICH),
        "threads": random_threads,
    }
    tried = 0
    for seed in range(30 if kind == "threads" else 6):
        rng = Random(f"damage {kind} {seed}")
        program = parse(make[kind](rng))
        found = explore(program, 400)
        if not found.complete or not found.failures:
            continue
        failing = resolve_targets(program, "any failure")
        for engine in ("explicit",) if kind == "threads" else ("visible", "patterns", "explicit"):
            result = knaster.check(program, "failures", engine=engine, evidence=Evidence(proofs=True))
            assert any(isinstance(answer, Reachable) for _, answer in result.answers)
            if result.proof is None:
                continue
            for _ in range(6):
                tried += 1
                assert not holds(damaged(rng, result.proof), program, list(failing)), program.source
    assert tried >= 12


def damaged(rng: Random, table: Any) -> Any:
    """Return a table from which some rows were taken."""
    if isinstance(table, StateTable):
        return replace(table, rows=tuple(row for row in table.rows if rng.random() < 0.9))
    rate = rng.choice([0.7, 0.9, 1.0])
    roots = [
        replace(
            root,
            paths=tuple(path for path in root.paths if rng.random() < rate),
            effects=tuple(effect for effect in root.effects if rng.random() < 0.8),
            held=tuple(cell for cell in root.held if rng.random() < 0.5) if root.held is not None else None,
        )
        for root in table.roots
    ]
    return replace(table, roots=tuple(roots))


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], dict[str, Any]]:
    """Return the proof of a program that an engine saves."""
    monkeypatch.chdir(tmp_path)

    def save(text: str, engine: str) -> dict[str, Any]:
        Path("a.zing").write_text(text)
        assert main(["check", "a.zing", "--engine", engine, "--proof", "a.proof"]) == 0
        document: dict[str, Any] = json.loads(Path("a.proof").read_text())
        return document

    return save


def certify(document: object) -> int:
    Path("b.proof").write_text(json.dumps(document))
    return main(["certify", "a.zing", "b.proof"])


Saved = Callable[[str, str], dict[str, Any]]


@pytest.mark.parametrize("engine", ["visible", "patterns", "explicit"])
def test_proofs_in_files(saved: Saved, engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = saved(HELD, engine)
    assert certify(document) == 0
    assert "any failure is unreachable" in capsys.readouterr().out
    Path("a.zing").write_text(HELD.replace("assert(g != h)", "assert(g == h)"))
    assert certify(document) == 2
    assert "another program" in capsys.readouterr().err
    Path("a.zing").write_text(HELD)
    rng, refused = Random(engine), 0
    for _ in range(40):
        wrong = json.loads(json.dumps(document))
        disturb(rng, wrong["table"])
        code = certify(wrong)
        said = capsys.readouterr()
        assert code in (0, 2) and "Traceback" not in said.err, said.err
        refused += code == 2
    assert refused > 25
    tables: list[object] = [
        {},
        [],
        None,
        {"roots": []},
        {"states": [], "reduced": True},
        {"roots": [[]]},
        {"roots": {}},
    ]
    for table in tables:
        assert certify({**document, "table": table}) == 2
    assert certify({**document, "targets": [{"name": "deadlock", "procedure": "", "location": 0}]}) == 0
    assert certify({**document, "targets": [{"name": "nothing", "procedure": "", "location": 0}]}) == 2


def disturb(rng: Random, data: Any) -> None:
    """Change one thing somewhere in a document."""
    while True:
        keys = list(data) if isinstance(data, dict) else list(range(len(data)))
        key = rng.choice(keys)
        if isinstance(data[key], dict | list) and data[key] and rng.random() < 0.8:
            data = data[key]
            continue
        match rng.randrange(4):
            case 0:
                del data[key]
            case 1:
                data[key] = rng.choice([None, 0, 1, 99, -1, True, False, "C#1", "C#9", "?", [], {}, "x", 2.5])
            case 2:
                data[key] = data[rng.choice(keys)]
            case _:
                data[key] = [data[key]]
        return


def test_a_proof_of_several_threads_in_a_file(saved: Saved) -> None:
    document = saved(THREADS, "auto")
    assert document["entry"] == "one, two" and certify(document) == 0
    assert certify({**document, "entry": "one"}) == 2
    document["table"]["states"].pop()
    assert certify(document) == 2


def test_what_takes_too_many_rows_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knaster.decide.asked.MOST_ROWS", 20)
    for engine in ("explicit", "visible"):
        result = knaster.check(parse(HELD), engine=engine)
        ((_, answer),) = result.answers
        assert isinstance(answer, Unreachable) and not answer.checked
        assert answer.unchecked == "a table of more than 20 rows; --certify checks it"
        assert knaster.check(parse(HELD), engine=engine, evidence=Evidence(proofs=True)).answers[0][1].checked
        assert not knaster.check(parse(HELD), engine=engine, evidence=Evidence(proofs=False)).answers[0][1].checked
