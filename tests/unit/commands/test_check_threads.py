"""Threads on the command line: what is asked wrongly, which threads run, and limits that end a search."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from knaster.cli import main
from knaster.engines.contract import Findings, Task
from knaster.engines.table import ENGINES
from knaster.evidence.questions.question import Bound
from support.machines import PATIENCE, count_looks, wait_until_busy

DRIVER = """decl g, h;
init (!g & !h);
void main_user() begin if (g) then if (h) then ERROR: skip; fi fi end
void main_stopper() begin g := T; end
void main_other() begin assume(g); h := T; end
void with_parameters(a) begin skip; end
"""
STARTING = "decl g; init(!g);\nvoid main() begin start_thread f(); end\nvoid f() begin ERROR: skip; end\n"
SEQUENTIAL = "decl g; init(!g);\nvoid main() begin if (g) then ERROR: skip; fi end\n"
RECURSIVE = """decl a, b, c, d, e, f, g, h, i, j, k, l;
init (!a & !b & !c & !d & !e & !f & !g & !h & !i & !j & !k & !l);
void main_1() begin up(); ERROR: skip; end
void main_2() begin down(); end
void main_3() begin count(); end
void up() begin assume(!g); g := T; up(); end
void down() begin assume(g); g := F; down(); end
void count() begin
  if (!a) then a := T; elsif (!b) then a, b := F, T; elsif (!c) then a, b, c := F, F, T;
  elsif (!d) then a, b, c, d := F, F, F, T; elsif (!e) then a, b, c, d, e := F, F, F, F, T; fi
  count();
end
"""


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    try:
        code = main(list(arguments))
    except SystemExit as stopped:
        code = int(str(stopped.code))
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, text in (("driver", DRIVER), ("starting", STARTING), ("alone", SEQUENTIAL), ("recursive", RECURSIVE)):
        (tmp_path / f"{name}.bp").write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("driver --switches 2 --rounds 2", "not both; give one of them"),
        ("driver --switches -1", "-1 switches are impossible; give 0 or more"),
        ("driver --rounds 0", "0 rounds are impossible; give 1 or more"),
        ("driver --thread nobody", "there is no procedure 'nobody' to run as a thread; its procedures are main_user"),
        ("driver --thread main_users", "did you mean 'main_user'?"),
        (
            "driver --thread with_parameters",
            "has parameters (a) and cannot run as a thread; name a procedure that calls",
        ),
        ("driver --thread main_user*0", "'main_user*0' names no thread; write NAME, NAME*N for 1 to 1000 copies"),
        ("driver --thread main_user*1001", "write NAME, NAME*N for 1 to 1000 copies, or NAME*"),
        ("driver --thread *", "'*' names no thread"),
        ("driver --thread main_user*x", "names no thread"),
        ("driver --thread main_user --entry main_user", "give --entry or --thread, not both"),
        ("driver --engine summaries", "this one has 3 threads (main_user, main_stopper, main_other); use states"),
        ("driver --engine pushdown", "use states"),
        (
            "driver --thread main_user* --rounds 2",
            "rounds need a fixed number of threads, not 'main_user*'; give --switches",
        ),
        ("starting --rounds 2", "and line 2 starts one; give --switches instead"),
        ("alone --target deadlock", "there is no target 'deadlock'"),
        ("driver --target deadlock --engine lazy", "use states or explicit"),
        ("recursive --engine states", "it inlines calls, and 'up' calls itself; use"),
        ("recursive --target deadlock", "threads do not recurse, and 'up' calls itself; name labels"),
    ],
)
def test_what_is_asked_wrongly(capsys: pytest.CaptureFixture[str], files: Path, arguments: str, said: str) -> None:
    """Each ends with exit code 1 and one line that says what to do instead."""
    name, *rest = arguments.split()
    code, out, err = run(capsys, "check", str(files / f"{name}.bp"), *rest)
    assert (code, out) == (1, "")
    assert said in err
    assert err.startswith("knaster: ") and err.count("\n") == 1


@pytest.mark.parametrize("word", ["wait", "broadcast"])
def test_what_no_engine_handles(capsys: pytest.CaptureFixture[str], tmp_path: Path, word: str) -> None:
    file = tmp_path / "waiting.bp"
    file.write_text(f"decl g;\nvoid main_1() begin {word} (g); ERROR: skip; end\nvoid main_2() begin g := T; end\n")
    code, _, err = run(capsys, "check", str(file))
    assert code == 2
    assert f"'{word}'" in err


@pytest.mark.parametrize(
    ("threads", "code", "names"),
    [
        (["main_user", "main_stopper"], 0, ["main_user", "main_stopper"]),
        (["main_other", "main_user", "main_stopper"], 10, ["main_other", "main_user", "main_stopper"]),
        (["main_user*2", "main_other"], 0, ["main_user", "main_user", "main_other"]),
        (["main_stopper", "main_other*2", "main_user"], 10, ["main_stopper", "main_other", "main_other", "main_user"]),
        (["main_user*1"], 0, ["main_user"]),
    ],
)
def test_which_threads_run(
    capsys: pytest.CaptureFixture[str], files: Path, threads: list[str], code: int, names: list[str]
) -> None:
    asked = [word for thread in threads for word in ("--thread", thread)]
    found, out, _ = run(capsys, "check", str(files / "driver.bp"), *asked, "--format", "json")
    document = json.loads(out)
    assert (found, document["threads"]) == (code, names)
    assert document["options"]["thread"] == threads


def test_any_number_of_copies(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """K switches need K + 1 copies; what only two copies reach is found, and what none reach is proved for all."""
    file = tmp_path / "copies.bp"
    file.write_text(
        "decl g, h; init (!g & !h);\n"
        "void taker() begin if (g) then SECOND: h := T; fi g := T; end\n"
        "void watcher() begin assume(h); THIRD: assume(!h); NEVER: skip; end\n"
    )
    asked = ("--thread", "taker*", "--thread", "watcher")
    code, out, _ = run(capsys, "check", str(file), *asked, "--target", "SECOND", "--format", "json")
    assert (code, json.loads(out)["targets"][0]["least"]) == (10, 1)
    code, out, _ = run(capsys, "check", str(file), *asked, "--target", "THIRD", "--format", "json")
    assert (code, json.loads(out)["targets"][0]["least"]) == (10, 2)
    code, out, _ = run(capsys, "check", str(file), *asked, "--target", "THIRD", "--switches", "1")
    assert code == 5 and "unreachable with at most 1 switch; more were not tried" in out
    code, out, _ = run(capsys, "check", str(file), *asked, "--target", "NEVER", "--format", "json")
    document = json.loads(out)
    assert (code, document["engine"], document["targets"][0]["reachable"]) == (0, "modular", False)
    code, out, _ = run(capsys, "check", str(file), *asked, "--target", "NEVER", "--engine", "states", "--switches", "2")
    assert code == 5, "a bound is no proof for any number of threads"


def test_threads_beside_an_initial_state(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Threads may have any name; a procedure `init` that nobody calls gives the initial state."""
    file = tmp_path / "init.bp"
    text = "decl g;\nvoid init() begin g := F; end\nvoid one() begin if (g) then ERROR: skip; fi end\n"
    file.write_text(text + "void two() begin g := F; end\n")
    asked = ("check", str(file), "--thread", "one", "--thread", "two")
    assert run(capsys, *asked)[0] == 0
    file.write_text(text.replace("void init", "void other") + "void two() begin g := F; end\n")
    assert run(capsys, *asked)[0] == 10


@pytest.mark.parametrize("engine", ["lazy", "stacks", "explicit"])
def test_a_spent_budget_says_how_far_it_came(
    capsys: pytest.CaptureFixture[str], files: Path, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    count_looks(monkeypatch)
    file = files / "growing.bp"
    file.write_text("\n".join(["decl g; init (!g);", *RECURSIVE.splitlines()[2:4], *RECURSIVE.splitlines()[5:7]]))
    asked = ("--engine", engine, "--timeout", "400", "--format", "json")
    code, out, _ = run(capsys, "check", str(file), *asked)
    document = json.loads(out)
    assert (code, document["verdict"]) == (5, "UNKNOWN")
    assert document["targets"][0]["reachable"] is None
    assert document["bound"]["asked"] is None
    if engine != "explicit":  # whose first context never ends
        assert document["bound"]["covered"] >= 1
        assert f"with at most {document['bound']['covered']} switch" in document["reason"]
    assert "time limit of 400 s" in document["reason"]


def test_an_interrupt_ends_a_search_for_threads(files: Path) -> None:
    """Ctrl-C: UNKNOWN with exit code 5, no traceback."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    command = [
        sys.executable,
        "-m",
        "knaster",
        "check",
        str(files / "recursive.bp"),
        "--engine",
        "lazy",
        "--format=json",
    ]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True
    )
    wait_until_busy(running)
    os.kill(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 5
    assert "Traceback" not in out + err
    document = json.loads(out)
    assert document["verdict"] == "UNKNOWN" and document["reason"].endswith("interrupted")
    if document["bound"] is not None and document["bound"]["covered"] is not None:  # a busy machine may come less far
        said = f"unreachable with at most {document['bound']['covered']} switch"
        assert document["bound"]["asked"] is None and said in document["reason"]


def test_whoever_speaks_for_stuck_work_says_how_far_it_came(
    capsys: pytest.CaptureFixture[str], files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(task: Task) -> Findings:
        task.ledger.note({}, Bound("switches", 2))
        task.ledger.note({}, Bound("switches", 1))
        raise KeyboardInterrupt

    monkeypatch.setitem(ENGINES, "states", ENGINES["states"]._replace(run=interrupted))
    code, out, _ = run(capsys, "check", str(files / "driver.bp"), "--format", "json")
    document = json.loads(out)
    assert (code, document["bound"]) == (5, {"kind": "switches", "asked": None, "covered": 2})
    assert document["reason"].endswith("is unreachable with at most 2 switches; interrupted")
    assert [target["reachable"] for target in document["targets"]] == [None]
    code, out, _ = run(capsys, "check", str(files / "driver.bp"), "--switches", "3")
    assert code == 5 and "is unreachable with at most 2 switches; interrupted" in out


@pytest.mark.parametrize(("text", "engine"), [(DRIVER, "states"), (RECURSIVE, "modular"), (SEQUENTIAL, "summaries")])
def test_auto_is_the_default(text: str, engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.bp"
    file.write_text(text)
    said, bound = [], [] if text == SEQUENTIAL else ["--switches", "1"]
    for more in ([], ["--engine", "auto"]):
        main(["check", str(file), "--format", "json", *bound, *more])
        answer = json.loads(capsys.readouterr().out)
        said.append({key: answer[key] for key in ("verdict", "engine")})
    assert said[0] == said[1] and said[0]["engine"] == engine


ONE_KIND = """decl g, h;
init (!g & !h);
void worker() begin
  if (g) then h := T; else g := T; fi
  if (h) then ERROR: skip; fi
end
"""


@pytest.mark.parametrize("engine", ["auto", "states", "lazy", "eager", "explicit", "stacks", "calculus"])
def test_any_number_of_one_procedure_are_threads(
    engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "kind.bp"
    file.write_text(ONE_KIND)
    ask = ["check", str(file), "--thread", "worker*", "--format", "json", "--engine", engine]
    code, out, _ = run(capsys, *ask)
    document = json.loads(out)
    assert (code, document["targets"][0]["least"]) == (10, 1) and not document["unreached"]
    code, out, _ = run(capsys, *ask, "--switches", "0")
    document = json.loads(out)
    assert (code, document["bound"]) == (5, {"kind": "switches", "asked": 0, "covered": 0})
    assert "unreachable with at most 0 switches" in document["reason"] and not document["unreached"]
