"""Discipline: from all touches of shared data so far, which are protected, by a lock or because nobody writes them.

A *kind* of data is a static, or all cells of a class.  It is protected as long as every touch that was seen, while
another thread could reach it, held one and the same lock, or as long as none of them wrote.  That is an assumption;
where it breaks, or a lock is released by a thread that does not hold it, `Broken` says so, and whoever relied on it
begins again.  S. Stoller and E. Cohen, Optimistic Synchronization-Based State-Space Reduction (TACAS 2003) prove that
what is seen in the reduced search is enough; locksets are those of Eraser (Savage et al., TOCS 15(4), 1997).
"""

from __future__ import annotations

from knaster.engines.references.transactions.lock_texts import LockTexts

Kind = tuple[int, int]  # (0, static) or (1, class)
Locks = frozenset[int]


class Broken(Exception):
    """An assumption about data or a lock does not hold."""


class Discipline:
    """What is assumed of the data of a program, and what was seen of them."""

    def __init__(self, texts: LockTexts) -> None:
        self.texts = texts
        self.racy: set[Kind] = set()  # touched without a common lock, and written
        self.held: dict[Kind, Locks] = {}  # at every touch so far
        self.written: set[Kind] = set()
        self.breaks = 0

    def note(self, kind: Kind, write: bool, mine: Locks) -> bool:
        """Note a touch of shared data by a thread that holds some locks; tell whether the data are protected."""
        if kind in self.racy:
            return False
        held = self.held[kind] = self.held.get(kind, mine) & mine
        if write:
            self.written.add(kind)
        if not held and kind in self.written:
            self.racy.add(kind)
            self._begin_again()
        return True

    def drop(self, lock: int) -> None:
        """Take a static for data that was taken for a lock."""
        self.texts = self.texts.without(lock)
        self._begin_again()

    def _begin_again(self) -> None:
        self.breaks += 1
        self.held, self.written = {}, set()
        raise Broken
