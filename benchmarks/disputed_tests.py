"""Questions of c-tests whose label means something else, and what."""

from __future__ import annotations

from collections.abc import Mapping

_STEP = "ESBMC takes a statement for one step; here a read and a write are two, and the trace shows who runs between"
DISPUTED: Mapping[tuple[str, str], str] = {
    ("c-tests/esbmc/esbmc-unix/github_6831_hashing_sound/main.c", "reach"): _STEP,
    ("c-tests/esbmc/esbmc-unix2/11_bakery.simple/bakery.simple.c", "reach"): _STEP,
}
