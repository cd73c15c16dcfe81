"""`python -m knaster_check`: one line, and the exit codes that docs/kernel.md lists."""

from __future__ import annotations

import errno
import io
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from knaster.checkers.files import proof_to_text
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster_check import Verdict
from knaster_check.__main__ import _write, main, sentence, visible
from knaster_check.program import Target
from support.kinds_of_proofs import result_with
from support.machines import PATIENCE


def saved(folder: Path, kind: str, bounded: bool = False) -> list[str]:
    result = result_with(kind, bounded)
    names = [str(folder / "p.json"), str(folder / "p.proof")]
    for name, text in zip(names, (program_to_kernel(result.program), proof_to_text(result)), strict=True):
        Path(name).write_text(text)
    return names


@pytest.mark.parametrize(
    ("kind", "bounded", "code", "says"),
    [
        ("path_edges", False, 0, "TRUE. The proof holds: R is unreachable"),
        ("configurations", True, 5, "UNKNOWN. The proof holds: R is unreachable with at most 1 switches"),
        ("run", False, 0, "FALSE. The proof holds: R is reachable"),
    ],
)
def test_verdicts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, bounded: bool, code: int, says: str
) -> None:
    assert main(saved(tmp_path, kind, bounded)) == code
    said = capsys.readouterr().out
    assert says in said and said.count("\n") == 1


def test_refusals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, proof = saved(tmp_path, "path_edges")
    document = json.loads(Path(proof).read_text())
    Path(proof).write_text(json.dumps({**document, "entry": "\x1b[2J"}))
    assert main([program, proof]) == 2
    said = capsys.readouterr().out
    assert "REFUSED" in said and "\x1b" not in said
    assert main([proof, proof]) == 2 and main([program, "no such file"]) == 2
    assert main([]) == 1 and main(["--help", "x"]) == 1
    assert "usage" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    ("streams", "errors"),
    [
        ("> /dev/full", "knaster_check: standard output: cannot be written: No space left on device\n"),
        ("> /dev/full 2> /dev/full", ""),
        (">&-", ""),
        (">&- 2>&-", ""),
    ],
)
def test_a_full_or_closed_stream_leaves_the_code(tmp_path: Path, streams: str, errors: str) -> None:
    command = [sys.executable, "-m", "knaster_check", *saved(tmp_path, "path_edges")]
    done = subprocess.run(["sh", "-c", f'"$@" {streams}', "sh", *command], capture_output=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr.decode()) == (0, errors)


def test_ctrl_c_is_no_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    names = saved(tmp_path, "path_edges")
    monkeypatch.setattr("knaster_check.__main__.check", interrupt)
    assert main(names) == 5
    assert capsys.readouterr() == ("", "knaster_check: interrupted\n")


def test_it_runs_without_knaster(tmp_path: Path) -> None:
    names = saved(tmp_path, "path_edges")
    code = "import sys; sys.modules['knaster'] = None; sys.modules['oxidd'] = None\n"
    code += f"from knaster_check.__main__ import main; sys.exit(main({names!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0 and "TRUE" in done.stdout, done.stderr


def target(name: str) -> Target:
    return Target(name, "main", 0)


@pytest.mark.parametrize(
    ("verdict", "says"),
    [
        (Verdict("reachable", (target("R"),)), "FALSE. The proof holds: R is reachable (nothing to ask)."),
        (Verdict("unreachable", (target("Q"), target("R"))), "TRUE. The proof holds: Q, R are unreachable"),
        (Verdict("unreachable", tuple(map(target, "abcde"))), "a, b, c, d, e are unreachable"),
        (Verdict("unreachable", tuple(map(target, "abcdef"))), "a, b, c, d, e, ... are unreachable"),
        (Verdict("ends", fair="weak"), "TRUE. The proof holds: every weakly fair run ends"),
        (Verdict("endless"), "FALSE. The proof holds: a run never ends"),
        (Verdict("violated", formula="F p", fair="strong"), "F p does not hold on a strongly fair run"),
        (Verdict("holds", formula="G p", answered={"b": 2, "a": 1}), "G p holds on every run (1 a, 2 b)."),
        (
            Verdict("unreachable", (target("R"),), ("rounds", 3)),
            "UNKNOWN. The proof holds: R is unreachable with at mo",
        ),
    ],
)
def test_sentences(verdict: Verdict, says: str) -> None:
    assert says in sentence(verdict)


def test_what_cannot_be_seen_is_spelled_out() -> None:
    assert visible("a\x1b[2J\u202eb ü") == "a\\x1b[2J\\u202eb ü"


def test_z3_is_asked_where_that_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from knaster_check.c.solvers import LAST

    names, asked = saved(tmp_path, "run"), list[bool]()
    monkeypatch.setattr("knaster_check.c.solvers.LAST", SimpleNamespace(set=asked.append))
    assert main(names) == 0 and not asked
    assert main(["--z3", *names]) == 0 and asked == [True]
    assert main(["--z3", names[0]]) == 1 and LAST is not None
    assert main(["-x", names[1]]) == 1


def test_the_command_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = saved(tmp_path, "run")
    monkeypatch.setattr(sys, "argv", ["knaster_check", *names])
    assert main() == 0
    command = [sys.executable, "-m", "knaster_check", *names]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0 and "FALSE" in done.stdout, done.stderr


class Full(io.StringIO):
    """A stream that cannot be written, as one on a full disk."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.file = file.open("w")

    def write(self, text: str) -> int:
        raise OSError(errno.ENOSPC, "no room")

    def fileno(self) -> int:
        return self.file.fileno()


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, broken, other = Full(tmp_path / "out"), Full(tmp_path / "broken"), io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", other)
    _write(out, "TRUE")
    assert other.getvalue() == "knaster_check: standard output: cannot be written: no room\n"
    _write(broken, "a mistake")
    assert other.getvalue().count("\n") == 1
    _write(None, "nobody listens")
    out.file.close()
    broken.file.close()
