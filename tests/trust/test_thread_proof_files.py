"""Proofs about threads in files: accepted in another process, refused when they were changed."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from knaster import Evidence, check
from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.checkers.files import check_proof_text, proof_to_text
from knaster.cli import main
from knaster.evidence.answers.answer import Reachable
from knaster.frontends.boolean import parse
from knaster.program.layout.lanes import make_lanes
from support.generators.threaded_programs import Crowd, threaded_text
from support.proof_files import accepted, said_by_another_process, with_change

TIMES = float(os.environ.get("KNASTER_EXAMPLES", "1"))
SOURCE = """decl turn, a, b;
init(!turn & !a & !b);
void main_1() begin
  assume(!turn); a := T; ERROR: assert(!b); a := F; turn := T;
end
void main_2() begin
  assume(turn); b := T; assert(!a); b := F; atomic_begin; turn := F; atomic_end;
end
"""
SEQUENTIAL = """decl g; init(!g);
void main_1() begin g := g; assert(!g); end
"""


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Return the proof of a file in the current directory."""
    monkeypatch.chdir(tmp_path)
    Path("a.bp").write_text(SOURCE)
    assert main(["check", "a.bp", "--target=asserts", "--proof", "a.proof"]) == 0
    assert capsys.readouterr().out.endswith("The proof was saved in a.proof.\n")
    return dict(json.loads(Path("a.proof").read_text()))


def test_another_process_accepts_it(saved: dict[str, Any]) -> None:
    assert "2 targets are unreachable" in said_by_another_process("a.bp", "a.proof")


def test_the_threads_are_those_of_the_check(saved: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", "a.bp", "a.proof", "--thread", "main_1"]) == 2
    assert "the proof is about runs from 'main_1, main_2', not from main_1" in capsys.readouterr().err
    assert main(["check", "a.bp", "--target=asserts", "--thread", "main_1*2", "--proof", "b.proof"]) == 0
    assert main(["certify", "a.bp", "b.proof", "--thread", "main_1*2"]) == 0
    assert main(["certify", "a.bp", "b.proof"]) == 2


def test_a_deadlock_that_cannot_be(saved: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    Path("b.bp").write_text("decl g; void main_1() begin g := T; end void main_2() begin g := F; end\n")
    assert main(["check", "b.bp", "--target=deadlock", "--proof", "b.proof"]) == 0
    assert main(["certify", "b.bp", "b.proof"]) == 0
    document = json.loads(Path("b.proof").read_text())
    document["targets"] = [{"name": "deadlock", "procedure": "", "location": 0}]
    text = Path("b.bp").read_text().replace("g := T", "assume(g)")
    assert not accepted(document | {"program": "0"}, text)


def test_path_edges_say_nothing_of_threads(saved: dict[str, Any]) -> None:
    result = check(SEQUENTIAL, "asserts", entry="main_1", file="s.bp", evidence=Evidence(proofs=True))
    sequential = json.loads(proof_to_text(result))
    forged = {
        **{name: value for name, value in saved.items() if name != "configurations"},
        **{name: sequential[name] for name in ("procedures", "nodes")},
    }
    with pytest.raises(ProofError, match="path edges"):
        check_proof_text(json.dumps(forged), parse(SOURCE, "a.bp"), 1 << 12, Budget())


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("started",), -1),
        (("started",), True),
        (("started",), 2),
        (("sets",), []),
        (("sets", 0), 7),
        (("sets", 0, 0, 0), 999),
        (("sets", 0, 0, 1), 2),
        (("sets", 0, 0, 2), 10**9),
        (("nodes",), [[0, 1]]),
        (("nodes",), "none"),
        (("nodes", 0, 0), -3),
    ],
)
def test_what_is_no_proof(saved: dict[str, Any], path: tuple[str | int, ...], value: object) -> None:
    assert not accepted(with_change(saved, "configurations", path, value), SOURCE)


def test_every_set_is_needed(saved: dict[str, Any]) -> None:
    """Without one of the sets that are not empty, something that can happen is missing."""
    sets = saved["configurations"]["sets"]
    for lane, own in enumerate(sets):
        for number, (_, _, function) in enumerate(own):
            changed = copy.deepcopy(saved)
            changed["configurations"]["sets"][lane][number][2] = 0
            assert accepted(changed, SOURCE) == (function == 0)


def test_no_proof_excludes_what_can_be_reached() -> None:
    """Everything that stands at a reachable target is taken out, and sometimes another set is exchanged."""
    rng = Random(4)
    tried = 0
    for seed in range(round(12 * TIMES)):
        text = threaded_text(Random(seed), Crowd(threads=(2, 2), calls=0.2))
        program = parse(text, "random.bp")
        result = check(program, "all-labels", evidence=Evidence(False, True))
        if result.engine != "states" or result.proof is None:
            continue
        document = json.loads(proof_to_text(result))
        lanes = make_lanes(program, document["configurations"]["started"], forgets=False).lanes
        for target in [target for target, answer in result.answers if isinstance(answer, Reachable)]:
            mutant = copy.deepcopy(document)
            body = mutant["configurations"]
            rows = [(lane, row) for lane, own in zip(lanes, body["sets"], strict=True) for row in own]
            for lane, row in rows:
                if lane.points[row[0]].place == target.place:
                    row[2] = 0
            if rng.random() < 0.5:
                rng.choice(rows)[1][2] = rng.randrange(len(body["nodes"]) + 2)
            excluded = {"name": target.name, "procedure": target.procedure, "location": target.location}
            mutant["targets"] = [excluded]
            tried += 1
            assert not accepted(mutant, text)
    assert tried >= 40 * min(1, TIMES)
