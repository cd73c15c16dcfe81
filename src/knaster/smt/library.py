"""Imports z3, or says what to type where it is not installed."""

from __future__ import annotations

from knaster.base.errors import UsageError

INSTALL = "deciding C needs a package that is not installed; type: pip install 'knaster[c]'"

try:
    import z3 as z3
except ImportError:
    raise UsageError(INSTALL) from None
