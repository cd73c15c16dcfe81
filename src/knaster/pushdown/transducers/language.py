"""Regular sets of stacks, each as its smallest deterministic automaton, so that equal sets are equal values.

Subsets (Rabin and Scott, 1959), then refinement of a partition (Moore, 1956), then numbers in the order of a
breadth-first search: the automaton of a set is unique.  Letters are numbers; the leftmost letter of a word is the top
of the stack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from knaster.base.records import dataclass, field

Moves = tuple[tuple[int, int], ...]  # pairs of a letter and a state, sorted


@dataclass(frozen=True, slots=True)
class Language:
    """A set of words: it starts in state 0; every state leads to acceptance, unless the set is empty."""

    moves: tuple[Moves, ...]
    accepting: tuple[bool, ...]
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.moves, self.accepting)))

    def __hash__(self) -> int:
        return self._hash

    @property
    def is_empty(self) -> bool:
        """Tell whether there is no word in it."""
        return not any(self.accepting)

    def tops(self) -> list[int | None]:
        """Return the first letters of its words; None stands for the empty word."""
        empty: list[int | None] = [None] if self.accepting[0] else []
        return empty + [letter for letter, _ in self.moves[0]]

    def contains(self, word: Iterable[int]) -> bool:
        """Tell whether a word is in it."""
        state: int | None = 0
        for letter in word:
            state = dict(self.moves[state]).get(letter) if state is not None else None
        return state is not None and self.accepting[state]

    def includes(self, other: Language) -> bool:
        """Tell whether every word of the other one is in it."""
        if self is other or other.is_empty:
            return True
        todo, seen = [(0, 0)], {(0, 0)}
        while todo:
            theirs, ours = todo.pop()
            if other.accepting[theirs] and not self.accepting[ours]:
                return False
            known = dict(self.moves[ours])
            for letter, target in other.moves[theirs]:
                if letter not in known:
                    return False
                pair = target, known[letter]
                if pair not in seen:
                    seen.add(pair)
                    todo.append(pair)
        return True


NOTHING = Language(((),), (False,))


def single_word(word: Sequence[int]) -> Language:
    """Return the set of one word."""
    moves = [((letter, position + 1),) for position, letter in enumerate(word)]
    return Language((*moves, ()), (*(False for _ in word), True))


def language_of(
    start: int, moves: Mapping[int, Iterable[tuple[int, int]]], accepting: Iterable[int], alone: bool = False
) -> Language:
    """Return the words that lead from `start` to an accepting state of a nondeterministic automaton.

    `moves` are pairs of a letter and a state for each state.  Where `alone`, the empty word is in the set too.
    """
    final = frozenset(accepting)
    first = frozenset({start})
    numbers: dict[frozenset[int], int] = {first: 0}
    order = [first]
    rows: list[dict[int, int]] = []
    for subset in order:  # which grows
        targets: dict[int, set[int]] = {}
        for state in subset:
            for letter, target in moves.get(state, ()):
                targets.setdefault(letter, set()).add(target)
        row = {}
        for letter, found in targets.items():
            key = frozenset(found)
            if key not in numbers:
                numbers[key] = len(order)
                order.append(key)
            row[letter] = numbers[key]
        rows.append(row)
    accepts = [not final.isdisjoint(subset) for subset in order]
    if alone and not accepts[0]:  # nobody comes back to a control state, so state 0 is only the start
        accepts[0] = True
    return _smallest(rows, accepts)


def _smallest(rows: list[dict[int, int]], accepts: list[bool]) -> Language:
    """Return the smallest automaton of a deterministic one."""
    useful = _useful(rows, accepts)
    if 0 not in useful:
        return NOTHING
    kept = {s: sorted((letter, t) for letter, t in rows[s].items() if t in useful) for s in useful}
    block = {state: int(accepts[state]) for state in useful}
    count = len(set(block.values()))
    while True:
        signatures: dict[tuple[int, Moves], int] = {}
        refined = {}
        for state, row in kept.items():
            signature = block[state], tuple((letter, block[target]) for letter, target in row)
            refined[state] = signatures.setdefault(signature, len(signatures))
        block = refined
        if len(signatures) == count:
            break
        count = len(signatures)
    return _number_classes({block[state]: (row, accepts[state]) for state, row in kept.items()}, block)


def _number_classes(classes: Mapping[int, tuple[list[tuple[int, int]], bool]], block: Mapping[int, int]) -> Language:
    order = [block[0]]
    numbers = {block[0]: 0}
    moves: list[Moves] = []
    for each in order:  # which grows
        row = []
        for letter, target in classes[each][0]:
            into = block[target]
            if into not in numbers:
                numbers[into] = len(order)
                order.append(into)
            row.append((letter, numbers[into]))
        moves.append(tuple(row))
    return Language(tuple(moves), tuple(classes[each][1] for each in order))


def _useful(rows: list[dict[int, int]], accepts: list[bool]) -> set[int]:
    into: dict[int, list[int]] = {}
    for state, row in enumerate(rows):
        for target in row.values():
            into.setdefault(target, []).append(state)
    todo = [state for state, accepted in enumerate(accepts) if accepted]
    useful = set(todo)
    while todo:
        for source in into.get(todo.pop(), ()):
            if source not in useful:
                useful.add(source)
                todo.append(source)
    return useful
