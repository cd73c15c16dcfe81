"""The thesis' examples as texts of programs: X1, X2, X5, X6, X8, X10 and T5.1 to T5.5 of the specifications."""

from __future__ import annotations

from pathlib import Path

import pytest

import knaster
from knaster.cli import main
from knaster.evidence.answers.answer import Reachable
from knaster.report.facts import texts_of_facts
from support import ROOT

COIN = "extern int coin(void);\n"


def said(text: str, line: int, domain: str) -> set[str]:
    """Return what holds before a line."""
    found = knaster.facts(text, domain, file="x.c", at=[line])
    return {each for row in found.lines for each in texts_of_facts(found, row.procedure, row.equations or ())}


X1 = (
    COIN
    + """int a, b, y;
void f(void) {
  b = a;
  if (coin()) y = 2; else y = b;
}
int main(void) {
  a = 5; y = 1;
  f();
  if (coin()) {
    a = 2;
    f();
    y = y;
  }
  return 0;
}
"""
)


def test_x1_constants_by_valid_paths() -> None:
    assert said(X1, 10, "constants") == {"a == 5", "b == 5"}  # n5
    assert said(X1, 12, "constants") == {"a == 2", "b == 5"}  # n7
    assert said(X1, 13, "constants") == {"a == 2", "b == 2", "y == 2"}  # n8
    assert said(X1, 15, "constants") == set()  # n9


X6 = (
    COIN
    + """int y;
void f(int b) {
  if (coin()) y = 2; else y = b;
}
int main(void) {
  int a = 5;
  y = 1;
  f(a);
  if (coin()) {
    a = 2;
    f(a);
    y = y;
  }
  return 0;
}
"""
)


def test_x6_constants_with_locals() -> None:
    assert said(X6, 10, "constants") == {"a == 5"}  # n5: without merge functions nothing is known of a
    assert said(X6, 13, "constants") == {"a == 2", "y == 2"}  # n8
    assert said(X6, 15, "constants") == set()


def test_x8_affine_relations() -> None:
    text = COIN + "int x1, x2;\nvoid f(void) {\n  x2 = x1 + 1;\n}\nint main(void) {\n"
    text += "  if (coin()) x1 = 0; else x1 = 1;\n  f();\n  return 0;\n}\n"
    assert said(text, 9, "affine") == {"x1 == x2 - 1 (mod 2^32)"}


def test_x2_a_boolean_program_of_two_numbers() -> None:
    text = """decl x2, x1, x0, y2, y1, y0;
void main() begin
  if (*) then x2, x1, x0 := F, T, T; bar(); else x2, x1, x0 := T, T, T; bar(); fi
  if (!x2 & x1 & x0) then THREE: skip; fi
  if (x2 & x1 & x0) then SEVEN: skip; fi
  if (!x1 | !x0) then OTHER: skip; fi
  if (x2 != y2 | x1 != y1 | x0 != y0) then DIFFERENT: skip; fi
end
void bar() begin
  y2, y1, y0 := x2, x1, x0;
end
"""
    for engine in ("summaries", "pushdown"):
        result = knaster.check(text, "all-labels", file="x.bp", engine=engine)
        reached = {target.name for target, answer in result.answers if isinstance(answer, Reachable)}
        assert reached == {"THREE", "SEVEN"}


AUTOMATON = "start s1\nerror err\ns1 -> s2 : call null\ns2 -> s1 : call point\ns2 -> err : call follow\n"
X5 = """void main() begin
  point();
  if (*) then
    f();
    HERE: skip;
  fi
  follow();
end
void f() begin
  if (*) then null(); fi
end
void null() begin skip; end
void point() begin skip; end
void follow() begin skip; end
"""


def test_x5_a_null_pointer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.aut").write_text(AUTOMATON)
    for text, code in ((X5, 10), (X5.replace("HERE: skip;", "point();"), 0)):
        (tmp_path / "p.bp").write_text(text)
        assert main(["property", str(tmp_path / "p.bp"), "--automaton", str(tmp_path / "p.aut")]) == code
    assert "s1 -> s2 at line 10" in capsys.readouterr().out


def test_x10_pointers() -> None:
    found = knaster.facts(ROOT / "examples" / "c" / "aliases.c", "aliases", at=[19])
    (row,) = found.lines
    texts = set(texts_of_facts(found, row.procedure, row.equations or ()))
    assert texts == {"*g ~ a", "*g ~ v", "p == &a", "q == &a", "r == &c"}  # those of m4, said once


FIGURE_5_2 = """decl nU0, cE;
void main() begin
  cE := {1};
  if ({2}) then
    if (*) then
      skip;
      nU0 := {5};
      cE := {6};
    fi
  else
    cE := {6};
  fi
  if ({8}) then
    if ({9}) then
      ERROR: skip;
    else
      skip;
    fi
  fi
end
"""


def project(**values: str) -> list[int]:
    """Return the lines of Figure 5.2 that matter, with these values instead of any."""
    text = FIGURE_5_2
    for number in "125689":
        text = text.replace(f"{{{number}}}", values.get(f"l{number}", "*"))
    return sorted({node.line for node in knaster.project(text, "ERROR", file="x.bp").nodes})


def test_t5_5_projections() -> None:
    second = {"l2": "nU0", "l5": "F", "l9": "nU0"}
    assert project() == [3, 4, 5, 6, 7, 8, 11, 13, 14, 15]
    assert project(**second) == [3, 4, 5, 13, 14, 15]  # nU0 stays true
    assert project(**second, l1="F", l6="T", l8="cE") == []


def figure_5_1(third: bool, guard: str) -> str:
    """Return x = 5, 8 or 9, a call of f, and 2, 3 or 1 more; 10 is the error."""
    more = "  if (c == 3) {\n    x = 9;\n    f();\n    x = x + 1;\n  }\n" if third else "\n" * 4
    return (
        COIN
        + f"""int x;
void f(void) {{
  if ({guard})
    x = x;
  else
    while (1);
}}
int main(void) {{
  int c = coin();
  if (c == 1) {{
    x = 5;
    f();
    x = x + 2;
  }}
  if (c == 2) {{
    x = 8;
    f();
    x = x + 3;
  }}
{more}  if (x == 10)
    ERROR: ;
  return 0;
}}
"""
    )


@pytest.mark.slow
def test_t5_1_to_t5_3_only_the_call_with_nine_matters() -> None:
    found = {node.line for node in knaster.project(figure_5_1(True, "1"), "ERROR", file="x.c").nodes}
    assert {5, 22, 23, 24} <= found and not {12, 13, 14, 17, 18, 19} & found
    assert knaster.project(figure_5_1(False, "1"), "ERROR", file="x.c").nodes == ()
    assert knaster.project(figure_5_1(True, "x != 9"), "ERROR", file="x.c").nodes == ()
