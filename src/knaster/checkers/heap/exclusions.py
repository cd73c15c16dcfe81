"""The places and kinds of failures that a table has to exclude; whoever meets one of them says so here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from knaster.base.errors import InternalError
from knaster.evidence.questions.question import Target
from knaster.program.model import Location, Place
from knaster.semantics.heap.failure import KINDS
from knaster.semantics.heap.goals import ANY


class Exclusions:
    """The targets that a proof excludes."""

    def __init__(self, targets: Iterable[Target]) -> None:
        self.places: dict[Place, Target] = {}
        self.kinds: dict[str, Target] = {}
        for target in targets:
            if target.has_place:
                self.places[target.place] = target
                continue  # mutant: a place is of no kind
            for kind in KINDS if target.kind == ANY else (target.kind,):
                self.kinds[kind] = target

    def stand(self, procedure: str, location: Location) -> None:
        """Raise `InternalError` where a thread may not stand there."""
        if found := self.places.get((procedure, location)):
            _refuse(found)

    def fail(self, kind: str) -> None:
        """Raise `InternalError` where nothing may fail in this way."""
        if found := self.kinds.get(kind):
            _refuse(found)


def _refuse(target: Target) -> NoReturn:
    raise InternalError(f"the table does not exclude '{target.name}'")
