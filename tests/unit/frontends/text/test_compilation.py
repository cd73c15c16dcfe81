"""Compilation databases: what each file is read with, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from knaster.base.errors import KnasterError
from knaster.frontends.text.compilation import read_database


def read(*entries: Any, data_model: str | None = None) -> Any:
    return read_database(json.dumps(list(entries)), "compile_commands.json", data_model)


def entry(command: str, file: str = "a.c") -> dict[str, str]:
    return {"directory": ".", "file": file, "command": command}


def test_commands_and_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = [
        "cc",
        "-I",
        "inc",
        "-isystemsys",
        "-DX",
        "-D",
        "Y=2",
        "-UZ",
        "-std=gnu18",
        "-O2",
        "-o",
        "-DNO",
        "-c",
        "b.c",
    ]
    found = read(
        entry("""cc -DTEXT='"a b"' -ansi -Wall a.c"""), {"directory": "sub", "file": "b.c", "arguments": words}
    )
    assert found == {
        "a.c": {"define": ('TEXT="a b"',), "std": "c89"},
        "sub/b.c": {"include": ("sub/inc", "sub/sys"), "define": ("X", "Y=2"), "undefine": ("Z",), "std": "gnu17"},
    }
    assert read(entry("cc -m32 -x c a.c"), data_model="ILP32") == {"a.c": {}}


@pytest.mark.parametrize(
    "entries, said",
    [
        ([entry("cc -include x.h a.c")], "it is compiled with -include, which is not read"),
        ([entry("cc -funsigned-char a.c")], "with -funsigned-char"),
        ([entry("cc -m32 a.c")], "give --data-model ILP32"),
        ([entry("c++ a.cc", "a.cc")], "a.cc is no C"),
        ([entry("cc 'a.c")], "a command cannot be read"),
        ([entry("cc a.c"), entry("cc -DX a.c")], "a.c is compiled twice"),
        ([], "there is no file"),
        ([{"file": "a.c"}], "this is no compilation database"),
        (["a.c"], "this is no compilation database"),
    ],
)
def test_what_is_refused(entries: list[Any], said: str) -> None:
    with pytest.raises(KnasterError, match=said):
        read(*entries)


def test_what_is_no_json() -> None:
    with pytest.raises(KnasterError, match="this is no JSON"):
        read_database("{", "compile_commands.json")
