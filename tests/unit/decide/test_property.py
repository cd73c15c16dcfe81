"""SLIC's examples, and what is refused: a name that nobody calls, threads, references."""

from __future__ import annotations

import pytest

from knaster.automata.monitor_files import read_monitor
from knaster.base.errors import SourceError, UnsupportedError, UsageError
from knaster.decide.property import check_property
from knaster.evidence.answers.answer import Verdict

LOCK = """\
start U
error Twice, Held
U -> L : call lock
L -> U : call unlock
L -> Twice : call lock
L -> Held : return main
"""
C = """\
extern void lock(int);
extern void unlock(void);
int main(void) {{
  int n = 0;
  while (n < 3) {{
    lock(n);
{}    n++;
  }}
  return 0;
}}
"""


def test_functions_of_c_that_nobody_defines_are_seen() -> None:
    monitor = read_monitor(LOCK, "lock.aut")
    good = check_property(C.format("    unlock();\n"), monitor, file="p.c")
    assert good.verdict is Verdict.TRUE
    assert good.answers[0][1].checked
    bad = check_property(C.format(""), monitor, file="p.c")
    assert bad.verdict is Verdict.FALSE
    assert bad.answers[0][0].name == "Twice of lock.aut"
    assert bad.trace is not None
    assert any(note.endswith("L -> Twice at line 6") for note in bad.notes)
    assert any("no statement calls 'unlock'" in note for note in bad.notes)


def test_a_call_that_is_misspelt() -> None:
    monitor = read_monitor("start U\nerror E\nU -> E : call acquir\n", "m.aut")
    text = "void acquire() begin skip; end\nvoid main() begin acquire(); end\n"
    with pytest.raises(SourceError, match="did you mean 'acquire'"):
        check_property(text, monitor)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("void main_1() begin skip; end\nvoid main_2() begin skip; end\n", "has threads"),
        ("class Main {\n  activate static void main() { }\n};\n", "has references"),
    ],
)
def test_other_programs(text: str, said: str) -> None:
    with pytest.raises(UnsupportedError, match=said):
        check_property(text, read_monitor("start U\nerror E\nU -> E : return main\n"))


def test_no_way_to_an_error() -> None:
    with pytest.raises(UsageError, match="no statement takes"):
        check_property("void main() begin\n skip; end\n", read_monitor("start U\nerror E\nU -> E : call zebra\n"))
