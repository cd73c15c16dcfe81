"""Writes the pages of the site: the documents as they are, and a reference made from the code.

python site/generate.py FOLDER

Links to files that are no pages become links to the repository where $KNASTER_REPOSITORY names it, and plain names
elsewhere.  The notebook becomes a page with its texts, its programs and what they print.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "src"))
OWN = {"README.md": "index", "CHANGELOG.md": "changelog", "CONTRIBUTING.md": "contributing", "SECURITY.md": "security"}
CONTENTS = {
    "Start": ["install", "for-engineers", "for-researchers", "for-teachers", "tutorial", "cluster"],
    "Languages": [
        "language",
        "concurrency",
        "temporal",
        "c",
        "c-memory",
        "zing",
        "calculus",
        "pushdown",
        "icfg",
        "fast",
        "transducers",
    ],
    "Practice": ["output", "ci", "svcomp", "editor", "facts", "api"],
    "Trust": ["trust", "kernel", "proofs", "security"],
    "Reference": ["reference/commands", "reference/engines", "reference/api", "reference/schema"],
    "Inside": ["architecture", "contracts", "papers", "contributing", "changelog"],
}
_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)")


def main(folder: Path) -> None:
    """Write every page."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "reference").mkdir(parents=True)
    pages = {path: path.stem for path in sorted((ROOT / "docs").glob("*.md"))}
    pages |= {ROOT / name: page for name, page in OWN.items()}
    pages |= {ROOT / "docs" / "tutorial.ipynb": "tutorial"}
    for path, page in pages.items():
        text = notebook(path) if path.suffix == ".ipynb" else path.read_text("utf-8")
        text = with_links(text, path, page, pages, folder)
        (folder / f"{page}.md").write_text(text + (contents(pages) if page == "index" else ""), "utf-8")
    for name, write in (("commands", commands), ("engines", engines), ("api", api), ("schema", schema)):
        (folder / "reference" / f"{name}.md").write_text("\n".join(write()) + "\n", "utf-8")


def with_links(text: str, path: Path, page: str, pages: dict[Path, str], folder: Path) -> str:
    """Return a text whose links lead to pages, to pictures beside them, or to the repository."""
    home = os.environ.get("KNASTER_REPOSITORY", "").rstrip("/")

    def replace(match: re.Match[str]) -> str:
        mark, said, target = match.groups()
        file, _, anchor = target.partition("#")
        place = (path.parent / file).resolve()
        if place in pages:
            return f"[{said}]({pages[place]}.md{'#' + anchor if anchor else ''})"
        if mark or place.suffix in (".svg", ".png"):
            shutil.copy(place, folder)
            return f"{mark}[{said}]({place.name})" if mark else f"{said} (`{file}`)"
        inside = place.relative_to(ROOT)
        return f"[{said}]({home}/tree/main/{inside})" if home else said

    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(_plain(part) if part.startswith("```") else _LINK.sub(replace, part) for part in parts)


def _plain(block: str) -> str:
    """Return a block of code; what a command prints has no colours, since it may be anything."""
    return block.replace("```console\n", "```text\n", 1)


def contents(pages: dict[Path, str]) -> str:
    """Return the table of contents, which the first page carries; every page is in it."""
    listed = {page for group in CONTENTS.values() for page in group}
    rest = [page for page in pages.values() if page not in listed and page != "index"]
    figures = sorted(page for page in rest if page.startswith("performance"))
    groups = {**CONTENTS, "More": sorted(set(rest) - set(figures)), "Performance": figures}
    lines = [
        f"```{{toctree}}\n:hidden:\n:caption: {title}\n\n" + "\n".join(group) + "\n```"
        for title, group in groups.items()
        if group
    ]
    return "\n" + "\n\n".join(lines) + "\n"


def notebook(path: Path) -> str:
    """Return a notebook as a page."""
    parts = []
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
        for output in cell.get("outputs", ()):
            said = "".join(output.get("text", ()) or output.get("data", {}).get("text/plain", ()))
            parts += [f"```text\n{said.rstrip()}\n```"] if said.strip() else []
    return "\n\n".join(parts) + "\n"


def commands() -> Iterator[str]:
    """Yield the help of every command."""
    from argparse import RawDescriptionHelpFormatter
    from functools import partial

    from knaster.commands.table import COMMANDS
    from knaster.commands.terminal.parser import Parser

    yield "# Commands\n\nWhat `--help` says, and `--help-all` where there is one.\n"
    for name, command in COMMANDS.items():
        layout = partial(RawDescriptionHelpFormatter, width=100)
        parser = Parser(prog=f"knaster {name}", description=f"{command.about}.", formatter_class=layout)
        import_module(f"knaster.commands.{name}").configure(parser)
        yield f"## knaster {name}\n\n```text\n{parser.format_help_all().rstrip()}\n```\n"


def engines() -> Iterator[str]:
    """Yield the cards of all engines."""
    from knaster.base.records import fields
    from knaster.engines.table import ENGINES

    yield "# Engines\n\nThe methods behind `--engine`, from their cards; [papers](../papers.md) says whose they are.\n"
    for name, engine in ENGINES.items():
        yield f"## {name}\n\n{engine.about[0].upper()}{engine.about[1:]}.\n"
        rows = [
            f"| `{field.name}` | `{field.default!r}` | {field.metadata['help']} |" for field in fields(engine.options)
        ]
        if rows:
            yield "\n".join(["| option | default | meaning |", "|---|---|---|", *rows]) + "\n"


def api() -> Iterator[str]:
    """Yield what `knaster` exports, with signatures and docstrings."""
    import knaster

    yield "# Python\n\nWhat the package `knaster` itself has; [the guide](../api.md) shows how to use it.\n"
    for name in knaster.__all__:
        yield from _described(f"knaster.{name}", getattr(knaster, name))


def _described(name: str, thing: Any) -> Iterator[str]:
    if inspect.isfunction(thing) or inspect.isclass(thing):
        yield f"## {name}\n\n```python\n{_signature(name.rpartition('.')[2], thing)}\n```\n"
        yield f"{inspect.getdoc(thing) or ''}\n"
    else:
        yield f"## {name}\n\nA {type(thing).__name__}.\n"
    if inspect.isclass(thing):
        for own, value in sorted(vars(thing).items()):
            if not own.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                said = (inspect.getdoc(value) or "").partition("\n")[0]
                yield f"- `{own}{'()' if inspect.isfunction(value) else ''}`: {said}"
        yield ""


def _signature(name: str, thing: Any) -> str:
    try:
        return f"{name}{inspect.signature(thing)}"
    except (TypeError, ValueError):
        return name


def schema() -> Iterator[str]:
    """Yield the JSON schema."""
    text = (ROOT / "src" / "knaster" / "report" / "schema.json").read_text("utf-8")
    yield "# JSON schema\n\n`knaster schema` prints it; [output](../output.md#json) explains its fields and versions.\n"
    yield f"```json\n{text.rstrip()}\n```\n"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
