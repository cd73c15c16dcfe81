"""The compiled saturation kernel for systems over integers, and the library that holds it.

`saturation.c` is compiled when the package is installed (`hatch_build.py`).  Where that was not possible, or where the
library is older than its source, `load` returns None and the reference in `saturation/productions.py` does the work.
"""

from __future__ import annotations

import ctypes
import sys
import zlib
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parent / "saturation.c"
SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
LIBRARY = SOURCE.parent / f"_saturation{SUFFIX}"

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


@cache
def load() -> ctypes.CDLL | None:
    """Return the library, ready to be called; None where there is none that fits its source."""
    try:
        library = ctypes.CDLL(str(LIBRARY))
        checksum = library.knaster_source
    except (OSError, AttributeError):
        return None
    checksum.restype = ctypes.c_uint32
    if checksum() != zlib.crc32(SOURCE.read_bytes()):
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
