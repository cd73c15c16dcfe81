"""Why a target is unreachable: for each location, a set of path edges that contains all that can happen there.

The sets contain the initial states and are closed under every edge, every call and every return.  `certify` checks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from knaster.program.model import Program
from knaster.symbolic.bdd import Bdd, Store
from knaster.symbolic.frame import Frame


@dataclass(frozen=True, slots=True, eq=False)
class Certificate:
    """Path edges by procedure and location, over the copies ENTRY and NOW of the slots of each frame."""

    program: Program
    store: Store
    frames: Mapping[str, Frame]
    path_edges: Mapping[str, tuple[Bdd, ...]]

    def __repr__(self) -> str:
        return f"<Certificate for {self.program.file}: path edges of {len(self.path_edges)} procedures>"


Proof = Certificate
