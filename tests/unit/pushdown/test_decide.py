"""Files of pushdown systems: verdicts, weights and traces, as text and as JSON, and the exit codes of the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from knaster.base.errors import KnasterError, SourceError, UsageError
from knaster.base.exits import ExitCode
from knaster.cli import main
from knaster.pushdown.decide import decide_file
from knaster.pushdown.formats.outcome import to_json, to_text

REACHABLE, UNREACHABLE = 10, 0

PDA = {
    "states": {
        "p0": {"A": {"to": "p1", "pop": "", "weight": 1}, "B": {"to": "p0", "push": "A", "weight": 0}},
        "p1": {"A": [{"to": "p0", "swap": "A", "weight": 2}, {"to": "p2", "push": "B", "weight": 1}]},
        "p2": {"B": {"to": "p2", "pop": "", "weight": 3}},
    }
}
SOURCES = {"accepting": [3], "edges": [["p0", "A", 3], ["p0", "B", 4], [4, "A", 3], ["p1", "A", 3]]}
TARGETS = {"accepting": ["p2", 3], "edges": [["p2", "A", 3]]}
META = {"state-names": True, "weight-type": "uint"}


def _file(tmp_path: Path, data: Any, name: str = "system.json") -> str:
    path = tmp_path / name
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return str(path)


def run(path: str | Path, *, format: str = "text", **options: Any) -> tuple[str, int]:
    """Return the text that the command prints and its exit code."""
    outcome = decide_file(path, **options)
    return (to_json if format == "json" else to_text)(outcome), REACHABLE if outcome.reachable else UNREACHABLE


@pytest.fixture
def instance(tmp_path: Path) -> str:
    return _file(tmp_path, {"instance": [META, PDA, SOURCES, TARGETS]})


def test_shortest_run(instance: str) -> None:
    text, code = run(instance, shortest=True)
    assert code == REACHABLE
    assert text.splitlines() == [
        "reachable",
        "length 4",
        "a run of 2 rules:",
        "  <p1, A>",
        "  <p2, B A>  by <p1, A> -> <p2, B A> [1]",
        "  <p2, A>  by <p2, B> -> <p2, ε> [3]",
    ]


@pytest.mark.parametrize("options", [{"pre": "< p2, A >"}, {"post": "< p1, A >"}, {}])
def test_json(instance: str, options: dict[str, str]) -> None:
    text, code = run(instance, shortest=True, format="json", **options)
    found = json.loads(text)
    assert code == REACHABLE
    assert (found["verdict"], found["weight"]) == ("reachable", 4)
    assert found["direction"] == ("pre" if "pre" in options else "post")
    assert found["trace"] == [
        {"state": "p1", "stack": ["A"]},
        {"state": "p2", "stack": ["B", "A"]},
        {"state": "p2", "stack": ["A"]},
    ]
    assert found["rules"][0] == {"from": "p1", "symbol": "A", "to": "p2", "push": ["B", "A"], "weight": 1}


def test_unreachable(tmp_path: Path) -> None:
    path = _file(tmp_path, {"pda": PDA})
    for format in ("text", "json"):
        text, code = run(path, post="< p0, B >", ask="< p0, .* B >", pre=None, format=format)
        assert code == REACHABLE
        text, code = run(path, post="< p2, B >", ask="< p0, .* >", format=format)
        assert code == UNREACHABLE
        assert "unreachable" in text


def test_nothing_asked_prints_the_automaton(tmp_path: Path) -> None:
    path = _file(tmp_path, {"pda": PDA})
    text, code = run(path, post="< p1, A >", shortest=True)
    assert code == UNREACHABLE
    assert text.splitlines()[0].startswith("post*: ")
    assert "  mid(p2, B) --A--> " in text
    found = json.loads(run(path, pre="< p2, A >", format="json")[0])
    assert "verdict" not in found
    assert ["p1", "A"] in [row[:2] for row in found["transitions"]]


def test_negative_lengths(tmp_path: Path) -> None:
    loop = {
        "pda": {"states": {"p": {"X": [{"to": "p", "swap": "X", "weight": -1}, {"to": "p", "pop": "", "weight": 0}]}}}
    }
    path = _file(tmp_path, loop)
    text, code = run(path, pre="< p, >", ask="< p, X >", shortest=True)
    assert code == REACHABLE
    assert "length -infinity" in text and "there is no shortest run" in text
    assert json.loads(run(path, pre="< p, >", ask="< p, X >", shortest=True, format="json")[0])["weight"] == "-infinity"
    assert run(path, pre="< p, X >", ask="< p, >", shortest=True)[1] == UNREACHABLE
    assert run(path, post="< p, X >", ask="< p, >")[1] == REACHABLE
    with pytest.raises(UsageError, match="both sets"):
        run(path, pre="< p, X >", shortest=True)


def test_sets_from_files(tmp_path: Path) -> None:
    path = _file(tmp_path, {"pda": PDA})
    automaton = _file(tmp_path, {"P-automaton": TARGETS}, "targets.json")
    expression = _file(tmp_path, "# start\n< p1, A >", "start.txt")
    assert run(path, post=expression, ask=automaton)[1] == REACHABLE
    xml = _file(
        tmp_path,
        "<WFA><State Name='p2' initial='TRUE'/><State Name='f' final='TRUE'/><Trans from='p2' stack='A' to='f'/></WFA>",
        "t.xml",
    )
    assert run(path, pre=xml, ask="< p1, A >")[1] == REACHABLE


def test_long_stacks_are_cut_in_text(tmp_path: Path) -> None:
    path = _file(tmp_path, {"pda": {"states": {"p": {"A": [{"to": "p", "push": "A"}]}}}})
    text, _ = run(path, post="< p, A >", ask="< p," + " A" * 30 + ">")
    assert "<p, A A A A A A A A A A A A … (18 more)>" in text
    assert len(json.loads(run(path, post="< p, A >", ask="< p," + " A" * 30 + ">", format="json")[0])["trace"]) == 30


@pytest.mark.parametrize(
    ("content", "options", "error", "message"),
    [
        ({"pda": PDA}, {}, UsageError, "nothing to start from"),
        ({"pda": PDA}, {"post": "< p0, A >", "pre": "< p0, A >"}, UsageError, "choose one"),
        ({"pda": PDA}, {"post": "nowhere.json"}, KnasterError, "nowhere.json: cannot be read"),
        ({"pda": PDA}, {"post": "< p9, A >"}, UsageError, "there is no control state `p9`"),
        ({"P-automaton": TARGETS}, {}, UsageError, "not a pushdown system"),
        ("<WFA/>", {}, UsageError, "not a pushdown system"),
        ("A B C", {}, SourceError, "expected labels"),
    ],
)
def test_refusals(
    tmp_path: Path, content: Any, options: dict[str, Any], error: type[KnasterError], message: str
) -> None:
    with pytest.raises(error, match=message):
        run(_file(tmp_path, content), **options)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(KnasterError, match="cannot be read"):
        run(tmp_path / "missing.json")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(SourceError, match="no UTF-8"):
        run(tmp_path / "binary")
    with pytest.raises(UsageError, match="not a set"):
        run(_file(tmp_path, {"pda": PDA}), post=_file(tmp_path, {"pda": PDA}, "b.json"))


def test_a_rule_list(tmp_path: Path) -> None:
    path = _file(tmp_path, "A,B\n0\n0\n0 A -> 1 -\n1 B -> 0 +B\n", "rules.txt")
    text, code = run(path, post="< 0, A B >", ask="< 0, B B >")
    assert code == REACHABLE
    assert "<0, B B>  by <1, B> -> <0, B B>" in text


def test_an_automaton_with_empty_words_is_sorted(tmp_path: Path) -> None:
    """A transition on the empty word has no symbol; it comes before those of its source that have one."""
    path = _file(tmp_path, {"pda": {"states": {"p": {"A": [{"to": "p", "push": "A"}, {"to": "p", "pop": ""}]}}}})
    found = json.loads(run(path, post="< p, A >", format="json")[0])
    rows = [row[:3] for row in found["transitions"] if row[0] == "p"]
    assert [row[1] for row in rows] == [None, None, "A", "A"]
    assert rows == sorted(rows, key=lambda row: (row[1] or "", row[2]))


MISSPELT = {"pda": {"states": {"p": {"main": [{"to": "p", "swap": "error"}, {"to": "q", "pop": ""}]}, "q": {}}}}


@pytest.mark.parametrize(
    ("options", "symbol", "hint"),
    [
        ({"post": "< p, main >", "ask": "< p, eror .* >"}, "eror", "did you mean 'error'?"),
        ({"post": "< p, Main >", "ask": "< p, error >"}, "Main", "did you mean 'main'?"),
        ({"pre": "< p, [^erorr] >"}, "erorr", "did you mean 'error'?"),
        ({"post": '< p, main "x y" >'}, "x y", ""),
    ],
)
def test_an_unknown_symbol_is_no_answer(tmp_path: Path, options: dict[str, Any], symbol: str, hint: str) -> None:
    path = _file(tmp_path, MISSPELT)
    with pytest.raises(UsageError, match=f"there is no stack symbol `{symbol}`") as caught:
        decide_file(path, **options)
    assert str(caught.value).endswith(hint)
    assert f"<set>:1:{max(given.find(symbol) for given in options.values()) + 1}: " in str(caught.value)


def test_an_unknown_symbol_in_a_file_is_refused_where_it_stands(tmp_path: Path) -> None:
    path = _file(tmp_path, MISSPELT)
    expression = _file(tmp_path, "# an error\n< p, eror >", "ask.txt")
    with pytest.raises(SourceError, match=r"ask\.txt:2:6: error: there is no stack symbol `eror`"):
        decide_file(path, post="< p, main >", ask=expression)
    automaton = _file(tmp_path, {"P-automaton": {"accepting": [9], "edges": [["p", "Error", 9]]}}, "ask.json")
    with pytest.raises(SourceError, match="did you mean 'error'"):
        decide_file(path, post="< p, main >", ask=automaton)
    text = (
        "<WFA><State Name='p' initial='TRUE'/><State Name='f' final='TRUE'/>\n<Trans from='p' stack='x' to='f'/></WFA>"
    )
    with pytest.raises(SourceError, match=r"ask\.xml:2:24: error: there is no stack symbol `x`"):
        decide_file(path, post="< p, main >", ask=_file(tmp_path, text, "ask.xml"))


def test_symbols_that_are_known_without_rules(tmp_path: Path) -> None:
    """A bottom of the stack stands in both sets; a rule for every symbol knows all; a file names its own symbols."""
    path = _file(tmp_path, MISSPELT)
    assert run(path, post="< p, main bottom >", ask="< q, bottom >")[1] == REACHABLE
    everywhere = _file(tmp_path, {"pda": {"states": {"p": {"*": {"to": "p", "pop": ""}}}}}, "any.json")
    assert run(everywhere, post="< p, a b >", ask="< p, b >")[1] == REACHABLE
    sets = [{"accepting": [9], "edges": [["p", "bottom", 9]]}, {"accepting": [9], "edges": [["q", "main", 9]]}]
    assert run(_file(tmp_path, {"instance": [META, MISSPELT["pda"], *sets]}, "own.json"))[1] == UNREACHABLE
    own = _file(tmp_path, {"instance": [META, MISSPELT["pda"], *sets]}, "own.json")
    assert run(own, ask="< p, bottom >")[1] == REACHABLE


def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _file(tmp_path, MISSPELT)
    expression = _file(tmp_path, "< p, eror >", "ask.txt")
    assert main(["pushdown", path, "--post", "< p, main >", "--ask", "< p, error >"]) == ExitCode.REACHABLE
    assert main(["pushdown", path, "--post", "< p, error >", "--ask", "< p, main >"]) == ExitCode.UNREACHABLE
    assert main(["pushdown", path, "--post", "< p, main >", "--format", "json"]) == ExitCode.UNREACHABLE
    assert '"transitions"' in capsys.readouterr().out
    assert main(["pushdown", path, "--post", "< p, main >", "--ask", "< p, eror >"]) == ExitCode.USAGE
    assert main(["pushdown", path, "--post", "< p, main >", "--ask", expression]) == ExitCode.REFUSED
    shown = capsys.readouterr()
    assert not shown.out and shown.err.count("did you mean 'error'?") == 2
