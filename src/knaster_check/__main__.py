"""`python -m knaster_check [--z3] PROGRAM PROOF`: says whether a proof holds for a program, in one line.

With `--z3` that solver, too, may answer what Bitwuzla and cvc5 leave open about C.
Exit codes: 0 the proof holds without a bound; 5 it holds within a bound, or the kernel cannot tell; 2 it is refused;
1 wrong usage.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from knaster_check.refused import Refused, Unsupported
from knaster_check.table import Verdict, check
from knaster_check.text import read_program

_CLAIMS = {
    "unreachable": "{} unreachable",
    "reachable": "{} reachable",
    "ends": "every {fair}run ends",
    "violated": "{formula} does not hold on a {fair}run",
    "holds": "{formula} holds on every {fair}run",
    "endless": "a {fair}run never ends",
}
_VERDICTS = {
    "unreachable": "TRUE",
    "ends": "TRUE",
    "holds": "TRUE",
    "reachable": "FALSE",
    "endless": "FALSE",
    "violated": "FALSE",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Check a proof; return the exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["--z3"]:
        from knaster_check.c.solvers import LAST

        LAST.set(True)
        arguments = arguments[1:]
    if len(arguments) != 2 or arguments[0].startswith("-"):
        usage = (
            "usage: python -m knaster_check [--z3] PROGRAM PROOF (what 'knaster show --as kernel' wrote, and a proof)"
        )
        _write(sys.stderr, usage)
        return 1
    try:
        program, proof = (Path(name).read_text("utf-8") for name in arguments)
    except (OSError, ValueError) as error:
        _write(sys.stderr, str(error))
        return 2
    try:
        verdict = check(read_program(program), proof)
    except Unsupported as reason:
        _write(sys.stdout, f"{arguments[1]}: UNKNOWN. {reason}")
        return 5
    except KeyboardInterrupt:
        _write(sys.stderr, "knaster_check: interrupted")
        return 5
    except Refused as reason:
        _write(sys.stdout, f"{arguments[1]}: REFUSED. {reason}")
        return 2
    _write(sys.stdout, f"{arguments[1]}: {sentence(verdict)}")
    return 0 if verdict.bound is None else 5


def _write(stream: TextIO | None, line: str) -> None:
    """Write a line; where that cannot be done, say so in another, and let the exit code be the answer."""
    if stream is None:  # the caller has closed it
        return
    try:
        stream.write(f"{visible(line)}\n")
        stream.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # nothing is left to flush at exit
        if stream is sys.stdout:
            _write(sys.stderr, f"knaster_check: standard output: cannot be written: {error.strerror}")


def sentence(verdict: Verdict) -> str:
    """Return a verdict in words."""
    names = ", ".join(target.name for target in verdict.targets[:5]) + (", ..." if len(verdict.targets) > 5 else "")
    fair = "" if verdict.fair == "none" else f"{verdict.fair}ly fair "
    are = f"{names} {'is' if len(verdict.targets) == 1 else 'are'}"
    claim = _CLAIMS[verdict.claim].format(are, fair=fair, formula=verdict.formula)
    within = "" if verdict.bound is None else f" with at most {verdict.bound[1]} {verdict.bound[0]}"
    word = _VERDICTS[verdict.claim] if verdict.bound is None else "UNKNOWN"
    answered = ", ".join(f"{count} {who}" for who, count in sorted(verdict.answered.items()))
    return f"{word}. The proof holds: {claim}{within} ({answered or 'nothing to ask'})."


def visible(text: str) -> str:
    """Return a text whose control characters are spelled out."""
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


if __name__ == "__main__":
    sys.exit(main())
