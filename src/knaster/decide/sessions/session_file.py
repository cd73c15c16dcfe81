"""Sessions in files: what was solved of a program, by kind of question, as plain JSON.

A session is believed: whoever writes the file decides what is said to have been solved before.  What it is about is
told by digests of texts, so one of another program or of an earlier text does no harm; one of another version of
Knaster is not used.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from knaster.base.errors import UsageError
from knaster.base.outputs import write_file
from knaster.base.records import dataclass, field
from knaster.pushdown.units.table import Table
from knaster.version import VERSION

_FORMAT = "knaster session"


@dataclass(slots=True)
class Session:
    """Tables of solved units, one for each kind of question; the signatures of the program; why it is empty."""

    tables: dict[str, Table] = field(default_factory=dict)
    signatures: dict[str, str] = field(default_factory=dict)
    empty: str = "a new session"
    said: str = ""  # what was solved last
    outlines: dict[str, Any] = field(default_factory=dict)  # by kind, too: see `outline`

    def known(self, kind: str, signatures: Mapping[str, str]) -> tuple[Table, str]:
        """Return what was solved for a kind of question; nothing, and why, where it cannot be used."""
        changed = [
            name for name, told in signatures.items() if name in self.signatures and self.signatures[name] != told
        ]
        if changed:
            self.tables = {}
            return {}, f"the signature of '{changed[0]}' has changed"
        if self.signatures and not self.signatures.keys() & signatures.keys():
            return {}, "the session is about another program"
        table = self.tables.get(kind, {})
        return table, "" if table else (self.empty or "nothing of this kind was asked before")

    def keep(self, kind: str, table: Table, signatures: Mapping[str, str]) -> None:
        """Keep what was solved."""
        self.tables[kind] = table
        self.signatures, self.empty = dict(signatures), ""


def read_session(file: str) -> Session:
    """Return the session of a file, a new one where there is no such file; `UsageError` where it is something else."""
    try:
        with open(file, encoding="utf-8") as stream:
            text = stream.read()
    except FileNotFoundError:
        return Session()
    except (OSError, ValueError) as error:
        raise UsageError(f"--since {file}: cannot be read: {error}") from None
    if not text.strip():
        return Session()
    try:
        document: Any = json.loads(text)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or document.get("format") != _FORMAT:
        raise UsageError(f"--since {file}: is no session of knaster; name a file that is to become one")
    if document.get("version") != VERSION:
        return Session(empty="the session is of another version of knaster")
    tables, signatures = document.get("tables"), document.get("signatures")
    if not isinstance(tables, dict) or not isinstance(signatures, dict):
        return Session(empty="the session is damaged")
    outlines = document.get("outlines")
    return Session(tables, signatures, "", outlines=outlines if isinstance(outlines, dict) else {})


def write_session(file: str, session: Session) -> None:
    """Write a session to a file."""
    document = {
        "format": _FORMAT,
        "version": VERSION,
        "signatures": session.signatures,
        "tables": session.tables,
        "outlines": session.outlines,
    }
    write_file(file, json.dumps(document, separators=(",", ":")) + "\n")
