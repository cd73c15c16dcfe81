"""The four versions of the driver (Lal's thesis, section 7.7), one made of the other, by every method for threads.

1: asks whether to enter, then counts (Qadeer and Wu, KISS, PLDI 2004).  2: counts first.  3: leaves only where it has
entered.  4: only the first stopper leaves for the driver.  `bluetooth.md` of the shared specifications has the table.
"""

from __future__ import annotations

import pytest

import knaster
from knaster.evidence.answers.answer import Reachable, Unreachable, Verdict
from support import ROOT

EXAMPLES = ROOT / "examples" / "threads"
SECOND, FOURTH = ((EXAMPLES / name).read_text("utf-8") for name in ("driver.bp", "driver-fixed.bp"))
COUNT = "    c3, c2, c1, c0 := c3 ^ (c2 & c1 & c0), c2 ^ (c1 & c0), c1 ^ c0, !c0;\n"


def changed(text: str, *pairs: tuple[str, str]) -> str:
    """Return the text with each first part replaced by the second; each is there once."""
    for old, new in pairs:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


FIRST = changed(
    SECOND, (COUNT, ""), ("        leave();\n        granted := F;", "        granted := F;"),
    ("        granted := T;\n", f"    {COUNT}        granted := T;\n"),
)  # fmt: skip
ALWAYS = "    leave();                        // also where enter() said no: the second bug\n"
THIRD = changed(SECOND, (f"        fi\n    fi\n{ALWAYS}", "        fi\n        leave();\n    fi\n"))
VERSIONS = {1: FIRST, 2: SECOND, 3: THIRD, 4: FOURTH}
CREWS = [(1, 1), (1, 2), (2, 1), (2, 2)]  # adders and stoppers
NEVER = None, None
Least = tuple[int | None, int | None]
TABLE: dict[int, list[Least]] = {  # the least switches and rounds
    1: [(2, 2), (2, 2), (2, 2), (2, 2)],
    2: [NEVER, (3, 2), (4, 3), (3, 2)],
    3: [NEVER, (3, 2), NEVER, (3, 2)],
    4: [NEVER, NEVER, NEVER, NEVER],
}
ROWS = [(version, *row) for version, found in TABLE.items() for row in zip(CREWS, found, strict=True)]


def crew(adders: int, stoppers: int) -> list[str]:
    return [f"main_adder*{adders}", f"main_stopper*{stoppers}"]


@pytest.mark.parametrize(("version", "threads", "least"), ROWS)
def test_for_every_number(version: int, threads: tuple[int, int], least: tuple[int | None, int | None]) -> None:
    for kind, number in zip(("switches", "rounds"), least, strict=True):
        rounds = 3 if kind == "rounds" else None
        result = knaster.check(VERSIONS[version], "ERROR", threads=crew(*threads), rounds=rounds)
        answer = result.answers[0][1]
        assert result.engine == "states"
        if number is None:
            assert result.verdict is Verdict.TRUE or (kind == "rounds" and isinstance(answer, Unreachable))
        else:
            assert isinstance(answer, Reachable) and answer.least == number


@pytest.mark.parametrize("engine", ["lazy", "eager", "calculus"])
@pytest.mark.parametrize(("version", "threads", "least"), [row for row in ROWS if row[0] != 2 and sum(row[1]) < 4])
def test_within_a_bound(
    version: int, threads: tuple[int, int], least: tuple[int | None, int | None], engine: str
) -> None:
    most = 3 if engine == "lazy" else 2
    result = knaster.check(VERSIONS[version], "ERROR", threads=crew(*threads), engine=engine, switches=most)
    answer = result.answers[0][1]
    if least[0] is None or least[0] > most:
        assert isinstance(answer, Unreachable) and answer.bound is not None
    else:
        assert isinstance(answer, Reachable) and answer.least == least[0]


def test_a_counter_of_four_bits_is_not_enough_for_any_number() -> None:
    """Sixteen adders that have entered look like none; twelve of them have, for ever, before this begins."""
    text = changed(FOURTH, ("!c3 & !c2 & !c1 & c0);", "c3 & c2 & !c1 & c0);"))
    fewer, more = (knaster.check(text, "ERROR", threads=crew(adders, 1)) for adders in (3, 4))
    assert fewer.verdict is Verdict.TRUE
    answer = more.answers[0][1]
    assert isinstance(answer, Reachable) and answer.least == 5
