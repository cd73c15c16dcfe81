"""Every method for C with memory against gcc: random programs with two inputs of four values, all of them enumerated.

    python tests/fuzz.py few_values --first 1 --programs 100 [--engines auto,paths,regions,explicit]

gcc compiles the programs with its sanitizers and runs each on all 16 pairs of inputs: the lines at which runs end in an
error are those of targets that can be reached, and no others.  What is decided of a target agrees with them.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from random import Random

import knaster
from knaster.base.limits import Limits
from knaster.evidence.answers.answer import Reachable, Unreachable
from support.generators.c_memory import HEAD, program

WORDS = """int __VERIFIER_nondet_int(void);
void reach_error(void);
static int few(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 3) exit(0); return n; }
"""
_VALUES = """static char **values;
int __VERIFIER_nondet_int(void) { return atoi(*values++); }
void reach_error(void) { abort(); }
"""
_CHECKS = "address,bounds,null,alignment,shift-exponent,integer-divide-by-zero,bool,vla-bound,return,object-size"
FLAGS = ("-w", "-g", "-O0", "-fwrapv", f"-fsanitize={_CHECKS},float-cast-overflow", "-fno-sanitize-recover=all")
ENVIRONMENT = {"ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1:symbolize=1:handle_abort=1"}
_BATCH = 20
ENGINES = ("auto", "paths", "regions", "explicit")


def text_of(number: int) -> str:
    """Return a random program; its function has the number in its name."""
    random = Random(f"few values {number}")
    text = program(random, f"p{number}", statements=random.randint(4, 12), mistakes=0.4)
    text = text.replace("int x = 3, y = -7", "int x = few(), y = few()", 1)
    returned = text.index("return (int)")
    asked = "".join(
        f"if (x == {random.randint(0, 9)}{random.choice(['', ' && y < 3', ' || z == 4'])}) reach_error();\n"
        for _ in range(random.randint(1, 3))
    )
    return text[:returned] + asked + text[returned:]


def ask_compiler(numbers: Sequence[int], folder: Path) -> dict[int, set[int]]:
    """Return for each program the lines of its own text at which a run ends in an error."""
    texts = {number: text_of(number) for number in numbers}
    head = HEAD + WORDS
    cases = "\n".join(f"case {number}: return p{number}();" for number in numbers)
    main = f"{_VALUES}int main(int argc, char **argv) {{ values = argv + 2; switch (atoi(argv[1])) {{ {cases} }} }}\n"
    (folder / "p.c").write_text(head + "\n".join(texts.values()) + "\n" + main)
    subprocess.run(["gcc", *FLAGS, str(folder / "p.c"), "-o", str(folder / "p")], check=True)
    found: dict[int, set[int]] = {number: set() for number in numbers}
    first = head.count("\n")
    for number, text in texts.items():
        for x, y in product(range(4), repeat=2):
            command = [str(folder / "p"), str(number), str(x), str(y)]
            told = subprocess.run(
                command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, env=ENVIRONMENT, check=False
            )
            said = told.stderr.decode(errors="replace")
            if said:
                line = _line(said)
                found[number].add(line - first + head.count("\n") if line > head.count("\n") else line)
        first += text.count("\n") + 1
    return found


def _line(said: str) -> int:
    """Return the first line of the program that a sanitizer names."""
    runtime = re.search(r"p\.c:(\d+):\d+: runtime error", said)
    if runtime:
        return int(runtime.group(1))
    lines = [int(line) for name, line in re.findall(r"in (\w+) .*p\.c:(\d+)", said) if name != "reach_error"]
    return lines[0] if lines else 0


def compare(number: int, lines: set[int], engine: str, counts: Counter[str]) -> list[str]:
    """Return what an engine says of a program that is not so."""
    text = f"{HEAD}{WORDS}{text_of(number)}\nint main(void) {{ return p{number}(); }}\n"
    errors = {line for line, words in enumerate(text.splitlines(), 1) if "reach_error();" in words}
    result = knaster.check(text, file="p.c", engine=engine, property="safety", limits=Limits(seconds=60))
    wrong = []
    excluded = dict.fromkeys(lines, True)
    for target, answer in result.answers:
        counts[type(answer).__name__] += 1
        places = errors if target.name == "reach_error" else {target.line}  # one target for all calls of it
        if isinstance(answer, Reachable) and not places & lines:
            wrong.append(f"{engine}: {target.name} is reachable, and not for gcc")
        if not isinstance(answer, Unreachable):
            excluded.update(dict.fromkeys(places, False))
    wrong += [f"{engine}: line {line} is safe, and gcc has an error there" for line in sorted(lines) if excluded[line]]
    if lines and result.verdict.value == "TRUE":
        wrong.append(f"{engine}: TRUE, and gcc has errors at lines {sorted(lines)}")
    return wrong


def main(arguments: list[str] | None = None) -> int:
    """Compare programs by number; print what differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--engines", default=",".join(ENGINES))
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    failures = 0
    for first in range(options.first, options.first + options.programs, _BATCH):
        numbers = range(first, min(first + _BATCH, options.first + options.programs))
        with tempfile.TemporaryDirectory() as folder:
            known = ask_compiler(numbers, Path(folder))
        for number in numbers:
            for engine in options.engines.split(","):
                for problem in compare(number, known[number], engine, counts):
                    failures += 1
                    sys.stdout.write(f"program {number}, {problem}\n")
        sys.stderr.write(f"{numbers[-1]}: {dict(counts)}\n")
    sys.stdout.write(f"{options.programs} programs, {failures} differences, {dict(counts)}\n")
    return int(failures > 0)
