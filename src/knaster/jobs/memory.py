"""Frees, between two files of one command, the memory that only cycles keep alive."""

from __future__ import annotations

import gc


def tidy_up(first: bool) -> None:
    """Between two files: throw away what only cycles keep alive, where nobody else does (`cli` switches that off).

    A store of BDDs would otherwise stay for all files to come.  What is there after the first file, mostly code, is
    not looked at again.
    """
    if not gc.isenabled():
        gc.collect()
        if first:
            gc.freeze()
