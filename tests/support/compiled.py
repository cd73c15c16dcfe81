"""C as gcc compiles it, to compare with: how a program ends, with the sanitizers on."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

import knaster

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc to compare with")
_FLAGS = ("-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def ends_well(text: str, *flags: str) -> bool:
    """Tell whether gcc's program ends with 0: no assertion failed, and no step was undefined that sanitizers see."""
    with tempfile.TemporaryDirectory() as folder:
        source, binary = Path(folder, "a.c"), Path(folder, "a")
        source.write_text(text)
        subprocess.run(["gcc", *_FLAGS, *flags, str(source), "-o", str(binary)], check=True)
        environment = {"ASAN_OPTIONS": "detect_leaks=0"}
        return subprocess.run([str(binary)], capture_output=True, env=environment, check=False).returncode == 0


def differs(text: str, *flags: str) -> str:
    """Return how our verdict about a program without inputs differs from gcc; empty where it does not."""
    well, said = ends_well(text, *flags), knaster.check(text, file="a.c").verdict.value
    right = said == ("TRUE" if well else "FALSE")
    return "" if right else f"{said}, and gcc's program ends {'well' if well else 'badly'}"
