"""Where the address space is limited, or oxidd is missing: a message and an exit code, and other files are answered."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from knaster.base import limits
from knaster.base.limits import OutOfBudget
from knaster.bdd import address_space as room
from knaster.bdd.address_space import NoRoom, ensure_room, is_full, succeeds_in_child
from knaster.bdd.store import OutOfNodes
from knaster.decide.node_tables import with_enough_nodes

resource = pytest.importorskip("resource")
SAFE = "void main() begin\n assert(T);\nend\n"
C = "int main(void) { int x = 1; assert(x); return 0; }\n"
ZING = "class P { static activate void main() { int x; x = 1; assert(x == 1); } };\n"
WITHOUT = """import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "oxidd":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Missing())
from knaster.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for name, text in (("a.bp", SAFE), ("b.c", C), ("c.zing", ZING)):
        (tmp_path / name).write_text(text)
    return [str(tmp_path / name) for name in ("a.bp", "b.c", "c.zing")]


def run(words: list[str], kilobytes: int | None = None, code: str = WITHOUT) -> subprocess.CompletedProcess[str]:
    def limit() -> None:
        if kilobytes is not None:
            resource.setrlimit(resource.RLIMIT_AS, (kilobytes << 10, kilobytes << 10))

    command = [sys.executable, *(["-c", code] if kilobytes is None else ["-m", "knaster"]), *words]
    environment = {name: value for name, value in os.environ.items() if name != "KNASTER_DEBUG"}
    return subprocess.run(command, capture_output=True, text=True, preexec_fn=limit, env=environment, check=False)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux heeds the limit of the address space")
@pytest.mark.parametrize("kilobytes", [1_000_000, 250_000])
def test_little_address_space_is_a_message_that_says_what_is_needed(files: list[str], kilobytes: int) -> None:
    done = run(["check", files[0], "--timeout", "60"], kilobytes)
    assert done.returncode == 2 and done.stdout == "", done
    assert "1,400 MB" in done.stderr and "ulimit -v" in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux heeds the limit of the address space")
def test_a_batch_answers_the_other_files(files: list[str]) -> None:
    done = run(["check", files[0], files[2], files[0], files[2]], 500_000)
    assert done.returncode == 2 and done.stdout.count("TRUE. No run fails") == 2, done
    assert done.stdout.count("a.bp: REFUSED") == 2 and "panic" not in done.stderr


def test_c_and_zing_need_no_oxidd(files: list[str]) -> None:
    done = run(["check", *files])
    assert done.returncode == 1 and done.stderr == f"knaster: {room.INSTALL}\n", done
    assert "b.c: TRUE." in done.stdout and "c.zing: TRUE." in done.stdout


def test_nothing_is_tried_where_nothing_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    def fork() -> int:
        raise AssertionError("a child costs time")

    monkeypatch.setattr(room, "address_space", lambda: None)
    monkeypatch.setattr(os, "fork", fork)
    ensure_room(lambda: None)


@pytest.mark.parametrize("make", [lambda: os.kill(os.getpid(), signal.SIGKILL), lambda: 1 // 0, lambda: signal.pause()])
def test_whatever_a_child_dies_of_there_is_no_room(
    make: Callable[[], object], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(room, "address_space", lambda: 100 << 20)
    monkeypatch.setattr(room, "_PATIENCE", 0.3)
    with pytest.raises(NoRoom, match="and 100 MB are allowed"):
        ensure_room(make)
    assert capfd.readouterr().err == ""


def test_a_child_that_succeeds() -> None:
    assert succeeds_in_child(lambda: None)


def test_no_room_for_a_larger_table_is_a_spent_budget() -> None:
    def attempt(nodes: int) -> None:
        raise OutOfNodes if not tried else NoRoom("none")

    class Watching(limits.Budget):
        def tell(self, message: str) -> None:
            tried.append(message)

    tried: list[str] = []
    with pytest.raises(OutOfBudget, match="do not fit"):
        with_enough_nodes(attempt, Watching())
    with pytest.raises(NoRoom):
        with_enough_nodes(attempt, limits.Budget())
    assert is_full(OutOfNodes()) and not is_full(NoRoom())


def test_the_memory_of_a_container_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "memory.max"
    monkeypatch.setattr(limits, "_CONTAINER", (str(tmp_path / "none"), str(file)))
    file.write_text("max\n")
    whole = limits.machine_bytes()
    file.write_text("1048576\n")
    assert limits.machine_bytes() == 1 << 20 < whole
    monkeypatch.setattr(limits, "address_space", lambda: 1 << 19)
    assert limits.machine_bytes() == 1 << 19
