"""Every file in examples/threads does what its own comments say, and so does the sequential program made of it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.cli import main
from knaster.decide.shown_forms import sequential_program
from knaster.evidence.answers.answer import Verdict
from knaster.frontends.languages import spelling_of
from support import ROOT

EXAMPLES = ROOT / "examples" / "threads"
EXPECT = re.compile(r"expect: (TRUE|FALSE)(?: (\d+) switches)?(?:, (\d+) rounds)?(.*)")
CODES = {"TRUE": 0, "FALSE": 10}
Capture = pytest.CaptureFixture[str]


class Expected(NamedTuple):
    """What a comment of an example says."""

    path: Path
    verdict: str
    switches: int | None
    rounds: int | None
    options: tuple[str, ...]

    @property
    def threads(self) -> list[str] | None:
        return list(self.options[1::2]) or None

    def __str__(self) -> str:
        return " ".join((self.path.name, *self.options[1::2]))


def expectations() -> list[Expected]:
    found = []
    for path in sorted(EXAMPLES.glob("*.bp")):
        matches = EXPECT.findall(path.read_text("utf-8"))
        assert matches, f"{path.name} does not say what to expect"
        for verdict, switches, rounds, options in matches:
            least = (int(switches) if switches else None, int(rounds) if rounds else None)
            found.append(Expected(path, verdict, *least, tuple(options.split())))
    return found


ALL = expectations()


def document(capsys: Capture, expected: Expected, *more: str) -> tuple[int, Any]:
    code = main(["check", str(expected.path), *expected.options, *more, "--format", "json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("expected", ALL, ids=str)
def test_example(expected: Expected, capsys: Capture) -> None:
    code, found = document(capsys, expected, "--certify")
    assert (code, found["verdict"]) == (CODES[expected.verdict], expected.verdict)
    (target,) = found["targets"]
    assert target["checked"]
    assert target["least"] == expected.switches
    assert target["reachable"] is (expected.verdict == "FALSE")
    if expected.switches is not None:
        assert target["trace"][-1]["context"] == expected.switches


@pytest.mark.parametrize("expected", [one for one in ALL if one.switches], ids=str)
def test_fewer_switches_do_not_reach_the_target(expected: Expected, capsys: Capture) -> None:
    assert expected.switches is not None
    fewer = expected.switches - 1
    code, found = document(capsys, expected, "--switches", str(fewer))
    assert (code, found["verdict"]) == (5, "UNKNOWN")
    (target,) = found["targets"]
    said = f"{target['name']} (line {target['line']}) is unreachable with at most {fewer} switch"
    assert found["reason"] == f"{said}{'' if fewer == 1 else 'es'}; more were not tried"
    assert found["bound"] == {"kind": "switches", "asked": fewer, "covered": fewer}
    assert target["reachable"] is None and target["least"] is None


@pytest.mark.parametrize("expected", [one for one in ALL if one.rounds], ids=str)
def test_the_least_number_of_rounds(expected: Expected, capsys: Capture) -> None:
    assert expected.rounds is not None
    code, found = document(capsys, expected, "--rounds", str(expected.rounds + 1))
    assert (code, found["targets"][0]["least"]) == (10, expected.rounds)
    code, found = document(capsys, expected, "--rounds", str(expected.rounds - 1))
    assert (code, found["targets"][0]["least"]) == (5, None)


def test_one_adder_and_one_stopper_have_no_least_number_of_rounds(capsys: Capture) -> None:
    (expected,) = [one for one in ALL if one.path.name == "driver.bp" and not one.options]
    code, found = document(capsys, expected, "--rounds", "4")
    assert (code, found["targets"][0]["least"]) == (0, None)


@pytest.mark.parametrize(
    ("threads", "counts"),
    [
        (["main_adder", "main_stopper"], [6, 11, 12]),
        (["main_adder", "main_stopper*2"], [6, 12, 15, 17]),
        (["main_adder*2", "main_stopper"], [6, 12, 18, 19, 21]),
        (["main_adder*2", "main_stopper*2"], [6, 13, 19, 24]),
    ],
)
def test_shared_states_of_the_driver(threads: list[str], counts: list[int]) -> None:
    """How many there are with at most 0, 1, 2, ... switches, as explicit search counts them."""
    file = EXAMPLES / "driver.bp"
    found = [knaster.check(file, switches=k, threads=threads).stats["shared_states"] for k in range(len(counts))]
    assert found == counts


def test_where_nothing_new_happens() -> None:
    """The fixed points of one adder and one stopper, and of the driver without its bugs."""
    one = knaster.check(EXAMPLES / "driver.bp")
    assert one.verdict is Verdict.TRUE and one.bound is not None and one.bound.covered == 4
    two = knaster.check(EXAMPLES / "driver-fixed.bp", threads=["main_adder*2", "main_stopper*2"])
    assert two.verdict is Verdict.TRUE and two.bound is not None and two.bound.covered == 6


@pytest.mark.parametrize(("switches", "rounds"), [(1, None), (2, None), (None, 1)])
@pytest.mark.parametrize("expected", ALL, ids=str)
def test_the_sequential_program_says_the_same(expected: Expected, switches: int | None, rounds: int | None) -> None:
    program = knaster.parse(expected.path)
    if rounds is not None and "start_thread" in program.source:
        with pytest.raises(UsageError):
            sequential_program(program, rounds=rounds)
        return
    alone = sequential_program(program, switches=switches, rounds=rounds, threads=expected.threads)
    reached = knaster.check(spelling_of(alone).to_text(alone)).verdict is Verdict.FALSE
    least, bound = (expected.switches, switches) if switches is not None else (expected.rounds, rounds)
    assert reached == (least is not None and bound is not None and least <= bound)


def test_the_sequential_program_from_the_command_line(capsys: Capture, tmp_path: Path) -> None:
    for bound, code in (("2", 0), ("3", 10)):
        options = ["--thread", "main_adder", "--thread", "main_stopper*2", "--switches", bound]
        assert main(["show", str(EXAMPLES / "driver.bp"), "--as", "sequential", *options]) == 0
        (tmp_path / "alone.bp").write_text(capsys.readouterr().out)
        assert main(["check", str(tmp_path / "alone.bp"), "--trace", "none"]) == code
        capsys.readouterr()
