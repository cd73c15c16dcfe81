"""Imports z3, or says what to type where it is not installed."""

from __future__ import annotations

from contextlib import redirect_stdout
from io import StringIO

from knaster.base.errors import KnasterError, MissingError
from knaster.base.limits import address_space

INSTALL = "deciding C needs a package that is not installed; type: pip install 'knaster[c]'"

try:
    with redirect_stdout(StringIO()):  # where z3 is not loaded whole it has much to say
        import z3 as z3
except ImportError:
    raise MissingError(INSTALL) from None
except Exception as error:  # its own library is not loaded: no memory, or a broken installation
    limit = address_space()
    allowed = "" if limit is None else f" ({limit >> 20:,} MB of address space are allowed; see 'ulimit -v')"
    raise KnasterError(f"deciding C needs z3, which cannot be loaded: {error}{allowed}") from None
