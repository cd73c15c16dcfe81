"""A ranking: its form in a file, and what it says decreases where."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.proofs.ranking import Ranking, from_fields, to_fields, to_json, to_words
from knaster.frontends.c import parse
from knaster.program.expression import FALSE, TRUE, Const, Expr, Var
from knaster.program.model import Place
from knaster.semantics.python_code import loop_heads

PROGRAM = parse(
    """void down(int n) {
  if (n > 0) { down(n - 1); }
}
int main(void) {
  int i = 5;
  while (i > 0) {
    i = i - 1;
  }
  down(i);
  return 0;
}
""",
    "a.c",
)
(HEAD,) = loop_heads(PROGRAM.procedure("main"))
LOOP, ENTRY = ("main", HEAD), ("down", PROGRAM.procedure("down").entry)
COUNT, N = Var("i"), Var("n")


def ranking(measures: dict[Place, tuple[Expr, ...]], at: dict[Place, Expr] | None = None) -> Ranking:
    return Ranking(PROGRAM, Invariants(PROGRAM, {"main": TRUE}, at or {}), measures, ahead=True)


BOTH = ranking({LOOP: (Const(1), COUNT), ENTRY: (Const(0), N)})


def test_both_ways() -> None:
    fields = to_fields(BOTH, PROGRAM)
    assert fields["ranking"]["ahead"] is True and fields["ranking"].keys() == {"invariants", "measures", "ahead"}
    assert fields["ranking"]["measures"][0] == ["main", HEAD, [[["number", "1"]], [["variable", "i"]]]]
    assert from_fields(fields, PROGRAM, 0, Budget()) == BOTH


def test_words_leave_out_what_only_tells_where_a_run_is() -> None:
    assert list(to_words(BOTH, PROGRAM, False)) == [
        "  line  function  decreases",
        "     1  down      n (at each call)",
        "     6  main      i",
    ]
    assert to_json(BOTH, PROGRAM) == {
        "ranking": [
            {"line": 1, "function": "down", "decreases": ["n"]},
            {"line": 6, "function": "main", "decreases": ["i"]},
        ],
        "invariants": [],
        "functions": [],
    }


def test_several_components_and_none() -> None:
    (_, line) = to_words(ranking({LOOP: (COUNT, N)}), PROGRAM, False)
    assert line.endswith("i, then n")
    (_, line) = to_words(ranking({LOOP: (Const(0),)}), PROGRAM, False)
    assert line.endswith("nothing: it is passed once")
    (_, line) = to_words(ranking({LOOP: ()}, {LOOP: FALSE}), PROGRAM, False)
    assert line.endswith("nothing: no run comes there")
    assert list(to_words(ranking({}), PROGRAM, False)) == ["  there is no loop and no recursion"]


GOOD = [["variable", "i"]]


@pytest.mark.parametrize(
    "changes",
    [
        {"ahead": 1},
        {"measures": [["main", HEAD, [GOOD]], ["main", HEAD, [GOOD]]]},
        {"measures": [["main", 99, [GOOD]]]},
        {"measures": [["other", 0, [GOOD]]]},
        {"measures": [["main", HEAD, GOOD]]},
        {"measures": [["main", HEAD]]},
    ],
)
def test_what_is_no_ranking(changes: dict[str, Any]) -> None:
    fields = to_fields(BOTH, PROGRAM)
    with pytest.raises(ProofError):
        from_fields({"ranking": {**fields["ranking"], **changes}}, PROGRAM, 0, Budget())


@pytest.mark.parametrize("location", [-1, PROGRAM.procedure("main").size, True, "0"])
def test_a_measure_is_of_a_place(location: Any) -> None:
    fields = to_fields(BOTH, PROGRAM)["ranking"]
    last = PROGRAM.procedure("main").size - 1
    right = {**fields, "measures": [["main", last, [[["number", "1"]]]]]}
    assert from_fields({"ranking": right}, PROGRAM, 0, Budget()).measures.keys() == {("main", last)}
    with pytest.raises(ProofError, match="a measure is of no place"):
        from_fields({"ranking": {**fields, "measures": [["main", location, []]]}}, PROGRAM, 0, Budget())


def test_an_entry_to_which_a_loop_leads_is_no_call() -> None:
    down = PROGRAM.procedure("down")
    looping = replace(down, edges=(*down.edges, replace(down.edges[0], source=down.exit, target=down.entry)))
    program = replace(PROGRAM, procedures=tuple(looping if each is down else each for each in PROGRAM.procedures))
    assert list(to_words(ranking({ENTRY: (N,)}), program, False))[1:] == ["     2  down      n"]
    assert list(to_words(ranking({ENTRY: (N,)}), PROGRAM, False))[1:] == ["     1  down      n (at each call)"]
    assert list(to_words(ranking({LOOP: (COUNT,)}), PROGRAM, False))[1:] == ["     6  main      i"]
