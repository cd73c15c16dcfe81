"""Functions of math.h, numbers in texts and printed numbers: the meaning and the kernel say what gcc's library says."""

from __future__ import annotations

import math
import os
import random
import shutil
import struct
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from knaster.program.memory import Floating
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.mathematics import MATHEMATICS
from knaster.semantics.memory.numerals import read_number
from knaster.semantics.memory.printing import print_float, print_integer
from knaster_check.memory.library.mathematics import MATHEMATICS as KERNEL
from knaster_check.memory.library.numerals import read_real
from knaster_check.memory.library.printing import spell_real, spell_whole
from knaster_check.refused import Unsupported

MORE = int(os.environ.get("KNASTER_EXAMPLES", "1"))  # times as many examples
pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
ONE = [
    "fabs",
    "floor",
    "ceil",
    "trunc",
    "round",
    "rint",
    "nearbyint",
    "sqrt",
    "logb",
    "ilogb",
    "lround",
    "llround",
    "lrint",
    "llrint",
]
TWO = ["fmod", "remainder", "drem", "fmin", "fmax", "fdim", "copysign", "nextafter"]
SCALE = ("ldexp", "scalbn", "scalbln")
NUMBERS = [
    0.0,
    -0.0,
    1.0,
    -0.5,
    1.5,
    2.5,
    -2.5,
    0.49999999999999994,
    1e300,
    5e-324,
    1e-40,
    math.inf,
    -math.inf,
    math.nan,
]
HEAD = """#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
static void real(double d) { if (d != d) puts("nan"); else printf("%a\\n", d); }
static void whole(long long n) { printf("%lld\\n", n); }
int main(void) {
"""


def outputs(lines: list[str], folder: Path) -> list[str]:
    """Return what a program prints."""
    source = folder / "numbers.c"
    source.write_text(HEAD + "\n".join(lines) + "\nreturn 0; }\n")
    subprocess.run(["gcc", "-w", "-O0", "-fno-builtin", source, "-o", folder / "numbers", "-lm"], check=True)
    return subprocess.run([folder / "numbers"], capture_output=True, text=True, check=True).stdout.split("\n")


def number(rest: random.Random, width: int) -> float:
    value: float = rest.choice(NUMBERS) if rest.random() < 0.6 else struct.unpack("<d", rest.randbytes(8))[0]
    if width == 32:
        try:
            return float(struct.unpack("<f", struct.pack("<f", value))[0])
        except OverflowError:
            return math.inf
    return value


def spelled(value: Any) -> str:
    if isinstance(value, int):
        return str(value)
    if math.isnan(value):
        return '__builtin_nan("")'
    return ("-" if value < 0 else "") + "__builtin_inf()" if math.isinf(value) else value.hex()


def is_said(value: Any, said: str) -> bool:
    if isinstance(value, int):
        return str(value) == said
    if math.isnan(value) or said == "nan":
        return math.isnan(value) and said == "nan"
    found = float.fromhex(said)
    return found == value and math.copysign(1.0, found) == math.copysign(1.0, value)


def test_functions_of_math_h(tmp_path: Path) -> None:
    rest, machine = random.Random(MORE), SimpleNamespace(globals={}, layout=SimpleNamespace(pointer=8), pointer=8)
    rows: list[tuple[str, list[Any], Any]] = []
    for width, suffix in ((64, ""), (32, "f")):
        for name in (*ONE, *TWO, *SCALE, "fma"):
            for _ in range(4 * MORE):
                count = 3 if name == "fma" else 2 if name in TWO else 1
                given: list[Any] = [number(rest, width) for _ in range(count)]
                given += [rest.choice([0, 1, -5, 1023, 2000, -3000, -150])] if name in SCALE else []
                try:
                    found = MATHEMATICS[name + suffix](machine, None, tuple(given), None)
                except Unclear:
                    with pytest.raises(Unsupported):
                        KERNEL[name + suffix](machine, None, given, (0, 0))  # type: ignore[arg-type]
                    continue
                other = KERNEL[name + suffix](machine, None, given, (0, 0))  # type: ignore[arg-type]
                assert is_said(
                    other, "nan" if found != found else str(found) if isinstance(found, int) else found.hex()
                )
                rows.append((name + suffix, given, found))
    lines = [
        f"{'whole' if isinstance(found, int) else 'real'}({name}({', '.join(map(spelled, given))}));"
        for name, given, found in rows
    ]
    for (name, given, found), said in zip(rows, outputs(lines, tmp_path), strict=False):
        assert is_said(found, said), (name, given, found, said)


def test_printed_numbers_and_numbers_in_texts(tmp_path: Path) -> None:
    rest = random.Random(MORE)
    lines, wanted = [], []
    for _ in range(60 * MORE):
        flags = "".join(flag for flag in "-+ 0#" if rest.random() < 0.25)
        width, precision = rest.choice([0, 3, 12]), rest.choice([None, 0, 1, 3, 9, 20])
        format = f"%{flags}{width or ''}{'' if precision is None else f'.{precision}'}"
        real, kind = number(rest, 64), rest.choice("fFeEgG")
        if math.isfinite(real):
            lines.append(f'printf("{format}{kind}\\n", {spelled(real)});')
            wanted.append(print_float(real, kind, flags, width, precision))
            assert spell_real(real, kind, flags, width, precision) == wanted[-1]
        whole, kind = rest.choice([0, 1, 8, 255, rest.getrandbits(31)]), rest.choice("diuxXo")
        lines.append(f'printf("{format}{kind}\\n", {whole});')
        wanted.append(print_integer(whole, kind, flags, width, precision))
        assert spell_whole(whole, kind, flags, width, precision) == wanted[-1]
        size = rest.uniform(-1, 1) * 10.0 ** rest.randint(-320, 305)
        text = f"{size:.{rest.randint(1, 25)}g}{rest.choice(['', 'e', 'x'])}"
        for bits, name in ((64, "strtod"), (32, "strtof")):
            value, length, _ = read_number(text, Floating(bits))
            assert read_real(text, bits)[:2] == (value, length)
            lines.append(
                f'{{ char *e, *t = "{text}"; double d = {name}(t, &e); printf("%d ", (int)(e - t)); real(d); }}'
            )
            wanted.append((length, value))  # type: ignore[arg-type]
    for one, said in zip(wanted, outputs(lines, tmp_path), strict=False):
        if isinstance(one, str):
            assert one == said
        else:
            assert said.startswith(f"{one[0]} ") and is_said(one[1], said.partition(" ")[2])
