"""Handlers: from a location and an exception, the location where a procedure goes on."""

from __future__ import annotations

from knaster.program.model import Location, Procedure


def handler(procedure: Procedure, location: Location, exception: str) -> Location | None:
    """Return where an exception is handled that arrives at a location; None where it is not."""
    for each in procedure.handlers:
        if each.location == location and each.exception in (None, exception):
            return each.target
    return None
