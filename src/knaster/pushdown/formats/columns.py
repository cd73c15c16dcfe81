"""Reads the rules of PDAAAL's JSON straight into columns of integers, by the compiled kernel.

A file of a million rules is two million small objects for Python's reader and none for this one.  It takes the usual
forms `{"pda": {"states": …}}` and `{"instance": [{…}, {"states": …}, …]}`, of them what is plainly right; None means
that `pdaaal` is to read the text alone, which takes the rest and says what is wrong.
"""

from __future__ import annotations

import ctypes
import json
import re
from array import array
from itertools import pairwise
from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.pushdown import kernel
from knaster.pushdown.formats.instance import ColumnRules, Instance
from knaster.pushdown.numbering import Names, RuleTable, integers

_PDA = re.compile(r'[ \t\r\n]*\{[ \t\r\n]*"pda"[ \t\r\n]*:[ \t\r\n]*')
_INSTANCE = re.compile(r'[ \t\r\n]*\{[ \t\r\n]*"instance"[ \t\r\n]*:[ \t\r\n]*\[[ \t\r\n]*')
_STATES = re.compile(r'\{[ \t\r\n]*"states"[ \t\r\n]*:[ \t\r\n]*')
_COMMA = re.compile(r"[ \t\r\n]*,[ \t\r\n]*")
_utf8 = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
    ("PyUnicode_AsUTF8AndSize", ctypes.pythonapi)
)  # the bytes of a text, without a copy where it is ASCII
_LONGEST_HEAD = 10_000  # characters of what stands before the system in an instance


class Split(NamedTuple):
    """A text without its rules: the other parts, an empty value where the states were, and what the states say."""

    rest: Any
    instance: Instance


def split_json(text: str) -> Split | None:
    """Return the rules of a text as columns, and its other parts; None where this text is to be read otherwise."""
    begin = _find_states(text)
    if begin is None or kernel.load_reader() is None:
        return None
    loaded = _load(text, begin)
    if loaded is None:
        return None
    instance, end = loaded
    empty = "{}" if text[begin] == "{" else "[]"
    try:
        rest = json.loads(text[:begin] + empty + text[end:], object_pairs_hook=_refuse_repeated)
    except (ValueError, RecursionError):
        return None
    return Split(rest, instance) if len(rest) == 1 else None


def _find_states(text: str) -> int | None:
    """Return where the value of "states" begins."""
    if found := _PDA.match(text):
        place = found.end()
    elif found := _INSTANCE.match(text):
        try:
            meta, place = json.JSONDecoder().raw_decode(text[: found.end() + _LONGEST_HEAD], found.end())
        except (ValueError, RecursionError):
            return None
        comma = _COMMA.match(text, place)
        if comma is None or not isinstance(meta, dict):
            return None
        place = comma.end()
    else:
        return None
    states = _STATES.match(text, place)
    return states.end() if states and text[states.end() : states.end() + 1] in ("{", "[") else None


def _refuse_repeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _load(text: str, begin: int) -> tuple[Instance, int] | None:
    """Return what the value at `begin` says, and where it ends."""
    library = kernel.load_reader()
    assert library is not None
    size = ctypes.c_ssize_t()
    try:
        data = _utf8(text, ctypes.byref(size))
        start = begin if text.isascii() else len(text[:begin].encode())
    except UnicodeEncodeError:
        return None
    status = ctypes.c_int()
    pointer = library.knaster_load(data, start, size.value, ctypes.byref(status))
    if not pointer:
        return None
    try:
        loaded = pointer.contents
        end = loaded.end if text.isascii() else len(ctypes.string_at(data, loaded.end).decode())
        return _read(loaded), end
    finally:
        library.knaster_loaded_free(pointer)


def _read(loaded: Any) -> Instance:
    states, symbols = _names(loaded.states), _names(loaded.symbols)
    if not loaded.named:
        states = [int(name) for name in states]
    source, symbol, target, first, second = (_column(address, loaded.rules) for address in loaded.column)
    named = _pick(states, loaded.state_order, loaded.table_states)
    table = RuleTable(
        source, symbol, target, first, second, named, _pick(symbols, loaded.symbol_order, loaded.table_symbols)
    )
    lengths: array[int] | None = None
    if loaded.weighted:
        lengths = array("q")
        lengths.frombytes(ctypes.string_at(loaded.weight, 8 * loaded.rules))
    listed = tuple(states[number] for number in _column(loaded.list, loaded.listed))
    return Instance(ColumnRules(table, lengths), listed)


def _column(address: int | None, count: int) -> array[int]:
    column = integers()
    if address and count:
        column.frombytes(ctypes.string_at(address, 4 * count))
    return column


def _names(names: Any) -> list[Any]:
    """Return all names that were seen, by their number."""
    if not names.count:
        return []
    starts = array("q")
    starts.frombytes(ctypes.string_at(names.start, 8 * (names.count + 1)))
    data = ctypes.string_at(names.bytes, names.size) if names.size else b""
    if data.isascii():
        text = data.decode()
        return [text[begin:end] for begin, end in pairwise(starts)]
    return [data[starts[number] : starts[number + 1]].decode() for number in range(names.count)]


def _pick(names: list[Any], order: int | None, count: int) -> Names:
    """Return the names that rules speak of, in the order of their numbers in the table."""
    chosen = [names[number] for number in _column(order, count)]
    return Names(chosen, {name: number for number, name in enumerate(chosen)})
