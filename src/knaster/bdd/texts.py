"""Functions as texts that do not depend on the order of a store: the same function over the same variables, one text.

A text lists the nodes of the reduced diagram in the order of the variables that are given, the root first, each as
"level,low,high" with the numbers of its branches, T or F.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.base.errors import InternalError, ProofError
from knaster.bdd.store import Bdd, Store, exists


def function_to_text(store: Store, function: Bdd, variables: Sequence[int]) -> str:
    """Return a function of these variables as a text; level i of the text is `variables[i]`."""
    nodes: dict[Bdd, tuple[int, Bdd, Bdd]] = {}
    leaves = {store.true: "T", store.false: "F"}
    waiting = {function: None} if function not in leaves else {}
    for level, variable in enumerate(variables):
        literal, cube = store.var(variable), store.cube([variable])
        after: dict[Bdd, None] = {}
        for each in waiting:
            high, low = exists(each & literal, cube), exists(each & ~literal, cube)
            if high == low:
                after[each] = None
                continue
            nodes[each] = (level, low, high)
            after |= {branch: None for branch in (low, high) if branch not in leaves}
        waiting = after
    if waiting:
        raise InternalError("a function depends on other variables than those that it is written over")
    numbers = {**leaves, **{node: str(number) for number, node in enumerate(nodes)}}
    shown = [f"{level},{numbers[low]},{numbers[high]}" for level, low, high in nodes.values()]
    return ";".join(shown) if shown else leaves[function]


def text_to_function(store: Store, text: str, variables: Sequence[int]) -> Bdd:
    """Return the function that a text describes; raise `ProofError` where it is none."""
    leaves = {"T": store.true, "F": store.false}
    if text in leaves:
        return leaves[text]
    made: dict[str, Bdd] = dict(leaves)
    rows = text.split(";")
    try:
        for number in reversed(range(len(rows))):
            level, low, high = rows[number].split(",")
            literal = store.var(variables[int(level)])
            made[str(number)] = (literal & made[high]) | (~literal & made[low])
    except (ValueError, LookupError):
        raise ProofError("a relation of the session is damaged") from None
    return made["0"]
