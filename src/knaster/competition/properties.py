"""Properties of SV-COMP: from the text of a `.prp` file to what `check` asks, and the words of its verdicts."""

from __future__ import annotations

import re

from knaster.base.errors import KnasterError, Problem, SourceError, Span, UsageError
from knaster.base.named_tuples import NamedTuple

_CHECK = re.compile(r"CHECK\s*\(\s*init\s*\(\s*(\w+)\s*\(\s*\)\s*\)\s*,\s*LTL\s*\(\s*(.*?)\s*\)\s*\)")
_CALL = re.compile(r"G\s*!\s*call\s*\(\s*(\w+)\s*\(\s*\)\s*\)")
_LABEL = re.compile(r"G\s*!\s*label\s*\(\s*(\w+)\s*\)")
_ERRORS = ("reach_error", "__VERIFIER_error")  # functions whose calls can be asked about
_OTHERS = {  # formulas that are known and not decided, with their names
    "G ! overflow": "no-overflow",
    "G ! data-race": "no-data-race",
    "G valid-free": "valid-memsafety",
    "G valid-deref": "valid-memsafety",
    "G valid-memtrack": "valid-memsafety",
    "G valid-memcleanup": "valid-memcleanup",
    "G def-behavior": "def-behavior",
}


class Specification(NamedTuple):
    """A property as a competition states it: its entry, its formula, its name, and what `check` is asked for it."""

    entry: str
    formula: str
    name: str  # as in `false(NAME)`
    asks: str  # of `check --property`; empty where it is not decided
    target: str | None = None  # of `check --target`

    @property
    def text(self) -> str:
        """The property as a `.prp` file writes it."""
        return f"CHECK( init({self.entry}()), LTL({self.formula}) )"

    def word(self, verdict: str) -> str:
        """Return a verdict of `check` as a competition reads it."""
        return {"TRUE": "true", "FALSE": f"false({self.name})"}.get(verdict, "unknown")


def read_specification(text: str, file: str) -> Specification:
    """Return the one property of a `.prp` file, or of a formula alone; raise where none is decided."""
    found: list[Specification] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        one = _read_line(line.strip())
        if one is None:
            message = "this is no property; expected CHECK( init(main()), LTL(FORMULA) )"
            raise SourceError(file, text, [Problem(message, Span(number, 1, len(line)))])
        found.append(one)
    if not found:
        raise KnasterError(f"{file}: there is no property in it")
    if len({one.entry for one in found}) > 1:
        raise KnasterError(f"{file}: its properties have different entries: {', '.join(one.entry for one in found)}")
    if len(found) > 1 and len({one.name for one in found}) > 1:
        raise KnasterError(f"{file}: it has {len(found)} properties; ask about one at a time")
    if not found[0].asks:
        raise UsageError(f"{file}: this property is not decided by Knaster: {found[0].formula}")
    return found[0]


def _read_line(line: str) -> Specification | None:
    whole = _CHECK.fullmatch(line)
    entry, formula = (whole[1], whole[2]) if whole else ("main", line)
    spaced = " ".join(re.sub(r"!", " ! ", formula).split())
    if called := _CALL.fullmatch(formula):
        target = called[1]
        known = target in _ERRORS
        return Specification(entry, f"G ! call({target}())", "unreach-call", "reach" if known else "", target)
    if label := _LABEL.fullmatch(formula):
        return Specification(entry, f"G ! label({label[1]})", "unreach-label", "reach", label[1])
    if spaced == "F end":
        return Specification(entry, "F end", "termination", "termination")
    if spaced in _OTHERS:
        return Specification(entry, spaced, _OTHERS[spaced], "")
    if line.startswith("COVER"):
        return Specification(entry, line, "coverage", "")
    return None
