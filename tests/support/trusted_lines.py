"""How much of the kernel each kind of proof trusts: the modules that its checker imports, and their lines of code.

python -m support.trusted_lines      writes the table into docs/trust.md
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from io import StringIO
from pathlib import Path

from knaster.evidence.proofs.table import PROOFS
from knaster_check.table import KINDS
from support import ROOT

PAGE = ROOT / "docs" / "trust.md"
BEGIN, END = "<!-- lines: begin -->", "<!-- lines: end -->"
_SOURCE = ROOT / "src"
_CORE = ("knaster_check.table", "knaster_check.text")


def modules() -> dict[str, Path]:
    """Return the file of every module of the kernel."""
    files = (_SOURCE / "knaster_check").rglob("*.py")
    names = {".".join(file.relative_to(_SOURCE).with_suffix("").parts): file for file in files}
    return {name.removesuffix(".__init__"): file for name, file in names.items()}


FILES = modules()


@cache
def imports(name: str, late: bool) -> tuple[str, ...]:
    """Return the modules of the kernel that a module imports; with `late`, inside functions too."""
    return tuple(_imports(name, late))


def _imports(name: str, late: bool) -> Iterator[str]:
    tree = ast.parse(FILES[name].read_text())
    for node in ast.walk(tree) if late else tree.body:
        if isinstance(node, ast.ImportFrom) and node.module in FILES:
            yield node.module
            yield from (inner for each in node.names if (inner := f"{node.module}.{each.name}") in FILES)


def closure(names: Iterable[str], late: bool) -> set[str]:
    """Return some modules and all that they import."""
    todo, found = list(names), set()
    while todo:
        name = todo.pop()
        if name not in found and name != "knaster_check":
            found.add(name)
            todo += imports(name, late)
    return found


@cache
def lines(name: str) -> int:
    """Return how many lines of a module are neither empty nor a comment nor a docstring."""
    text = FILES[name].read_text()
    nothing = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    used: set[int] = set()
    for token in tokenize.generate_tokens(StringIO(text).readline):
        if token.type not in nothing:
            used |= set(range(token.start[0], token.end[0] + 1))
    return len(used - set(_docstrings(ast.parse(text))))


def _docstrings(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            first = node.body[0]
            yield from range(first.lineno, (first.end_lineno or first.lineno) + 1)


def count(names: Iterable[str]) -> int:
    """Return the lines of code of some modules, rounded to tens."""
    return round(sum(map(lines, names)), -1)


def table() -> str:
    """Return the table: the core first, then each kind of proof with what it needs besides."""
    core = closure(_CORE, False)
    rows = [
        "| kind of proof | lines of code | modules of `knaster_check` |",
        "|---|---|---|",
        f"| every kind | {count(core):,} | {_spell(core)} |",
    ]
    checkers = {kind.name: kind.checker.partition(":")[0] for kind in KINDS}
    for name in dict.fromkeys([*checkers, *(kind.name for kind in PROOFS)]):
        checker = checkers.get(name, "")
        if not checker:
            rows.append(f"| `{name}` | none | the kernel does not look |")
            continue
        always, perhaps = closure([checker], False), closure([checker], True)
        more = f"; of some programs {_spell(perhaps - always - core)}" if perhaps - always - core else ""
        least, most = count(always | core), count(perhaps | core)
        spelled = f"{least:,}" if least == most else f"{least:,} to {most:,}"
        rows.append(f"| `{name}` | {spelled} | {_spell(always - core)}{more} |")
    return "\n".join([*rows, f"| all | {count(FILES):,} | {len(FILES)} files |"])


def _spell(names: Iterable[str]) -> str:
    return ", ".join(f"`{name.removeprefix('knaster_check.').replace('.', '/')}`" for name in sorted(names))


def page() -> str:
    """Return the page with the table as it is now."""
    before, rest = PAGE.read_text().split(BEGIN)
    return f"{before}{BEGIN}\n{table()}\n{END}{rest.split(END)[1]}"


def total_lines() -> int:
    """Return how many lines the kernel has in all, empty ones and comments counted."""
    return sum(len(file.read_text().splitlines()) for file in FILES.values())


def stated_lines(text: str) -> list[int]:
    """Return the numbers that a text gives as lines of the kernel."""
    return [int(number.replace(",", "")) for number in re.findall(r"([0-9,]+) lines in \d+ files", text)]


if __name__ == "__main__":
    PAGE.write_text(page())
