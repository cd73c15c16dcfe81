"""Proof files for the tests of trust: is a document accepted, by this process and by another one?"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.checkers.files import check_proof_text
from knaster.frontends.boolean import parse
from knaster.program.model import Program
from support.machines import PATIENCE


def refused(document: dict[str, Any], program: Program, nodes: int = 1 << 16) -> bool:
    """Tell whether a document is no proof about a program."""
    try:
        check_proof_text(json.dumps(document), program, nodes, Budget())
    except ProofError:
        return True
    return False


def accepted(document: dict[str, Any], text: str) -> bool:
    """Tell whether a document proves that something is unreachable in the Boolean program a.bp with this text."""
    return bool(document["targets"]) and not refused(document, parse(text, "a.bp"), 1 << 12)


def with_change(document: dict[str, Any], kind: str, path: tuple[str | int, ...], value: object) -> dict[str, Any]:
    """Return the document with one value of its proof replaced."""
    part: Any = document[kind]
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    return document


def said_by_another_process(program: str, proof: str) -> str:
    """Return what `certify` prints of files in this directory; it must accept them."""
    command = [sys.executable, "-m", "knaster", "certify", program, proof]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout
