"""Node tables that are large enough: an attempt is made again with four times as many BDD nodes until it succeeds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from knaster.base.limits import Budget, OutOfBudget
from knaster.bdd.address_space import BYTES_PER_NODE, NoRoom, is_full
from knaster.engines.contract import FIRST_NODES

T = TypeVar("T")


def with_enough_nodes(attempt: Callable[[int], T], budget: Budget) -> tuple[T, int]:
    """Run an attempt, again with a larger node table as long as the last one was too small; say how often again.

    Raises `OutOfBudget` where memory does not allow a larger one.
    """
    nodes, restarts = FIRST_NODES, 0
    while True:
        try:
            return attempt(nodes), restarts
        except NoRoom as none:
            if restarts == 0:
                raise
            raise OutOfBudget(f"the BDDs do not fit: {none}") from None
        except Exception as error:
            if not is_full(error):
                raise
            if 4 * nodes * BYTES_PER_NODE > budget.bytes:
                raise OutOfBudget(f"the BDDs do not fit into {budget.bytes >> 20} MB") from None
            budget.tell(f"the sets of states need more memory; starting again with room for {4 * nodes:,} nodes")
            nodes, restarts = 4 * nodes, restarts + 1
