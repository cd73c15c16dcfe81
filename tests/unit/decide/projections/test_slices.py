"""Slices beside projections: what is passed on the way, and what decides."""

from __future__ import annotations

import json
from random import Random

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.evidence.answers.answer import Reachable
from knaster.frontends.languages import spelling_of
from support.generators.boolean_programs import Size, random_program

TEXT = """decl g, h;
void main() begin
  h := T;
  g := F;
  note();
  if (*) then
    g := T;
  fi
  if (g) then
    ERROR: skip;
  fi
end
void note() begin
  h := !h;
end
"""
PLAIN = Size(enforced=0.0, constrained=0.0)


def test_what_is_passed_and_what_decides() -> None:
    found = knaster.project(TEXT, "ERROR", file="a.bp", slice=True)
    assert found.lines == (3, 4, 5, 6, 7, 9, 10, 14)
    assert found.slice is not None and {4, 7, 9, 10} <= set(found.slice) and not {3, 14} & set(found.slice)
    assert ">>    4    g := F;" in found.to_text() and ">     3    h := T;" in found.to_text()
    assert json.loads(found.to_json())["slice"] == list(found.slice)
    with pytest.raises(UsageError, match="--slice"):
        knaster.project(TEXT.replace("  h := T;", "  enforce h | g; h := T;"), "ERROR", file="a.bp", slice=True)


@pytest.mark.parametrize("seed", range(4))
def test_assignments_outside_the_slice_do_not_matter(seed: int) -> None:
    rng = Random(f"slices {seed}")
    program = random_program(rng, PLAIN)
    text = spelling_of(program).to_text(program)
    result = knaster.check(text, "all-labels", file="a.bp")
    reached = [target for target, answer in result.answers if isinstance(answer, Reachable)]
    target = rng.choice(reached)
    found = knaster.project(text, target.name, file="a.bp", slice=True)
    assert found.slice is not None
    lines = text.split("\n")
    for line in set(found.lines) - set(found.slice):
        body = lines[line - 1]
        if ":=" in body and "(" not in body.partition(":=")[2] and target.line != line:
            label, _, rest = body.partition(":")
            names, _, _ = rest.partition(":=") if not rest.startswith("=") else (label, "", rest)
            changed = [*lines]
            changed[line - 1] = body.partition(":=")[0] + ":= " + ", ".join("T" for _ in names.split(",")) + ";"
            again = knaster.check("\n".join(changed), target.name, file="a.bp")
            assert isinstance(again.answers[0][1], Reachable), (seed, line)
