"""Several files as one text, and back."""

from __future__ import annotations

import pytest

from knaster.frontends.text.several import FilePart, is_several, join_files, split_files


@pytest.mark.parametrize("first", ["", "int x;\n", "int x;", "\n\n"])
def test_there_and_back(first: str) -> None:
    parts = [FilePart("a.c", first, {"define": ("A=1", 'B="x"')}), FilePart("ä b.c", "int y;\n")]
    text = join_files(parts)
    found = split_files(text)
    assert is_several(text) and [part.name for part in found] == ["a.c", "ä b.c"]
    assert [part.text.rstrip("\n") for part in found] == [first.rstrip("\n"), "int y;"]
    assert found[0].options == {"define": ("A=1", 'B="x"')} and found[1].options == {}
    for part in found:
        assert text.split("\n")[part.first - 1] == part.text.split("\n")[0]
    assert join_files([FilePart(*part[:3]) for part in found]) == text


def test_a_plain_text_has_no_parts() -> None:
    assert split_files("int main(void) { return 0; }\n") == [] and not is_several(" #pragma knaster file {}")
