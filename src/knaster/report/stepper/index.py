"""Several files as one page: a table that sorts, a row for each question, from the JSON documents of `check`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from knaster.report.stepper.page import whole

Document = Mapping[str, Any]
_COLUMNS = ("file", "answer", "why", "method", "seconds")
_ORDER = {"REFUSED": "0", "FALSE": "1", "UNKNOWN": "2", "TRUE": "3"}


def write_index(documents: Sequence[Document], read_line: Callable[[str, int], str]) -> str:
    """Return the table of all files on a page."""
    return index_page(documents, {})


def index_page(documents: Sequence[Document], pages: Mapping[int, str]) -> str:
    """Return the table of all files; `pages` has the address of the page of each question, by its number."""
    head = "".join(
        f'<th scope="col"><button type="button" data-sort>{escape(column)}</button></th>' for column in _COLUMNS
    )
    rows = "".join(_row(document, pages.get(number)) for number, document in enumerate(documents))
    count = Counter(_answer_of(document) for document in documents)
    said = ", ".join(f"{number} {word}" for word, number in sorted(count.items(), key=lambda one: _ORDER[one[0]]))
    title = f"{len(documents)} answers"
    return whole(
        title,
        f"<header><h1>{title}</h1><p>{escape(said)}</p></header>"
        '<main><div class="scroll around" tabindex="0" role="region" aria-label="all files">'
        f'<table class="files"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></main>',
    )


def _row(document: Document, page: str | None) -> str:
    file, answer = escape(str(document["file"])), _answer_of(document)
    name = file if page is None else f'<a href="{escape(page)}">{file}</a>'
    seconds = document.get("stats", {}).get("seconds")
    spent = f"{seconds:.2f}" if isinstance(seconds, int | float) else ""
    return (
        f'<tr><th scope="row" data-key="{file}">{name}</th><td data-key="{_ORDER[answer]}">'
        f'<strong class="{answer}">{answer}</strong></td><td>{escape(str(document["reason"]))}</td>'
        f"<td>{escape(str(document.get('engine') or ''))}</td><td>{spent}</td></tr>"
    )


def _answer_of(document: Document) -> str:
    if document["status"] not in ("answered", "undecided"):
        return "REFUSED"
    return str(document["verdict"])
