"""The formats of an answer, one record for each; a format called `name` is usually written by `report/NAME.py`.

Functions are named as "module:function" and imported when they write, so that `--help` costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.named_tuples import NamedTuple


class Style(NamedTuple):
    """How much of an answer is written, and what a program that reads it may want to know besides."""

    trace: str | None = None  # "full", "calls" or "none"; None: full where that is short
    verbose: bool = False
    width: int = 80  # columns of text
    options: Mapping[str, object] | None = None  # those of the command, in force
    remarks: tuple[str, ...] = ()  # what the command adds
    expected: bool | None = None  # the verdict that a task definition names


class Format(NamedTuple):
    """A format: what it is for, and the functions that write it.  Only `write` is needed.

    `write(result, style)` returns the text of an answer; `nothing(file, reason, style)` that nothing is known of a file
    (without it, that is said on standard error); `failure(file, code, error, message, style)` that a file could not be
    checked, besides the message on standard error; `picture(heap)` draws the heap that `--draw` asks for.
    """

    name: str
    about: str
    write: str = ""  # without it, the format is for `--draw` alone
    nothing: str = ""
    failure: str = ""
    picture: str = ""
    notes: str = ""  # result, style -> the lines of notes below the one line of several files
    proofs: bool = False  # whether it shows them
    several: str = ""  # answers for several files: "lines", an "array", or "each" as it is; else it shows one file
    whole: str = (
        ""  # documents, read_line -> one text of all files, from the JSON of each; of one file only without `write`
    )


_LIST = (
    Format(
        "text",
        "for people (default)",
        "knaster.report.text:write_text",
        nothing="knaster.report.text:write_nothing",
        picture="knaster.report.heap.drawing:heap_to_svg",
        notes="knaster.report.text:write_notes",
        several="lines",
    ),
    Format(
        "json",
        "for programs",
        "knaster.report.json:write_json",
        nothing="knaster.report.json:write_nothing",
        failure="knaster.report.json:write_failure",
        proofs=True,
        several="array",
    ),
    Format(
        "html",
        "a page for a browser",
        "knaster.report.notebook:write_page",
        nothing="knaster.report.notebook:write_nothing",
        proofs=True,
        several="whole",
        whole="knaster.report.stepper.index:write_index",
    ),
    Format(
        "svg",
        "the trace as a picture",
        "knaster.report.notebook:write_picture",
        picture="knaster.report.heap.drawing:heap_to_svg",
    ),
    Format("sarif", "findings for code hosts", whole="knaster.report.ci.sarif:write_sarif", several="whole"),
    Format("junit", "cases for CI", whole="knaster.report.ci.junit:write_junit", several="whole"),
    Format("github", "annotations of its Actions", whole="knaster.report.ci.github:write_github", several="whole"),
    Format("dot", "'dot' with --draw", picture="knaster.report.heap.drawing:heap_to_dot"),
)
FORMATS = {format.name: format for format in _LIST}
"""Every format of `knaster check --format`; the first one is the default."""
