"""What is solved again after an edit: what changed, and neighbours to which something else passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knaster.pushdown.units.table import Inside, digest_of, solve_units


class Chain:
    """main calls f, f calls g; a summary is the parity of two lengths, an entry the first letter of a text."""

    def __init__(self, **texts: str) -> None:
        self.texts, self.names = texts, tuple(texts)

    def callees(self, name: str) -> Sequence[str]:
        return {"main": ("f",), "f": ("g",), "g": ()}[name]

    def digest(self, name: str) -> str:
        return digest_of(self.texts[name])

    def start(self) -> str:
        return "start"

    def summarize(self, members: Sequence[str], outside: Mapping[str, str]) -> Mapping[str, str]:
        (name,) = members
        return {name: str((len(self.texts[name]) + sum(map(int, outside.values()))) % 2)}

    def enter(
        self, members: Sequence[str], summaries: Mapping[str, str], entered: Mapping[str, Sequence[str]]
    ) -> Inside:
        (name,) = members
        passed = {callee: self.texts[name][0] for callee in self.callees(name)}
        return Inside({name: [self.texts[name], list(entered[name])]}, passed)


def test_only_what_changed_is_solved_again() -> None:
    first = solve_units(Chain(main="m", f="f", g="g"), {})
    assert first.summarized == ["g", "f", "main"] and first.entered == ["main", "f", "g"]
    same = solve_units(Chain(main="m", f="f", g="g"), first.table)
    assert same.summarized == same.entered == [] and same.results == first.results
    assert same.sentence() == "0 of 3 procedures solved, the others taken from the session"
    inside = solve_units(Chain(main="m", f="f", g="ggg"), first.table)  # the summary of g is the same
    assert inside.summarized == ["g"] and inside.entered == ["g"] and inside.results["g"] == ["ggg", ["f"]]
    above = solve_units(Chain(main="m", f="f", g="gg"), first.table)  # all summaries change
    assert above.summarized == ["g", "f", "main"]
    below = solve_units(Chain(main="m", f="x", g="g"), first.table)  # g is entered in another way
    assert below.summarized == ["f"] and below.entered == ["f", "g"]
    assert below.sentence() == "2 of 3 procedures solved (f, g), the others taken from the session"
