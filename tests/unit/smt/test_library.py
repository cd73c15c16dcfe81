"""Without z3 a C program ends in a message that says what to type."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.machines import PATIENCE

SCRIPT = "import sys; sys.modules['z3'] = None; from knaster.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.mark.parametrize("engine", ["horn", "yasm"])
def test_what_to_type_where_z3_is_missing(engine: str, tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text("int main(void) { int x = 0; while (x < 9) x++; if (x != 9) { ERROR: ; } return 0; }\n")
    command = [sys.executable, "-c", SCRIPT, "check", str(file), "--engine", engine]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1 and "pip install 'knaster[c]'" in " ".join(done.stderr.split()), done.stderr
    assert "Traceback" not in done.stderr
