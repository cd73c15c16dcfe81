"""Run the command line with a folder that lies over the package: a module that is there is taken from there.

python tests/support/overlay.py FOLDER check FILE ...
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType


class Overlay(MetaPathFinder):
    """Finds modules of `knaster` in a folder before Python finds them in the package."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module is; None where the folder has none of that name."""
        package, *names = fullname.split(".")
        place = self.folder.joinpath(*names)
        if package == "knaster" and (file := place.with_name(place.name + ".py")).is_file():
            return spec_from_file_location(fullname, file)
        if package == "knaster" and (file := place / "__init__.py").is_file():
            return spec_from_file_location(fullname, file, submodule_search_locations=[str(place)])
        return None


if __name__ == "__main__":
    sys.meta_path.insert(0, Overlay(Path(sys.argv[1])))
    from knaster.cli import main

    sys.exit(main(sys.argv[2:]))
