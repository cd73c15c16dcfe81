"""Damaged files of every format are read or refused, in time; nothing else ever happens.

The slow lane damages 10,000 Boolean programs; `KNASTER_EXAMPLES` scales the others.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from random import Random

import pytest

from knaster.base.errors import KnasterError, SourceError
from knaster.calculus import parse as parse_calculus
from knaster.frontends.boolean.printer import to_text
from knaster.frontends.languages import load
from knaster.program.validate import validate
from knaster.pushdown.formats.pdaaal import read_json, read_rule_list
from knaster.pushdown.formats.wali import read_xml
from support import ROOT
from support.generators.boolean_programs import LARGE, random_program
from support.generators.boolean_texts import random_text
from support.generators.damaged_texts import mutate
from support.machines import CallCount

EXAMPLES = ROOT / "examples"
FACTOR = float(os.environ.get("KNASTER_EXAMPLES", "1"))
MOST = 1_000_000  # calls of functions for one text of at most 20,000 characters; the slowest takes a tenth

NEW_JSON = """{"instance": [{"state-names": true, "weight-type": "uint"},
  {"states": {"p": {"A": [{"to": "q", "push": "B", "weight": 1}, {"to": "p", "pop": ""}]}, "q": {"*": []}}},
  {"initial": ["p"], "accepting": [3], "edges": [["p", "A", 3]]},
  {"initial": ["q"], "accepting": [3], "edges": [["q", "B", 3], [3, "*", 3]]}]}"""
OLD_JSON = """{"instance": [{}, {"states": [{"A": [{"to": 1, "swap": "B"}]}, {}]},
  {"states": [{"initial": true, "edges": [{"label": "A", "to": 2}]}, {}, {"accepting": true, "edges": []}]}]}"""
XML = """<Query type='poststar'><WPDS>
  <Rule from='p' fromStack='a' to='p' toStack1='e' toStack2='r'><Weight>2</Weight></Rule>
  <Rule from='p' fromStack='e' to='p'><Weight/></Rule>
</WPDS><WFA query='INORDER'>
  <State Name='p' initial='TRUE'><Weight>ZERO</Weight></State><State Name='f' final='TRUE'/>
  <Trans from='p' stack='a' to='f'><Weight>ONE</Weight></Trans>
</WFA></Query>"""
RULES = "A, B\n0, 1\n2\n0 A -> 2 B | 3\n1 B -> 2 +B\n2 B -> 0 -\n"


def read_boolean(text: str) -> None:
    """Read a Boolean program; what is accepted is well formed and can be printed and read again."""
    program = load(text, file="some.bp")
    assert validate(program, program.procedures[0].name if program.procedures else None)[1:] == []
    again = load(to_text(program), file="some.bp")
    assert to_text(again) == to_text(program)


def boolean_texts() -> list[str]:
    texts = [path.read_text("utf-8") for path in sorted(EXAMPLES.glob("*.bp"))]
    texts += [to_text(random_program(Random(seed), LARGE)) for seed in range(10)]
    return texts + [random_text(Random(seed)) for seed in range(30)]


def refuse_or_read(read: Callable[[str], object], text: str) -> bool:
    """Return whether the text was read; fail where it was neither read nor refused with a place in the text."""
    counting = CallCount()
    try:
        with counting:
            read(text)
    except SourceError as error:
        assert error.problems, text
        lines = error.source.count("\n") + 1
        for problem in error.problems:
            assert problem.message, text
            assert 1 <= problem.span.line <= lines, (problem, text)
            assert problem.span.column >= 1, (problem, text)
        assert str(error), text
        return False
    except KnasterError as error:
        assert str(error), text
        return False
    finally:
        assert counting.calls < MOST, text
    return True


def fuzz(read: Callable[[str], object], texts: Sequence[str], count: int, seed: int) -> None:
    assert all(refuse_or_read(read, text) for text in texts)
    rng = Random(seed)
    outcomes = {refuse_or_read(read, mutate(rng, rng.choice(texts), texts)) for _ in range(count)}
    assert outcomes == {True, False}  # the damages are neither all fatal nor all harmless


def test_damaged_boolean_programs() -> None:
    fuzz(read_boolean, boolean_texts(), int(300 * FACTOR) or 30, 1)


@pytest.mark.slow
def test_many_damaged_boolean_programs() -> None:
    fuzz(read_boolean, boolean_texts(), int(10_000 * max(1, FACTOR)), 2)


@pytest.mark.parametrize(
    ("read", "texts"),
    [
        (parse_calculus, [path.read_text("utf-8") for path in sorted(EXAMPLES.glob("calculus/*.mu"))]),
        (read_json, [NEW_JSON, OLD_JSON]),
        (read_xml, [XML]),
        (read_rule_list, [RULES]),
    ],
    ids=["calculus", "json", "xml", "rules"],
)
def test_damaged_files_of_other_formats(read: Callable[[str], object], texts: list[str]) -> None:
    fuzz(read, texts, int(150 * FACTOR) or 30, 3)


DIGITS = "9" * 5000


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_json, NEW_JSON.replace('"weight": 1', f'"weight": {DIGITS}')),
        (read_json, OLD_JSON.replace('"edges": []', '"edges": 3')),
        (read_xml, XML.replace("<Weight>2", f"<Weight>{DIGITS}")),
        (read_xml, XML.replace("\n", "\r") + "<"),
        (read_rule_list, RULES.replace("| 3", f"| {DIGITS}")),
        (read_rule_list, RULES.replace("+B", "+B\u2028\x85") + "rule"),
        (
            read_boolean,
            "decl x, y; void init() begin x, y := F; end void thread1() begin end void thread2() begin end\n",
        ),
    ],
)
def test_what_damages_have_shown(read: Callable[[str], object], text: str) -> None:
    assert not refuse_or_read(read, text)
