"""Interference: what others do where they may run, sections that end with their thread, and proofs without ghosts."""

from __future__ import annotations

import json
from typing import Any

import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster.evidence.proofs.files import fingerprint
from knaster_check import Refused
from support.kernel import kernel


def proof(text: str) -> tuple[knaster.Result, dict[str, Any]]:
    evidence = knaster.Evidence(proofs=True)
    result = knaster.check(text, "R", file="a.bp", engine="modular", evidence=evidence)
    return result, json.loads(proof_to_text(result))


CALLEE = """decl g; init(!g);
void main_1() begin atomic_begin; g := T; f(); g := F; atomic_end; end
void f() begin if (!g) then R: skip; fi end
void main_2() begin g := F; end
"""
FAILS = """decl g, h; init(!g & !h);
void main_1() begin if (*) then assert(h); fi end
void main_2() begin h := F; g := T; h := g; if (!g) then R: skip; fi end
"""


@pytest.mark.parametrize("text", [CALLEE, FAILS])
def test_others_run_where_they_may(text: str) -> None:
    result, document = proof(text)
    assert kernel(result.program, document).claim == "unreachable"


ENDS = """decl g; init(!g);
void main_1() begin atomic_begin; g := T; end
void main_2() begin decl x; x := g; if (x & !x) then R: skip; fi end
"""


def test_the_end_of_a_thread_is_the_end_of_its_section() -> None:
    result, document = proof(ENDS)
    assert kernel(result.program, document).claim == "unreachable"
    roles = document["interference"]["roles"]
    (at,) = (at for at, role in enumerate(roles) if any(written == ["g"] for written, _ in role["guarantee"]))
    assert roles[at]["procedure"] == "main_1"
    roles[at]["guarantee"] = [pair for pair in roles[at]["guarantee"] if pair[0] != ["g"]]
    with pytest.raises(Refused, match="a section is not in the guarantee"):
        kernel(result.program, document)


PLAIN = """decl g; init(!g);
void main_1() begin skip; g := F; skip; end
void main_2() begin if (g) then R: skip; fi end
"""


def test_sections_need_ghosts() -> None:
    _, document = proof(PLAIN)
    assert document["interference"]["ghosts"] is None
    sections = PLAIN.replace("skip; g := F; skip;", "atomic_begin; g := F; atomic_end;")
    other = knaster.check(sections, "R", file="a.bp", engine="modular").program
    with pytest.raises(Refused, match="does not know what sections do"):
        kernel(other, {**document, "program": fingerprint(other)})
    locked = PLAIN.replace("decl g; init(!g);", "decl g, atomic; init(!g & !atomic);")
    other = knaster.check(locked, "R", file="a.bp", engine="modular").program
    if other.atomic is not None:
        with pytest.raises(Refused, match="does not know what sections do"):
            kernel(other, {**document, "program": fingerprint(other)})
