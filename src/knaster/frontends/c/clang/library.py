"""libclang, loaded when the first text of C is read: the only importer of the package.

The Python file of libclang 18 does not declare some functions of the library; they are declared here.
"""

from __future__ import annotations

import os
import sys
from ctypes import c_double, c_int, c_longlong, c_uint, c_ulonglong, c_void_p
from functools import cache
from typing import Any

from knaster.base.errors import KnasterError, MissingError
from knaster.base.limits import address_space, ulimit_advice

_NEEDED = 420 << 20  # bytes of address space for libclang, its stack and a solver, measured
INSTALL = "reading C needs packages that are not installed; type: pip install 'knaster[c]'"


@cache
def load_library() -> Any:
    """Return the module `clang.cindex` with all functions that we call; raise `MissingError` where there is none.

    Native code that gets no memory may never come back, so nothing is loaded where there is not enough.
    """
    if (address_space() or _NEEDED) < _NEEDED:
        raise KnasterError(f"reading C needs about {_NEEDED >> 20} MB of address space{ulimit_advice()}")
    try:
        from clang import cindex
    except ImportError:
        raise MissingError(INSTALL) from None
    _name_file(cindex.Config)
    cursor = cindex.Cursor
    missing = [
        ("clang_getCursorBinaryOperatorKind", [cursor], c_int),
        ("clang_getCursorUnaryOperatorKind", [cursor], c_int),
        ("clang_Cursor_getVarDeclInitializer", [cursor], cursor),
        ("clang_Cursor_Evaluate", [cursor], c_void_p),
        ("clang_EvalResult_getKind", [c_void_p], c_int),
        ("clang_EvalResult_isUnsignedInt", [c_void_p], c_uint),
        ("clang_EvalResult_getAsLongLong", [c_void_p], c_longlong),
        ("clang_EvalResult_getAsDouble", [c_void_p], c_double),
        ("clang_EvalResult_getAsUnsigned", [c_void_p], c_ulonglong),
        ("clang_EvalResult_dispose", [c_void_p], None),
        ("clang_Cursor_isNull", [cursor], c_int),
        ("clang_Cursor_getStorageClass", [cursor], c_int),
        ("clang_getExpansionLocation", [cindex.SourceLocation, *4 * [c_void_p]], None),
        ("clang_getFileContents", [cindex.TranslationUnit, c_void_p, c_void_p], c_void_p),
        ("clang_Type_getValueType", [cindex.Type], cindex.Type),
        ("clang_getCursorPrettyPrinted", [cursor, c_void_p], cindex._CXString),
    ]
    try:
        library = cindex.conf.lib
        for name, arguments, result in missing:
            function = getattr(library, name)
            function.argtypes, function.restype = arguments, result
        library.clang_Type_getValueType.errcheck = cindex.Type.from_result
        library.clang_getCursorPrettyPrinted.errcheck = cindex._CXString.from_result
    except (cindex.LibclangError, AttributeError) as error:
        raise MissingError(f"libclang cannot be used ({str(error).splitlines()[0]}); {INSTALL}") from None
    return cindex


def _name_file(config: Any) -> None:
    """Say where the library is, if it is where it is installed: libclang would import `platform` to find its name."""
    suffix = {"win32": "dll", "darwin": "dylib"}.get(sys.platform, "so")
    file = os.path.join(config.library_path or "", f"libclang.{suffix}")
    if config.library_file is None and not config.loaded and os.path.isabs(file) and os.path.isfile(file):
        config.library_file = file
