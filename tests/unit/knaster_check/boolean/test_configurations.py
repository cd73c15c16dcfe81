"""Configurations: layers of rounds and switches, threads that are started, and the form of the file."""

from __future__ import annotations

import json
from typing import Any

import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster.evidence.proofs.files import fingerprint
from knaster_check import Refused
from support.kernel import kernel

LONG = """decl turn, a; init(!turn & !a);
void main_1() begin assume(!turn); a := T; a := F; turn := T; assume(!turn); turn := T; assume(!turn); a := !a; end
void main_2() begin assume(turn); if (a) then R: skip; fi turn := F; assume(turn); turn := F; assume(turn); end
"""
STARTS = """decl g; init(!g);
void main() begin start_thread late(); g := F; if (g) then R: skip; fi end
void late() begin g := F; end
"""
CALLS = """decl g; init(!g);
void main_1() begin f(); end
void main_2() begin if (g) then R: skip; fi end
void f() begin h(); end
void h() begin g := F; end
"""


def proof(text: str, **options: Any) -> tuple[knaster.Result, dict[str, Any]]:
    evidence = knaster.Evidence(proofs=True)
    result = knaster.check(text, "R", file="a.bp", engine="states", evidence=evidence, **options)
    return result, json.loads(proof_to_text(result))


def with_data(document: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**document, "configurations": {**document["configurations"], **changes}}


@pytest.mark.parametrize("options", [{"rounds": 1}, {"rounds": 2}, {"switches": 1}, {}])
def test_no_set_can_be_emptied(options: dict[str, int]) -> None:
    result, document = proof(LONG, **options)
    assert kernel(result.program, document).claim == "unreachable"
    data = document["configurations"]
    layers = data["layers"] if options else [data["sets"]]
    for layer in range(len(layers)):
        for lane in range(2):
            for at, (code, section, function) in enumerate(layers[layer][lane]):
                if function == 0:
                    continue
                changed = json.loads(json.dumps(layers))
                changed[layer][lane][at] = [code, section, 0]
                wrong = with_data(document, **({"layers": changed} if options else {"sets": changed[0]}))
                with pytest.raises(Refused):
                    kernel(result.program, wrong)


def test_the_bound_is_that_of_the_layers() -> None:
    result, document = proof(LONG, rounds=2)
    assert kernel(result.program, document).bound == ("rounds", 2)
    with pytest.raises(Refused):
        kernel(result.program, with_data(document, kind="delays"))
    result, document = proof(LONG, switches=2)
    assert kernel(result.program, document).bound == ("switches", 2)


def test_rounds_are_of_threads_that_run_from_the_start() -> None:
    result, document = proof(STARTS, switches=1)
    assert kernel(result.program, document).bound == ("switches", 1)
    with pytest.raises(Refused, match="another kind"):
        kernel(result.program, with_data(document, kind="rounds"))


def test_more_threads_than_lanes_are_refused() -> None:
    result, document = proof(STARTS)
    assert kernel(result.program, document).bound is None
    twice = STARTS.replace("void main() begin ", "void main() begin start_thread late(); ")
    _, more = proof(twice)
    other = knaster.check(twice, "R", file="a.bp", engine="states").program
    lanes = more["configurations"]["lanes"][:2]
    sets = more["configurations"]["sets"][:2]
    with pytest.raises(Refused):
        kernel(other, with_data(more, lanes=lanes, sets=sets, started=1))


def test_activations_without_variables_need_no_place() -> None:
    result, document = proof(CALLS)
    lanes = document["configurations"]["lanes"]
    fewer = [{**lane, "depths": [part for part in lane["depths"] if part]} for lane in lanes]
    assert kernel(result.program, with_data(document, lanes=fewer)).claim == "unreachable"


MEETS = """decl g; init(!g);
void main_1() begin g := F; end
void main_2() begin if (g) then R: skip; fi end
"""


@pytest.mark.parametrize(("options", "reaches"), [({"rounds": 1}, True), ({"switches": 0}, False), ({}, True)])
def test_a_switch_within_a_round_is_looked_at(options: dict[str, int], reaches: bool) -> None:
    """The second thread's sets know nothing of what the first one does, which is anything."""
    other = knaster.check(MEETS.replace("g := F", "g := T"), "R", file="a.bp", engine="states").program
    _, document = proof(MEETS, **options)
    document["program"] = fingerprint(other)
    data = document["configurations"]
    for layer in data["layers"] if options else [data["sets"]]:
        layer[0] = [[code, section, 1] for code, section, _ in layer[0]]
    if reaches:
        with pytest.raises(Refused, match="a switch leads out"):
            kernel(other, document)
    else:
        assert kernel(other, document).bound == ("switches", 0)


INSIDE = """decl g; init(!g);
void main_1() begin atomic_begin; f(); g := F; atomic_end; end
void f() begin g := T; end
void main_2() begin if (g) then R: skip; fi end
"""


def test_a_call_inside_a_section_returns_into_it() -> None:
    for options in ({}, {"rounds": 2}, {"switches": 2}):
        result, document = proof(INSIDE, **options)
        assert kernel(result.program, document).claim == "unreachable"


def test_no_deadlock_is_not_said_where_there_is_one() -> None:
    """Both threads have begun, and wait for what nobody does; R is excluded, and that is all."""
    text = """decl a, b; init(!a & !b);
    void main_1() begin a := T; assume(b); R: skip; end
    void main_2() begin assume(a); assume(!a); b := T; end
    """
    result, document = proof(text)
    assert kernel(result.program, document).claim == "unreachable"
    deadlock = {"name": "deadlock", "procedure": "", "location": 0}
    with pytest.raises(Refused, match="it is not excluded"):
        kernel(result.program, {**document, "targets": [deadlock]})
    text = text.replace("assume(!a); ", "")
    evidence = knaster.Evidence(proofs=True)
    result = knaster.check(text, "deadlock", file="a.bp", engine="states", evidence=evidence)
    assert kernel(result.program, proof_to_text(result)).claim == "unreachable"
