"""Functions that programs call and do not define: what those mean that mean something.

Any other function that is called and not defined returns any value of its type and changes nothing.
"""

from __future__ import annotations

from enum import Enum

from knaster.frontends.c.names.types import FLOAT, INT, POINTER, Boolean, CType, Foreign, Integer


class Meaning(Enum):
    """What a call of a known function does."""

    STOP = "ends the run"
    ASSUME = "ends the run where its argument is 0"
    ASSERT = "fails where its argument is 0"
    FAIL = "fails"
    TARGET = "is a target, and ends the run"
    NOTHING = "does nothing that matters"
    SAME = "returns its first argument"
    ABSOLUTE = "returns the absolute value"
    SIZE = "is known by the compiler"


_STOP = "abort exit _exit _Exit quick_exit __builtin_unreachable __builtin_trap __builtin_abort __builtin_exit"
_ASSUME = "__VERIFIER_assume assume_abort_if_not __CPROVER_assume __builtin_assume assume"  # the last one is HOLA's
_ASSERT = "assert __VERIFIER_assert __CPROVER_assert"
_FAIL = "__assert_fail __assert __assert_rtn __assert_perror_fail"
_TARGET = "reach_error __VERIFIER_error"
_NOTHING = "printf puts putchar fprintf fputs putc fflush perror srand"

KNOWN: dict[str, Meaning] = {
    **dict.fromkeys(_STOP.split(), Meaning.STOP),
    **dict.fromkeys(_ASSUME.split(), Meaning.ASSUME),
    **dict.fromkeys(_ASSERT.split(), Meaning.ASSERT),
    **dict.fromkeys(_FAIL.split(), Meaning.FAIL),
    **dict.fromkeys(_TARGET.split(), Meaning.TARGET),
    **dict.fromkeys(_NOTHING.split(), Meaning.NOTHING),
    "__builtin_expect": Meaning.SAME,
    "abs": Meaning.ABSOLUTE,
    "labs": Meaning.ABSOLUTE,
    "llabs": Meaning.ABSOLUTE,
}

TARGETS = tuple(_TARGET.split())

_HEAP = Foreign("memory that is allocated at run time is not read", "use variables and arrays of fixed size")
_THREADS = Foreign("threads are not read", "check one thread at a time")
_JUMPS = Foreign("setjmp and longjmp are not read", "use return and goto")
_PLACES = Foreign("a function that writes through a pointer is not read", "call a function that returns the value")

REFUSED: dict[str, Foreign] = {
    **dict.fromkeys(
        ["malloc", "calloc", "realloc", "free", "alloca", "__builtin_alloca", "aligned_alloc", "strdup"], _HEAP
    ),
    **dict.fromkeys(["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end", "fork"], _THREADS),
    **dict.fromkeys(["setjmp", "_setjmp", "sigsetjmp", "longjmp", "siglongjmp"], _JUMPS),
    **dict.fromkeys(
        ["scanf", "fscanf", "sscanf", "memset", "memcpy", "memmove", "strcpy", "strncpy", "sprintf", "snprintf"],
        _PLACES,
    ),
}


def refusal(name: str) -> Foreign | None:
    """Return why a function of this name is refused; None where it is not."""
    return _THREADS if name.startswith("pthread_") else REFUSED.get(name)


def nondeterministic(name: str, long: int) -> CType | None:
    """Return the type of the value of `__VERIFIER_nondet_T`; None for any other name."""
    if not name.startswith("__VERIFIER_nondet_"):
        return None
    kind = name.removeprefix("__VERIFIER_nondet_")
    sizes = {"char": 8, "short": 16, "int": 32, "long": long, "longlong": 64, "int128": 128}
    aliases = {"unsigned": "uint", "S8": "char", "U8": "uchar", "S16": "short", "U16": "ushort", "U32": "uint"}
    kind = aliases.get(kind, kind)
    if kind in ("bool", "_Bool"):
        return Boolean()
    if kind in ("size_t", "sector_t", "loff_t"):
        return Integer(long, kind == "loff_t")
    if kind in sizes:
        return Integer(sizes[kind])
    if kind[:1] == "u" and kind[1:] in sizes:
        return Integer(sizes[kind[1:]], False)
    if kind in ("float", "double"):
        return FLOAT
    return POINTER if kind in ("pointer", "charp", "pchar") else INT
