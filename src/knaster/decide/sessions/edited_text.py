"""The procedures of a text that was edited inside some of them, found from how the text was split before.

What two texts have in common at their beginnings and ends is compared as a whole; only procedures in between are split
again.  An edit of anything else (globals, signatures, who is called, comments without end) is not found so: None.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.decide.sessions.text_library import (
    Chunk,
    TextLibrary,
    blank_comments,
    column_of,
    split_procedures,
    with_plain_ends,
)


def edit_library(before: TextLibrary, text: str, file: str) -> tuple[TextLibrary, list[str]] | None:
    """Return the procedures of an edited text, and which have another text than before."""
    text, old = with_plain_ends(text), before.text
    listed = list(before.chunks.values())
    if text == old:
        return TextLibrary(text, listed, file, before.dialect), []
    same = _common_length(old, text)
    same_end = _common_end(old, text, min(len(old), len(text)) - same)
    low, high = same - 1, len(old) - same_end + 1  # a character more at both sides: a word may have become longer
    touched = [number for number, chunk in enumerate(listed) if chunk.start < high and low < chunk.end]
    if not touched or low < listed[touched[0]].start or listed[touched[-1]].end < high:
        return None
    first, last = touched[0], touched[-1] + 1
    moved = len(text) - len(old)
    made = _split_again(text, listed[first], listed[last - 1].end + moved)
    if made is None or [*map(_face, made)] != [*map(_face, listed[first:last])]:
        return None
    lines = text.count("\n", made[0].start, made[-1].end) - old.count("\n", made[0].start, listed[last - 1].end)
    after = [
        each._replace(start=each.start + moved, end=each.end + moved, line=each.line + lines) for each in listed[last:]
    ]
    if after:
        after[0] = after[0]._replace(column=column_of(text, after[0].start))
    library = TextLibrary(text, [*listed[:first], *made, *after], file, before.dialect)
    return library, [each.name for each in made if library.text_of(each.name) != before.text_of(each.name)]


def _split_again(text: str, first: Chunk, end: int) -> list[Chunk] | None:
    """Return the procedures from the beginning of one to an offset, the end of one."""
    line_start, line_end = text.rfind("\n", 0, first.start) + 1, text.find("\n", end)
    rest = text[end:] if line_end < 0 else text[end:line_end]
    if "{" in text[line_start : first.start] or "}" in rest:
        return None  # a name in braces might begin before, or end behind
    stretch = text[first.start : end]
    plain = blank_comments(stretch)
    made = split_procedures(stretch, plain, 0) if plain is not None else None
    if not made or made[-1].end != len(stretch):
        return None
    made = [
        each._replace(start=each.start + first.start, end=each.end + first.start, line=each.line + first.line - 1)
        for each in made
    ]
    return [each._replace(column=column_of(text, each.start)) for each in made]


def _face(chunk: Chunk) -> tuple[str, Sequence[str]]:
    """Return what must not change: a signature, and who is called."""
    return chunk.signature, chunk.called


def _common_length(one: str, other: str) -> int:
    """Return the length of the longest common beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_end(one: str, other: str, most: int) -> int:
    """Return the length of the longest common end, at most as given."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low
