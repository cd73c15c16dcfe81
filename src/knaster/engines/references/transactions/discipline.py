"""Discipline: from all touches of shared data so far, which are protected, by a lock or because nobody writes them.

A *kind* of data is a static, or all cells of a class.  It is protected as long as every touch that was seen, while
another thread could reach it, held one and the same lock, or as long as none of them wrote.  That is an assumption;
where it breaks, or a lock is released by a thread that does not hold it, `Broken` says so, and whoever relied on it
begins again.  A channel that is not so protected may still have one sender, or one receiver: as long as no other thread
was seen to send (receive) or to look at it, which is an assumption, too.  S. Stoller and E. Cohen, Optimistic
Synchronization-Based State-Space Reduction (TACAS 2003) prove that what is seen in the reduced search is enough;
locksets are those of Eraser (Savage et al., TOCS 15(4), 1997).
"""

from __future__ import annotations

from knaster.engines.references.transactions.channel_texts import ChannelTexts, Use
from knaster.engines.references.transactions.lock_texts import LockTexts

Kind = tuple[int, int]  # (0, static) or (1, class)
Locks = frozenset[int]
Channel = tuple[int, int]  # (0, a static that always names it) or (1, its class)


class Broken(Exception):
    """An assumption about data or a lock does not hold."""


class Discipline:
    """What is assumed of the data of a program, and what was seen of them."""

    def __init__(self, texts: LockTexts, channels: ChannelTexts) -> None:
        self.texts, self.channels = texts, channels
        self.crowded: set[tuple[Use, Channel]] = set()  # several threads send, or receive
        self.users: dict[tuple[Use, Channel], set[int]] = {}
        self.single: set[tuple[Use, Channel]] = set()  # somebody relied on it that only one does
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

    def note_use(self, channel: Channel, use: Use, thread: int) -> bool:
        """Note what a thread does with a channel that others reach; tell whether it alone sends (receives)."""
        self.users.setdefault((use, channel), set()).add(thread)
        for each in (Use.SEND, Use.RECEIVE):
            both = self.users.get((each, channel), set()) | self.users.get((Use.LOOK, channel), set())
            if len(both) > 1 and (each, channel) not in self.crowded:
                self.crowded.add((each, channel))
                if (each, channel) in self.single:
                    self._begin_again()
        if use is Use.LOOK or (use, channel) in self.crowded:
            return False
        self.single.add((use, channel))
        return True

    def drop(self, lock: int) -> None:
        """Take a static for data that was taken for a lock."""
        self.texts = self.texts.without(lock)
        self._begin_again()

    def _begin_again(self) -> None:
        self.breaks += 1
        self.held, self.written = {}, set()
        self.users, self.single = {}, set()
        raise Broken
