"""What is read, what is refused, and how a refusal reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from knaster.base.errors import SourceError
from knaster.calculus import Session, System, evaluate, parse
from knaster.calculus.language.lexer import Source, tokenize

TYPES = "enum E { red, green, blue }; enum R { 0..4 }; enum Q { 2..4 }; class C { bool a; R r; E e[2]; };\n"


def truth(query: str, before: str = "") -> bool:
    return evaluate(parse(f"{TYPES}{before}\n{query};")).queries[0]


def count(definition: str, name: str = "f") -> int:
    return evaluate(parse(f"{TYPES}{definition}\n#ons {name};")).counts[name]


def refused(text: str) -> SourceError:
    with pytest.raises(SourceError) as caught:
        parse(text, file="f.mu")
    return caught.value


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("a &!b", "name & ! name"),
        ("a\r\n&b", "name & name"),
        ("x=!y", "name = ! name"),
        ("!!a", "! ! name"),
        ("a<->b<+>c->d<-e", "name <-> name <+> name -> name <- name"),
        ("r' b$ #ons 007", "name name name number"),
        ("a // b\n/* c\n d */ e", "name name"),
        ('"two\nlines" x ~+ y ~- z', "string name ~+ name ~- name"),
        ("0..4", "number . . number"),
        ("exists EXISTS Forall class struct", "exists exists forall class class"),
    ],
)
def test_tokens(text: str, kinds: str) -> None:
    tokens, problems = tokenize(Source("t", text))
    assert " ".join(token.kind for token in tokens[:-1]) == kinds
    assert not problems


def test_binding_strength() -> None:
    assert truth("! 0 & 1")
    assert truth("0 & 0 | 1")
    assert truth("1 | 0 -> 1")
    assert not truth("1 | 0 -> 0 & 1")
    assert truth("exists bool b. b | 0 & 1")
    assert truth("forall bool b: b <-> ! ! b")
    assert truth("exists bool b. ! b = 1")  # !(b = 1)
    assert truth("0 <- 0")
    assert not truth("1 <+> 1")


def test_conditionals() -> None:
    assert truth("if (0) 0")
    assert truth("if (0) 0 else if (1) 1 else 0")
    assert truth("case 0 : 0; 1 : 1; 1 : 0; esac")
    assert not truth("case 0 : 1; esac")


def test_order_and_sums_are_those_of_integers() -> None:
    assert count("bool f(R x, R y) x < y;") == 10
    assert count("bool f(R x, R y) x <= y;") == 15
    assert count("bool f(R x, R y) x = y + 1;") == 4
    assert count("bool f(R x, R y) x - 1 = y;") == 4
    assert count("bool f(R x, R y) x < y + 1;") == 15  # a sum may leave the range
    assert count("bool f(Q x) x >= 3;") == 2
    assert count("bool f(Q x) x < 100;") == 3
    assert count("bool f(E x) x > red;") == 2


def test_a_comparison_after_the_parameters_is_a_body_where_no_body_follows() -> None:
    assert count("bool f(R x, R y) x < y;") == 10
    assert count("bool f(R x, R y) x < y & x = 0;") == 4
    assert count("bool f(R x, R y) x < y  x = y;") == 5  # a constraint and a body, as in muCKE


def test_values_and_their_parts() -> None:
    assert count("bool f(R x) 1;") == 5
    assert count("bool f(Q x) x != 3;") == 2
    assert count("bool f(R x) x[0];") == 2  # 1 and 3: the least significant bit
    assert count("bool f(R x) x[2];") == 1
    assert count("bool f(C c) c.a & c.r = 2 & c.e[0] = red;") == 3
    assert count("bool f(C c, C d) c = d;") == 2 * 5 * 9
    assert count("bool f(E v[2]) v[0] != v[1];") == 6
    assert count("bool f(E e) e = 2;") == 1
    assert count("bool f(R x) ! (x = 1);") == 4  # complement among values only
    assert count("enum One { only }; bool f(One x, bool b) b;") == 1


def test_a_constant_hides_a_variable_and_a_warning_says_so() -> None:
    text = "enum E { x, y, z }; bool f(E a) exists E y. a = y; #ons f;"
    system = parse(text)
    assert evaluate(system).counts == {"f": 1}
    assert any("hides the variable" in problem.message for _, problem in system.warnings)


def test_quantified_names_hide_outer_ones() -> None:
    system = parse("bool f(bool a) exists bool a. a; #ons f;")
    assert evaluate(system).counts == {"f": 2}
    assert any("hides an outer" in problem.message for _, problem in system.warnings)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("bool f(S s) 1;", "unknown type 'S'", ""),
        ("enum State { a, b }; bool f(Stat s) 1;", "unknown type 'Stat'", "did you mean 'State'?"),
        ("bool Reach(bool s) s; exists bool s. Raech(s);", "unknown predicate 'Raech'", "did you mean 'Reach'?"),
        ("bool f(bool a, bool b) a; f(1);", "'f' takes 2 arguments, not 1", "f(bool a, bool b)"),
        ("enum E { a, b }; bool f(bool x) x; exists E e. f(e);", "type bool is expected, this has type E", ""),
        ("enum E { a, b }; exists E e. e = c;", "'c' is neither a variable nor a value of type E", "a, b"),
        ("enum R { 0..4 }; exists R r. r = 5;", "5 is no value of type R", "0..4"),
        ("enum R { 0..4 }; exists R r. r;", "a formula is expected, this has type R", "compare"),
        ("enum R { 0..4 }; enum S { 0..4 }; exists R r, S s. r = s;", "type R is expected, this has type S", ""),
        ("exists bool a. (a & a) = a;", "'=' compares values, not formulas", "<->"),
        ("exists bool a. a = (a & a);", "'=' compares values, not formulas", "<->"),
        ("exists bool a, bool b. a -> b -> a;", "need brackets", "a -> (b -> c)"),
        ("bool f(bool a) f(a);", "'f' is recursive but neither mu nor nu", "mu bool f"),
        ("mu bool f(bool a); bool f(bool a) a;", "is declared 'mu' in line 1 but 'plain' here", "same word"),
        ("bool f(bool a); enum E { x }; bool f(E a) 1;", "other parameter types in line 1", ""),
        ("bool f(bool a) a; bool f(bool b) b;", "'f' is defined already", ""),
        ("class C { bool a; }; exists C c. c.b;", "type C has no member 'b'", ""),
        ("exists bool a[2]. a[2];", "index 2 is out of range", ""),
        ("enum R { 0..4 }; exists R r. r[3];", "bit 3 is out of range", ""),
        ("load x;", "'load' is no command", "#load"),
        ("#sise f;", "unknown directive '#sise'", "#size"),
        ("#size f;", "#size wants the name of a predicate", ""),
        ("#load nowhere;", "cannot read 'nowhere'", ""),
        ("bool x;", "a variable outside a predicate", "exists"),
        ("enum R { 4..2 };", "the range 4..2 is empty", ""),
        ("bool f(bool a, bool a) a;", "'a' is declared twice", ""),
        ("bool f(bool a) a < b  a;", "names 'b', which is not declared here", ""),
        ("exists bool a. a @ a;", "unexpected character '@'", ""),
        ("exists bool a. (a;", "expected ')'", ""),
        ("exists bool a. a", "expected ';' at the end of the command, found the end of the text", ""),
        ("/* never", "never closed", "*/"),
        ("bool f(bool a) a; f(f(1));", "an argument is a variable or a constant", "quantify"),
        ("1 = 0;", "two constants", ""),
        ("class C { bool a; }; exists C c. c < c;", "no order", ""),
        ("7;", "7 is no truth value", "true or false"),
        ("class A { bool x[300]; }; class B { A a[300]; }; class D { B b[9]; };", "more than 100000 bits", ""),
    ],
)
def test_refusals_name_the_place_and_the_fix(text: str, message: str, hint: str) -> None:
    error = refused(text)
    found = [problem for problem in error.problems if message in problem.message]
    assert found, str(error)
    assert hint in found[0].hint
    assert "^" in str(error)
    assert str(error).startswith("f.mu:1:")


def test_all_problems_are_reported_at_once() -> None:
    error = refused("bool f(S s) 1;\nexists bool a. b;\nexists bool a. (a;\nenum E { x, x };\nbool g(S s) s.u;")
    assert [problem.span.line for problem in error.problems] == [1, 2, 3, 4]  # S is reported once


def test_the_caret_stands_under_the_word() -> None:
    error = refused("bool f(bool a)\n  a & Missing(a);")
    assert "f.mu:2:7: error" in str(error)
    assert "    a & Missing(a);\n        ^^^^^^^" in str(error)


def test_negative_recursion_is_a_warning_with_its_place() -> None:
    system = parse("mu bool f(bool a)\n  a | ! f(a);")
    messages = [(problem.span.line, problem.message) for _, problem in system.warnings]
    assert messages == [(2, "'f' depends negatively on 'f', which depends on it")]


def test_a_fixed_point_without_recursion_is_a_warning() -> None:
    system = parse("mu bool f(bool a) a;")
    assert [problem.message for _, problem in system.warnings] == ["'f' is mu but not recursive"]


def test_load_reads_in_place_and_quit_ends_the_reading(tmp_path: Path) -> None:
    (tmp_path / "types.mu").write_text("enum E { a, b };\n")
    (tmp_path / "rest.mu").write_text("#ons f;\n#quit\nnonsense")
    main = tmp_path / "main.mu"
    main.write_text('#load types;\nbool f(E e) e = a;\n#load "rest.mu";\nmore nonsense;')
    system = parse(main.read_text(), file=str(main))
    assert evaluate(system).counts == {"f": 1}


def test_files_that_load_each_other_are_refused(tmp_path: Path) -> None:
    main = tmp_path / "a.mu"
    main.write_text("#load a;")
    with pytest.raises(SourceError, match="for ever"):
        parse(main.read_text(), file=str(main))


def test_of_several_loaded_files_the_last_is_read_first(tmp_path: Path) -> None:
    (tmp_path / "one.mu").write_text("bool f(E e) e = a; #ons f;")
    (tmp_path / "two.mu").write_text("enum E { a, b };")
    main = tmp_path / "main.mu"
    main.write_text("#load one, two;")
    assert evaluate(parse(main.read_text(), file=str(main))).counts == {"f": 1}


def test_problems_in_a_loaded_file_carry_its_name(tmp_path: Path) -> None:
    (tmp_path / "part.mu").write_text("\nexists bool a. b;")
    main = tmp_path / "main.mu"
    main.write_text("#load part;")
    with pytest.raises(SourceError, match=r"part\.mu:2:16: error: unknown variable 'b'"):
        parse(main.read_text(), file=str(main))


@pytest.mark.parametrize(
    "text",
    [
        f"{'(' * 20000}1{')' * 20000};",
        f"{'! ' * 20001}0;",
        "; ".join(["exists bool a. a"] * 2000) + ";",
        f"{'exists bool a. ' * 300}a;",
        f"{'if (1) ' * 3000}1;",
        f"case {'1 : 1; ' * 3000}esac;",
    ],
)
def test_deep_and_long_inputs(text: str) -> None:
    assert all(evaluate(parse(text)).queries)


def test_predicates_without_parameters() -> None:
    assert evaluate(parse("bool yes() 1; bool no() ! yes(); yes(); no();")).queries == [True, False]


def test_a_chain_of_a_thousand_predicates() -> None:
    lines = ["bool p0(bool a) a;"] + [f"bool p{i}(bool a) ! p{i - 1}(a);" for i in range(1, 1001)]
    assert evaluate(parse("\n".join([*lines, "#ons p1000;", "p1000(1);"]))).queries == [True]


def test_a_prototype_needs_a_value() -> None:
    system: System = parse("bool f(bool a); exists bool a. f(a);")
    with pytest.raises(SourceError, match="only a prototype"):
        evaluate(system)
    assert Session(system, {"f": [(True,)]}).relation("f").count == 1
