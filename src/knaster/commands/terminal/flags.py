"""The flags that several commands share: threads, and the options of engines and languages, one flag for each field."""

from __future__ import annotations

import argparse
from typing import Any

from knaster.base.records import Field, fields
from knaster.engines.table import ENGINES
from knaster.frontends.languages import LANGUAGES, Language

_NOT_OPTIONS = ("command", "file", "files", "format", "has_flags", "jobs", "cluster")
LONGEST_CHOICE = 40  # characters of choices in a line of usage
_KINDS = {"int": int, "float": float, "str": str}


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Declare a flag for each option of each engine, in a group for each set of engines; None where it is not given."""
    groups: dict[tuple[str, ...], argparse._ArgumentGroup] = {}
    for field, owners in engine_options().values():
        if owners not in groups:
            groups[owners] = parser.add_argument_group(f"options of {_in_words(owners)}")
        _add_flag(groups[owners], field)
    add_readings(parser)
    parser.set_defaults(has_flags=True)


def add_schedule(parser: argparse._ActionsContainer) -> None:
    """Declare the bounds on schedules (`--switches` and others) and `--thread`."""
    parser.add_argument(
        "--switches",
        type=int,
        metavar="K",
        help="threads: at most K switches of context (else it grows)",
    )
    parser.add_argument("--rounds", type=int, metavar="R", help="threads: at most R rounds, each in their order")
    parser.add_argument(
        "--preemptions",
        type=int,
        metavar="P",
        help="threads: only runs with at most P switches from a thread that could go on",
    )
    parser.add_argument(
        "--delays",
        type=int,
        metavar="D",
        help="threads: only runs in their order with at most D turns that are passed on",
    )
    parser.add_argument(
        "--thread",
        action="append",
        metavar="NAME[*N]",
        help="a procedure that runs as a thread, N times, or 'NAME*' for any number; may be repeated",
    )


def add_readings(parser: argparse.ArgumentParser) -> None:
    """Declare a flag for each option of each language; None where it is not given."""
    groups: dict[str, argparse._ArgumentGroup] = {}
    for language, field in _readings():
        if language.title not in groups:
            groups[language.title] = parser.add_argument_group(f"how {language.title} is read")
        _add_flag(groups[language.title], field)


def readings(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options of languages that were given on the command line."""
    values = {field.name: getattr(options, field.name, None) for _, field in _readings()}
    return {name: tuple(v) if isinstance(v, list) else v for name, v in values.items() if v is not None}


def _add_flag(group: argparse._ArgumentGroup, field: Field[Any]) -> None:
    flag, about, default = field.name.replace("_", "-"), field.metadata["help"], field.default
    choices = field.metadata["choices"] or None
    match default:
        case True:
            group.add_argument(f"--no-{flag}", dest=field.name, action="store_const", const=False, help=about)
        case False:
            group.add_argument(f"--{flag}", dest=field.name, action="store_const", const=True, help=about)
        case tuple():
            about += "; may be repeated"
            flags = [short] if (short := field.metadata["short"]) else []
            group.add_argument(*flags, f"--{flag}", dest=field.name, action="append", metavar="TEXT", help=about)
        case _:
            about += "" if default is None else f" (default: {default})"
            kind = _KINDS[str(field.type).partition(" ")[0]]
            metavar = None
            if choices and len(",".join(choices)) > LONGEST_CHOICE:
                about, metavar = f"{about}; one of {', '.join(choices)}", field.name.upper()
            metavar = metavar if choices else "N" if kind is int else "S" if kind is float else "NAME"
            group.add_argument(f"--{flag}", dest=field.name, type=kind, choices=choices, metavar=metavar, help=about)


def engine_values(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options of engines that were given on the command line."""
    if not hasattr(options, "has_flags"):  # no flag of an engine was even declared
        return {}
    values = {name: getattr(options, name) for name in engine_options()}
    return {name: tuple(v) if isinstance(v, list) else v for name, v in values.items() if v is not None}


def in_force(options: argparse.Namespace) -> dict[str, object]:
    """Return every option of a command with its value, for the JSON output; those of engines as far as they are known.

    An option of an engine that was not given has the default of the engine, if that was named.
    """
    values = dict(vars(options))
    if "engine" in values:
        defaults = _defaults(values["engine"])
        for name in engine_options():
            if values.get(name) is None:
                values.pop(name, None)
                values |= {name: defaults[name]} if name in defaults else {}
        for _, field in _readings():
            if values.get(field.name) is None:
                values.pop(field.name, None)
    return {name: value for name, value in values.items() if name not in _NOT_OPTIONS}


def engine_options() -> dict[str, tuple[Field[Any], tuple[str, ...]]]:
    """Return each option of an engine by name, with the engines that have it."""
    found: dict[str, tuple[Field[Any], tuple[str, ...]]] = {}
    for name, engine in ENGINES.items():
        for field in fields(engine.options):
            known, owners = found.get(field.name, (field, ()))
            found[field.name] = known, (*owners, name)
    return found


def _readings() -> list[tuple[Language, Field[Any]]]:
    """Return each option of each language."""
    return [(language, field) for language in LANGUAGES for field in fields(language.options)]


def _defaults(engine: str | None) -> dict[str, object]:
    known = ENGINES.get(engine or "")
    return {} if known is None else {field.name: field.default for field in fields(known.options)}


def _in_words(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
