"""One procedure of many is edited: what is solved again, and the same answers."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import SourceError, UsageError
from knaster.decide.asked import Source
from knaster.decide.facts_session import FactsSession
from knaster.decide.sessions.facts_since import facts_since
from knaster.decide.sessions.session_file import Session
from knaster.decide.sessions.since import project_since, reach_since


def tree(procedures: int, **bodies: str) -> str:
    """Return procedures that call each other as a tree, some with another body."""
    parts = ["decl g, h;"]
    for k in range(procedures):
        calls = "".join(f"  g := p{child}(x);\n" for child in (2 * k + 1, 2 * k + 2) if child < procedures)
        parts.append(f"bool p{k}(x) begin\n{calls}  {bodies.get(f'p{k}', 'h := x;')}\n  return !x;\nend")
    return "\n".join([*parts, "void main() begin\n  g := p0(T);\n  if (h & g) then ERROR: skip; fi\nend\n"])


def reached(text: str, session: Session) -> bool:
    return reach_since(Source(text, "p.bp"), text, ["ERROR"], None, session).any


def test_one_of_many_is_solved_again() -> None:
    session = Session()
    assert not reached(tree(60), session) and session.said == "solved from scratch: a new session"
    assert not reached(tree(60, p59="h := x & x;"), session)
    assert session.said == "1 of 61 procedures solved (p59), the others taken from the session"
    assert not reached(tree(60, p59="h := F;"), session)  # its summary, but no other: p0 writes h at last
    assert session.said.startswith(("2 of 61", "3 of 61")), session.said
    assert reached(tree(60, p0="h := x; x := F;"), session)
    changed = tree(60).replace("bool p59(x)", "bool p59(x, y)").replace("p59(x);", "p59(x, x);")
    reached(changed, session)
    assert session.said == "solved from scratch: the signature of 'p59' has changed"


def test_projections() -> None:
    session = Session()
    for text in (tree(7, p0="h := x; x := F;"), tree(7, p0="h := x; x := F;", p3="skip;")):
        found = project_since(Source(text, "p.bp"), ["ERROR"], None, session)
        assert found.nodes and found.nodes == knaster.project(text, "ERROR", file="p.bp").nodes
    assert session.said.startswith("3 of 8 procedures solved (p1, p3, p4)"), session.said


def test_facts() -> None:
    session = Session()
    for constant in (1, 1, 2):
        text = (
            f"int g;\nint f(int x) {{\n  return x + {constant};\n}}\nint main(void) {{\n  g = f(2);\n  return g;\n}}\n"
        )
        found = facts_since(Source(text, "p.c"), ("affine", "constants"), (), None, session)
        fresh = FactsSession(knaster.parse(text, file="p.c")).facts()
        assert (found.lines, found.summaries) == (fresh.lines, fresh.summaries)
        if constant == 1:
            unchanged = session.said
    assert unchanged.startswith("affine: 0 of 2 procedures solved")
    assert session.said.startswith("affine: 2 of 2 procedures solved (f, main)")


def test_a_damaged_table_is_not_used() -> None:
    session = Session()
    assert not reached(tree(3), session)
    session.tables["reach"] = {key: {"p0": "x"} if key[0] == "s" else 7 for key in session.tables["reach"]}
    assert not reached(tree(3), session)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("void main() begin start_thread f(); end\nvoid f() begin skip; end\n", "without threads"),
        ("void main() begin skip; end\n", "there is no target 'ERROR'"),
    ],
)
def test_refusals(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        reached(text, Session())


TWO = "decl g;\nvoid main() begin\n  f();\n  if (F) then A: skip; fi\nend\n"
TWO += "void f() begin\n  {first} B: skip; fi\nend\n"


def test_a_target_in_a_procedure_that_is_read_alone_is_not_hidden_by_another() -> None:
    session, names = Session(), ["A", "B"]
    text = TWO.format(first="if (F) then")
    assert not reach_since(Source(text, "p.bp"), text, names, None, session).any
    edited = TWO.format(first="if (*) then")
    found = reach_since(Source(edited, "p.bp"), edited, names, None, session).targets
    assert found == (("A", 4, False), ("B", 7, True))


def test_a_target_that_is_not_there_is_refused_with_what_is_like_it() -> None:
    text = TWO.format(first="if (F) then")
    with pytest.raises(UsageError, match="there is no target 'C'"):
        reach_since(Source(text, "p.bp"), text, ["A", "C"], None, Session())


def test_a_comment_without_an_end_is_told_as_by_a_fresh_run() -> None:
    session, text = Session(), TWO.format(first="if (F) then")
    assert not reach_since(Source(text, "p.bp"), text, ["A"], None, session).any
    for edited in (text + "/* open", text.replace("skip; fi\nend\n", "skip; fi\nend /* open\n")):
        with pytest.raises(SourceError, match="this comment has no end"):
            reach_since(Source(edited, "p.bp"), edited, ["A"], None, session)
