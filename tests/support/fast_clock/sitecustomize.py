"""A faster clock of budgets in every process that a test starts (`tests/conftest.py` puts this folder on the path).

Python imports `sitecustomize` when it starts.  Nothing of Knaster is imported here; the clock is exchanged when
`knaster.base.limits` is.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

VARIABLE = "KNASTER_TEST_CLOCK"
_MODULE = "knaster.base.limits"


class _Loader(SourceFileLoader):
    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        hasten(module)


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the module of budgets with a loader that exchanges its clock."""
        spec = PathFinder.find_spec(fullname, path) if fullname == _MODULE else None
        if spec is not None and spec.origin is not None:
            spec.loader = _Loader(fullname, spec.origin)
        return spec


def hasten(limits: ModuleType) -> None:
    """Let the clock of budgets run as many times faster as the environment says."""
    times = float(os.environ[VARIABLE])
    limits.clock = lambda: time.monotonic() * times  # type: ignore[attr-defined]


if VARIABLE in os.environ:
    sys.meta_path.insert(0, _Finder())
