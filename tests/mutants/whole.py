"""Changes outside of functions: a session of its own, in which the module is read with the change from the start.

A plugin of pytest (`-p mutants.whole`); the environment variable says which change.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType

from mutants.changes import compile_changed

VARIABLE = "KNASTER_MUTANT"


class ChangedLoader(SourceFileLoader):
    """Loads a module with one change made."""

    number = 0

    def get_code(self, fullname: str) -> CodeType:
        """Return the changed code."""
        return compile_changed(Path(self.path).read_text(), str(self.path), self.number)


class ChangedFinder(MetaPathFinder):
    """Finds one module, by its name, before Python does."""

    def __init__(self, name: str, file: Path, number: int) -> None:
        self.name, self.file, self.number = name, file, number

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where the module is; None for every other."""
        if fullname != self.name:
            return None
        loader = ChangedLoader(fullname, str(self.file))
        loader.number = self.number
        within = [str(self.file.parent)] if self.file.name == "__init__.py" else None
        return spec_from_file_location(fullname, self.file, loader=loader, submodule_search_locations=within)


def module_name(file: Path) -> str:
    """Return the name under which a file is imported: its path below the folder `src`."""
    parts = file.with_suffix("").parts
    below = parts[len(parts) - parts[::-1].index("src") :]
    return ".".join(below[:-1] if below[-1] == "__init__" else below)


def environment(file: Path, number: int) -> dict[str, str]:
    """Return the environment of a session with one change."""
    return {**os.environ, VARIABLE: f"{file}#{number}", "PYTHONDONTWRITEBYTECODE": "1"}


if VARIABLE in os.environ:
    _file, _, _number = os.environ[VARIABLE].rpartition("#")
    sys.meta_path.insert(0, ChangedFinder(module_name(Path(_file)), Path(_file), int(_number)))
