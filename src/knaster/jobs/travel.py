"""What of a program travels to another machine: its text, which must be all that there is of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster.base.errors import KnasterError, SourceError


def text_that_travels(file: str, text: str, reading: Mapping[str, Any]) -> str:
    """Return a text that a machine without its file can check; raise `KnasterError` where it includes other files."""
    if "include" in text and _is_c(file, text):
        from knaster.frontends.c.clang.includes import find_includes

        others = find_includes(text, file, reading.get("include") or ()).files
        if others:
            raise KnasterError(
                f"{file}: it includes {others[0]}, and only texts travel to a cluster; "
                f"run 'cc -E {file} > FILE.i' and check FILE.i, or check it with -j"
            )
    return text


def _is_c(file: str, text: str) -> bool:
    from knaster.frontends.languages import language_of

    try:
        return language_of(file, text).name == "c"
    except SourceError:  # what another command reads
        return False
