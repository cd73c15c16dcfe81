"""Texts that were edited: the procedures are those of the text split as a whole, or the edit is left to that."""

from __future__ import annotations

from random import Random

import pytest

from knaster.decide.sessions.edited_text import edit_library
from knaster.decide.sessions.text_library import TextLibrary, split_text

TEXT = """decl g, {x > 0}; // begin
void main()
begin
  g := f(g); /* end */
  if ({x > 0}) then k(); fi
end

bool f(p) begin return !p; end // f
bool<2> h(a, b)
begin
  a := f(a);
  return a, {x > 0};
end
void k() begin skip; end
void l() begin k(); end   void m() begin
  k();
end
"""
PIECES = ["/*", "*/", "//", "{", "}", "begin", "end", "skip;", "k();", "f(", ")", ";", "x", "enforce", "/", "*"]
PIECES += ["n", "d", "-", "$", "\n", " ", "\r\n", "void q() begin end", "decl z;"]


def split(text: str) -> TextLibrary:
    library = split_text(text, "p.bp", "default")
    assert library is not None
    return library


def random_edit(rng: Random, text: str) -> str:
    at = rng.randrange(len(text) + 1)
    size = rng.choice((0, 0, 1, 2, 5, rng.randrange(60)))
    return text[:at] + "".join(rng.choices(PIECES, k=rng.randrange(3))) + text[at + size :]


def compare(seed: int) -> bool:
    """Compare after each of some edits with splitting the whole text; return whether the edit was found."""
    rng, text, taken = Random(f"edited text {seed}"), TEXT, False
    for _ in range(3):
        edited = random_edit(rng, text)
        found = edit_library(split(text), edited, "p.bp")
        whole = split_text(edited, "p.bp", "default")
        if found is not None:
            assert whole is not None, edited
            library, changed = found
            assert (library.text, library.chunks) == (whole.text, whole.chunks), edited
            before = split(text)
            others = [name for name in whole.names if whole.digest(name) != before.digest(name)]
            assert changed == others, edited
            taken = True
        if whole is None:
            break
        text = edited
    return taken


def test_random_edits() -> None:
    assert sum(map(compare, range(1500))) > 300


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("skip;", "skip; skip;", ["k"]),
        ("skip;", "\n\n", ["k"]),
        ("!p", "p", ["f"]),
        ("a := f(a)", "a := f(b)", ["h"]),
        ("end // f", "end // g", ["h"]),
        ("k(); end ", "k(); k(); end ", ["l"]),  # another procedure on the same line
        ("skip;", "skip;", []),
    ],
)
def test_an_edit_inside_procedures_is_found(old: str, new: str, changed: list[str]) -> None:
    found = edit_library(split(TEXT), TEXT.replace(old, new), "p.bp")
    assert found is not None and found[1] == changed
    assert found[0].chunks == split(TEXT.replace(old, new)).chunks


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("decl g", "decl h, g"),  # globals
        ("f(p)", "f(p, q)"),  # a signature
        ("skip;", "l();"),  # who is called
        ("skip;", "/* skip;"),  # a comment that another procedure ends
        ("skip; end", "skip; end decl w;"),
        ("skip; end", "skip; endd"),
        ("  k();\nend\n", "  k();\nend\nvoid o() begin end\n"),
        ("k(); end ", "k(); end; "),
        ("!p; end // f", "!p; { end // } f"),
    ],
)
def test_other_edits_are_not(old: str, new: str) -> None:
    assert edit_library(split(TEXT), TEXT.replace(old, new), "p.bp") is None
