"""Witnesses and counterexamples."""

from __future__ import annotations

from knaster.calculus import evaluate, parse
from knaster.calculus.answers.outcomes import Reason, Text, WitnessTree
from knaster.calculus.answers.render import answer_json, answer_text

GRAPH = """
enum S { a, b, c, d, e };
bool T(S s, S t) (s = a & (t = b | t = e)) | (s = b & t = c) | (s = c & (t = d | t = b)) | (s = e & t = e);
mu bool EF(S s) s = d | (exists S t. T(s, t) & EF(t));
nu bool EG(S s) s != d & (exists S t. T(s, t) & EG(t));
mu bool AF(S s) s = d | ((exists S t. T(s, t)) & (forall S t. T(s, t) -> AF(t)));
"""


def tree(request: str) -> WitnessTree:
    answer = evaluate(parse(f"{GRAPH}{request};")).answers[0]
    assert isinstance(answer, WitnessTree)
    return answer


def reasons(root: Reason) -> list[Reason]:
    found, todo = [], [root]
    while todo:
        reason = todo.pop()
        found.append(reason)
        todo.extend(reversed(reason.children))
    return found


def unfolded(root: Reason, kind: str) -> list[object]:
    return [reason.values[0][1] for reason in reasons(root) if reason.kind == kind]


def test_a_least_fixed_point_is_a_shortest_path() -> None:
    root = tree("#wit EF(a)").root
    assert unfolded(root, "MU") == ["a", "b", "c", "d"]
    assert reasons(root)[-1].text == "s = d"


def test_a_greatest_fixed_point_is_a_path_that_comes_back() -> None:
    root = tree("#wit EG(a)").root
    states = unfolded(root, "NU")
    again = unfolded(root, "NU (see above)")
    assert states[0] == "a" and len(again) == 1 and again[0] in states


def test_why_something_is_not_in_a_greatest_fixed_point() -> None:
    assert unfolded(tree("#cex EG(d)").root, "NU") == ["d"]


def test_a_counterexample_chooses_values() -> None:
    root = tree("#cex forall S s. AF(s)").root
    assert root.kind == "EXISTS"
    assert root.text.startswith("![forall S s.")
    assert {name for reason in reasons(root) for name, _ in reason.values} <= {"s", "t"}
    assert any(reason.kind.startswith("MU") for reason in reasons(root))


def test_there_is_no_witness_of_what_is_false() -> None:
    answers = evaluate(parse(f"{GRAPH}#wit EF(e); #cex EF(a);")).answers
    assert [answer.text for answer in answers if isinstance(answer, Text)] == [
        "*** there is no witness: the formula is false",
        "*** there is no counterexample: the formula is true",
    ]


def test_nested_fixed_points() -> None:
    text = """
        enum S { 0..3 };
        bool T(S s, S t) t = s + 1 | (s = 3 & t = 0);
        nu bool Often(S s);
        mu bool Soon(S s) (s = 2 & Often(s)) | (exists S t. T(s, t) & Soon(t));
        nu bool Often(S s) exists S t. T(s, t) & Soon(t);
        #wit Often(0);
    """
    answer = evaluate(parse(text)).answers[0]
    assert isinstance(answer, WitnessTree)
    kinds = [reason.kind for reason in reasons(answer.root)]
    assert kinds.count("NU (see above)") <= 1 and "MU" in kinds and "NU" in kinds
    assert reasons(answer.root)[-1].kind.endswith("(see above)")  # the cycle passes through Often


def test_an_inner_fixed_point_that_another_one_shares_with_the_outermost() -> None:
    """A depends on Y but not on B: inside B it is explained where Y stands, not as if it were outermost."""
    text = "nu bool Y(); mu bool A() Y(); mu bool B() A() | B(); nu bool Y() B(); #wit Y();"
    answer = evaluate(parse(text)).answers[0]
    assert isinstance(answer, WitnessTree)
    assert [(reason.kind, reason.text) for reason in reasons(answer.root)] == [
        ("NU", "Y()"),
        ("MU", "B()"),
        ("OR", "A() | B()"),
        ("MU", "A()"),
        ("NU (see above)", "Y()"),
    ]


def test_a_fair_cycle() -> None:
    """Emerson and Lei's formula for two conditions that hold again and again."""
    text = """
        enum S { 0..5 };
        bool T(S s, S t) t = s + 1 | (s = 4 & t = 1);
        bool q(S s) s != 5;
        nu bool Y(S s);
        mu bool Second(S s) q(s) & ((s = 4 & Y(s)) | (exists S t. T(s, t) & Second(t)));
        mu bool First(S s) q(s) & ((s = 2 & Second(s)) | (exists S t. T(s, t) & First(t)));
        nu bool Y(S s) q(s) & (exists S t. T(s, t) & First(t));
        #wit Y(0);
        #cex Y(5);
    """
    good, bad = evaluate(parse(text)).answers
    assert isinstance(good, WitnessTree) and isinstance(bad, WitnessTree)
    calls = [(reason.kind, reason.text[0], reason.values[0][1]) for reason in reasons(good.root) if "U" in reason.kind]
    way = [(name, state) for kind, name, state in calls if kind in ("MU", "NU")]
    assert way == [
        *[("Y", 0), ("F", 1), ("F", 2), ("S", 2), ("S", 3), ("S", 4)],
        ("Y", 4),  # from here back to 1
    ]
    assert calls[-1] == ("MU (see above)", "F", 1)
    assert [(reason.kind, reason.text) for reason in reasons(bad.root)][:2] == [
        ("NU", "! Y(5)"),
        ("OR", "![q(s) & (exists S t. T(s, t) & First(t))]"),
    ]


def test_other_connectives() -> None:
    text = """
        bool f(bool a, bool b) a;
        #wit exists bool a, bool b. (a <-> b) & (if (a) b else ! b) & ! (forall bool c. c);
        #wit exists bool a. (f(a, 0) assume a) & (a <+> 0);
    """
    first, second = evaluate(parse(text)).answers
    assert isinstance(first, WitnessTree) and isinstance(second, WitnessTree)
    assert {"EXISTS", "AND", "IFF", "IF", "FACT"} <= {reason.kind for reason in reasons(first.root)}
    assert "ASSUME" in {reason.kind for reason in reasons(second.root)}


def test_a_long_path_and_a_wide_tree_are_cut_off() -> None:
    text = """
        enum S { 0..4000 };
        mu bool R(S s) s = 0 | (exists S t. s = t + 1 & R(t));
        #wit R(4000);
    """
    answer = evaluate(parse(text)).answers[0]
    assert isinstance(answer, WitnessTree)
    found = reasons(answer.root)
    assert len(found) <= 5001 and any(reason.kind == "CUT OFF" for reason in found)


def test_as_text_and_as_data() -> None:
    answer = tree("#wit EF(b)")
    text = answer_text(answer)
    assert text.startswith(": witness for\n:   EF(b)\n: MU EF(b)\n:     s = b\n: OR s = d | (exists S t.")
    data = answer_json(answer)
    assert data["kind"] == "witness" and data["value"] is True
    assert [each["depth"] for each in data["reasons"]][:3] == [0, 1, 2]
