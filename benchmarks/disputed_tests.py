"""Questions of c-tests whose label means something else, and what."""

from __future__ import annotations

from collections.abc import Mapping

_STEP = "ESBMC takes a statement for one step; here a read and a write are two, and the trace shows who runs between"
_OUTSIDE = "it reads outside of an array and throws the value away, which C calls undefined"
DISPUTED: Mapping[tuple[str, str], str] = {
    ("c-tests/esbmc/esbmc-unix/github_6831_hashing_sound/main.c", "reach"): _STEP,
    ("c-tests/esbmc/esbmc-unix2/11_bakery.simple/bakery.simple.c", "reach"): _STEP,
    ("c-tests/esbmc/esbmc/github_159_postdecrement/main.c", "memory"): _OUTSIDE,
    ("c-tests/esbmc/esbmc/github_159_preincrement/main.c", "memory"): _OUTSIDE,
    ("c-tests/cbmc/cbmc/pragma_cprover_enable1/main.c", "overflow"): (
        "the run ends at an index out of range, before the sum that would overflow"
    ),
    ("c-tests/esbmc/cstd/scanf-true-2/main.c", "memory"): 'scanf("%s") writes any number of bytes into ten',
    ("c-tests/esbmc/esbmc/builtin_free-fail/main.c", "reach"): (
        "the program has no assertion; a second free is no question of reach"
    ),
    ("c-tests/esbmc/esbmc/simplifier-shift-fail/main.c", "safety"): (
        "x << 0 of a negative x is an overflow here, as specs/c.md says; `overflow` finds it"
    ),
    ("c-tests/satabs/symmetry_aware_bugzilla/Bug135__refinement_failure/main.c", "reach"): (
        "what is volatile may change between two reads; with --volatile plain the answer is TRUE"
    ),
}
