"""`knaster show --as sequential`: a text that says the same as the program with threads, within a bound."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.cli import main
from knaster.decide.shown_forms import sequential_program
from knaster.evidence.answers.answer import Reachable, Verdict
from knaster.frontends.boolean.numbering import renumber
from knaster.frontends.languages import load, spelling_of
from knaster.program.expression import TRUE
from knaster.program.model import Assume, Edge, Procedure
from support.generators.threaded_programs import Crowd, threaded_text

RACE = """decl g, h; init(!g & !h);
void main_1() begin g := T; assume(h); ERROR: skip; end
void main_2() begin assume(g); h := T; end
"""


@pytest.mark.parametrize(("switches", "verdict"), [(1, Verdict.TRUE), (2, Verdict.FALSE)])
def test_the_text_is_checked_like_any_other(switches: int, verdict: Verdict) -> None:
    alone = sequential_program(load(RACE), switches=switches)
    result = knaster.check(spelling_of(alone).to_text(alone))
    assert result.verdict is verdict
    assert [target.name for target, _ in result.answers] == ["ERROR"]


@pytest.mark.parametrize("seed", range(4))
def test_the_text_reaches_what_the_threads_reach(seed: int) -> None:
    crowd = Crowd(starts=0.2 * (seed % 2), statements=(1, 3))
    program = load(threaded_text(Random(seed), crowd))
    bound, silent = 1 + seed // 2, knaster.Evidence(traces=False)
    threads = knaster.check(program, "all-labels", engine="eager", switches=bound, evidence=silent)
    alone = sequential_program(program, "all-labels", switches=bound)
    text = knaster.check(spelling_of(alone).to_text(alone), "all-labels", evidence=silent)
    expected = [f"reached{code}" for code, (_, a) in enumerate(threads.answers) if isinstance(a, Reachable)]
    found = [target.procedure for target, answer in text.answers if isinstance(answer, Reachable)]
    assert [name for name in found if name.startswith("reached")] == expected != []


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "race.bp"
    file.write_text(RACE)
    assert main(["show", str(file), "--as", "sequential", "--rounds", "2"]) == 0
    text = capsys.readouterr().out
    assert knaster.check(text).verdict is Verdict.FALSE
    assert main(["show", str(file), "--as", "sequential"]) == 1
    assert "give --switches or --rounds" in capsys.readouterr().err


def test_a_sequential_program_is_refused() -> None:
    with pytest.raises(UsageError, match="this one is sequential"):
        sequential_program(load("void main() begin ERROR: skip; end\n"), switches=1)


def test_locations_behind_the_exit_move_before_it() -> None:
    edges = (Edge(0, Assume(TRUE), 3), Edge(3, Assume(TRUE), 1), Edge(0, Assume(TRUE), 2))
    moved = renumber(Procedure("f", (), (), (), 0, 1, edges, (("L", 3),), (2,)))
    assert (moved.entry, moved.exit, moved.failures, moved.labels) == (0, 2, (3,), (("L", 1),))
    assert [(edge.source, edge.target) for edge in moved.edges] == [(0, 1), (0, 3), (1, 2)]
    assert renumber(moved) is moved
