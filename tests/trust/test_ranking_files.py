"""Proofs in files that every run ends: what was saved holds in another process, what was changed is refused."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("z3")

import knaster
from knaster.checkers.files import proof_to_text
from knaster.cli import main
from knaster.evidence.proofs.all_runs import AllRuns
from knaster.evidence.proofs.ranking import Ranking
from support.proof_files import refused

NESTED = """int __VERIFIER_nondet_int(void);
int down(int n) { if (n <= 0) return 0; return down(n - 1); }
int main() {
  int n = __VERIFIER_nondet_int(), x = 0;
  if (n > 1000) return 0;
  while (x < n) { int y = x; while (y > 0) y--; x++; }
  return down(n);
}
"""
FEW = "int main() { int x = 9; while (x > 0) x -= 2; return x; }\n"


@pytest.fixture(scope="module")
def ranked() -> knaster.Result:
    found = knaster.check(NESTED, file="nested.c", property="termination", engine="ranking")
    assert found.verdict.value == "TRUE" and isinstance(found.proof, Ranking)
    return found


@pytest.fixture(scope="module")
def run() -> knaster.Result:
    found = knaster.check(FEW, file="few.c", property="termination", engine="search")
    assert found.verdict.value == "TRUE" and isinstance(found.proof, AllRuns)
    return found


@pytest.mark.parametrize(("text", "engine"), [(NESTED, "ranking"), (FEW, "search")])
def test_a_saved_proof_holds(text: str, engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, proof = tmp_path / "p.c", tmp_path / "p.proof"
    file.write_text(text)
    asked = ["check", str(file), "--property", "termination", "--engine", engine, "--proof", str(proof)]
    assert main(asked) == 0 and "The proof was saved" in " ".join(capsys.readouterr().out.split())
    assert main(["certify", str(file), str(proof)]) == 0
    assert "shows that every run ends" in " ".join(capsys.readouterr().out.split())
    assert main(["certify", str(file), str(proof), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "TRUE"
    file.write_text(text.replace("int main", "int other; int main"))
    assert main(["certify", str(file), str(proof)]) == 2
    assert "another program" in " ".join(capsys.readouterr().err.split())


def test_a_proof_can_be_pickled(ranked: knaster.Result) -> None:
    assert pickle.loads(pickle.dumps(ranked.proof)) == ranked.proof


def _measures(change: Callable[[list[Any]], list[Any]]) -> Callable[[dict[str, Any]], None]:
    def changed(document: dict[str, Any]) -> None:
        document["ranking"]["measures"] = change(document["ranking"]["measures"])

    return changed


CONSTANT = [["number", "5"]]
CHANGES: list[Callable[[dict[str, Any]], None]] = [
    _measures(lambda rows: rows[1:]),
    _measures(lambda rows: []),
    _measures(lambda rows: [[*row[:2], []] for row in rows]),
    _measures(lambda rows: [[*row[:2], [CONSTANT]] for row in rows]),
    _measures(lambda rows: [*rows, rows[0]]),
    _measures(lambda rows: [["nobody", 0, []], *rows]),
    _measures(lambda rows: [[rows[0][0], 10**6, rows[0][2]], *rows[1:]]),
    _measures(lambda rows: [[rows[0][0], rows[0][1], [[["truth", True]]]], *rows[1:]]),
    _measures(lambda rows: [[rows[0][0], rows[0][1], [[["variable", "nobody"]]]], *rows[1:]]),
    lambda document: document["ranking"].update(ahead=1),
    lambda document: document["ranking"].update(invariants={"requires": [], "at": []}),
    lambda document: document["ranking"].pop("ahead"),
    lambda document: document.update(ranking=None),
    lambda document: document.update(invariants=document["ranking"]["invariants"]),
    lambda document: document.update(targets=[{"name": "nobody", "procedure": "main", "location": 0}]),
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_changed_measures_are_refused(ranked: knaster.Result, change: Callable[[dict[str, Any]], None]) -> None:
    document = json.loads(proof_to_text(ranked))
    change(document)
    assert refused(document, ranked.program)


def test_the_unchanged_proof_is_not(ranked: knaster.Result, run: knaster.Result) -> None:
    assert not refused(json.loads(proof_to_text(ranked)), ranked.program)
    assert not refused(json.loads(proof_to_text(run)), run.program)
    assert refused(json.loads(proof_to_text(run)), ranked.program)


def test_nothing_but_a_refusal_comes_of_nonsense(ranked: knaster.Result) -> None:
    choose = Random(5)
    document = json.loads(proof_to_text(ranked))
    nodes: list[Any] = [["number", "7"], ["variable", "x"], ["compare", "<"], ["not"], [], 5, ["element"]]
    for node in nodes:
        mutant = copy.deepcopy(document)
        formula = choose.choice(choose.choice(mutant["ranking"]["measures"])[2])
        formula[choose.randrange(len(formula))] = node
        refused(mutant, ranked.program)


def test_changed_states_are_refused(run: knaster.Result) -> None:
    document = json.loads(proof_to_text(run))
    states = document["runs"]["states"]
    main = run.program.procedure("main")
    needed = [number for number, state in enumerate(states) if state[2] in (main.entry, main.exit)]
    assert len(needed) == 2  # those between are found again
    for number in needed:
        assert refused({**document, "runs": {"states": states[:number] + states[number + 1 :]}}, run.program)
    for part, value in ((0, "nobody"), (0, 5), (1, None), (2, 10**9), (2, "0"), (3, [1, 2, 3, 4]), (3, ["x"])):
        changed = copy.deepcopy(states)
        changed[0][part] = value
        assert refused({**document, "runs": {"states": changed}}, run.program)


def test_a_loop_that_goes_on_is_not_certified() -> None:
    """The states of a program that comes back to one of them are closed, and prove nothing about its end."""
    text = "int main() { int x = 0; while (1) x = 1 - x; return 0; ERROR: return 1; }\n"
    result = knaster.check(text, "ERROR", file="p.c", engine="search")
    assert result.verdict.value == "TRUE"
    document = json.loads(proof_to_text(result))
    assert not refused(document, result.program) and refused({**document, "targets": []}, result.program)
