"""Proofs that are wrong and were made by hand: the kernel believes none of them.

    python tests/fuzz.py attacks [--kind interference] [--every 10]

The table in `support/attacks` has at least 200 of every kind: invariants that hold at the printed places only, measures
that decrease in one arithmetic, tables that lack a row, lassos that leave their cycle, proofs of another text.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence

from support.attacks.table import all_attacks
from support.fuzz.pieces import say


def main(arguments: Sequence[str]) -> int:
    """Make every attack; return 1 where one is believed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", help="only attacks of kinds with this name in them")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth attack")
    options = parser.parse_args(arguments)
    chosen = [attack for attack in all_attacks() if (options.kind or "") in attack.kind][:: options.every]
    began, counts, believed = time.monotonic(), Counter[str](), 0
    for attack in chosen:
        counts[attack.kind] += 1
        if attack.is_believed():
            believed += 1
            say(f"BELIEVED: {attack.kind}: {attack.name}")
    for kind, count in counts.items():
        say(f"{count:5} {kind}")
    say(f"{len(chosen)} attacks of {len(counts)} kinds, {believed} believed, {time.monotonic() - began:.0f} s")
    return 1 if believed else 0
