"""Runs in files that never end: what was saved holds in another process, what was changed is refused, and why."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("z3")

import knaster
from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.checkers.files import Proved, check_proof_text, examine, proof_to_text
from knaster.cli import main
from knaster.evidence.answers.answer import Diverges
from knaster.evidence.proofs.lasso import from_fields
from knaster.evidence.traces.lasso import Recurrence
from knaster.program.expression import Const
from knaster.semantics.python_code import loop_heads
from support.proof_files import refused, said_by_another_process

READ = "extern int read(void);\n"
GROWS = READ + "int main(void) { int x = read(); if (x < 3) return 0; while (x > 0) { x = x + 2; } return 0; }\n"
CHOSEN = READ + (
    "int main(void) { int x = 5, y = 0, z; while (x > 0) { z = read(); if (z != 7) return 0; x = x + z; } return 0; }\n"
)
DEEPER = READ + (
    "int half(int n) { if (n <= 1) return 0; return 1 + half(n - 2); }\n"
    "void down(int n) { if (n == 0) return; down(n - 2); }\n"
    "int main(void) { int k = half(9); down(k + 3); down(half(k) + 4); return 0; }\n"
)
AGAIN = "int main(void) { int x = 0; int a[2] = {0, 1}; while (a[1]) { x = 1 - x; a[0] = x; } return 0; }\n"
ASKED: dict[str, dict[str, str]] = {
    GROWS: {"engine": "recurrence", "integers": "mathematical"},
    CHOSEN: {"engine": "recurrence", "integers": "mathematical"},
    DEEPER: {"engine": "auto", "integers": "mathematical"},
    AGAIN: {"engine": "search", "integers": "machine"},
}


def diverging(text: str) -> knaster.Result:
    result = knaster.check(text, file="p.c", property="termination", **ASKED[text])  # type: ignore[arg-type]
    assert result.verdict.value == "FALSE"
    return result


def has_set(result: knaster.Result) -> bool:
    ((_, answer),) = result.answers
    assert isinstance(answer, Diverges) and answer.lasso is not None
    return answer.lasso.recurs is not None


@pytest.fixture(scope="module")
def grown() -> knaster.Result:
    return diverging(GROWS)


@pytest.fixture(scope="module")
def chosen() -> knaster.Result:
    return diverging(CHOSEN)


@pytest.mark.parametrize("text", list(ASKED))
def test_a_saved_run_holds(text: str) -> None:
    result = diverging(text)
    assert has_set(result) == (text != AGAIN)
    saved = proof_to_text(result)
    assert examine(saved, result.program, 1 << 10, Budget()) == Proved((), endless=True)
    other = knaster.check(text + "int g;\n", file="p.c", property="termination", **ASKED[text]).program  # type: ignore[arg-type]
    with pytest.raises(ProofError, match="another program"):
        check_proof_text(saved, other, 1 << 10, Budget())


def test_what_is_said_about_a_saved_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, proof = tmp_path / "p.c", tmp_path / "p.proof"
    file.write_text(AGAIN)
    assert main(["check", str(file), "--property", "termination", "--proof", str(proof)]) == 10
    assert "The proof was saved" in " ".join(capsys.readouterr().out.split())
    assert "FALSE." in said_by_another_process(str(file), str(proof))
    assert main(["certify", str(file), str(proof)]) == 0
    assert "shows that a run never ends" in " ".join(capsys.readouterr().out.split())
    assert main(["certify", str(file), str(proof), "--format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["verdict"], said["reason"]) == ("FALSE", "the proof was checked: a run never ends")


def test_nothing_is_saved_where_nothing_is_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, proof = tmp_path / "p.c", tmp_path / "p.proof"
    file.write_text(GROWS)
    assert main(["check", str(file), "--property", "termination", "--engine", "search", "--proof", str(proof)]) == 5
    assert "nor that one does not" in " ".join(capsys.readouterr().out.split()) and not proof.exists()


def _lasso(**fields: Any) -> Callable[[dict[str, Any]], None]:
    return lambda lasso: lasso.update(fields)


def _of_stem(change: Callable[[list[Any]], None]) -> Callable[[dict[str, Any]], None]:
    return lambda lasso: change(lasso["paths"][lasso["stem"][-1]])


def _of_cycle(change: Callable[[list[Any]], None]) -> Callable[[dict[str, Any]], None]:
    return lambda lasso: change(lasso["paths"][lasso["cycle"][-1]])


def _inputs(steps: list[Any], value: int) -> None:
    for step in steps:
        step[1] = [value for _ in step[1]]


LOWER = [["variable", "x"], ["number", "0"], ["compare", "<"]]
UNKNOWN = [["variable", "nobody"], ["number", "0"], ["compare", "<"]]
CHANGES: list[tuple[Callable[[dict[str, Any]], None], str]] = [
    (_lasso(set=None), "another state"),
    (_lasso(set=[["truth", True]]), "not recurrent"),
    (_lasso(set=LOWER), "leaves the set"),
    (_lasso(set=UNKNOWN), "has no meaning"),
    (_lasso(set=[["number", "1"], ["number", "2"]]), "incomplete"),
    (_lasso(set=[["variable", "x"], ["number", "4"], ["compare", ">"]]), "leaves the set"),
    (_lasso(set=[["variable", "x"], ["number", "9"], ["compare", "<"]]), "not recurrent"),
    (_lasso(deeper=True), "wrong about the stack"),
    (_lasso(deeper=1), "no truth value"),
    (_lasso(stem=[]), "no paths"),
    (_lasso(cycle=[99]), "no paths"),
    (_lasso(inputs=[[10**6, 1]]), "of no edge"),
    (_lasso(inputs=[[0]]), "not two parts"),
    (_lasso(others=[["main", 0]]), "not three parts"),
    (_lasso(others=[["nobody", 0, LOWER]]), "of no place"),
    (_lasso(set=None, others=[["main", 0, LOWER]]), "no set"),
    (lambda lasso: lasso.pop("deeper"), "fields"),
    (lambda lasso: lasso.update(cycle=lasso["stem"]), "does not begin where the stem stops"),
    (lambda lasso: lasso.update(stem=lasso["cycle"]), "starts in"),
    (_of_cycle(lambda path: path[3].pop()), "does not end where it began"),
    (_of_cycle(lambda path: path[3].clear()), "no step"),
    (_of_cycle(lambda path: path.__setitem__(1, None)), "does not begin"),
    (_of_cycle(lambda path: path.__setitem__(1, 10**6)), "begins nowhere"),
    (_of_cycle(lambda path: path.__setitem__(0, "nobody")), "in no procedure"),
    (_of_cycle(lambda path: path[2].__setitem__(0, -5)), "cannot take line 2"),
    (_of_cycle(lambda path: path[2].pop()), "more or fewer values"),
    (_of_cycle(lambda path: path[2].__setitem__(0, "5")), "no number"),
    (_of_cycle(lambda path: path[3][0].__setitem__(0, -1)), "no edge"),
    (_of_cycle(lambda path: path[3][0].__setitem__(2, 0)), "a path inside"),
    (_of_cycle(lambda path: path[3][0].__setitem__(2, 77)), "no path"),
    (_of_cycle(lambda path: path[3][0].__setitem__(1, [1])), "cannot take"),
    (_of_stem(lambda path: _inputs(path[3], 1)), "cannot take line 2"),
    (_of_stem(lambda path: path[3].pop(0)), "cannot take line 2"),
    (_of_stem(lambda path: path.__setitem__(2, [True] * len(path[2]))), "no value of its type"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "said"), CHANGES)
def test_a_changed_run_is_refused(grown: knaster.Result, change: Callable[[dict[str, Any]], None], said: str) -> None:
    document = json.loads(proof_to_text(grown))
    change(document["lasso"])
    with pytest.raises(ProofError, match=said):
        check_proof_text(json.dumps(document), grown.program, 1 << 10, Budget())


def test_inputs_of_the_cycle_count(chosen: knaster.Result) -> None:
    """The set comes back with the inputs that the proof gives, and with no others."""
    document = json.loads(proof_to_text(chosen))
    ((edge, value),) = document["lasso"]["inputs"]
    assert value == 7 and not refused(document, chosen.program)
    for inputs in ([[edge, 8]], [[edge, True]], [[edge + 1, 7]]):
        assert refused({**document, "lasso": {**document["lasso"], "inputs": inputs}}, chosen.program)


TURNS = "int main(void) {\n int x = 5; while (x > 0) { while (x > 0 && x < 9) x = x - 1; x = 1 - x; } return 0; }\n"


def test_sets_at_several_places_are_saved() -> None:
    """Between the two loops the run always goes on from a set into the other one, or into its own."""
    found = knaster.check(TURNS, file="p.c", property="termination", engine="search")
    ((target, answer),) = found.answers
    assert isinstance(answer, Diverges) and answer.lasso is not None
    lasso, program = answer.lasso, found.program
    heads = sorted(loop_heads(program.procedure("main")))
    sets = {heads[0]: Const(True), heads[1]: Const(True)}
    recurs = Recurrence(sets[lasso.stem.location], (), tuple((("main", at), each) for at, each in sets.items()))
    claimed = replace(answer, lasso=replace(lasso, recurs=recurs))
    document = json.loads(proof_to_text(replace(found, answers=((target, claimed),))))
    assert [entry[:2] for entry in document["lasso"]["others"]] == [["main", at] for at in heads]
    assert from_fields(document, program, 0, Budget()).recurs == recurs


def test_what_else_is_refused(grown: knaster.Result) -> None:
    document = json.loads(proof_to_text(grown))
    assert refused({**document, "targets": [{"name": "nobody", "procedure": "main", "location": 0}]}, grown.program)
    assert refused({**document, "lasso": None}, grown.program)
    ends = ["main", grown.program.procedure("main").exit, [["truth", True]]]  # from where no run goes on
    assert refused({**document, "lasso": {**document["lasso"], "others": [ends]}}, grown.program)
    assert refused({**document, "runs": {"states": []}}, grown.program)
    small = knaster.check("decl g;\nvoid main() begin ERROR: skip; end\n", file="p.bp").program
    assert refused(document, small)


def test_nothing_but_a_refusal_comes_of_nonsense(grown: knaster.Result) -> None:
    choose = Random(3)
    document = json.loads(proof_to_text(grown))
    values: list[Any] = [None, -1, 10**30, "x", [], [[]], {}, True, 1.5]
    for value in values:
        for _ in range(6):
            mutant = copy.deepcopy(document)
            part: Any = mutant["lasso"]
            while choose.random() < 0.8 and isinstance(part, dict | list) and part:
                key = choose.choice(sorted(part)) if isinstance(part, dict) else choose.randrange(len(part))
                if not isinstance(part[key], dict | list) or not part[key] or choose.random() < 0.2:
                    part[key] = value
                    break
                part = part[key]
            refused(mutant, grown.program)
