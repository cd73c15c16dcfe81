"""How a language is to be read, where that leaves a choice; every front end that has choices has a class here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from knaster.base.options import Options, option

__all__ = ["COptions", "Options", "options_of"]


_GNU = ("gnu89", "gnu99", "gnu11", "gnu17", "gnu2x")


class COptions(Options):
    """What the integers of C are, and where headers are."""

    integers: str = option(
        "machine",
        "'machine': of the data model's sizes, all wrap; 'mathematical': signed ones are unbounded",
        ("machine", "mathematical"),
    )
    data_model: str = option("LP64", "how large the integer types are", ("LP64", "ILP32"))
    objects: str = option(
        "auto",
        "'auto': variables are numbers where nothing has an address, 'always': objects in memory, 'never': numbers",
        ("auto", "always", "never"),
    )
    include: tuple[str, ...] = option((), "a folder, beside that of the program, whose headers are read", short="-I")
    define: tuple[str, ...] = option((), "a macro that is defined, as NAME or NAME=VALUE", short="-D")
    undefine: tuple[str, ...] = option((), "a macro that is not defined", short="-U")
    std: str = option("gnu17", "the version of C", ("c89", "c99", "c11", "c17", "c2x", *_GNU))
    volatile: str = option(
        "auto",
        "what a volatile object reads: 'input': any value, each time; 'plain': what was written; 'auto': plain where "
        "there are threads",
        ("auto", "input", "plain"),
    )
    malloc: str = option(
        "succeeds",
        "whether malloc and its kin may return null: 'succeeds': never (SV-COMP's rule); 'may-fail': each time",
        ("succeeds", "may-fail"),
    )
    argc: str = option("", "how many arguments main is given, its name among them (default: any number)")
    checks: str = option("", "kinds of undefined steps that are targets, such as 'division,overflow'")
    keep_call: tuple[str, ...] = option((), "a function that nobody defines whose calls are steps; '*' is any text")

    def how(self) -> tuple[tuple[str, str], ...]:
        """Return how a text is read, for `Program.reading`: macros and the version of C where they were chosen."""
        chosen = [("define", " ".join(self.define)), ("undefine", " ".join(self.undefine))]
        if self.checks:
            chosen.append(("checks", self.checks))
        if self.volatile != "auto":
            chosen.append(("volatile", self.volatile))
        if self.malloc != "succeeds":
            chosen.append(("malloc", self.malloc))
        if self.argc:
            chosen.append(("argc", self.argc))
        if self.std != "gnu17":
            chosen.append(("std", self.std))
        return (("integers", self.integers), ("data_model", self.data_model), *(one for one in chosen if one[1]))


def options_of(reading: Iterable[tuple[str, str]]) -> COptions:
    """Return the options with which a text of C was read, from what the program says of that."""
    said: dict[str, Any] = dict(reading)
    for name in ("define", "undefine"):
        said[name] = tuple(said.get(name, "").split())
    return COptions(**said)
