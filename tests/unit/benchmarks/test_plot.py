from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

from benchmarks.plot import Series, log_log_plot
from benchmarks.table import seconds, table

SVG = "{http://www.w3.org/2000/svg}"


def test_the_plot_is_well_formed_and_shows_every_point() -> None:
    series = [Series("a < b", ((50.0, 0.1), (100.0, 0.2), (800.0, 1.7))), Series("peer", ((50.0, 2.0), (100.0, 9.0)))]
    picture = ElementTree.fromstring(log_log_plot("T(N)", "levels", "seconds", series, linear=True))
    lines = [line.get("points", "").split() for line in picture.iter(f"{SVG}polyline")]
    assert [len(points) for points in lines] == [2, 3, 2]  # the guide, then the series
    texts = {text.text for text in picture.iter(f"{SVG}text")}
    assert {"T(N)", "levels", "seconds", "a < b", "peer", "50", "100", "800", "linear"} <= texts


def test_equal_ratios_are_equal_distances() -> None:
    points = ((10.0, 1.0), (100.0, 10.0), (1000.0, 100.0))
    picture = ElementTree.fromstring(log_log_plot("t", "x", "y", [Series("s", points)]))
    (line,) = picture.iter(f"{SVG}polyline")
    pixels = [tuple(float(part) for part in pair.split(",")) for pair in line.get("points", "").split()]
    steps = [(after[0] - before[0], after[1] - before[1]) for before, after in pairwise(pixels)]
    assert abs(steps[0][0] - steps[1][0]) < 0.3
    assert abs(steps[0][1] - steps[1][1]) < 0.3
    assert steps[0][0] > 0 > steps[0][1]


def test_relative_figures_are_compared_with_the_diagonal() -> None:
    series = [Series("steep", ((1.0, 1.0), (8.0, 12.0)))]
    picture = ElementTree.fromstring(log_log_plot("t", "x", "y", series, linear=True))
    guide, line = (each.get("points", "").split() for each in picture.iter(f"{SVG}polyline"))
    slope = [(float(b.split(",")[1]) - float(a.split(",")[1])) for a, b in (guide, line)]
    (x1, y1), (x2, y2) = (tuple(map(float, pair.split(","))) for pair in guide)
    (x, y), _ = (tuple(map(float, pair.split(","))) for pair in line)
    assert abs(y1 + (y2 - y1) * (x - x1) / (x2 - x1) - y) < 0.3 and slope[1] < slope[0]


def test_nothing_measured_is_an_empty_plot() -> None:
    picture = log_log_plot("t", "x", "y", [Series("all timed out", ())])
    assert "polyline" not in picture
    ElementTree.fromstring(picture)


def test_the_table_is_aligned_markdown() -> None:
    text = table(("program", "s"), [("a", "10"), ("long name", "2")])
    assert text.splitlines() == [
        "| program   |  s |",
        "|-----------|---:|",
        "| a         | 10 |",
        "| long name |  2 |",
    ]


def test_durations_keep_three_digits() -> None:
    assert [seconds(value) for value in (0.0123, 0.5, 12.345, 123.4)] == ["0.012", "0.5", "12.3", "123"]
