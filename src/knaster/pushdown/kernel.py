"""The structures that the native code of pushdown systems takes and gives: saturation, and the rules of a file.

Where the library was not compiled, or is older than its sources, `load` or `load_reader` returns None; then the
reference in `saturation/productions.py` does the work, and `formats/pdaaal.py` reads alone.
"""

from __future__ import annotations

import ctypes
from functools import cache

from knaster.native.library import open_library

_integers = ctypes.POINTER(ctypes.c_int32)
_lengths = ctypes.POINTER(ctypes.c_int64)


class Problem(ctypes.Structure):
    """The C structure `problem`."""

    _fields_ = (
        *((name, ctypes.c_int32) for name in ("controls", "states", "symbols", "rules", "edges", "weighted")),
        *((name, _integers) for name in ("source", "symbol", "target", "first", "second")),
        ("weight", _lengths),
        *((name, _integers) for name in ("edge_source", "edge_symbol", "edge_target")),
        ("edge_weight", _lengths),
    )


class Outcome(ctypes.Structure):
    """The C structure `result`."""

    _fields_ = (
        *((name, ctypes.c_int32) for name in ("count", "middles")),
        ("transitions", ctypes.c_void_p),
        ("derivations", ctypes.c_void_p),
        ("lengths", ctypes.c_void_p),
        ("middle", ctypes.c_void_p),
    )


class FileNames(ctypes.Structure):
    """The C structure `names`."""

    _fields_ = (
        *((name, ctypes.c_int32) for name in ("count", "capacity")),
        *((name, ctypes.c_int64) for name in ("size", "room")),
        *((name, ctypes.c_void_p) for name in ("bytes", "start", "number", "mark", "slots")),
        ("mask", ctypes.c_uint64),
    )


class Loaded(ctypes.Structure):
    """The C structure `loaded`."""

    _fields_ = (
        *((n, ctypes.c_int32) for n in ("rules", "table_states", "table_symbols", "listed", "weighted", "named")),
        ("end", ctypes.c_int64),
        ("column", ctypes.c_void_p * 5),
        *((name, ctypes.c_void_p) for name in ("weight", "state_order", "symbol_order", "list")),
        ("states", FileNames),
        ("symbols", FileNames),
    )


@cache
def load_reader() -> ctypes.CDLL | None:
    """Return the library, ready to read rules; None where there is none that fits its source."""
    library = open_library("loading")
    if library is None:
        return None
    library.knaster_load.restype = ctypes.POINTER(Loaded)
    library.knaster_load.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.POINTER(ctypes.c_int)]
    library.knaster_loaded_free.restype = None
    library.knaster_loaded_free.argtypes = [ctypes.POINTER(Loaded)]
    return library


@cache
def load() -> ctypes.CDLL | None:
    """Return the library, ready to be called; None where there is none that fits its source."""
    library = open_library("saturation")
    if library is None:
        return None
    library.knaster_open.restype = ctypes.c_void_p
    library.knaster_open.argtypes = [ctypes.POINTER(Problem), ctypes.c_int]
    library.knaster_step.restype = ctypes.c_int
    library.knaster_step.argtypes = [ctypes.c_void_p, ctypes.c_int64]
    library.knaster_close.restype = ctypes.POINTER(Outcome)
    library.knaster_close.argtypes = [ctypes.c_void_p]
    library.knaster_free.restype = None
    library.knaster_free.argtypes = [ctypes.POINTER(Outcome)]
    return library
