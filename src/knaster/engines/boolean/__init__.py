"""Engines for sequential Boolean programs: `summaries` (Bebop), `pushdown` (weighted pushdown systems).

Shared: the options of path edges and summary edges, which `eager` has too.
"""

from __future__ import annotations

from typing import Any

from knaster.base.options import option
from knaster.engines.card import SymbolicOptions


class SummariesOptions(SymbolicOptions):
    """Path edges and summary edges."""

    liveness: bool = option(True, "track dead variables too, for measurement")
    effects: bool = option(True, "track untouched globals too, for measurement")

    def encoding(self) -> dict[str, Any]:
        """Return the keyword arguments of `encode` that these choices stand for."""
        return {**SymbolicOptions.encoding(self), "liveness": self.liveness, "effect_sets": self.effects}
