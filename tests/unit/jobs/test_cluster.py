"""Jobs on dask.distributed: the same answers as without, and nobody's death costs more than the job that caused it."""

from __future__ import annotations

import importlib.util
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from knaster.base.errors import UsageError
from knaster.base.exits import ExitCode
from knaster.cli import main
from knaster.jobs.cluster import Cluster
from support.deadly_work import DeadlyWork
from support.machines import PATIENCE

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="needs dask.distributed: pip install 'knaster[cluster]'"
)
quiet = pytest.mark.filterwarnings("ignore")  # of packages that are not ours
SAFE = "void main() begin\n  decl x;\n  x := T;\n  assert(x);\nend\n"
UNSAFE = "void main() begin\n  decl x;\n  assert(x);\nend\n"
LOOP = "int main() { unsigned i = 0; while (1) { i = i * i + 1; if (i == 7) break; } }\n"
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"one.bp": SAFE, "two.bp": UNSAFE, "bad.bp": "x", "sum.c": '#include "other.h"\n', "other.h": "int x;\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    made = Cluster("local:2")
    yield made
    made.stop()


def knaster(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "knaster", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


@needs_dask
@pytest.mark.usefixtures("files")
def test_the_output_is_that_without_a_cluster() -> None:
    files = ["one.bp", "two.bp", "bad.bp", "missing.bp", "one.bp"]
    alone = knaster("check", *files)
    with socket.socket() as busy:
        with suppress(OSError):  # it is in use, which is what is wanted
            busy.bind(("127.0.0.1", 8787))  # where dask would show what it does
            busy.listen()
        spread = knaster("check", *files, "--cluster", "local:2")
    assert (spread.returncode, spread.stdout, spread.stderr) == (alone.returncode, alone.stdout, alone.stderr)


@needs_dask
@quiet
def test_a_worker_that_is_killed_is_replaced(cluster: Cluster, tmp_path: Path) -> None:
    counters = [str(tmp_path / str(number)) for number in range(6)]
    works = [DeadlyWork("f", counter, deaths=number == 2, host=True) for number, counter in enumerate(counters)]
    outcomes = dict(cluster.run(enumerate(works)))
    assert [outcomes[number].output for number in range(6)] == ["answered"] * 6


@needs_dask
@quiet
def test_a_job_over_which_workers_die_is_undecided(cluster: Cluster, tmp_path: Path) -> None:
    works = [DeadlyWork("f", str(tmp_path / "a"), deaths=9, host=True), DeadlyWork("g", str(tmp_path / "b"))]
    outcomes = dict(cluster.run(enumerate(works)))
    assert outcomes[0].code == ExitCode.UNDECIDED and "died, one after the other" in outcomes[0].output
    assert outcomes[1].output == "answered"
    assert len((tmp_path / "a").read_text().splitlines()) == 2


@needs_dask
@quiet
def test_jobs_that_wait_where_workers_die_are_not_to_blame(tmp_path: Path) -> None:
    counters = [str(tmp_path / str(number)) for number in range(4)]
    works = [DeadlyWork("f", counter, deaths=9 * (number == 0), host=True) for number, counter in enumerate(counters)]
    one = Cluster("local:1")  # all four wait at the same worker
    try:
        outcomes = dict(one.run(enumerate(works)))
    finally:
        one.stop()
    assert [outcomes[number].code for number in range(4)] == [ExitCode.UNDECIDED, *[ExitCode.DONE] * 3]
    assert "died, one after the other" in outcomes[0].output and len(Path(counters[0]).read_text().split()) == 2


@needs_dask
@pytest.mark.usefixtures("files")
def test_control_c_keeps_what_is_there(tmp_path: Path) -> None:
    pytest.importorskip("clang")
    (tmp_path / "loop.c").write_text(LOOP)
    command = [sys.executable, "-m", "knaster", "check", "one.bp", "loop.c", "one.bp", "--cluster", "local:1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline().startswith("one.bp: TRUE")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 5 and "loop.c: UNKNOWN" in out and out.endswith("2 UNKNOWN.\n")
    assert "Traceback" not in err
    assert not [pid for pid in os.listdir("/proc") if pid.isdecimal() and _is_child(int(pid), process.pid)]


def _is_child(pid: int, parent: int) -> bool:
    try:
        return f"PPid:\t{parent}\n" in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


@needs_dask
@quiet
@pytest.mark.usefixtures("files")
def test_files_that_include_others_are_refused(capsys: Capture) -> None:
    pytest.importorskip("clang")
    assert main(["check", "sum.c", "--cluster", "local:1"]) == 2
    assert "it includes other.h, and only texts travel" in capsys.readouterr().err


@needs_dask
@quiet
@pytest.mark.usefixtures("files")
def test_a_scheduler_that_is_not_there(capsys: Capture) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    assert main(["check", "one.bp", "--cluster", address]) == 1
    assert f"--cluster {address}: there is no scheduler: nobody answers" in capsys.readouterr().err


@needs_dask
@quiet
@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("nonsense", "an address is HOST:PORT"),
        ("tcp://head:", "an address is HOST:PORT"),
        ("head:99999", "an address is HOST:PORT"),
        ("ftp://head:1", "'ftp' is no way to reach one"),
    ],
)
def test_an_address_that_is_none(address: str, why: str, capsys: Capture) -> None:
    assert main(["check", "one.bp", "--cluster", address]) == 1
    assert f"--cluster {address}: there is no scheduler: {why}" in capsys.readouterr().err


@needs_dask
@quiet
@pytest.mark.usefixtures("files")
def test_somebody_who_is_no_scheduler_and_says_nothing(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client of dask waits for ever for a greeting."""
    monkeypatch.setattr("knaster.jobs.cluster.PATIENCE", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        assert main(["check", "one.bp", "--cluster", address]) == 1
    assert f"--cluster {address}: there is no scheduler: nobody answers" in capsys.readouterr().err


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"pip install 'knaster\[cluster\]'"):
        Cluster("local:1")


@pytest.mark.parametrize("address", ["local", "local:", "local:0", "local:x"])
@needs_dask
def test_local_takes_a_number(address: str) -> None:
    with pytest.raises(UsageError, match="write local:N"):
        Cluster(address)


@pytest.mark.usefixtures("files")
def test_files_are_not_written_elsewhere(capsys: Capture) -> None:
    assert main(["check", "one.bp", "--proof", "p", "--cluster", "local:1"]) == 1
    assert "--proof writes a file on the machine that checks" in capsys.readouterr().err


class Deserted:
    """A client whose workers are gone; what is given to it never ends."""

    def nthreads(self) -> dict[str, int]:
        return {}

    def submit(self, *_: object, **__: object) -> Deserted:
        return self

    def add_done_callback(self, _: object) -> None:
        pass


def test_where_no_worker_is_left_jobs_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(0, 10_000, 10))
    monkeypatch.setattr("knaster.jobs.cluster.time", SimpleNamespace(monotonic=lambda: float(next(now))))
    monkeypatch.setattr("knaster.jobs.cluster._connect", lambda address: ("local", Deserted()))
    monkeypatch.setattr(Cluster, "_refuse_others", lambda self: None)
    jobs = [(number, DeadlyWork(f"{number}.bp", "never")) for number in range(30)]
    outcomes = dict(Cluster("local:2").run(jobs))
    assert sorted(outcomes) == list(range(30))
    assert all("no worker of the cluster is left" in str(outcome) for outcome in outcomes.values())
