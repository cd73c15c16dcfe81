"""Which steps of the library may be undefined, by the name of a function and how many arguments it is given."""

from __future__ import annotations

from knaster.semantics.memory.failure import BOUNDS, DEAD, FREE, NULL, OVERLAP, READ_ONLY, VALUE, WILD
from knaster.semantics.memory.floats import MATHEMATICS

_USES = (NULL, DEAD, BOUNDS, WILD)
_ALLOCATES = frozenset(("malloc", "calloc", "alloca", "__builtin_alloca", "aligned_alloc", "memalign", "valloc"))
_SAFE = frozenset(("exit", "va_end", "toupper", "tolower", "clock", "difftime", "usleep"))
_COUNTS = ("popcount", "parity", "ffs", "bswap", "is")  # of any number
_FIRST = ("clz", "ctz")  # not of 0
_COPIES = frozenset(("memcpy", "strcpy", "stpcpy", "strncpy", "strcat", "strncat"))
_FORMATS = frozenset(("printf", "fprintf", "sprintf", "snprintf", "scanf", "fscanf", "va_arg", "asprintf"))
_FORMATS |= {"vprintf", "vfprintf", "vsprintf", "vsnprintf", "vasprintf", "asctime", "asctime_r", "ctime", "ctime_r"}
_LISTS = frozenset(("va_start", "va_arg", "va_copy"))
_WRITES = _COPIES | _LISTS | {"memmove", "memset", "sprintf", "snprintf", "scanf", "fscanf", "time"}
_WRITES |= {"vsprintf", "vsnprintf", "asprintf", "vasprintf", "fgets", "fread", "mktime", "asctime_r", "ctime_r"}
_WRITES |= {"localtime_r", "gmtime_r"}
_POINTS_INSIDE = frozenset(("strchr", "strrchr", "strstr", "memchr", "strpbrk", "stpcpy"))


def library_kinds(name: str, arguments: int, read_only: bool = False) -> tuple[str, ...]:
    """Return the kinds of undefined steps that a call may come to; `read_only` where some object must not change."""
    word = name.removeprefix("__builtin_")
    if word in ("free", "cfree", "realloc"):
        return (FREE,)
    if word.startswith(_FIRST):
        return (VALUE,)
    if name.startswith("__CPROVER_uninterpreted_"):
        return ()
    if name in _ALLOCATES or word in _SAFE or word in MATHEMATICS or not arguments or word.startswith(_COUNTS):
        return ()
    kinds: tuple[str, ...] = _USES
    kinds += (READ_ONLY,) if read_only and (word in _WRITES or name.startswith("overflow ")) else ()
    kinds += (OVERLAP,) if word in _COPIES else ()
    return kinds + ((VALUE,) if word in _FORMATS else ())


def points_inside(name: str) -> bool:
    """Tell whether a function returns a pointer into the middle of an object that it is given."""
    return name in _POINTS_INSIDE
