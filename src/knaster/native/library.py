"""The compiled library of this package, opened with ctypes.

`hatch_build.py` compiles all sources of this folder when the package is installed.  Where nothing could compile them,
or where the library is older than a source, `open_library` returns None, and Python does the work.
"""

from __future__ import annotations

import ctypes
import sys
import zlib
from pathlib import Path

FOLDER = Path(__file__).parent
SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
LIBRARY = FOLDER / f"_native{SUFFIX}"


def open_library(source: str) -> ctypes.CDLL | None:
    """Return the library where it was made from the present text of `source.c`, else None."""
    try:
        library = ctypes.CDLL(str(LIBRARY))
        checksum = getattr(library, f"knaster_{source}_source")
    except (OSError, AttributeError):
        return None
    checksum.restype = ctypes.c_uint32
    return library if checksum() == zlib.crc32((FOLDER / f"{source}.c").read_bytes()) else None
