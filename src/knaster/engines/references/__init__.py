"""Engines for programs with references (Zing): summaries of `patterns`, and of what is `visible`.

Shared: their options, and `fixpoint`, which turns the fixed point of either into findings.

Also here: `endless` (decides termination and formulas of models of one thread by summaries), `endless_runs` (infinite
runs of models of one thread), `searches` (searches: what a fixed point over the tables of a program with references is,
for those who make something of it).
"""

from __future__ import annotations

from knaster.base.options import Options, option


class ReferenceOptions(Options):
    """Summaries of programs with references."""

    edges: int = option(100_000, "give up where one call has more path edges")
    calls: int = option(100_000, "give up beyond so many different calls")
    changes: int = option(100_000, "give up where one call has changed and made more places and cells")
