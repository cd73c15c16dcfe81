"""BDDs as a list of nodes, to be kept in a file or sent to another process.

A function is a number: 0 is false, 1 is true, and n + 2 is node n of the list.  A node is a variable and two functions:
what is left where the variable is true, and where it is false; both come before it and depend on later variables only.
The list has no complement edges, so it may have up to twice as many nodes as the store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from knaster.base.errors import MalformedNodes as MalformedNodes
from knaster.bdd.store import Bdd, Store

Node = tuple[int, int, int]
LEAVES = 2


def flatten(store: Store, functions: Iterable[Bdd]) -> tuple[list[Node], list[int]]:
    """Return a list of nodes, and each function as a number."""
    number: dict[Bdd, int] = {store.false: 0, store.true: 1}
    nodes: list[Node] = []
    roots = list(functions)
    todo = list(reversed(roots))
    while todo:
        function = todo[-1]
        if function in number:
            todo.pop()
            continue
        variable, cofactors = function.node_var(), function.cofactors()
        assert variable is not None and cofactors is not None  # only the constants have none, and they are known
        waiting = [other for other in cofactors if other not in number]
        if waiting:
            todo += waiting
            continue
        number[function] = len(nodes) + LEAVES
        nodes.append((variable, number[cofactors[0]], number[cofactors[1]]))
    return nodes, [number[function] for function in roots]


def rebuild(store: Store, nodes: Sequence[Node], tick: Callable[[], None] = lambda: None) -> list[Bdd]:
    """Return the functions of a list of nodes, in the order of their numbers; raise `MalformedNodes` where it is none.

    `tick` is called at every node and may raise to stop the work.
    """
    functions = [store.false, store.true]
    tops = [store.variables, store.variables]
    for variable, then, otherwise in nodes:
        tick()
        if not (0 <= then < len(functions) and 0 <= otherwise < len(functions)):
            raise MalformedNodes("a node refers to none that comes before it")
        if not 0 <= variable < min(tops[then], tops[otherwise]):
            raise MalformedNodes("the variables of the nodes are not in order")
        functions.append(store.var(variable).ite(functions[then], functions[otherwise]))
        tops.append(variable)
    return functions
