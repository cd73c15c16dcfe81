"""Weighted pushdown systems; knows no programs.

builder = SystemBuilder(MinPath())                     # a weight domain of `knaster.pushdown.domains`
builder.rule("p", "n1", "p", "f", "n2", weight=1)      # <p, n1> -> <p, f n2>: a call of f that returns to n2
answer = post_star(builder.build(), single("p", "n1"), witnesses="one")
weight_at(answer, "f"), witness(answer, starting_with("p", "f"))

docs/pushdown.md tells more.  The names below are imported when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from knaster.lazy import names_of

if TYPE_CHECKING:
    from knaster.pushdown.answer import Answer as Answer
    from knaster.pushdown.automaton import ANY as ANY
    from knaster.pushdown.automaton import Automaton as Automaton
    from knaster.pushdown.automaton import configuration_set as configuration_set
    from knaster.pushdown.automaton import everything as everything
    from knaster.pushdown.automaton import intersection as intersection
    from knaster.pushdown.automaton import single as single
    from knaster.pushdown.automaton import starting_with as starting_with
    from knaster.pushdown.automaton import union as union
    from knaster.pushdown.icfg import FlowGraph as FlowGraph
    from knaster.pushdown.icfg import FlowSolution as FlowSolution
    from knaster.pushdown.icfg import GraphBuilder as GraphBuilder
    from knaster.pushdown.merge import Merge as Merge
    from knaster.pushdown.merge import check_merge as check_merge
    from knaster.pushdown.merge import projecting_merge as projecting_merge
    from knaster.pushdown.projection import Projection as Projection
    from knaster.pushdown.projection import project as project
    from knaster.pushdown.query import path_summary as path_summary
    from knaster.pushdown.query import weight_at as weight_at
    from knaster.pushdown.query import weight_in as weight_in
    from knaster.pushdown.runs import Witness as Witness
    from knaster.pushdown.runs import witness as witness
    from knaster.pushdown.runs import witnesses as witnesses
    from knaster.pushdown.semiring import Semiring as Semiring
    from knaster.pushdown.semiring import check_laws as check_laws
    from knaster.pushdown.session import Session as Session
    from knaster.pushdown.solve import ijop as ijop
    from knaster.pushdown.solve import post_star as post_star
    from knaster.pushdown.solve import pre_star as pre_star
    from knaster.pushdown.system import Configuration as Configuration
    from knaster.pushdown.system import PushdownSystem as PushdownSystem
    from knaster.pushdown.system import Rule as Rule
    from knaster.pushdown.system import SystemBuilder as SystemBuilder
    from knaster.pushdown.touring import Tour as Tour
    from knaster.pushdown.touring import best_tour as best_tour

_HOMES = {
    "Answer": "knaster.pushdown.answer",
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
    "Projection": "knaster.pushdown.projection",
    "project": "knaster.pushdown.projection",
    "path_summary": "knaster.pushdown.query",
    "weight_at": "knaster.pushdown.query",
    "weight_in": "knaster.pushdown.query",
    "Witness": "knaster.pushdown.runs",
    "witness": "knaster.pushdown.runs",
    "witnesses": "knaster.pushdown.runs",
    "Semiring": "knaster.pushdown.semiring",
    "check_laws": "knaster.pushdown.semiring",
    "Session": "knaster.pushdown.session",
    "ijop": "knaster.pushdown.solve",
    "post_star": "knaster.pushdown.solve",
    "pre_star": "knaster.pushdown.solve",
    "Configuration": "knaster.pushdown.system",
    "PushdownSystem": "knaster.pushdown.system",
    "Rule": "knaster.pushdown.system",
    "SystemBuilder": "knaster.pushdown.system",
    "Tour": "knaster.pushdown.touring",
    "best_tour": "knaster.pushdown.touring",
}
__all__ = sorted(_HOMES)

__getattr__, __dir__ = names_of(__name__, _HOMES)
