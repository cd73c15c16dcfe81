"""The flags of the engines, derived from their options: a flag exists because a field does."""

from __future__ import annotations

import argparse
from dataclasses import Field, fields
from typing import Any

from knaster.engines.table import ENGINES


def add_flags(group: argparse._ArgumentGroup) -> None:
    """Declare a flag for each option of each engine; one that is not given stays None."""
    for field, owners in _options().values():
        name = field.name.replace("_", "-")
        about = f"{', '.join(owners)}: {field.metadata['help']}"
        if field.default is True:
            group.add_argument(f"--no-{name}", dest=field.name, action="store_const", const=False, help=about)
        elif field.default is False:
            group.add_argument(f"--{name}", dest=field.name, action="store_const", const=True, help=about)
        else:
            about += f" (default: {field.default})"
            choices = field.metadata["choices"] or None
            metavar = None if choices else "N" if isinstance(field.default, int) else "NAME"
            kind = type(field.default)
            group.add_argument(f"--{name}", dest=field.name, type=kind, choices=choices, metavar=metavar, help=about)


def given(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options of engines that were given on the command line."""
    return {name: getattr(options, name) for name in _options() if getattr(options, name) is not None}


def as_arguments(options: argparse.Namespace) -> list[str]:
    """Return the command-line arguments that mean the options of engines that were given."""
    arguments = []
    for name, value in given(options).items():
        flag = name.replace("_", "-")
        arguments.append(f"--no-{flag}" if value is False else f"--{flag}" if value is True else f"--{flag}={value}")
    return arguments


def _options() -> dict[str, tuple[Field[Any], list[str]]]:
    """Return each option by name, with the engines that have it."""
    found: dict[str, tuple[Field[Any], list[str]]] = {}
    for name, engine in ENGINES.items():
        for field in fields(engine.options):
            found.setdefault(field.name, (field, []))[1].append(name)
    return found
