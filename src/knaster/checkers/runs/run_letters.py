"""What holds at a node of a graph of runs, and whether a cycle through nodes is fair to every thread."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from knaster.automata.words import Letter
from knaster.evidence.questions.letters import Meanings
from knaster.semantics.run_graph import Node, RunGraph


def letter_of(graph: RunGraph, node: Node, meanings: Meanings) -> Letter:
    """Return the atoms that hold in a configuration of threads."""
    places, shared, over = list(graph.places(node)), graph.shared(node), graph.is_over(node)
    return frozenset(atom for atom, meaning in meanings.items() if meaning.holds_of(places, shared, over))


def is_fair(graph: RunGraph, fair: str, nodes: Iterable[Node], moved: Collection[int]) -> bool:
    """Tell whether a cycle through nodes, in which some threads move, is fair; inside one section it asks nobody.

    Weakly: each thread moves in it or cannot move somewhere on it; strongly: each moves in it or can move nowhere.
    """
    outside = [node for node in nodes if not graph.is_inside(node)]
    if fair == "none" or not outside:
        return True
    for thread in set(range(max(map(graph.count, outside)))) - set(moved):
        able = [thread < graph.count(node) and graph.can_move(node, thread) for node in outside]
        if all(able) if fair == "weak" else any(able):
            return False
    return True
