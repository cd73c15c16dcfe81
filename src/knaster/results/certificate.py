"""Why a target is unreachable: for each location, a set of path edges that contains all that can happen there.

The sets contain the initial states and are closed under every edge, every call and every return.  `certify` checks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from knaster.symbolic.bdd import Bdd
from knaster.symbolic.encode import SymbolicProgram


@dataclass(frozen=True, slots=True, eq=False)
class Certificate:
    """Path edges by procedure and location, over the copies ENTRY and NOW of the program's layout."""

    symbolic: SymbolicProgram
    path_edges: Mapping[str, tuple[Bdd, ...]]
