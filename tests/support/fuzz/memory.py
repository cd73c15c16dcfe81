"""Compare runs of programs with memory with gcc and its sanitizers: the same result, or the same first error.

`python tests/fuzz.py memory --count 1000`.  Programs of one file are compiled together, and run one by one.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

from knaster.frontends.languages import load
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.explore import FAULT, run_machine
from knaster.semantics.memory.failure import OVERFLOW
from knaster.semantics.memory.inputs import Given
from knaster.semantics.memory.machine import END, Machine
from support.generators.c_memory import HEAD, program

FLAGS = ("-w", "-g", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-common")
Answer = tuple[str, int]  # "result" and the value, or "error" and the line


def ask_compiler(texts: Sequence[str], folder: Path) -> list[Answer]:
    """Return what gcc's programs do, in the order of the texts."""
    cases = "\n".join(f"case {number}: return p{number}();" for number in range(len(texts)))
    main = f"int main(int argc, char **argv) {{ switch (atoi(argv[1])) {{ {cases} }} return 0; }}\n"
    source, binary = folder / "p.c", folder / "p"
    source.write_text(HEAD + "\n".join(texts) + "\n" + main)
    subprocess.run(["gcc", *FLAGS, str(source), "-o", str(binary)], check=True)
    environment = {"ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1:symbolize=1"}
    found: list[Answer] = []
    first = HEAD.count("\n")
    for number, text in enumerate(texts):
        command = [str(binary), str(number)]
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", env=environment, check=False
        )  # what a wrong program prints may be anything
        if not done.stderr:
            found.append(("result", done.returncode))
        else:
            found.append(("error", _line(done.stderr, source.name) - first))
        first += text.count("\n") + 1
    return found


def _line(said: str, file: str) -> int:
    """Return the first line of the file that a sanitizer names, of the function that was tested."""
    runtime = re.search(rf"{file}:(\d+):\d+: runtime error", said)
    if runtime:
        return int(runtime.group(1))
    trace = re.search(rf"in p\d+ .*{file}:(\d+)", said)
    return int(trace.group(1)) if trace else 0


def ask_machine(text: str, number: int) -> Answer:
    """Return what our machine does with one text."""
    whole = f"{HEAD}{text}\nint main(void) {{ return p{number}(); }}\n"
    read = load(whole, file="p.c", objects="always")
    machine = Machine(Codes(read), Given(()), frozenset((OVERFLOW,)))
    outcome = run_machine(machine, {}, 1_000_000, lambda: None)
    if outcome.kind == END:
        return "result", machine.result
    if outcome.kind == FAULT:
        frames = [frame for frame in machine.frames if frame.code.procedure.name == f"p{number}"]
        line = outcome.span.line
        if frames and machine.frames[-1] is not frames[-1]:  # inside a helper: the call is what both can name
            line = next(edge.span.line for edge in frames[-1].code.procedure.leaving[frames[-1].location])
        return "error", line - HEAD.count("\n")
    return outcome.kind, outcome.span.line - HEAD.count("\n")


def compare(seed: int, count: int) -> list[str]:
    """Return the differences on random programs, each with its text."""
    random = Random(seed)
    texts = [program(random, f"p{number}") for number in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        theirs = ask_compiler(texts, Path(folder))
    found = []
    for number, (text, expected) in enumerate(zip(texts, theirs, strict=True)):
        own = ask_machine(text, number)
        if own != expected:
            found.append(f"seed {seed}, program {number}: gcc says {expected}, we say {own}\n{text}")
    return found


def main(arguments: Sequence[str]) -> int:
    """Compare many programs; print the differences."""
    parser = argparse.ArgumentParser(prog="python tests/fuzz.py memory", description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(list(arguments))
    if shutil.which("gcc") is None:
        sys.stdout.write("there is no gcc\n")
        return 2
    differences = 0
    for part in range(0, given.count, 50):  # what is known is written at once: a limit may end the rest
        found = compare(given.seed + part, min(50, given.count - part))
        differences += len(found)
        told = f"{min(part + 50, given.count)} programs, {differences} differences"
        sys.stdout.write("\n".join([*found[:5], told]) + "\n")
        sys.stdout.flush()
    return 1 if differences else 0
