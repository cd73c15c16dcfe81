"""`facts --watch`: the facts of each version of a file, and what is wrong with one."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

import pytest

from knaster.base.errors import UsageError
from knaster.commands.terminal.console import Console
from knaster.commands.terminal.watch_file import watch_facts

VERSIONS = ["return 3;", "return 4;", "return x;", "return 5;"]


def options(**other: object) -> Namespace:
    given = {"files": ["a.c"], "format": "text", "annotate": None, "domain": "constants", "dialect": "default"}
    return Namespace(**{**given, "entry": None, **other})


def test_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    later = iter(range(len(VERSIONS)))

    def write(_: float = 0) -> None:
        number = next(later, None)
        if number is None:
            raise KeyboardInterrupt
        text = "int f(void) {\n  %s\n}\nint main(void) {\n  int y = f();\n  return y;\n}\n"
        Path("a.c").write_text(text % VERSIONS[number])
        os.utime("a.c", ns=(number * 10**9, number * 10**9))

    write()
    assert watch_facts(options(), Console(), write) == 0
    out, err = capsys.readouterr()
    assert [f"y == {value}" in out for value in (3, 4, 5)] == [True] * 3
    assert out.count("computed again") == 2 and "'x'" in err


def test_what_cannot_be_watched() -> None:
    with pytest.raises(UsageError, match="one file"):
        watch_facts(options(files=["a.c", "b.c"]), Console())
    with pytest.raises(UsageError, match="affine and constants"):
        watch_facts(options(domain="intervals"), Console())
