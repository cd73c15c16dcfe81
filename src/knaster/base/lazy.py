"""Names that are imported when they are first used, so that importing a package or reading a table costs nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def load_named(name: str) -> Any:
    """Return what `MODULE:NAME` stands for."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)


def names_of(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` for a package; `homes` gives the module of a name, or `module:other name`."""

    def get(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, attribute = homes[name].partition(":")
        value: object = getattr(import_module(module), attribute or name)
        setattr(sys.modules[package], name, value)
        return value

    def list_names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return get, list_names
