"""How a language is to be read, where that leaves a choice; every front end that has choices has a class here."""

from __future__ import annotations

from dataclasses import dataclass

from knaster.base.options import Options, option

__all__ = ["COptions", "Options"]


@dataclass(frozen=True, eq=False, repr=False)
class COptions(Options):
    """What the integers of C are."""

    integers: str = option(
        "machine",
        "'machine': of the data model's sizes, all wrap; 'mathematical': signed ones are unbounded",
        ("machine", "mathematical"),
    )
    data_model: str = option("LP64", "how large the integer types are", ("LP64", "ILP32"))
