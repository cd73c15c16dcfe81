"""The outline of a program in a session: its text, its procedures and units, so that an edit is found without them all.

It belongs to one question; the table of the session has what was solved under the digests that are named here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.decide.sessions.edited_text import edit_library
from knaster.decide.sessions.text_library import Chunk, TextLibrary
from knaster.pushdown.units.table import Unit


class Outline(NamedTuple):
    """A program as it was split, what was asked about it, and the units that were solved."""

    library: TextLibrary
    entry: str
    asked: Sequence[str] | None
    order: list[Unit]
    first: str

    def edit(
        self, text: str, file: str, dialect: str, entry: str, asked: Sequence[str] | None
    ) -> tuple[TextLibrary, list[str]] | None:
        """Return the procedures of the edited text and which have changed; None where that is to be found by others."""
        same = (self.library.dialect, self.entry, _plain(self.asked)) == (dialect, entry, _plain(asked))
        return edit_library(self.library, text, file) if same else None

    def to_fields(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "text": self.library.text,
            "dialect": self.library.dialect,
            "procedures": list(self.library.chunks.values()),
            "entry": self.entry,
            "asked": _plain(self.asked),
            "units": self.order,
            "first": self.first,
        }

    @staticmethod
    def of_fields(fields: Mapping[str, Any]) -> Outline:
        """Return the outline of plain data."""
        chunks = [Chunk(*row) for row in fields["procedures"]]
        library = TextLibrary(fields["text"], chunks, "", fields["dialect"])
        return Outline(
            library, fields["entry"], fields["asked"], [Unit(*row) for row in fields["units"]], fields["first"]
        )


def _plain(asked: Sequence[str] | None) -> list[str] | None:
    return None if asked is None else list(asked)
