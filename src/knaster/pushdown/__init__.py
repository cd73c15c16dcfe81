"""Weighted pushdown systems; knows no programs.

builder = SystemBuilder(MinPath())                     # a weight domain of `knaster.pushdown.domains`
builder.rule("p", "n1", "p", "f", "n2", weight=1)      # <p, n1> -> <p, f n2>: a call of f that returns to n2
answer = post_star(builder.build(), single("p", "n1"), witnesses="one")
weight_at(answer, "f"), witness(answer, starting_with("p", "f"))

docs/pushdown.md tells more.  The names below are imported when they are first used.

Also here: `automaton` (p-automata: regular sets of configurations, with a weight for each if wanted), `decide` (decides
what a file of a pushdown system asks), `drawing` (pictures of pushdown systems and of sets of configurations), `flow`
(the procedures of a control-flow graph), `icfg` (interprocedural control-flow graphs), `kernel` (the structures that
the native code of pushdown systems takes and gives), `kernel_calls` (post* and pre* by the compiled kernel),
`knoop_steffen` (interprocedural analysis with local variables after Knoop and Steffen), `laws` (the laws of a weight
domain, tried on samples), `merge` (merge functions), `numbering` (numbers instead of names), `property` (finite-state
properties), `repeating_heads` (repeating heads of a pushdown system with marked rules), `semiring` (weights: bounded
idempotent semirings, and what a domain may offer beyond them), `signed_lengths` (shortest and longest runs where
lengths may be negative), `solve` (post* and pre*), `system` (weighted pushdown systems with extended rules, their
configurations, and the value of a run), `tick` (ticks: how work that may take long is stopped from outside).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from knaster.base.lazy import names_of

if TYPE_CHECKING:
    from knaster.pushdown.automaton import ANY as ANY
    from knaster.pushdown.automaton import Automaton as Automaton
    from knaster.pushdown.automaton import configuration_set as configuration_set
    from knaster.pushdown.automaton import everything as everything
    from knaster.pushdown.automaton import intersection as intersection
    from knaster.pushdown.automaton import single as single
    from knaster.pushdown.automaton import starting_with as starting_with
    from knaster.pushdown.automaton import union as union
    from knaster.pushdown.fast.session import Session as Session
    from knaster.pushdown.fast.tours import Tour as Tour
    from knaster.pushdown.fast.tours import best_tour as best_tour
    from knaster.pushdown.icfg import FlowGraph as FlowGraph
    from knaster.pushdown.icfg import FlowSolution as FlowSolution
    from knaster.pushdown.icfg import GraphBuilder as GraphBuilder
    from knaster.pushdown.laws import check_laws as check_laws
    from knaster.pushdown.merge import Merge as Merge
    from knaster.pushdown.merge import check_merge as check_merge
    from knaster.pushdown.merge import projecting_merge as projecting_merge
    from knaster.pushdown.projections.error_projection import Projection as Projection
    from knaster.pushdown.projections.error_projection import project as project
    from knaster.pushdown.runs.witness import Witness as Witness
    from knaster.pushdown.runs.witness import witness as witness
    from knaster.pushdown.runs.witness import witnesses as witnesses
    from knaster.pushdown.saturation.answer import Answer as Answer
    from knaster.pushdown.saturation.query import path_summary as path_summary
    from knaster.pushdown.saturation.query import weight_at as weight_at
    from knaster.pushdown.saturation.query import weight_in as weight_in
    from knaster.pushdown.semiring import Semiring as Semiring
    from knaster.pushdown.solve import ijop as ijop
    from knaster.pushdown.solve import post_star as post_star
    from knaster.pushdown.solve import pre_star as pre_star
    from knaster.pushdown.system import Configuration as Configuration
    from knaster.pushdown.system import PushdownSystem as PushdownSystem
    from knaster.pushdown.system import Rule as Rule
    from knaster.pushdown.system import SystemBuilder as SystemBuilder

_HOMES = {
    "Answer": "knaster.pushdown.saturation.answer",
    "ANY": "knaster.pushdown.automaton",
    "Automaton": "knaster.pushdown.automaton",
    "configuration_set": "knaster.pushdown.automaton",
    "everything": "knaster.pushdown.automaton",
    "intersection": "knaster.pushdown.automaton",
    "single": "knaster.pushdown.automaton",
    "starting_with": "knaster.pushdown.automaton",
    "union": "knaster.pushdown.automaton",
    "FlowGraph": "knaster.pushdown.icfg",
    "FlowSolution": "knaster.pushdown.icfg",
    "GraphBuilder": "knaster.pushdown.icfg",
    "Merge": "knaster.pushdown.merge",
    "check_merge": "knaster.pushdown.merge",
    "projecting_merge": "knaster.pushdown.merge",
    "Projection": "knaster.pushdown.projections.error_projection",
    "project": "knaster.pushdown.projections.error_projection",
    "path_summary": "knaster.pushdown.saturation.query",
    "weight_at": "knaster.pushdown.saturation.query",
    "weight_in": "knaster.pushdown.saturation.query",
    "Witness": "knaster.pushdown.runs.witness",
    "witness": "knaster.pushdown.runs.witness",
    "witnesses": "knaster.pushdown.runs.witness",
    "Semiring": "knaster.pushdown.semiring",
    "check_laws": "knaster.pushdown.laws",
    "Session": "knaster.pushdown.fast.session",
    "ijop": "knaster.pushdown.solve",
    "post_star": "knaster.pushdown.solve",
    "pre_star": "knaster.pushdown.solve",
    "Configuration": "knaster.pushdown.system",
    "PushdownSystem": "knaster.pushdown.system",
    "Rule": "knaster.pushdown.system",
    "SystemBuilder": "knaster.pushdown.system",
    "Tour": "knaster.pushdown.fast.tours",
    "best_tour": "knaster.pushdown.fast.tours",
}
__all__ = sorted(_HOMES)

__getattr__, __dir__ = names_of(__name__, _HOMES)
