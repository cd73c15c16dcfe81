"""What tests share: where things are, programs made by hand or at random, oracles, and mistakes made on purpose.

`building` writes programs in Python. `generators` makes random programs, texts and systems; `oracles` answers by
enumeration what engines compute; `fuzz` compares the two for hours (`python tests/fuzz.py`); `mistakes` breaks
the tool on purpose, and some test has to notice each.
"""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]  # the repository
EXAMPLES = ROOT / "examples"
SHARED = ROOT.parent / "shared"  # beside the repository; tests marked `shared` are skipped without it
