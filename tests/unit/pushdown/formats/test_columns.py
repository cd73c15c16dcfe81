"""Rules read by the kernel: the same instance, the same numbers, the same refusals as by Python's reader alone."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from knaster.base.errors import KnasterError
from knaster.native import library
from knaster.pushdown import kernel
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.domains.minpath import MinPath
from knaster.pushdown.formats import pdaaal
from knaster.pushdown.formats.columns import split_json
from knaster.pushdown.formats.instance import ColumnRules, Instance
from knaster.pushdown.formats.pdaaal import read_json
from knaster.pushdown.numbering import RuleTable, columns

pytestmark = pytest.mark.skipif(kernel.load_reader() is None, reason="the kernel was not compiled")
NAMES = ["p", "q", "", 'a"b', "\\", "ü", "😀", "\n", "0", "A B", "x" * 30]


def random_text(rng: Random) -> str:
    """Return an instance with odd names, weights here and there, single rules and lists of them."""
    named = rng.random() < 0.7
    states = rng.sample(NAMES, rng.randint(0, 5))

    def rule() -> dict[str, Any]:
        pairs: list[tuple[str, Any]] = [("to", rng.choice(NAMES) if named else rng.randrange(9))]
        pairs.append((rng.choice(["pop", "swap", "push"]), rng.choice(NAMES)))
        if rng.random() < 0.2:
            pairs.append(("weight", rng.choice([0, 1, -3, 10**17])))
        return dict(rng.sample(pairs, len(pairs)))

    def labels() -> dict[str, Any]:
        chosen = rng.sample(NAMES, rng.randint(0, 4))
        return {label: rule() if rng.random() < 0.3 else [rule() for _ in range(rng.randrange(3))] for label in chosen}

    system: Any = {"states": {state: labels() for state in states} if named else [labels() for _ in states]}
    data: Any = {"pda": system}
    if rng.random() < 0.5:
        sets = [{"accepting": [7], "edges": [[0 if not named else "p", "A", 7]]}] * rng.randrange(3)
        data = {"instance": [{"state-names": named, "weight-type": "int"}, system, *sets]}
    return json.dumps(data, ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, None, 1]))


def change(rng: Random, text: str) -> str:
    """Return a text with a mistake: something cut out, doubled, or put in."""
    begin = rng.randrange(len(text))
    end = min(len(text), begin + rng.randint(0, 6))
    piece = rng.choice(
        ["", text[begin:end] * 2, '"', "\\", "\\ud800", "*", "1.5", "-0", "{", "]", ",", "null", "\x01", " "]
    )
    return text[:begin] + piece + text[end:]


def outcome(text: str) -> object:
    try:
        return read_json(text, "a.json")
    except KnasterError as error:
        return str(error)


def read_both(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[object, object]:
    """Return what the text is with the kernel, and without it."""
    fast = outcome(text)
    monkeypatch.setattr(pdaaal, "split_json", lambda _: None)
    slow = outcome(text)
    monkeypatch.undo()
    return fast, slow


def require_same(fast: object, slow: object, text: str) -> None:
    if not isinstance(fast, Instance):
        assert fast == slow, text
        return
    assert isinstance(slow, Instance), (slow, text)
    assert tuple(fast.rules) == slow.rules, text
    assert (fast.states, fast.sources, fast.targets) == (slow.states, slow.sources, slow.targets), text
    assert list(map(type, fast.states)) == list(map(type, slow.states)), text
    assert (fast.has_lengths(), fast.has_negative_lengths()) == (slow.has_lengths(), slow.has_negative_lengths())
    assert fast.alphabet() == slow.alphabet()
    if isinstance(fast.rules, ColumnRules):
        table = RuleTable.of(rule[:4] for rule in slow.rules)
        assert columns(fast.rules.table) == columns(table)
        assert (fast.rules.table.states, fast.rules.table.symbols) == (table.states, table.symbols)


@pytest.mark.parametrize("count", [150, pytest.param(20_000, marks=pytest.mark.slow)])
def test_the_same_instance_with_and_without_the_kernel(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(1)
    fast_ones = 0
    for _ in range(count):
        text = random_text(rng)
        fast_ones += split_json(text) is not None
        require_same(*read_both(text, monkeypatch), text)
    assert fast_ones > 0.9 * count


@pytest.mark.parametrize("count", [400, pytest.param(50_000, marks=pytest.mark.slow)])
def test_the_same_words_for_what_is_wrong(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(2)
    refused = 0
    for _ in range(count):
        text = change(rng, random_text(rng))
        fast, slow = read_both(text, monkeypatch)
        refused += isinstance(fast, str)
        require_same(fast, slow, text)
    assert refused > count / 3


@pytest.mark.parametrize(
    "states",
    [
        '{"p": {"A": {"to": "p", "pop": ""}}, "p": {}}',  # a key twice: the last one counts
        '{"p": {"A": {"to": "p", "pop": ""}, "A": []}}',
        '{"p": {"A": {"to": "p", "pop": "", "to": "q"}}}',
        '{"p": {"*": {"to": "p", "swap": "*"}}}',
        '{"p": {"A": {"to": "p", "pop": "", "weight": 1000000000000000000000}}}',
        '{"p": {"A": {"to": "p", "pop": "", "weight": true}}}',
        '{"p": {"\\ud800": {"to": "p", "pop": ""}}}',
        '{"p": {"A": {"to": 3, "pop": ""}}}',
        '[{"A": {"to": -0, "pop": ""}}]',
        '[{"A": {"to": 01, "pop": ""}}]',
    ],
)
def test_what_is_unusual_is_left_to_python(states: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f'{{"pda": {{"states": {states}}}}}'
    assert split_json(text) is None
    require_same(*read_both(text, monkeypatch), text)


@pytest.mark.parametrize(
    "text",
    [
        '{"pda": {"states": {"p": {}}, "states": {"q": {}}}}',
        '{"pda": {"states": {"p": {}}}, "instance": [{}, {"states": {"q": {}}}]}',
        '{"pda": {"states": {"p": {}}}} more',
        '{"instance": [{"weight-type": "odd"}, {"states": {"p": {}}}]}',
        '{"instance": [{}, {"states": {"p": {}}}, {"initial": ["r"], "accepting": [], "edges": []}]}',
        '{"P-automaton": {"accepting": [], "edges": []}}',
    ],
)
def test_what_stands_around_the_rules(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fast, slow = read_both(text, monkeypatch)
    require_same(fast, slow, text)


def test_escapes_are_the_characters_that_they_stand_for() -> None:
    found = read_json('{"pda": {"states": {"\\u0070": {"\\u00fc\\ud83d\\ude00": {"to": "p", "swap": "ü😀"}}}}}')
    assert isinstance(found, Instance) and isinstance(found.rules, ColumnRules)
    assert found.states == ("p",) and found.alphabet() == ["ü😀"]


def test_systems_of_columns_are_those_of_rules() -> None:
    text = '{"pda": {"states": {"p": {"A": [{"to": "p", "push": "B", "weight": 2}, {"to": "q", "pop": ""}]}}}}'
    found = read_json(text)
    assert isinstance(found, Instance)
    weighted, plain = found.with_lengths(MinPath()), found.without_lengths(Boolean())
    assert [str(rule) for rule in plain.rules] == ["<p, A> -> <p, B A>", "<p, A> -> <q, ε>"]
    assert list(weighted.weights) == [2, 0] and weighted.rules[0].weight == 2
    assert weighted.is_plain() and list(weighted.origin) == [0, 1]


DRIVER = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct loaded;
struct loaded *knaster_load(const char *, int64_t, int64_t, int *);
void knaster_loaded_free(struct loaded *);
int main(void) { /* texts, one a line; each in memory of exactly its size */
    static char line[1 << 20];
    int read = 0;
    while (fgets(line, sizeof line, stdin)) {
        size_t size = strlen(line) - 1;
        char *bytes = malloc(size ? size : 1);
        memcpy(bytes, line, size);
        int status;
        struct loaded *out = knaster_load(bytes, 0, (int64_t)size, &status);
        read += out != NULL;
        knaster_loaded_free(out);
        free(bytes);
    }
    printf("%d\\n", read);
    return 0;
}
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc and its sanitizers")
def test_no_step_outside_memory_on_any_text(tmp_path: Path) -> None:
    """Whole texts, changed ones and cut ones, under the sanitizers for addresses and undefined behaviour."""
    (tmp_path / "driver.c").write_text(DRIVER)
    sources = [str(tmp_path / "driver.c"), str(library.FOLDER / "loading.c")]
    flags = ["-g", "-O1", "-std=c11", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    subprocess.run(["gcc", *flags, "-o", str(tmp_path / "driver"), *sources], check=True)
    rng = Random(3)
    lines = []
    for _ in range(5000):
        data = json.loads(random_text(rng))
        system = data["pda"] if "pda" in data else data["instance"][1]
        text = json.dumps(system["states"], ensure_ascii=rng.random() < 0.5)
        lines += [text, change(rng, text).replace("\n", " "), text[: rng.randrange(len(text))]]
    done = subprocess.run([str(tmp_path / "driver")], input="\n".join(lines) + "\n", capture_output=True, text=True)
    assert not done.returncode, done.stderr[-2000:]
    assert int(done.stdout) > 5000
