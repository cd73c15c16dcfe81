"""Sessions in files, good and bad ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knaster.base.errors import UsageError
from knaster.decide.sessions.session_file import Session, read_session, write_session


def test_there_and_back(tmp_path: Path) -> None:
    file = str(tmp_path / "a.session")
    session = read_session(file)
    assert session.known("reach", {"f": "f(1)"}) == ({}, "a new session")
    session.keep("reach", {"s1": {"f": "T"}}, {"f": "f(1)"})
    write_session(file, session)
    again = read_session(file)
    assert again.known("reach", {"f": "f(1)", "g": "g(0)"}) == ({"s1": {"f": "T"}}, "")
    assert again.known("project", {"f": "f(1)"})[1] == "nothing of this kind was asked before"
    assert again.known("reach", {"h": "h()"})[1] == "the session is about another program"
    assert again.known("reach", {"f": "f(2)"}) == ({}, "the signature of 'f' has changed")


def test_other_files(tmp_path: Path) -> None:
    file = tmp_path / "a.session"
    for text in ("void main() begin end", "[]", '{"format": "x"}', "[" * 100_000):
        file.write_text(text)
        with pytest.raises(UsageError, match="is no session"):
            read_session(str(file))
    write_session(str(file), Session())
    document = json.loads(file.read_text())
    file.write_text(json.dumps({**document, "version": "0.0"}))
    assert read_session(str(file)).empty == "the session is of another version of knaster"
    file.write_text(json.dumps({**document, "tables": 3}))
    assert read_session(str(file)).empty == "the session is damaged"
    file.write_text("")
    assert read_session(str(file)).empty == "a new session"
    with pytest.raises(UsageError, match="cannot be read"):
        read_session(str(tmp_path))
