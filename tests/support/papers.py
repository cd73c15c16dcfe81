"""Renders docs/papers.md from the cards of engines: paper, engine, file, test, and what of each paper is not there.

`make papers` writes it; of an engine, `paper.md` beside its card has the rows.
"""

from __future__ import annotations

from importlib import import_module

from knaster.engines.card import Card
from knaster.engines.table import FOLDERS
from support import ROOT

PAGE = ROOT / "docs" / "papers.md"
HEAD = """\
# Papers → engines → files → tests

What is implemented of each paper, by which engine and where, the test that would notice a mistake, and what is not
there. A module's docstring cites its source again and lists where it differs. This page is made from the cards of the
engines and `paper.md` beside each (`make papers`).
"""
UNLISTED = "not listed; the paper was not searched for what is not in this table"
TAIL = """
## Drawing

| paper | file | test |
|---|---|---|
| Sugiyama, Tagawa and Toda, *Methods for Visual Understanding of Hierarchical System Structures* (IEEE SMC 1981) \
| `src/knaster/report/flow/layers.py`, `src/knaster/report/heap/layout.py` \
| `tests/unit/report/test_flow.py`, `tests/unit/report/heap/test_layout.py` |
"""


def render() -> str:
    """Return the page."""
    papers: dict[str, list[tuple[Card, str]]] = {}
    for folder in FOLDERS:
        card: Card = import_module(f"knaster.engines.{folder}").CARD
        if card.paper:
            page = ROOT.joinpath("src", "knaster", "engines", *folder.split("."), "paper.md")
            papers.setdefault(card.paper, []).append((card, page.read_text("utf-8")))
    return HEAD + "".join(_section(title, cards) for title, cards in papers.items()) + TAIL


def _section(title: str, cards: list[tuple[Card, str]]) -> str:
    rows, prose = [], []
    for card, page in cards:
        table, _, more = page.partition("\n\n")
        cells = (row.removeprefix("| ") for row in table.splitlines()[2:])
        rows += [f"| `{card.name}` | {row}" for row in cells]
        prose += [more.strip()] if more else []
    absent = [f"| `{card.name}` | **not there**: {'; '.join(card.missing)} | | |" for card, _ in cards if card.missing]
    absent = absent or [f"| `{cards[0][0].name}` | **not there**: {UNLISTED} | | |"]
    head = f"\n## {title}\n\n| engine | in the paper | file | test |\n|---|---|---|---|\n"
    return head + "\n".join([*rows, *absent]) + "\n" + "".join(f"\n{text}\n" for text in prose)


if __name__ == "__main__":
    PAGE.write_text(render(), "utf-8")
