"""`make bench` and `make bench-peers`, on small programs: what they write, and that a wrong answer is told."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import checker, peers, run
from benchmarks.families import FAMILIES

Z3 = shutil.which("z3", path=str(Path(sys.executable).parent))


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for module in (checker, peers, run):
        monkeypatch.setattr(module, "OUT", tmp_path)
    return tmp_path


def test_bench_writes_tables_and_plots(out: Path) -> None:
    assert run.main(["template", "layouts", "--sizes", "2", "4", "--repeats", "1"]) == 0
    assert {path.name for path in out.glob("*.svg")} == {"template.svg", "template-memory.svg", "layouts.svg"}
    text = (out / "bench.md").read_text()
    assert "## T(N)\n" in text
    assert text.count("unreachable |") == 2
    assert "distinct / slots" in text


def test_bench_tells_a_wrong_answer(
    out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    family = FAMILIES["template"]
    lying = replace(family, generate=lambda size, reachable: family.generate(size, not reachable))
    monkeypatch.setitem(FAMILIES, "template", lying)
    assert run.main(["template", "--sizes", "2", "--repeats", "1"]) == 1
    assert "2 wrong answers" in capsys.readouterr().err
    assert "TRUE WRONG" in (out / "template.md").read_text()


@pytest.mark.skipif(Z3 is None, reason="needs the extra 'peers' (z3-solver)")
def test_bench_peers_compares_answers(out: Path) -> None:
    assert peers.main(["template", "--sizes", "2", "--repeats", "1"]) == 0
    text = (out / "peers.md").read_text()
    assert "Z3 version" in text
    assert text.count("T(N), 2 levels") == 2
    assert (out / "peers-template.svg").exists()


@pytest.mark.parametrize("command", [run.main, peers.main])
def test_an_unknown_family_is_refused(command: object) -> None:
    assert callable(command)
    with pytest.raises(SystemExit):
        command(["nothing"])
