"""How a text of C is read is part of the program: macros and the version of C where they were chosen."""

from __future__ import annotations

from knaster.frontends.languages import load

TEXT = "int main(void) { int x = N; assert(x == 3); return 0; }\n"


def test_macros_and_the_version_are_said_where_they_were_chosen() -> None:
    plain = load(TEXT.replace("N", "3"), file="x.c")
    assert dict(plain.reading) == {"integers": "machine", "data_model": "LP64"}
    chosen = load(TEXT, file="x.c", define=("N=3", "M"), undefine=("K",), std="c11")
    assert dict(chosen.reading) == {**dict(plain.reading), "define": "N=3 M", "undefine": "K", "std": "c11"}
