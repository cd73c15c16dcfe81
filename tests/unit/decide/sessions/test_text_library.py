"""Texts of Boolean programs split into procedures."""

from __future__ import annotations

import pytest

from knaster.base.errors import SourceError
from knaster.decide.sessions.text_library import TextLibrary, split_text

TEXT = """decl g; // begin
init(!g);
void main() begin
  decl x;
  x := f(g); /* end */
  g := h(x, x);
end
bool f(p) begin return !p; end bool h(a, b)
begin
  a := f(a);
  ERROR: return a;
end
"""


def split(text: str = TEXT) -> TextLibrary:
    library = split_text(text, "p.bp", "default")
    assert library is not None
    return library


def test_procedures_are_read_one_by_one_and_keep_their_lines() -> None:
    library = split()
    assert library.names == ("main", "f", "h")
    assert {name: list(library.callees(name)) for name in library.names} == {"main": ["f", "h"], "f": [], "h": ["f"]}
    program = library.program(["h"], "main")
    assert {own.name for own in program.procedures} == {"main", "f", "h"}
    assert min(edge.span.line for edge in program.procedure("h").edges if edge.span.line) == 10
    assert program.procedure("h").edges == library.program(library.names, "main").procedure("h").edges


def test_digests_depend_on_the_text_the_globals_and_the_signatures_of_callees() -> None:
    first = split()
    for text, changed in (
        (TEXT.replace("!p", "p"), {"f"}),
        (TEXT.replace("init(!g)", "init(g)"), {"main", "f", "h"}),
        (TEXT.replace("f(p)", "f(p, q)"), {"main", "f", "h"}),
        ("\n\n" + TEXT, {"main", "f", "h"}),
        (TEXT.replace("\nbool f", "\n\n\nbool f"), {"f"}),
    ):
        other = split(text)
        assert {name for name in first.names if first.digest(name) != other.digest(name)} == changed, text


def test_a_mistake_is_told_at_its_line() -> None:
    with pytest.raises(SourceError, match=r"p.bp:10:"):
        split(TEXT.replace("f(a)", "f(z)")).program(["h"], "main")


@pytest.mark.parametrize(
    "text",
    [
        "void main() begin skip; end decl g; void f() begin skip; end",
        "void main() begin skip; end void main() begin skip; end",
        "void main() begin skip;",
        "decl g; void main() begin enforce g; skip; end",
        "int main() { }",
        "void main() begin skip; end end",
        "void main() begin skip; end /* open",
        "void main() begin skip; end // /* closed\n/*/",
    ],
)
def test_other_texts_are_not_split(text: str) -> None:
    assert split_text(text, "p.bp", "default") is None
