"""Howell forms by the native library: rows, packed as integers or entry by entry, go there and come back as bytes."""

from __future__ import annotations

import ctypes
import sys
from array import array
from collections.abc import Sequence
from functools import cache

from knaster.native.library import open_library

UNCHANGED = -2
Rows = tuple[tuple[int, ...], ...]
_BYTES = 8  # of a word


@cache
def load() -> ctypes.CDLL | None:
    """Return the library, ready to be called; None where there is none that fits its source."""
    library = open_library("howell") if sys.byteorder == "little" else None
    if library is None:
        return None
    whole, block = ctypes.c_int64, ctypes.c_char_p
    out = ctypes.POINTER(ctypes.c_void_p)
    library.knaster_howell_form.restype = whole
    library.knaster_howell_form.argtypes = [block, whole, block, whole, whole, ctypes.c_int, out]
    library.knaster_howell_products.restype = whole
    library.knaster_howell_products.argtypes = [block, whole, block, whole, whole, whole, ctypes.c_int, out]
    library.knaster_howell_kernel.restype = whole
    library.knaster_howell_kernel.argtypes = [block, whole, whole, ctypes.c_int, out]
    library.knaster_howell_columns.restype = whole
    library.knaster_howell_columns.argtypes = [block, whole, whole, block, whole, whole, ctypes.c_int, out]
    library.knaster_howell_free.restype = None
    library.knaster_howell_free.argtypes = [ctypes.c_void_p]
    return library


def howell_form(
    library: ctypes.CDLL, rows: Sequence[int], basis: tuple[int, ...], words: int, bits: int
) -> tuple[int, ...]:
    """Return the Howell form of what rows of so many words and a basis generate; the basis where nothing is new."""
    out = ctypes.c_void_p()
    own, known = _join(rows, words), _join(basis, words)
    count = library.knaster_howell_form(own, len(rows), known, len(basis), words, bits, ctypes.byref(out))
    return basis if count == UNCHANGED else _split(library, out, count, words)


def form_of_products(
    library: ctypes.CDLL, left: Sequence[int], right: Sequence[int], size: int, words: int, bits: int
) -> tuple[int, ...]:
    """Return the Howell form of the products of matrices, each a row of so many words."""
    out = ctypes.c_void_p()
    step = words // (size * size)
    first, second = _join(left, words), _join(right, words)
    count = library.knaster_howell_products(first, len(left), second, len(right), size, step, bits, ctypes.byref(out))
    return () if count == UNCHANGED else _split(library, out, count, words)


def null_module(library: ctypes.CDLL, words: array[int], height: int, width: int, bits: int) -> Rows:
    """Return the null module of rows whose entries are given one after the other."""
    out = ctypes.c_void_p()
    count = library.knaster_howell_kernel(words.tobytes(), height, width, bits, ctypes.byref(out))
    return _entries(library, out, count, width)


def restrict(
    library: ctypes.CDLL, words: array[int], height: int, width: int, order: Sequence[int], hidden: int, bits: int
) -> Rows:
    """Return what rows say of the columns of `order` that come after some hidden ones."""
    out = ctypes.c_void_p()
    columns = array("q", order).tobytes()
    count = library.knaster_howell_columns(
        words.tobytes(), height, width, columns, len(order), hidden, bits, ctypes.byref(out)
    )
    return _entries(library, out, count, len(order) - hidden)


def _entries(library: ctypes.CDLL, out: ctypes.c_void_p, count: int, width: int) -> Rows:
    """Return the entries of the rows of a result, and give it back."""
    if count == UNCHANGED:
        return ()
    if count < 0:
        raise MemoryError
    words = memoryview(ctypes.string_at(out, count * width * _BYTES)).cast("Q").tolist()
    library.knaster_howell_free(out)
    return tuple([tuple(words[start : start + width]) for start in range(0, count * width, width)])


def _join(rows: Sequence[int], words: int) -> bytes:
    length = _BYTES * words
    return b"".join([row.to_bytes(length, "little") for row in rows])


def _split(library: ctypes.CDLL, out: ctypes.c_void_p, count: int, words: int) -> tuple[int, ...]:
    """Return the rows of a result, and give it back."""
    if count < 0:
        raise MemoryError
    length = _BYTES * words
    block = ctypes.string_at(out, count * length)
    library.knaster_howell_free(out)
    read = int.from_bytes
    return tuple([read(block[start : start + length], "little") for start in range(0, count * length, length)])
