"""Whether there is room for a node table where the address space is limited (`ulimit -v`): a child tries to make one.

The native library ends the process, or never comes back, where it does not get what it asks for; most of that are the
stacks of its threads, so a small table needs nearly as much as a large one.  Where nothing is limited nothing is
tried.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import warnings
from collections.abc import Callable

from knaster.base.errors import KnasterError
from knaster.base.limits import address_space

BYTES_PER_NODE = 32  # a node with its share of the unique table, measured
INSTALL = "sets of states need a package that is not installed; type: pip install oxidd"
NEEDED = 1_400  # megabytes of address space beside the program itself that a first node table needs, measured
_PATIENCE = 10.0  # seconds for a child that never comes back
_POLL = 0.002


class NoRoom(KnasterError):
    """Sets of states do not fit into the address space that is allowed."""


def is_full(error: Exception) -> bool:
    """Tell whether an error says that a node table is full; the library is not loaded for that."""
    store = sys.modules.get("knaster.bdd.store")
    return store is not None and isinstance(error, store.OutOfNodes)


def ensure_room(make: Callable[[], object]) -> None:
    """Raise `NoRoom` where the address space is limited and `make` does not succeed in a child of this process."""
    limit = address_space()
    if limit is None or not hasattr(os, "fork") or succeeds_in_child(make):
        return
    raise NoRoom(
        f"sets of states need about {NEEDED:,} MB of address space, and {limit >> 20:,} MB are allowed in all; "
        f"raise the limit with 'ulimit -v {(NEEDED + 600) << 10}', or take it away with 'ulimit -v unlimited'"
    )


def succeeds_in_child(make: Callable[[], object]) -> bool:
    """Tell whether something can be done, by doing it in a child of this process; it prints nothing there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the child does nothing that another thread could hinder
        child = os.fork()
    if child == 0:
        _do_silently(make)
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status == 0
        time.sleep(_POLL)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def _do_silently(make: Callable[[], object]) -> None:
    """Do something and end the process, with code 0 where it succeeded."""
    code = 1
    try:
        for stops in (signal.SIGINT, signal.SIGTERM):
            signal.signal(stops, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        make()
        code = 0
    finally:
        os._exit(code)
