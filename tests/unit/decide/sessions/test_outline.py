"""Outlines of programs: what is kept in a session so that an edit is found."""

from __future__ import annotations

import json

import pytest

from knaster.decide.asked import Source
from knaster.decide.sessions import since
from knaster.decide.sessions.session_file import Session
from knaster.decide.sessions.since import reach_since

TEXT = """decl g, h;
void main() begin
  g := F;
  f();
  if (g) then ERROR: skip; fi
end
void f() begin
  h := !h;
end
"""


def ask(session: Session, text: str, asked: list[str] | None = None, entry: str | None = None) -> bool:
    return reach_since(Source(text, "p.bp"), text, asked, entry, session).any


def through_file(session: Session) -> Session:
    """Return a session as it comes back from a file."""
    tables, outlines = json.loads(json.dumps([session.tables, session.outlines]))
    return Session(tables, dict(session.signatures), "", outlines=outlines)


def test_an_edit_is_found_without_splitting_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session()
    assert not ask(session, TEXT)
    session = through_file(session)
    monkeypatch.setattr(since, "split_text", None)  # not called
    assert ask(session, TEXT.replace("h := !h", "h := !h; g := T"))
    assert session.said == "2 of 2 procedures solved (f, main), the others taken from the session"
    assert not ask(session, TEXT)
    assert not ask(session, TEXT.replace("!h;\n", "!h & !h;\n\n\n"))
    assert session.said == "1 of 2 procedures solved (f), the others taken from the session"
    assert not ask(session, TEXT.replace("!h;\n", "!h & !h;\n\n\n"))
    assert session.said.startswith("0 of 2")


def test_another_question_is_not_answered_by_it() -> None:
    session = Session()
    assert not ask(session, TEXT)
    labelled = TEXT.replace("h := !h", "L: h := !h")
    assert not ask(session, labelled)
    assert ask(session, labelled, ["L"])
    assert not ask(session, labelled, ["ERROR"]) and ask(session, labelled, ["L", "ERROR"])
    assert ask(session, labelled, ["L"], "f")


@pytest.mark.parametrize("key", ["text", "procedures", "units", "first", "entry", "dialect", "asked"])
@pytest.mark.parametrize("value", [None, "x", [], [[]], 7])
def test_a_damaged_outline_is_not_used(key: str, value: object) -> None:
    session = Session()
    assert not ask(session, TEXT)
    session.outlines["reach"] = {**session.outlines["reach"], key: value}
    assert ask(session, TEXT.replace("h := !h", "g := T"))
    assert not ask(session, TEXT)


def test_lines_of_targets_move_with_their_procedures() -> None:
    session = Session()
    moved = TEXT.replace("g := F;", "g := F;\n\n\n  h := T;").replace("h := !h;", "assert(!g);")
    for text in (TEXT.replace("h := !h;", "assert(g | !g);"), moved):
        found = reach_since(Source(text, "p.bp"), text, None, None, session).targets
        lines = {line for _, line, _ in found}
        assert lines == {n for n, each in enumerate(text.split("\n"), 1) if "ERROR" in each or "assert" in each}
