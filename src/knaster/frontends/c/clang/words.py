"""What verifiers and the library call and programs use without declaring it: their declarations, as text of C."""

from __future__ import annotations

from collections.abc import Iterable

_VOID = "void abort exit _exit _Exit quick_exit reach_error __VERIFIER_error srand perror"
_TRUTH = "assert __VERIFIER_assume __VERIFIER_assert assume_abort_if_not __CPROVER_assume assume __ESBMC_assume"
_TRUTH += " klee_assume"
_TEXT = "__CPROVER_assert __ESBMC_assert"
_PRINT = "printf puts putchar"
_FIXED = {
    "abs": "int abs(int);",
    "labs": "long labs(long);",
    "llabs": "long long llabs(long long);",
    **{name: f"void {name}(_Bool, ...);" for name in _TEXT.split()},
    **{name: f"int {name}();" for name in _PRINT.split()},
    **{name: f"void {name}(_Bool);" for name in _TRUTH.split()},
    **{name: f"void {name}();" for name in _VOID.split()},
}
_INPUT = "__VERIFIER_nondet_"
_KINDS = {
    "bool": "_Bool",
    "_Bool": "_Bool",
    "char": "char",
    "schar": "signed char",
    "uchar": "unsigned char",
    "short": "short",
    "ushort": "unsigned short",
    "int": "int",
    "uint": "unsigned",
    "unsigned": "unsigned",
    "long": "long",
    "ulong": "unsigned long",
    "longlong": "long long",
    "ulonglong": "unsigned long long",
    "int128": "__int128",
    "uint128": "unsigned __int128",
    "S8": "signed char",
    "U8": "unsigned char",
    "S16": "short",
    "U16": "unsigned short",
    "S32": "int",
    "U32": "unsigned",
    "size_t": "__SIZE_TYPE__",
    "sector_t": "unsigned long",
    "loff_t": "long",
    "float": "float",
    "double": "double",
    "pointer": "void *",
    "charp": "char *",
    "pchar": "char *",
}


def declarations_of(names: Iterable[str]) -> str:
    """Return the declarations of those names that have a meaning here."""
    found = []
    for name in names:
        if name in _FIXED:
            found.append(_FIXED[name])
        elif name.startswith(_INPUT) and name.removeprefix(_INPUT) in _KINDS:
            found.append(f"{_KINDS[name.removeprefix(_INPUT)]} {name}();")
    return "\n".join(found)
