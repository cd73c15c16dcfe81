"""Compare with an oracle on random inputs: `python tests/fuzz.py c --help`, `threads`, `zing`, ..."""

from __future__ import annotations

import os
import sys
from importlib import import_module

KINDS = (
    "c",
    "reader",
    "memory",
    "lists",
    "few_values",
    "c_threads",
    "threads",
    "zing",
    "referred",
    "proofs",
    "temporal",
    "facts",
    "attacks",
)

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in KINDS:
        sys.exit(f"{__doc__}")
    sys.argv[:2] = [" ".join(sys.argv[:2])]  # what the help says how to call
    os.environ["KNASTER_STRICT"] = "1"  # a mistake of an engine is what is looked for
    sys.exit(import_module(f"support.fuzz.{sys.argv[0].split()[-1]}").main(sys.argv[1:]))
