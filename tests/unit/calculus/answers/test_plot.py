"""Pictures of sizes."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from knaster.calculus.answers.plot import plot


@pytest.mark.parametrize(
    "sizes",
    [
        {},
        {"R": [1]},
        {"R": [0, 0]},
        {"R": [5, 100_000], "<Q&>": [1, 2, 3]},
        {f"a_very_long_name_of_a_relation_{i}": [i + 1] * (i + 1) for i in range(40)},
        {"R": list(range(5000))},
    ],
)
def test_pictures_are_well_formed(sizes: dict[str, list[int]]) -> None:
    text = plot(sizes, "a < b")
    ElementTree.fromstring(text)
    assert len(text) < 100_000


def test_a_logarithmic_axis_says_so() -> None:
    assert "BDD nodes (logarithmic)" in plot({"R": [5, 100_000], "Q": [1, 2, 3]}, "t")
    assert "and 16 smaller ones" in plot({f"r{i}": [i + 1] for i in range(40)}, "t")
