"""The system headers that are known by name: what their macros stand for under a data model.

Functions of the library need no header here: `library` knows those that matter, and any other is an input.
"""

from __future__ import annotations

from collections.abc import Mapping

HEADERS = ("assert.h", "limits.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h")
LONG = {"LP64": 64, "ILP32": 32}  # bits of long, and of size_t
PREDEFINED = {"__STDC__": "1", "__STDC_VERSION__": "201112L", "__STDC_HOSTED__": "1"}


def macros_of(header: str, data_model: str) -> Mapping[str, str]:
    """Return the macros without arguments that a header defines, as text."""
    long = LONG[data_model]
    word = "unsigned long" if long == 64 else "unsigned int"
    match header:
        case "limits.h":
            return _limits(long)
        case "stdbool.h":
            return {"bool": "_Bool", "true": "1", "false": "0", "__bool_true_false_are_defined": "1"}
        case "stdint.h":
            return _exact(long)
        case "stddef.h":
            return {"size_t": word, "ptrdiff_t": "long", "NULL": "0"}
        case "stdlib.h":
            return {"size_t": word, "NULL": "0", "EXIT_SUCCESS": "0", "EXIT_FAILURE": "1", "RAND_MAX": "2147483647"}
        case "stdio.h":
            return {"size_t": word, "NULL": "0", "EOF": "(-1)"}
        case _:
            return {}


def _limits(long: int) -> dict[str, str]:
    found = {"CHAR_BIT": "8"}
    sizes = (("CHAR", "SCHAR", "UCHAR", 8, ""), ("SHRT", "SHRT", "USHRT", 16, ""), ("INT", "INT", "UINT", 32, ""))
    for name, signed, unsigned, width, suffix in (
        *sizes,
        ("LONG", "LONG", "ULONG", long, "L"),
        ("LLONG", "LLONG", "ULLONG", 64, "LL"),
    ):
        high = (1 << width - 1) - 1
        for prefix in {name, signed}:
            found[f"{prefix}_MAX"] = f"{high}{suffix}"
            found[f"{prefix}_MIN"] = f"(-{high}{suffix}-1)"
        found[f"{unsigned}_MAX"] = f"{2 * high + 1}{suffix}" if width < 32 else f"{2 * high + 1}U{suffix}"
    return found


def _exact(long: int) -> dict[str, str]:
    names = {8: "char", 16: "short", 32: "int", 64: "long" if long == 64 else "long long"}
    found: dict[str, str] = {}
    for width, name in names.items():
        suffix = ("L" if long == 64 else "LL") if width == 64 else ""
        high = (1 << width - 1) - 1
        for kind in ("", "_least", "_fast"):
            found[f"int{kind}{width}_t"] = f"signed {name}"
            found[f"uint{kind}{width}_t"] = f"unsigned {name}"
        found[f"INT{width}_MAX"] = f"{high}{suffix}"
        found[f"INT{width}_MIN"] = f"(-{high}{suffix}-1)"
        found[f"UINT{width}_MAX"] = f"{2 * high + 1}" + (f"U{suffix}" if width >= 32 else "")
    found |= {"intmax_t": "long long", "uintmax_t": "unsigned long long", "size_t": "unsigned " + _word(long)}
    return found | {"intptr_t": _word(long), "uintptr_t": "unsigned " + _word(long)}


def _word(long: int) -> str:
    return "long" if long == 64 else "int"
