"""Terms as text of SMT-LIB: sorts, names, and what is used twice is written once."""

from __future__ import annotations

from knaster.smt.script import Node, Printing, ScriptDoor, sort_to_text, symbol

DOOR = ScriptDoor()


def test_names_are_spelled_as_smt_lib_wants_them() -> None:
    assert symbol("x") == "x" and symbol("x.now") == "x.now"
    assert symbol("x#3") == "|x#3|" and symbol("3x") == "|3x|"
    assert symbol("@0#1") == "|result@0#1|"  # names with @ belong to solvers
    assert symbol("a|b\\c") == "|a_b_c|"


def test_numbers_and_sorts() -> None:
    assert DOOR.integer(-3).head == "(- 3)" and DOOR.integer(3).head == "3"
    assert DOOR.bits(-1, 8).head == "(_ bv255 8)"
    assert sort_to_text(("Array", ("BitVec", 64), "Bool")) == "(Array (_ BitVec 64) Bool)"
    assert DOOR.truth(True) is DOOR.truth(True)


def test_a_term_has_the_sort_of_its_value() -> None:
    x = DOOR.variable("x", ("BitVec", 8))
    array = DOOR.variable("a", ("Array", ("BitVec", 8), "Bool"))
    assert DOOR.term("bvadd", x, x).sort == ("BitVec", 8)
    assert DOOR.term("bvult", x, x).sort == DOOR.term("=", x, x).sort == "Bool"
    assert DOOR.term("extract", x, indices=(5, 2)).sort == ("BitVec", 4)
    assert DOOR.term("zero_extend", x, indices=(5,)).sort == ("BitVec", 13)
    assert DOOR.term("select", array, x).sort == "Bool"
    assert DOOR.term("store", array, x, DOOR.truth(True)).sort == array.sort
    assert DOOR.term("ite", DOOR.truth(True), x, x).sort == x.sort
    assert DOOR.term("mod", DOOR.integer(3), DOOR.integer(2)).sort == "Int"


def test_what_is_used_twice_has_a_name() -> None:
    value: Node = DOOR.variable("x", "Int")
    for _ in range(200):
        value = DOOR.term("+", value, value)
    printing = Printing([DOOR.term("=", value, DOOR.integer(0))])
    assert [one.head for one in printing.variables] == ["x"]
    assert len(printing.named) == 199 and printing.named[0][2] == "(+ x x)"
    assert printing.formulas == ["(= (+ t!198 t!198) 0)"]


def test_what_is_used_twice_in_a_quantifier_has_a_name_inside() -> None:
    bound = DOOR.bound_variable("i", "Int")
    twice = DOOR.term("+", bound, bound)
    outside = DOOR.term("+", DOOR.variable("x", "Int"), DOOR.integer(1))
    body = DOOR.term("and", DOOR.term("<", twice, outside), DOOR.term("<", outside, twice))
    printing = Printing([DOOR.exists([bound], body)])
    assert printing.formulas == ["(exists ((i Int)) (let ((t!0 (+ i i))) (and (< t!0 t!1) (< t!1 t!0))))"]
    assert [name for name, _, _ in printing.named] == ["t!1"]
