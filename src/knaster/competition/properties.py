"""Properties of SV-COMP: from the text of a `.prp` file to what `check` asks, and the words of its verdicts."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from knaster.base.errors import KnasterError, Problem, SourceError, Span, UsageError
from knaster.base.named_tuples import NamedTuple

_CHECK = re.compile(r"CHECK\s*\(\s*init\s*\(\s*(\w+)\s*\(\s*\)\s*\)\s*,\s*LTL\s*\(\s*(.*?)\s*\)\s*\)")
_CALL = re.compile(r"G\s*!\s*call\s*\(\s*(\w+)\s*\(\s*\)\s*\)")
_LABEL = re.compile(r"G\s*!\s*label\s*\(\s*(\w+)\s*\)")
ERRORS = ("reach_error", "__VERIFIER_error")  # functions whose calls can be asked about
ASSERTIONS = ("__assert_fail", "assert")  # functions that a failing assertion calls
_DEREF = ("null", "dead", "bounds", "invalid-pointer")
_UNDEFINED: Mapping[str, tuple[str, str, tuple[str, ...]]] = {  # formula: its name, what is asked, kinds of targets
    "G ! overflow": ("no-overflow", "overflow", ()),
    "G ! data-race": ("no-data-race", "race", ()),
    "G valid-memcleanup": ("valid-memcleanup", "leak", ()),
    "G valid-deref": ("valid-deref", "reach", _DEREF),
    "G valid-free": ("valid-free", "reach", ("invalid-free",)),
    "G valid-memtrack": ("valid-memtrack", "reach", ("lost",)),
}
_SAFETY = ("valid-deref", "valid-free", "valid-memtrack")  # in one file they are one question


class Specification(NamedTuple):
    """A property as a competition states it: its entry, its formula, its name, and what `check` is asked for it."""

    entry: str
    formula: str
    name: str  # as in `false(NAME)`
    asks: str  # of `check --property`; empty where it is not decided
    target: str | None = None  # the function or label that must not be reached
    kinds: tuple[str, ...] = ()  # the undefined steps that must not be reached

    @property
    def text(self) -> str:
        """The property as a `.prp` file writes it."""
        return "\n".join(f"CHECK( init({self.entry}()), LTL({each}) )" for each in self.formula.split("\n"))

    @property
    def targets(self) -> list[str] | None:
        """What `check --target` takes; None where the property says it."""
        if self.target in ASSERTIONS:
            return ["asserts"]
        return [self.target] if self.target is not None else list(self.kinds) or None

    @property
    def undefined(self) -> bool:
        """Whether it forbids steps that C leaves undefined."""
        return bool(self.kinds) or self.asks in ("overflow", "race", "leak")

    def word(self, verdict: str, reached: Collection[str] = ()) -> str:
        """Return a verdict of `check` as a competition reads it, given the kinds of what was reached."""
        names = [name for name, _, kinds in _UNDEFINED.values() if {*kinds} & {*self.kinds} & {*reached}]
        return {"TRUE": "true", "FALSE": f"false({names[0] if names else self.name})"}.get(verdict, "unknown")


def formula_of_kind(kind: str) -> str:
    """Return the formula that forbids a kind of undefined steps; raise `UsageError` where there is none."""
    for formula, (_, asks, kinds) in _UNDEFINED.items():
        if kind in (asks, *kinds):
            return formula
    what = f"'{kind}'" if kind else "what was reached, which is no undefined step"
    raise UsageError(f"no property of the format forbids {what}")


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
    if len(found) > 1 and {one.name for one in found} <= set(_SAFETY):
        return _together(found)
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
        asks = "reach" if called[1] in (*ERRORS, *ASSERTIONS) else ""
        return Specification(entry, f"G ! call({called[1]}())", "unreach-call", asks, called[1])
    if label := _LABEL.fullmatch(formula):
        return Specification(entry, f"G ! label({label[1]})", "unreach-label", "reach", label[1])
    if spaced == "F end":
        return Specification(entry, "F end", "termination", "termination")
    if spaced in _UNDEFINED:
        name, asks, kinds = _UNDEFINED[spaced]
        return Specification(entry, spaced, name, asks, kinds=kinds)
    if spaced == "G def-behavior":
        return Specification(entry, spaced, "def-behavior", "")
    if line.startswith("COVER"):
        return Specification(entry, line, "coverage", "")
    return None


def _together(parts: list[Specification]) -> Specification:
    """Return the question about several kinds of wrong uses of memory, in the order of the table."""
    parts = sorted(dict.fromkeys(parts), key=lambda one: _SAFETY.index(one.name))
    formula, kinds = "\n".join(one.formula for one in parts), tuple(kind for one in parts for kind in one.kinds)
    return parts[0]._replace(formula=formula, name="valid-memsafety", kinds=kinds)
