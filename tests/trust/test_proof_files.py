"""Proofs in files: what was saved is accepted in another process, and whatever was changed is refused.

Mutants of proofs of random programs are compared with the oracle: a proof that is accepted contains everything that can
happen, so it excludes only what is unreachable.
"""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from knaster import Evidence, check
from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.checkers.files import check_proof_text, proof_to_text
from knaster.cli import main
from knaster.evidence.questions.question import Target
from knaster.frontends.boolean import parse
from knaster.frontends.boolean.printer import to_text
from knaster.program.model import Program
from knaster.semantics.explore import Exploration, explore
from support.generators.boolean_programs import random_program
from support.machines import PATIENCE

TIMES = float(os.environ.get("KNASTER_EXAMPLES", "1"))
SOURCE = """decl g;
void main()
begin
  decl x;
  x := g;
  f(x, T);
  if (g != x) then
    R: skip;
  fi
  assert(g = x);
end
void f(p, q)
begin
  if (*) then
    p, g := !p, !g;
    f(p, q);
    g := !g;
  fi
  assume(p | q);
end
"""
Capture = pytest.CaptureFixture[str]
Document = dict[str, Any]


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Document:
    """Return the proof of a file in the current directory, which is in another."""
    monkeypatch.chdir(tmp_path)
    Path("a.bp").write_text(SOURCE)
    assert main(["check", "a.bp", "--target=R", "--target=asserts", "--proof", "a.proof"]) == 0
    assert capsys.readouterr().out.endswith("The proof was saved in a.proof.\n")
    document: Document = json.loads(Path("a.proof").read_text())
    return document


def certify(document: object, *arguments: str) -> int:
    Path("changed.proof").write_text(document if isinstance(document, str) else json.dumps(document))
    return main(["certify", "a.bp", "changed.proof", *arguments])


def test_a_saved_proof_is_checked_in_another_process(saved: Document) -> None:
    command = [sys.executable, "-m", "knaster", "certify", "a.bp", "a.proof"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "a.bp: TRUE. The proof in a.proof shows that 2 targets are unreachable: R (line 8), assert at line 10 "
        "(checked by the kernel).\n"
    )


def test_no_engine_runs(saved: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    import knaster.engines.boolean.summaries.engine
    import knaster.engines.table as table
    import knaster.views.symbolic.encoding as encode

    def never(*_: object, **__: object) -> None:
        raise AssertionError("an engine runs")

    monkeypatch.setattr(knaster.engines.boolean.summaries.engine, "Summaries", never)
    monkeypatch.setattr(encode, "encode", never)
    monkeypatch.setattr(table, "ENGINES", {})
    assert certify(saved) == 0


def test_names_of_files_and_comments_do_not_matter(saved: Document) -> None:
    Path("a.bp").write_text(SOURCE.replace("  f(x, T);", "  f(x,T);  // a remark"))
    assert certify({**saved, "file": "elsewhere.bp", "tool": "knaster 99"}) == 0


def test_json_says_the_same(saved: Document, capsys: Capture) -> None:
    assert certify(saved, "--format", "json") == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["status"], document["verdict"]) == ("answered", "TRUE")
    assert [(t["name"], t["line"], t["checked"]) for t in document["targets"]] == [
        ("R", 8, True),
        ("assert at line 10", 10, True),
    ]
    assert certify({**saved, "nodes": []}, "--format", "json") == 2
    document = json.loads(capsys.readouterr().out)
    assert (document["status"], document["verdict"]) == ("refused", "UNKNOWN")
    assert "this is no proof" in document["errors"][0]["message"]


def changed(document: Document, *path: object, to: object) -> Document:
    """Return a copy of a document in which one thing is another."""
    copied = copy.deepcopy(document)
    place: Any = copied
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return copied


DEEP = "[" * 100_000
CHANGES: Mapping[str, tuple[Callable[[Document], object], str]] = {
    "nothing": (lambda d: "", "no proof file"),
    "no JSON": (lambda d: "{", "no proof file"),
    "other JSON": (lambda d: [1, 2], "no proof file"),
    "a number": (lambda d: 7, "no proof file"),
    "deep JSON": (lambda d: DEEP, "no proof file"),
    "deep JSON inside": (lambda d: json.dumps(d)[:-2] + "," + DEEP, "no proof file"),
    "an endless number": (
        lambda d: json.dumps(d).replace('"version": 1', '"version": 1' + "0" * 9999),
        "no proof file",
    ),
    "a name twice": (lambda d: json.dumps(d)[:-1] + ', "nodes": []}', "twice"),
    "another format": (lambda d: {**d, "format": "proof"}, "no proof file"),
    "another version": (lambda d: {**d, "version": 2}, "version 1 only"),
    "a true version": (lambda d: {**d, "version": True}, "version 1 only"),
    "no version": (lambda d: {k: v for k, v in d.items() if k != "version"}, "version 1 only"),
    "a field too many": (lambda d: {**d, "more": 1}, "fields"),
    "a field too few": (lambda d: {k: v for k, v in d.items() if k != "tool"}, "fields"),
    "another program": (lambda d: {**d, "program": "0" * 64}, "another program"),
    "a program of another type": (lambda d: {**d, "program": 1}, "no text"),
    "another entry": (lambda d: {**d, "entry": "f"}, "runs from 'f'"),
    "no targets": (lambda d: {**d, "targets": []}, "excludes no target"),
    "targets of another type": (lambda d: {**d, "targets": {}}, "no list"),
    "a target without a place": (lambda d: {**d, "targets": [{"name": "R"}]}, "a target does not have the fields"),
    "an unknown target": (lambda d: changed(d, "targets", 0, "name", to="Q"), "no target"),
    "a target of another type": (lambda d: changed(d, "targets", 0, "name", to=[DEEP]), "no name"),
    "a target elsewhere": (lambda d: changed(d, "targets", 0, "location", to=0), "no target"),
    "a line that is none": (lambda d: changed(d, "targets", 0, "name", to="line 999"), "no target"),
    "a line that is reached": (
        lambda d: {**d, "targets": [{"name": "line 5", "procedure": "main", "location": 0}]},
        "does not exclude 'line 5'",
    ),
    "procedures of another type": (lambda d: {**d, "procedures": []}, "no object"),
    "no procedures": (lambda d: {**d, "procedures": {}}, "this is no proof"),
    "a procedure too many": (
        lambda d: changed(d, "procedures", "h", to=d["procedures"]["f"]),
        "misses or invents a procedure",
    ),
    "a procedure of another type": (lambda d: changed(d, "procedures", "f", to=3), "a procedure does not have"),
    "slots of another type": (lambda d: changed(d, "procedures", "f", "slots", to=[]), "'slots' is no object"),
    "a negative slot": (lambda d: changed(d, "procedures", "f", "slots", "p", to=-1), "out of range"),
    "a huge slot": (lambda d: changed(d, "procedures", "f", "slots", "p", to=10**12), "out of range"),
    "a slot that is true": (lambda d: changed(d, "procedures", "f", "slots", "p", to=True), "out of range"),
    "a slot twice": (
        lambda d: changed(d, "procedures", "f", "slots", "p", to=d["procedures"]["f"]["slots"]["g"]),
        "share a slot",
    ),
    "a variable twice": (lambda d: changed(d, "procedures", "f", "slots", "z", to=0), "misses or invents a variable"),
    "names of another type": (lambda d: changed(d, "procedures", "f", "rigid", to="q"), "no list"),
    "a name that is none": (lambda d: changed(d, "procedures", "f", "echoed", to=[1]), "a name is none"),
    "a set too few": (lambda d: changed(d, "procedures", "f", "sets", to=[1]), "1 sets for"),
    "a set beyond the nodes": (lambda d: changed(d, "procedures", "f", "sets", 0, to=10**9), "none of the nodes"),
    "a negative set": (lambda d: changed(d, "procedures", "f", "sets", 0, to=-1), "none of the nodes"),
    "a set that is no number": (lambda d: changed(d, "procedures", "f", "sets", 0, to="1"), "a number is none"),
    "nodes of another type": (lambda d: {**d, "nodes": {}}, "no list"),
    "a node of two parts": (lambda d: changed(d, "nodes", 0, to=[1, 0]), "three parts"),
    "a node that is none": (lambda d: changed(d, "nodes", 0, to=None), "no list"),
    "a node that refers to itself": (lambda d: changed(d, "nodes", 0, to=[1, 2, 0]), "comes before it"),
    "a node that refers to below": (lambda d: changed(d, "nodes", 0, to=[1, -1, 0]), "comes before it"),
    "a variable that is none": (lambda d: changed(d, "nodes", 0, 0, to=10**9), "not in order"),
    "a set that is empty": (lambda d: changed(d, "procedures", "main", "sets", 0, to=0), "does not hold"),
    "a set that is full": (lambda d: changed(d, "procedures", "f", "sets", 0, to=1), "does not hold"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_proof_is_refused(saved: Document, capsys: Capture, change: str) -> None:
    make, message = CHANGES[change]
    assert certify(make(saved)) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith("knaster: changed.proof: ")
    assert message in said.err and said.err.count("\n") == 1


def test_a_proof_of_another_program_is_refused(saved: Document, capsys: Capture) -> None:
    Path("a.bp").write_text(SOURCE.replace("!p, !g", "p, !g"))
    assert certify(saved) == 2
    assert "another program ('a.bp' when it was saved)" in capsys.readouterr().err
    Path("a.bp").write_text("\n" + SOURCE)
    assert certify(saved) == 2  # the program is the same, but no assertion is at line 10
    assert "'assert at line 10'" in capsys.readouterr().err.replace('"', "'")


def test_what_cannot_be_read_is_refused(saved: Document, capsys: Capture) -> None:
    assert main(["certify", "a.bp", "missing.proof"]) == 2
    assert main(["certify", "missing.bp", "a.proof"]) == 2
    Path("binary.proof").write_bytes(b"\x00\xff\xfe" * 100)
    assert main(["certify", "a.bp", "binary.proof"]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_limits_hold(saved: Document, capsys: Capture) -> None:
    assert certify(saved, "--timeout", "1e-9") == 5
    assert certify(saved, "--timeout", "1e-9", "--format", "json") == 5
    assert json.loads(capsys.readouterr().out)["status"] == "undecided"
    assert certify(saved, "--timeout", "600", "--memory", "100000") == 0


def test_the_entry_is_part_of_the_proof(saved: Document) -> None:
    assert main(["check", "a.bp", "--entry", "f", "--target", "R", "--proof", "f.proof"]) == 0
    assert main(["certify", "a.bp", "f.proof"]) == 2
    assert main(["certify", "a.bp", "f.proof", "--entry", "f"]) == 0


def test_nothing_to_save(saved: Document, capsys: Capture) -> None:
    assert main(["check", "a.bp", "--target", "5", "--trace", "none", "--proof", "b.proof"]) == 10
    assert "No proof was saved: no target was proved" in capsys.readouterr().out
    assert not Path("b.proof").exists()
    assert main(["check", "a.bp", "a.bp", "--proof", "b.proof"]) == 1
    assert main(["check", "a.bp", "--no-certify", "--proof", "b.proof"]) == 1
    capsys.readouterr()
    assert main(["check", "a.bp", "--target", "R", "--proof", "no/such/directory"]) == 0  # the verdict stands
    assert "no/such/directory" in capsys.readouterr().err


def test_the_targets_that_are_reachable_are_left_out(saved: Document) -> None:
    assert main(["check", "a.bp", "--target", "5", "--target", "R", "--proof", "b.proof"]) == 10
    assert [target["name"] for target in json.loads(Path("b.proof").read_text())["targets"]] == ["R"]
    assert main(["certify", "a.bp", "b.proof"]) == 0


def proved(seed: int) -> tuple[Program, Document, Exploration] | None:
    """Return a random program, the proof of what is unreachable in it, and all that is reachable."""
    program = parse(to_text(random_program(Random(seed))), "random.bp")
    result = check(program, ("all-labels", "asserts"), evidence=Evidence(False, True))
    if result.proof is None:
        return None
    return program, json.loads(proof_to_text(result)), explore(program)


def mutated(document: Document, rng: Random) -> Document:
    """Return a copy of a document with one small change."""
    nodes, procedures = document["nodes"], document["procedures"]
    name = rng.choice(sorted(procedures))
    own = procedures[name]
    most = len(nodes) + 2
    place = rng.randrange(len(nodes)) if nodes else 0
    match rng.randrange(10 if nodes else 6):
        case 0 | 1:
            return changed(
                document, "procedures", name, "sets", rng.randrange(len(own["sets"])), to=rng.randrange(most)
            )
        case 2:
            label = rng.choice(sorted(own["slots"])) if own["slots"] else "g"
            return changed(document, "procedures", name, "slots", label, to=rng.randrange(4))
        case 3:
            kind, label = rng.choice(["rigid", "echoed"]), rng.choice([*own["slots"], "nothing"])
            return changed(document, "procedures", name, kind, to=sorted({*own[kind]} ^ {label}))
        case 4:
            target = {"name": "line 3", "procedure": name, "location": rng.randrange(len(own["sets"]))}
            return {**document, "targets": [*document["targets"], rng.choice([target, *document["targets"]])]}
        case 5:
            more = [*nodes, [rng.randrange(6), rng.randrange(most), rng.randrange(most)]]
            root = changed(document, "procedures", name, "sets", rng.randrange(len(own["sets"])), to=most)
            return {**root, "nodes": more}
        case 6:
            return {**document, "nodes": nodes[:place] + nodes[place + 1 :]}
        case 7:
            return changed(document, "nodes", place, 0, to=rng.randrange(8))
        case 8:
            variable, then, otherwise = nodes[place]
            return changed(document, "nodes", place, to=[variable, otherwise, then])
        case _:
            return changed(document, "nodes", place, rng.choice([1, 2]), to=rng.randrange(place + 2))


def holds(document: Document, number: int, values: Mapping[int, bool]) -> bool:
    """Tell whether an assignment is in a set of a document."""
    while number > 1:
        variable, then, otherwise = document["nodes"][number - 2]
        number = then if values.get(variable, False) else otherwise  # what is no variable of it does not matter
    return number == 1


def contains_everything(document: Document, program: Program, found: Exploration) -> bool:
    """Tell whether the sets of a document contain everything that can happen."""
    for name, context, location, valuation in found.path_edges:
        procedure, entry = program.procedure(name), document["procedures"][name]
        scope = program.scope(procedure)
        values: dict[int, bool] = {3 * entry["slots"][x] + 1: value for x, value in zip(scope, valuation, strict=True)}
        values |= {3 * entry["slots"][x]: value for x, value in zip(scope, context, strict=False)}
        if not holds(document, entry["sets"][location], values):
            return False
    return True


def accepted(document: Document, program: Program) -> tuple[Target, ...]:
    try:
        return check_proof_text(json.dumps(document), program, 1 << 12, Budget())
    except ProofError:
        return ()


def test_no_mutant_that_is_accepted_misses_anything() -> None:
    rng = Random(9)
    tried = kept = refused = 0
    for seed in range(round(20 * TIMES)):
        sample = proved(seed)
        if sample is None:
            continue
        program, document, found = sample
        assert accepted(document, program) and contains_everything(document, program, found)
        visited = {(edge.procedure, edge.location) for edge in found.path_edges}
        for _ in range(10):
            mutant = mutated(document, rng)
            tried += mutant != document
            targets = accepted(mutant, program)
            if targets:
                kept += mutant != document
                assert not {target.place for target in targets} & visited
                assert contains_everything(mutant, program, found)
            else:
                refused += 1
    assert tried > 100 * TIMES and refused > 0.6 * tried and kept > 0
