"""Functions that programs call and do not define: what those mean that mean something.

A function of the C library that has no meaning here is refused by name.  Any other function that is called and not
defined returns any value of its type and changes nothing.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import cache
from pathlib import Path

from knaster.frontends.c.names.types import Foreign


class Meaning(Enum):
    """What a call of a known function does."""

    STOP = "ends the run"
    ASSUME = "ends the run where its argument is 0"
    ASSERT = "fails where its argument is 0"
    FAIL = "fails"
    TARGET = "is a target, and ends the run"
    NOTHING = "does nothing that matters; what it returns is any value of its type"
    SAME = "returns its first argument"
    ABSOLUTE = "returns the absolute value"


HANDLERS = "__knaster_call_handlers"  # of library/exit.c
OBJECT_SIZES = ("__builtin_object_size", "__builtin_dynamic_object_size")
UNREACHABLE_WORD = "__builtin_unreachable"
_STOP = "abort exit _exit _Exit quick_exit __builtin_unreachable __builtin_trap __builtin_abort __builtin_exit"
_ASSUME = "__VERIFIER_assume assume_abort_if_not __CPROVER_assume __builtin_assume __ESBMC_assume klee_assume assume"
_ASSERT = "assert __VERIFIER_assert __CPROVER_assert __ESBMC_assert"  # `assume` is HOLA's, and `static_assert`
_FAIL = "__assert_fail __assert __assert_rtn __assert_perror_fail"
_TARGET = "reach_error __VERIFIER_error"
_NOTHING = "printf puts putchar fprintf fputs putc fputc fflush perror srand srandom"

KNOWN: dict[str, Meaning] = {
    **dict.fromkeys(_STOP.split(), Meaning.STOP),
    **dict.fromkeys(_ASSUME.split(), Meaning.ASSUME),
    **dict.fromkeys(_ASSERT.split(), Meaning.ASSERT),
    **dict.fromkeys(_FAIL.split(), Meaning.FAIL),
    **dict.fromkeys(_TARGET.split(), Meaning.TARGET),
    **dict.fromkeys(_NOTHING.split(), Meaning.NOTHING),
    "static_assert": Meaning.ASSERT,
    "__builtin_expect": Meaning.SAME,
    "__builtin_expect_with_probability": Meaning.SAME,
    "abs": Meaning.ABSOLUTE,
    "labs": Meaning.ABSOLUTE,
    "llabs": Meaning.ABSOLUTE,
    "imaxabs": Meaning.ABSOLUTE,
    "__builtin_prefetch": Meaning.NOTHING,
}

_COMPILED = "printf puts putchar fprintf fputs fputc abs labs llabs imaxabs mempcpy stpncpy bzero bcopy bcmp"
_UNLOCKED = "printf puts putchar fprintf fputs fputc"
_FORTIFIED = "memcpy memmove mempcpy memset strcpy stpcpy strncpy strcat strncat"
_OLD = {"index": "strchr", "rindex": "strrchr"}

SAME_AS: dict[str, str] = {
    **{f"__builtin_{name}": name for name in _COMPILED.split()},
    **{f"__builtin_{name}_unlocked": name for name in _UNLOCKED.split()},
    **{f"__builtin_{name}": other for name, other in _OLD.items()},
    **{f"__builtin___{name}_chk": f"__knaster_{name}_chk" for name in _FORTIFIED.split()},
}
"""Words of compilers for functions of the library."""

TARGETS = tuple(_TARGET.split())
RANGES = {
    "rand": (0, 2147483647),
    "rand_r": (0, 2147483647),
    "random": (0, 2147483647),
    "getchar": (-1, 255),
    **dict.fromkeys(["putchar", "putc", "fputc"], (-1, 255)),
    **dict.fromkeys(["puts", "fputs"], (-1, 2147483647)),
    "fflush": (-1, 0),
}  # of inputs of the library

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
_UNDECLARED = """btowc wctob mbrlen mbrtowc wcrtomb mbsrtowcs wcsrtombs fwprintf fwscanf swprintf swscanf vfwprintf
vfwscanf vswprintf vswscanf vwprintf vwscanf wprintf wscanf fgetwc fgetws fputwc fputws fwide getwc getwchar putwc
putwchar ungetwc wcstod wcstof wcstold wcstoll wcstoul wcstoull wcscat wcscoll wcscspn wcsftime wcsncat wcspbrk wcsspn
wcsstr wcstok wcsxfrm wmemchr wmemcmp wmemcpy wmemmove iswalnum iswblank iswcntrl iswctype iswdigit iswgraph iswlower
iswprint iswpunct iswspace iswupper iswxdigit towctrans wctrans wctype strcoll strxfrm strerror_r strerror_s strchrnul
strcasestr strfry strsignal strverscmp strndup strndupa strdupa stpncpy strlcpy strlcat strcpy_s strcat_s strncpy_s
strnlen_s memmem memrchr rawmemchr memfrob memccpy mempcpy memcpy_s memmove_s memset_s memset_explicit explicit_bzero
bcopy bzero bcmp swab reallocarray strtoq strtouq a64l l64a ecvt fcvt gcvt drand48 erand48 lrand48 nrand48 mrand48
jrand48 srand48 qsort_r mktemp mkdtemp getline getdelim gets gets_s fgetpos fsetpos ftell timespec_get timegm strptime
asctime_s ctime_s gmtime_s localtime_s getenv_s bsearch_s qsort_s secure_getenv putenv clearenv tempnam popen pclose
dprintf vdprintf fmemopen open_memstream"""
"""Functions of the standard library and of those around it that no header of ours declares."""
_HEADERS = Path(__file__).parent.parent / "headers"
_DECLARED = re.compile(r"^[\w* ]+?[* ](\w+)\(.*\);$", re.MULTILINE)
_NOT_STANDARD = ("unistd.h", "pthread.h")


def refusal(name: str, ours: bool = False) -> Foreign | None:
    """Return why a function of this name is refused; None where it is not.

    `ours` says that no text of the user declares it.
    """
    if name.startswith(("pthread_", "__CPROVER_atomic_", "__ESBMC_atomic_")):
        return _THREADS
    if name in REFUSED or name in KNOWN or name in RANGES:
        return REFUSED.get(name)
    if name.startswith(("__CPROVER_", "__ESBMC_")) and "nondet" not in name:
        return Foreign(f"'{name}' is a word of a verifier that is not read", "define it in the program")
    if ours or name in standard_functions() or name.startswith(("__builtin_", "__knaster_", "__sync_", "__atomic_")):
        word = name.replace("__knaster_", "__builtin___")  # as the program has it
        return Foreign(f"'{word}' is a function of the C library that is not read", "define it in the program")
    return None


def is_input(name: str) -> bool:
    """Tell whether a call of a function of this name is an input by agreement of all verifiers."""
    return name.startswith("__VERIFIER_nondet_")


@cache
def standard_functions() -> frozenset[str]:
    """Return the functions that the standard headers declare."""
    headers = [path for path in sorted(_HEADERS.glob("*.h")) if path.name not in _NOT_STANDARD]
    declared = (name for path in headers for name in _DECLARED.findall(path.read_text("utf-8")))
    return frozenset([*declared, *_UNDECLARED.split()])
