"""Names of temporaries: variables that a reader adds, for results of calls (`f()#1`) and parts of statements (`()#2`).

No language has a variable whose name contains `()`, so none of the user's is taken for one or shares its name.
"""

from __future__ import annotations

import re


def temporary_name(function: str, number: int) -> str:
    """Return the name of a temporary: the result of a function, or, where that has no name, part of a statement."""
    return f"{function}()#{number}"


def is_temporary(name: str) -> bool:
    """Tell whether a reader added this variable."""
    return "()#" in name


def shown_name(name: str) -> str:
    """Return how a trace calls a temporary: `f()`, `f().field`; empty where it is part of a statement only."""
    if "()#" not in name:
        return name
    return "" if name.startswith("()#") else re.sub(r"\(\)#\d+", "()", name)
