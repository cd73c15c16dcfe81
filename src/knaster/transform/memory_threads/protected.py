"""Which shared variables a mutex protects: every thread holds it whenever it uses them, once there are several.

R. Lipton, Reduction: A Method of Proving Properties of Parallel Programs (CACM 1975): such a step moves in both
directions past the steps of others, to take the mutex moves to the right, to give it back to the left.  Nobody needs to
be interrupted between.  What is held is found by a flow that keeps what holds on all ways; a mutex counts only where
its bytes are used by words of mutexes alone, and it is given back only by who holds it.
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.program.model import Assign, Call, Edge, Place, Program
from knaster.transform.memory_threads.shared_edges import original_edge, reads, word_of, writes
from knaster.transform.memory_threads.thread_copies import CopiedThreads

LOCK, UNLOCK, INIT = "pthread_mutex_lock", "pthread_mutex_unlock", "pthread_mutex_init"
_WORDS = (LOCK, UNLOCK, INIT)
Held = frozenset[str]


class Protection:
    """What is protected by mutexes; `locks` are the mutexes that can be relied on."""

    def __init__(self, program: Program, copied: CopiedThreads, shared: frozenset[str]) -> None:
        self.program = program
        self.copied = copied
        self.locks = self._plain_locks(shared)
        self.held: Mapping[Place, Held] = {}
        while True:
            self.held = _flow(program, self.locks)
            wrong = self._given_back_by_others()
            if not wrong:
                break
            self.locks -= wrong
        self.protected = self._protected(shared)

    def _edges(self) -> list[tuple[str, Edge]]:
        return [(procedure.name, edge) for procedure in self.program.procedures for edge in procedure.edges]

    def is_alone(self, procedure: str, edge: Edge) -> bool:
        """Tell whether main takes an edge before it has started any thread."""
        stands_for = original_edge(edge)
        return stands_for is not None and (procedure, stands_for.source) in self.copied.alone

    def _plain_locks(self, shared: frozenset[str]) -> Held:
        """Return the variables that are mutexes, each named by its words, and used by nothing else."""
        found: set[str] = set()
        others: set[str] = set()
        for name, edge in self._edges():
            touched = {*writes(edge.action), *reads(edge.action)}
            used, word = shared & touched, word_of(edge)
            plain = word in _WORDS and len(touched) == 1  # else a pointer says which mutex it is
            if not plain or (word == INIT and not self.is_alone(name, edge)):
                others |= used
            elif word == LOCK:
                found |= used
        return frozenset(found - others)

    def _given_back_by_others(self) -> Held:
        """Return the mutexes that a thread may give back without holding them."""
        return frozenset(
            lock
            for name, edge in self._edges()
            if word_of(edge) == UNLOCK
            for lock in self.locks & set(writes(edge.action))
            if lock not in self.held.get((name, edge.source), frozenset())
        )

    def _protected(self, shared: frozenset[str]) -> frozenset[str]:
        """Return the shared variables for which there is a mutex that everybody holds who uses them."""
        common: dict[str, Held] = {name: self.locks for name in shared - self.locks}
        for name, edge in self._edges():
            if self.is_alone(name, edge):
                continue
            for used in {*writes(edge.action), *reads(edge.action)} & common.keys():
                common[used] &= self.held.get((name, edge.source), self.locks)
        return frozenset(name for name, locks in common.items() if locks)


def _flow(program: Program, locks: Held) -> dict[Place, Held]:
    """Return which mutexes are held at each place, whichever way a thread comes there."""
    named = {procedure.name: procedure for procedure in program.procedures}
    held: dict[Place, Held] = {(root, named[root].entry): frozenset() for root in program.threads}
    callers: dict[str, list[Place]] = {}  # where control comes back to
    todo = list(held)
    while todo:
        place = todo.pop()
        procedure = named[place[0]]
        found: list[tuple[Place, Held]] = []
        if place[1] == procedure.exit:
            found += [(back, held[place]) for back in callers.get(procedure.name, ())]
        for edge in procedure.leaving.get(place[1], ()):
            if isinstance(edge.action, Call):
                callee = named[edge.action.procedure]
                back = (procedure.name, edge.target)
                if back not in callers.setdefault(callee.name, []):
                    callers[callee.name].append(back)
                found.append(((callee.name, callee.entry), held[place]))
                if (callee.name, callee.exit) in held:
                    found.append((back, held[callee.name, callee.exit]))
            else:
                found.append(((procedure.name, edge.target), _after(edge, held[place], locks)))
        for target, own in found:
            joined = own if target not in held else held[target] & own
            if held.get(target) != joined:
                held[target] = joined
                todo.append(target)
    return held


def _after(edge: Edge, before: Held, locks: Held) -> Held:
    changed = locks & set(writes(edge.action))
    if word_of(edge) == LOCK and isinstance(edge.action, Assign):
        return before | changed
    return before - changed
