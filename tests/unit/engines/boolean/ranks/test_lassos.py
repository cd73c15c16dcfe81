"""Lassos of the program that was asked about: no step and no variable of the product is left."""

from __future__ import annotations

import knaster
from knaster.base.limits import Budget
from knaster.checkers.runs.lasso import replay_lasso
from knaster.engines.boolean.ranks.fixpoint import find_chain
from knaster.engines.boolean.ranks.lassos import find_lasso
from knaster.evidence.answers.answer import Diverges
from knaster.evidence.traces.lasso import Lasso
from support.heads import heads_of


def lasso_of(text: str, asked: str) -> Lasso:
    heads = heads_of(text, asked)
    lasso = find_lasso(heads, find_chain(heads, Budget())[-1], Budget())
    replay_lasso(heads.product.original, lasso)
    return lasso


def test_a_run_that_ends_stays() -> None:
    lasso = lasso_of("decl x; void main() begin x := 1; R: skip; end", "G F R")
    assert lasso.stays and not lasso.deeper and len(lasso.stem.paths) == 1
    assert set(lasso.stem.paths[0].start) == {"x"}


def test_a_failed_assertion_stays_with_its_stack() -> None:
    lasso = lasso_of("void main() begin f(); end void f() begin assert(0); end", "F in(main) & G F in(f)")
    assert lasso.stays and [path.procedure for path in lasso.stem.paths] == ["main", "f"]


def test_a_bad_prefix_is_a_shortest_one_that_can_go_on() -> None:
    text = """void main() begin
      if (*) then skip; skip; L: skip; while (1) do skip; od fi
      if (*) then L2: skip; assume(0); fi
      skip; skip; skip; skip; skip; skip;
      M: skip;
    end"""
    lasso = lasso_of(text, "G !(L | L2 | M)")
    places = [step.edge.source for step in lasso.stem.paths[0].steps]
    assert len(places) == 4 and not lasso.stays  # through L, not through L2 where it blocks, nor the long way to M


def test_a_cycle_begins_in_an_activation_that_it_never_leaves() -> None:
    text = "void main() begin a(); end void a() begin b(); end void b() begin L: c(); a(); end void c() begin skip; end"
    lasso = lasso_of(text, "termination")
    assert lasso.deeper and sorted(path.procedure for path in lasso.cycle.paths[1:]) == ["a", "b"]
    assert lasso.cycle.paths[-1].procedure == lasso.cycle.paths[0].procedure


def test_what_a_procedure_does_not_touch_comes_back_after_a_round() -> None:
    text = """decl x := 0;
    void main() begin g(); if (x) then skip; fi end
    void g() begin if (*) then f(); g(); fi end
    void f() begin x := T; end
"""
    for engine in ("ranks", "pushdown", "calculus"):
        ((_, answer),) = knaster.check(text, property="termination", engine=engine).answers
        assert isinstance(answer, Diverges) and answer.checked
    flips = text.replace("x := T", "x := !x")
    ((_, answer),) = knaster.check(flips, property="G F !in(f)").answers
    assert answer.checked
