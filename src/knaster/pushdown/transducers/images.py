"""The words that a transducer makes of a regular set of words, as a canonical set: weights are left out.

Lal (PhD thesis, University of Wisconsin, 2009), Lemma 6.3.3.  Without weights nothing has to be kept side by side:
after each transducer the set can be made as small as it gets, and sets can be compared."""

from __future__ import annotations

from typing import Any

from knaster.pushdown.automaton import EMPTY
from knaster.pushdown.numbering import Names
from knaster.pushdown.system import State
from knaster.pushdown.tick import Tick, with_ticks
from knaster.pushdown.transducers.language import Language, language_of
from knaster.pushdown.transducers.transducer import Transducer

Node = tuple[int, State]  # a state of the set and one of the transducer


def image(words: Language, transducer: Transducer[Any], names: Names, tick: Tick | None = None) -> Language:
    """Return what a transducer writes where it reads a word of the set; `names` are the letters."""
    start: Node = (0, transducer.start)
    numbers: dict[Node, int] = {start: 0}
    nodes = [start]
    writing: dict[int, list[tuple[int, int]]] = {}
    silent: dict[int, list[int]] = {}
    for number, (state, inside) in enumerate(with_ticks(nodes, tick)):  # which grow
        known = dict(words.moves[state])
        for move in transducer.moves_from.get(inside, ()):
            after = state if move.read == EMPTY else known.get(names.numbers.get(move.read, -1))
            if after is None:
                continue
            node = after, move.target
            if node not in numbers:
                numbers[node] = len(nodes)
                nodes.append(node)
            if move.write == EMPTY:
                silent.setdefault(number, []).append(numbers[node])
            else:
                writing.setdefault(number, []).append((names.number(move.write), numbers[node]))
    final = {number for number, (state, q) in enumerate(nodes) if words.accepting[state] and q in transducer.final}
    return _without_silence(len(nodes), writing, silent, final, tick)


def _without_silence(
    count: int,
    writing: dict[int, list[tuple[int, int]]],
    silent: dict[int, list[int]],
    final: set[int],
    tick: Tick | None,
) -> Language:
    """Return the words of an automaton with moves that write nothing."""
    moves: dict[int, list[tuple[int, int]]] = {}
    accepting: set[int] = set()
    for number in with_ticks(range(count), tick):
        closure, todo = {number}, [number]
        while todo:
            for target in silent.get(todo.pop(), ()):
                if target not in closure:
                    closure.add(target)
                    todo.append(target)
        if not closure.isdisjoint(final):
            accepting.add(number)
        moves[number] = list(dict.fromkeys(pair for each in sorted(closure) for pair in writing.get(each, ())))
    return language_of(0, moves, accepting)
