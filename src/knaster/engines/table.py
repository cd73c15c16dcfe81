"""THE TABLE of engines, the most preferred first: a line for each folder whose `__init__` has a card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import Any

from knaster.base import options
from knaster.base.errors import UsageError
from knaster.base.options import Options
from knaster.engines.card import Card

FOLDERS = (
    "boolean.summaries",
    "boolean.ranks",
    "boolean.pushdown",
    "auto",
    "threads.states",
    "threads.modular",
    "threads.stacks",
    "threads.lazy",
    "threads.eager",
    "calculus",
    "references.patterns",
    "references.visible",
    "references.transactions",
    "references.shapes",
    "explicit",
    "integers.search",
    "integers.horn",
    "integers.ranking",
    "integers.recurrence",
    "integers.yasm",
    "integers.unrolled",
    "integers.paths",
    "integers.regions",
    "integers.interleaved",
    "integers.rounds",
    "threads.transducers",
)


class Cards(MutableMapping[str, Card]):
    """The cards by the names of their folders, each read when somebody looks at it."""

    def __init__(self, folders: Iterable[str]) -> None:
        self._cards: dict[str, Card | str] = {folder.rpartition(".")[2]: folder for folder in folders}

    def __getitem__(self, name: str) -> Card:
        card = self._cards[name]
        if isinstance(card, str):
            card = self._cards[name] = import_module(f"knaster.engines.{card}").CARD
        return card

    def __setitem__(self, name: str, card: Card) -> None:
        self._cards[name] = card

    def __delitem__(self, name: str) -> None:
        del self._cards[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._cards)

    def __len__(self) -> int:
        return len(self._cards)


ENGINES = Cards(FOLDERS)


def engine_named(name: str) -> Card:
    """Return an engine; raise `UsageError` where there is none of that name."""
    if name not in ENGINES:
        from knaster.base.hints import did_you_mean

        close = did_you_mean(name, list(ENGINES))
        raise UsageError(f"unknown engine '{name}'; {close or 'choose one of ' + ', '.join(ENGINES)}")
    return ENGINES[name]


def make_options(name: str, given: Mapping[str, Any]) -> Options:
    """Return the options of an engine; refuse what it does not have, and values that no choice allows."""
    kind = engine_named(name).options
    for option in given:
        if option not in options.names(kind):
            raise UsageError(f"the engine '{name}' has no option '{option}'; {_owners(option)}")
    return options.make_options(kind, given)


def _owners(option: str) -> str:
    owners = [name for name, card in ENGINES.items() if option in options.names(card.options)]
    if not owners:
        return "no engine has"
    return f"{' and '.join(owners)} {'has' if len(owners) == 1 else 'have'} it"
