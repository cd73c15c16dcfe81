"""One edited procedure of a thousand: instructions of `check --since` beside those of a fresh run.

    python -m benchmarks.edits [--procedures N]

The procedures call each other as a binary tree and are easy to solve; the edit changes the summary of one leaf.
Instructions are counted by Valgrind, so it does not matter what else the machine does; start-up, which is that of the
same command on a program of three lines, is taken off.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.instructions import Counter, count

CHECK = (sys.executable, "-m", "knaster", "check")
_RUN = (  # a counter may run the command once before it counts, so each run begins with the session before the edit
    "import shutil, sys; kept, session, file = sys.argv[1:]; shutil.copy(kept, session);"
    "from knaster.cli import main; sys.exit(main(['check', file, '--since', session]))"
)
SMALL = "void main() begin\n  if (F) then ERROR: skip; fi\nend\n"


def program(procedures: int, edited: bool = False) -> str:
    """Return a program of so many procedures besides `main`; the edited one differs in one of its leaves."""
    parts = ["decl g, h, k;"]
    for number in range(procedures):
        callees = [each for each in (2 * number + 1, 2 * number + 2) if each < procedures]
        calls = "".join(f"  g := p{each}(x, h);\n" for each in callees) or "  g := x;\n  h := !h;\n"
        last = "h := y & x & !x;" if edited and number == procedures // 2 + 3 else "h := x & y;"
        parts.append(
            f"bool p{number}(x, y)\nbegin\n  decl l;\n  l := x | k;\n{calls}"
            f"  if (l) then\n    {last}\n  else\n    l := !y;\n  fi\n  return !x;\nend\n"
        )
    return "\n".join(
        [*parts, "void main()\nbegin\n  g := p0(T, F);\n  if (h & k & !k) then\n    ERROR: skip;\n  fi\nend\n"]
    )


def since(before: str, after: str, folder: Path, counter: Counter) -> int:
    """Return the instructions of a check after an edit."""
    file, session, kept = folder / "p.bp", folder / "p.session", folder / "kept.session"
    kept.unlink(missing_ok=True)
    file.write_text(before)
    subprocess.run([*CHECK, str(file), "--since", str(kept)], capture_output=True, check=True)
    file.write_text(after)
    return counter([sys.executable, "-c", _RUN, str(kept), str(session), str(file)])


def fresh(text: str, folder: Path, counter: Counter, *options: str) -> int:
    """Return the instructions of a check from scratch."""
    file = folder / "p.bp"
    file.write_text(text)
    return counter([*CHECK, str(file), *options])


def main(given: Sequence[str] | None = None, counter: Counter = count) -> int:
    """Print millions of instructions and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--procedures", type=int, default=1000)
    options = parser.parse_args(given)
    before, after = program(options.procedures), program(options.procedures, True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        edited = since(before, after, folder, counter) - since(SMALL, SMALL.replace("F", "F & F"), folder, counter)
        certified = fresh(after, folder, counter, "--certify") - fresh(SMALL, folder, counter, "--certify")
        plain = fresh(after, folder, counter) - fresh(SMALL, folder, counter)
    print(f"{after.count(chr(10)):,} lines, {options.procedures + 1:,} procedures, one edited; million instructions")
    print(f"--since {edited / 1e6:.0f}; a fresh run with --certify {certified / 1e6:.0f}, without {plain / 1e6:.0f}")
    print(f"of a fresh run: {edited / certified:.3f} and {edited / plain:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
