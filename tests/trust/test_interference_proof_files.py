"""Proofs of one thread at a time in files: accepted in another process, refused when they were changed."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from knaster import Evidence, check
from knaster.checkers.files import proof_to_text
from knaster.cli import main
from knaster.evidence.answers.answer import Reachable
from knaster.frontends.boolean import parse
from support.generators.threaded_programs import Crowd, threaded_text
from support.proof_files import accepted, said_by_another_process, with_change

TIMES = float(os.environ.get("KNASTER_EXAMPLES", "1"))
SOURCE = """decl l, x;
init(!l & !x);
void main_a() begin
  take();
  work();
  assert(!x);
end
void take() begin atomic_begin; assume(!l); l := T; atomic_end; end
void work() begin
  if (*) then work(); fi
  ERROR: assert(l);
end
void main_b() begin x := x; start_thread late(T); end
void late(p) begin assert(p); end
"""
ARGUMENTS = ["--target=asserts"]


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Return the proof of a file in the current directory, and keep one for any number of threads beside it."""
    monkeypatch.chdir(tmp_path)
    Path("a.bp").write_text(SOURCE)
    crowd = ["--thread=main_a*", "--thread=main_b"]
    assert main(["check", "a.bp", *ARGUMENTS, *crowd, "--proof", "any.proof"]) == 0
    assert main(["check", "a.bp", *ARGUMENTS, "--engine=modular", "--proof", "a.proof"]) == 0
    assert capsys.readouterr().out.endswith("The proof was saved in a.proof.\n")
    return dict(json.loads(Path("a.proof").read_text()))


def test_another_process_accepts_it(saved: dict[str, Any]) -> None:
    assert "3 targets are unreachable" in said_by_another_process("a.bp", "a.proof")


def test_any_number_of_threads(saved: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """A proof for any number has to be one of this kind: sets of configurations of two say nothing of three."""
    assert main(["certify", "a.bp", "any.proof", "--thread=main_a*", "--thread=main_b"]) == 0
    assert main(["certify", "a.bp", "any.proof"]) == 2
    assert main(["certify", "a.bp", "a.proof", "--thread=main_a*", "--thread=main_b"]) == 2
    Path("b.bp").write_text("decl g; init(!g); void main_1() begin assert(!g); end\n")
    assert main(["check", "b.bp", *ARGUMENTS, "--thread=main_1*2", "--engine=states", "--proof", "b.proof"]) == 0
    assert main(["certify", "b.bp", "b.proof", "--thread=main_1*2"]) == 0
    assert main(["certify", "b.bp", "b.proof", "--thread=main_1*"]) == 2
    assert "the proof is about 2 threads, not about any number of them" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("ghosts",), None),
        (("ghosts", "inside"), "l"),
        (("ghosts", "inside"), 3),
        (("ghosts", "seen"), {}),
        (("ghosts", "seen", "l"), 3),
        (("procedures",), []),
        (("procedures",), {}),
        (("procedures", "work", "slots", "l"), -1),
        (("procedures", "work", "slots", "l"), 10**9),
        (("procedures", "work", "slots", "x"), 1),
        (("procedures", "work", "echoed"), [7]),
        (("roles",), []),
        (("roles", 0, "procedure"), "nobody"),
        (("roles", 0, "location"), True),
        (("roles", 0, "location"), 99),
        (("roles", 0, "waiting"), 10**9),
        (("roles", 0, "waiting"), 0),
        (("roles", 0, "sets"), {}),
        (("roles", 0, "sets", "main_a"), []),
        (("roles", 0, "sets", "main_a"), 7),
        (("roles", 0, "guarantee"), []),
        (("roles", 0, "guarantee", 0), [["l"]]),
        (("roles", 0, "guarantee", 0, 0), ["nothing"]),
        (("nodes",), [[0, 1]]),
        (("nodes", 0, 0), -3),
    ],
)
def test_what_is_no_proof(saved: dict[str, Any], path: tuple[str | int, ...], value: object) -> None:
    assert not accepted(with_change(saved, "interference", path, value), SOURCE)


def test_no_role_and_no_guarantee_is_there_twice(saved: dict[str, Any]) -> None:
    roles = saved["interference"]["roles"]
    assert not accepted({**saved, "interference": {**saved["interference"], "roles": [*roles, roles[0]]}}, SOURCE)
    roles[0]["guarantee"].append(roles[0]["guarantee"][0])
    assert not accepted(saved, SOURCE)


def test_every_set_is_needed(saved: dict[str, Any]) -> None:
    """Without one of the sets that are not empty, something that can happen is missing."""
    for number, role in enumerate(saved["interference"]["roles"]):
        for name, sets in role["sets"].items():
            for location, function in enumerate(sets):
                changed = copy.deepcopy(saved)
                changed["interference"]["roles"][number]["sets"][name][location] = 0
                assert accepted(changed, SOURCE) == (function == 0)


def test_no_proof_excludes_what_can_be_reached() -> None:
    """Everything that stands at a reachable target is taken out of the proof of another one."""
    tried = 0
    for seed in range(round(15 * TIMES)):
        text = threaded_text(Random(seed), Crowd(threads=(2, 2), calls=0.2, starts=0.1))
        program = parse(text, "random.bp")
        by_all = check(program, "all-labels", switches=3, engine="lazy", evidence=Evidence(False, False))
        reached = [target for target, answer in by_all.answers if isinstance(answer, Reachable)]
        alone = check(program, "all-labels", engine="modular", evidence=Evidence(False, True))
        if alone.proof is None or not reached:
            continue
        document = json.loads(proof_to_text(alone))
        assert accepted(document, text)
        for target in reached:
            mutant = copy.deepcopy(document)
            for role in mutant["interference"]["roles"]:
                role["sets"][target.procedure][target.location] = 0
            mutant["targets"] = [{"name": target.name, "procedure": target.procedure, "location": target.location}]
            tried += 1
            assert not accepted(mutant, text)
    assert tried >= 10 * min(1, TIMES)
