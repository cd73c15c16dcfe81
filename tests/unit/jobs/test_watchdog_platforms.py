"""Where the system is another one: no `resource`, no fork, no `select` on pipes, no `os.sysconf`, as on Windows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.machines import PATIENCE

SAFE = "void main() begin\n  decl x;\n  x := T;\n  assert(x);\nend\n"
UNSAFE = "void main() begin\n  decl x;\n  assert(x);\nend\n"
ELSEWHERE = """
import os, select, sys

for name in ("fork", "sysconf", "set_blocking", "register_at_fork"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("resource", "fcntl", "termios", "pwd", "grp"):
    sys.modules[name] = None          # an import of it raises ImportError

def refuse(*_):
    raise OSError("an operation was attempted on something that is not a socket")

select.select = refuse
"""
IMPORT = "import knaster\nprint(knaster.check('void main() begin skip; ERROR: skip; end\\n').verdict.value)\n"
COMMAND = "import sys\nfrom knaster.cli import main\nif __name__ == '__main__':\n    sys.exit(main())\n"


def elsewhere(folder: Path, rest: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a script on a system that has less."""
    script = folder / "elsewhere.py"
    script.write_text(ELSEWHERE + rest)
    command = [sys.executable, str(script), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "safe.bp").write_text(SAFE)
    (tmp_path / "unsafe.bp").write_text(UNSAFE)
    return tmp_path


def test_the_library(folder: Path) -> None:
    done = elsewhere(folder, IMPORT)
    assert (done.stdout, done.stderr) == ("FALSE\n", "")


@pytest.mark.parametrize("arguments", [[], ["--timeout", "99", "--memory", "9999", "--progress"]])
def test_a_check(folder: Path, arguments: list[str]) -> None:
    done = elsewhere(folder, COMMAND, "check", "safe.bp", *arguments)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith("safe.bp: TRUE.")


def test_several_files_with_a_limit(folder: Path) -> None:
    done = elsewhere(folder, COMMAND, "check", "safe.bp", "unsafe.bp", "--timeout", "99", "--format", "json")
    assert (done.returncode, done.stderr) == (10, "")
    assert [one["verdict"] for one in json.loads(done.stdout)] == ["TRUE", "FALSE"]


def test_a_limit_holds(folder: Path) -> None:
    action = "from knaster.jobs import job\nimport hashlib\n"
    action += "job._ask = lambda *_: hashlib.pbkdf2_hmac('sha256', b'', b'', 1 << 30)\n"
    done = elsewhere(folder, action + COMMAND, "check", "safe.bp", "--timeout", "0.5")
    assert (done.returncode, done.stderr) == (5, "")
    assert done.stdout == "safe.bp: UNKNOWN. The time limit of 0.5 s was reached.\n"
