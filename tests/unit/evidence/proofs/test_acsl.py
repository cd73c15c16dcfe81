"""Predicates of ACSL: what Frama-C would read, with names that are known where they stand, and few casts."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import knaster
from knaster.evidence.proofs.acsl import Context, Offset, Words
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.proofs.invariants import to_json as words_of
from knaster.program.expression import (
    FALSE,
    TRUE,
    Arithmetic,
    Binary,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Element,
    Expr,
    IntegerOperator,
    Not,
    Operator,
    Var,
)
from knaster.program.model import old
from knaster.program.types import BOOL, INTEGER, Array, Int, Type
from support.acsl_grammar import NotAcsl, read_predicate

INT, UNSIGNED, BYTE = Int(32, True), Int(32, False), Int(8, False)
TYPES: dict[str, Type] = {
    "x": INT,
    "n": INT,
    "u": UNSIGNED,
    "c": BYTE,
    "b": BOOL,
    "a": Array(INT, 4),
    "g": INT,
    "x#2": INT,
    "t#1()": INT,
}
WORDS = Words(TYPES | {"p.index": Int(64, True)}, ("n", "p"), {"n"}, {"p.index": Offset("p", 0, 4)})
VISIBLE = tuple(TYPES)


def less(left: Expr, right: Expr) -> Expr:
    return Compare(Comparison.LESS, left, right)


def plus(left: Expr, right: Expr, type: Int = INT) -> Expr:
    return Arithmetic(IntegerOperator.ADD, left, right, type)


def said(formula: Expr, context: Context = Context.INSIDE) -> str | None:
    return WORDS.predicate(formula, context, VISIBLE)


def test_casts_stand_only_where_values_may_change() -> None:
    assert said(less(plus(Var("x"), Const(1)), Const(5))) == "(int)(x + 1) < 5"
    assert said(less(plus(Convert(Var("c"), INT), Const(1)), Const(5))) == "c + 1 < 5"
    assert said(less(plus(Convert(Var("x"), INTEGER), Const(1), INTEGER), Const(5))) == "x + 1 < 5"
    assert said(less(Convert(Var("x"), UNSIGNED), Const(5))) == "(unsigned int)x < 5"
    assert said(less(Convert(Var("u"), Int(64, True)), Const(5))) == "u < 5"


def test_entry_values_are_called_as_the_context_allows() -> None:
    formula = less(Var(old("n")), Const(3))
    assert said(formula) == "\\at(n, Pre) < 3"
    assert said(formula, Context.REQUIRES) == "n < 3"
    assert said(formula, Context.ENSURES) == "\\old(n) < 3"
    assert said(less(Var("n"), Const(3)), Context.ENSURES) == "n < 3"
    assert (
        said(less(Var("p"), Const(3)), Context.ENSURES) is None
    )  # the function changes it, and ACSL means the old one
    assert said(less(Var("n"), Const(3)), Context.REQUIRES) is None
    assert said(less(Var("@0"), Const(3)), Context.ENSURES) == "\\result < 3"
    assert said(less(Var("@0"), Const(3))) is None


def test_temporaries_and_hidden_names_are_not_shown() -> None:
    assert said(less(Var("t#1()"), Const(3))) is None
    assert said(less(Var("x#2"), Const(3))) == "x < 3"
    assert said(less(Var("x#2"), Var("x"))) is None
    assert WORDS.predicate(less(Var("x"), Const(3)), Context.ENSURES, ("g",)) is None


def test_offsets_of_pointers() -> None:
    words = Words({"p.index": Int(64, True)}, (), (), {"p.index": Offset("p", 2, 4)})
    formula = less(Var("p.index"), Const(3))
    assert words.predicate(formula, Context.INSIDE, ("p.index",)) == "(\\offset(p) - 2) / 4 < 3"
    assert said(less(Var(old("p.index")), Const(3))) == "\\at(\\offset(p), Pre) / 4 < 3"


def test_truth_values() -> None:
    truth = less(Var("x"), Const(3))
    assert said(FALSE) == "\\false"
    assert said(TRUE) == "\\true"
    assert said(Binary(Operator.EQUAL, truth, Not(truth))) == "(x < 3) <==> (x >= 3)"
    assert said(Binary(Operator.XOR, truth, truth)) == "(x < 3) ^^ (x < 3)"
    assert said(less(Convert(truth, INT), Const(1))) == "(x < 3 ? 1 : 0) < 1"
    assert said(Convert(Var("x"), BOOL)) == "x != 0"
    assert said(Convert(truth, BOOL)) == "x < 3"


def _formulas() -> list[Expr]:
    """Return formulas of every node over every kind of variable."""
    numbers: list[Expr] = [Const(-3), Convert(Var("x"), INTEGER), Var("u"), Var(old("n")), Element(Var("a"), Var("x"))]
    sums = [Arithmetic(op, Var("x"), Const(3), INT) for op in IntegerOperator]
    sums += [Arithmetic(op, Convert(Var("c"), INTEGER), Const(7), INTEGER) for op in IntegerOperator]
    atoms: list[Expr] = [
        Compare(op, one, two) for op in Comparison for one, two in itertools.pairwise([*numbers, *sums])
    ]
    atoms += [Compare(Comparison.LESS, Conditional(atoms[0], sums[0], sums[1]), Const(0)), Convert(Var("x"), BOOL)]
    pairs = [Binary(op, Binary(inner, atoms[0], atoms[1]), Not(atoms[2])) for op in Operator for inner in Operator]
    return [*atoms, *pairs]


def test_every_formula_is_acsl() -> None:
    for formula in _formulas():
        text = said(formula)
        assert text is not None
        read_predicate(text, {"x", "n", "u", "c", "a"}, "inside")


WRONG = {
    "inside": ("x#2 < 1", "\\old(x) < 1", "x < 1 < 2", "x <", "z < 1", "id()#1 == x", "x == 1 x", "(x == 1"),
    "requires": ("\\result == 1", "\\at(x, Pre) == 1"),
    "ensures": ("\\at(x, Pre) == 1", "x == 1 &&"),
}


@pytest.mark.parametrize(("text", "context"), [(text, context) for context, texts in WRONG.items() for text in texts])
def test_the_reader_of_tests_is_strict(text: str, context: str) -> None:
    with pytest.raises(NotAcsl):
        read_predicate(text, {"x"}, context)


PROGRAM = """extern int read(void);
struct S { int len; };
int total;
int f(int n) { while (n < 5) n++; return n; }
int main(void) {
  struct S s; s.len = 0;
  int i = 0;
  while (i < 9) { i++; s.len = i; }
  assert(f(read()) >= 5);
  assert(s.len == 9);
}
"""


def test_a_proof_is_shown_in_acsl(tmp_path: Path) -> None:
    result = knaster.check(PROGRAM, file="t.c", engine="horn", property="reach")
    (proof,) = {id(a.proof): a.proof for _, a in result.answers if hasattr(a, "proof")}.values()
    assert isinstance(proof, Invariants)
    shown = words_of(proof, proof.program)
    names = {"s", "i", "k", "n", "total"}
    for row in shown["invariants"]:
        for part in row["holds"]:
            read_predicate(part, names, "inside")
    (function,) = [row for row in shown["functions"] if row["function"] == "f"]
    for part in function["guarantees"]:
        read_predicate(part, names, "ensures")
    if shutil.which("frama-c"):
        _read_with_frama_c(tmp_path, shown)


def _read_with_frama_c(folder: Path, shown: dict[str, list[dict[str, Any]]]) -> None:
    """Let Frama-C read the program with what was proved of it."""
    rows = [row for row in shown["invariants"] if row["line"] == 8]
    loop = " ".join(f"loop invariant {part};" for row in rows for part in row["holds"])
    (function,) = [row for row in shown["functions"] if row["function"] == "f"]
    contract = " ".join(f"ensures {part};" for part in function["guarantees"])
    text = re.sub(
        r"(  while)",
        lambda found: f"/*@ {loop} */\n{found[0]}",
        PROGRAM.replace("int f(", f"/*@ {contract} */\nint f("),
    )
    (folder / "t.c").write_text("void assert(int c);\n" + text)
    done = subprocess.run(["frama-c", str(folder / "t.c")], capture_output=True, text=True, check=False)
    assert "annot-error" not in done.stdout + done.stderr
