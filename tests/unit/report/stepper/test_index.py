"""Several files as one page: a table that sorts."""

from __future__ import annotations

import json

import knaster
from knaster.report.stepper.index import index_page, write_index
from support.pages import Page

DOCUMENTS = [
    json.loads(knaster.check("void main() begin\n  assert(F);\nend\n", file="a<b.bp").to_json()),
    json.loads(knaster.check("void main() begin\n  assert(T);\nend\n", file="c.bp").to_json()),
    {"file": "d.bp", "status": "refused", "verdict": "UNKNOWN", "reason": "2 errors in the input"},
]


def test_a_row_for_each_file() -> None:
    page = Page(write_index(DOCUMENTS, lambda file, line: ""))
    assert len(page.having("data-sort")) == 5
    assert page.texts["strong"] == "FALSETRUEREFUSED" and "1 REFUSED, 1 FALSE, 1 TRUE" in page.texts["p"]
    assert page.texts["h1"] == "3 answers"


def test_links_to_pages() -> None:
    page = Page(index_page(DOCUMENTS, {1: "c.bp.html"}))
    assert [each["href"] for each in page.having("href")] == ["c.bp.html"]
