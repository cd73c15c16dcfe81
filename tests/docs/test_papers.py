"""docs/papers.md is what the cards of the engines make of it."""

from __future__ import annotations

import pytest

from knaster.engines.card import Card
from knaster.engines.table import ENGINES
from support.papers import PAGE, render


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == render(), "make it again: make papers"


@pytest.mark.parametrize("card", ENGINES.values(), ids=lambda card: card.name)
def test_every_paper_says_what_is_there_and_what_is_not(card: Card) -> None:
    if not card.paper:
        assert card.name in ("auto", "search"), "whose method is it?"
        return
    section = render().partition(f"\n## {card.paper}\n")[2].partition("\n## ")[0]
    assert f"| `{card.name}` | " in section and "**not there**: " in section
    assert all(part in section for part in card.missing)
