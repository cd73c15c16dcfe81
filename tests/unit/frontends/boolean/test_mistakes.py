"""Every kind of bad input: place, message, hint; all mistakes of a text at once; never anything but a SourceError."""

from __future__ import annotations

import re
from random import Random

import pytest

from knaster.base.errors import KnasterError, SourceError
from knaster.frontends.boolean import parse
from knaster.frontends.boolean.printer import to_text
from knaster.program.validate import validate
from support.generators.boolean_programs import LARGE, random_program
from support.generators.boolean_texts import random_text


def mistakes(text: str) -> list[str]:
    """Return the problems of `text` as `line:column message (hint)`."""
    with pytest.raises(SourceError) as caught:
        parse(text)
    return [
        f"{problem.span.line}:{problem.span.column} {problem.message}" + (f" ({problem.hint})" if problem.hint else "")
        for problem in caught.value.problems
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("decl g;\nvoid main() begin\n  g := g @ 1;\nend", ["3:10 unknown character '@'"]),
        ("decl g; \\\\\nvoid main() begin end", ["1:9 unknown characters '\\\\\\\\'"]),
        ("decl {x;", ["1:6 unknown character '{' (a name in braces ends on the line where it starts)"]),
        (
            "void main() begin /* end",
            ["1:19 this comment has no end (expected '*/')"],
        ),
        ("void main() begin x := 1; end", ["1:19 'x' is not declared"]),
        (
            "decl counter;\nvoid main() begin conter := counter; conter := 1; end",
            ["2:19 'conter' is not declared (did you mean 'counter'?)"],
        ),
        ("decl a, b, a; void main() begin end", ["1:12 'a' is already declared on line 1"]),
        ("void main(a, a) begin end", ["1:14 'a' is already declared on line 1"]),
        ("void main(a) begin skip;\ndecl a; end", ["2:6 'a' is already declared on line 1"]),
        ("void f() begin end\nvoid f() begin end", ["2:6 the procedure 'f' is already defined on line 1"]),
        ("void main() begin f(); end", ["1:19 there is no procedure 'f'"]),
        (
            "void walk() begin end void main() begin wlak(); start_thread wlk(); end",
            [
                "1:41 there is no procedure 'wlak' (did you mean 'walk'?)",
                "1:62 there is no procedure 'wlk' (did you mean 'walk'?)",
            ],
        ),
        ("void f(a) begin end void main() begin f(); end", ["1:39 'f' takes 1 argument, here it gets none"]),
        ("void f() begin end void main() begin f(1, 0); end", ["1:38 'f' takes no arguments, here it gets 2"]),
        (
            "bool f() begin return 1; end void main() begin decl x, y; x, y := f(); end",
            ["1:67 'f' has 1 result, here 2 are taken"],
        ),
        ("bool<2> f() begin return 1; end", ["1:19 'f' has 2 results, here it returns 1"]),
        ("bool f() begin return; end", ["1:16 'f' has 1 result, here it returns none"]),
        ("proc f() begin return 1; return 1, 1; end", ["1:26 'f' has 1 result, here it returns 2"]),
        ("decl x, y; void main() begin x, y := 1; end", ["1:30 2 variables but 1 value"]),
        ("decl x, y; void main() begin x := 1, 0, 1; end", ["1:30 1 variable but 3 values"]),
        (
            "void main() begin goto LOP; LOOP: skip; goto LOP; end",
            ["1:24 the procedure 'main' has no label 'LOP' (did you mean 'LOOP'?)"],
        ),
        (
            "void main() begin start_thread goto 3; end",
            ["1:37 the procedure 'main' has no label '3'"],
        ),
        (
            "void main() begin A: skip; A: skip; goto A; end",
            ["1:42 the label 'A' stands on several statements of 'main'"],
        ),
        (
            "decl x; void main() begin skip; enforce x; end",
            ["1:33 'enforce' must be the first statement of its procedure"],
        ),
        ("bool<10001> f() begin end", ["1:6 at most 10000 results are possible"]),
        (f"bool<{'9' * 5000}> f() begin end", ["1:6 at most 10000 results are possible"]),
    ],
)
def test_meaningless_texts(text: str, expected: list[str]) -> None:
    assert mistakes(text)[: len(expected)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("end", ["1:1 expected a declaration or a procedure, found 'end'"]),
        ("decl ;", ["1:6 expected a name, found ';'"]),
        ("decl if;", ["1:6 expected a name, found 'if'"]),
        ("decl x y;", ["1:8 expected ',' or ';', found 'y'"]),
        ("init(1)", ["1:8 expected ';', found the end of the file"]),
        ("void (x) begin end", ["1:6 expected a declaration or a procedure, found '('"]),
        ("void f begin end", ["1:8 expected '(', found 'begin'"]),
        ("void f(x begin end", ["1:10 expected ',' or ')', found 'begin'"]),
        ("void f() skip; end", ["1:10 expected 'begin', found 'skip'"]),
        ("bool<x> f() begin end", ["1:6 expected a number of results, found 'x'"]),
        ("bool<2 f() begin end", ["1:8 expected '>', found 'f'"]),
        (
            "void main() begin skip",
            ["1:23 expected 'end' of the procedure 'main' of line 1, found the end of the file"],
        ),
        (
            "void f() begin skip;\nvoid main() begin end",
            ["2:1 expected 'end' of the procedure 'f' of line 1, found 'void'"],
        ),
        ("void f() begin proc g() begin end", ["1:16 expected 'end' of the procedure 'f' of line 1, found 'proc'"]),
        ("void main() begin x; end", ["1:20 expected ':=', '(' or ':' behind 'x', found ';'"]),
        ("void main() begin := 1; end", ["1:19 expected a statement, found ':='"]),
        ("void main() begin skip skip; end", ["1:24 expected ';', found 'skip'"]),
        ("void main() begin skip\nskip; end", ["1:23 expected ';' behind 'skip'"]),
        ("void main() begin skip // no\n\n\nskip; end", ["1:23 expected ';' behind 'skip'"]),
        ("decl x\ndecl y;", ["1:7 expected ',' or ';' behind 'x'"]),
        (
            "decl x;\nvoid main() begin decl y\ny := x; return\nx := y; end",
            ["2:25 expected ';' behind 'y'", "3:15 expected ';' behind 'return'"],
        ),
        ("void main() begin goto ; end", ["1:24 expected a label, found ';'"]),
        ("void main() begin call ; end", ["1:24 expected the name of a procedure, found ';'"]),
        ("void main() begin print 1; end", ["1:25 expected '(', found '1'"]),
        ("void main() begin sync; end", ["1:23 expected a name, found ';'"]),
        ("void main() begin dead; end", ["1:23 expected a name, found ';'"]),
        ("void main() begin start_thread 1; end", ["1:32 expected 'goto' or the name of a procedure, found '1'"]),
        ("void main() begin if 1 do skip; fi end", ["1:24 expected an operator or 'then', found 'do'"]),
        ("void main() begin while 1 then skip; od end", ["1:27 expected an operator or 'do', found 'then'"]),
        ("void main() begin if 1 then skip; end", ["1:19 this 'if' has no 'fi'"]),
        ("void main() begin while 1 do skip; end", ["1:19 this 'while' has no 'od'"]),
        ("void main() begin if 1 then skip; od end", ["1:35 expected 'fi' of the 'if' of line 1, found 'od'"]),
        (
            "void main() begin while 1 do if 1 then skip; od end",
            ["1:46 expected 'fi' of the 'if' of line 1, found 'od'"],
        ),
        ("void main() begin fi end", ["1:19 'fi' closes nothing"]),
        ("void main() begin else skip; end", ["1:19 'else' belongs to no open 'if'"]),
        ("void main() begin elsif 1 then skip; end", ["1:19 'elsif' belongs to no open 'if'"]),
        (
            "void main() begin if 1 then else else skip; fi end",
            ["1:34 'else' behind the 'else' of the 'if' of line 1"],
        ),
        ("void main() begin ) end", ["1:19 expected a statement, found ')'"]),
    ],
)
def test_malformed_texts(text: str, expected: list[str]) -> None:
    assert mistakes(text) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x = 1;", "3:3 expected ':=', found '=' (to assign, write ':=')"),
        ("x == y;", "3:3 expected ':=', found '==' (to assign, write ':=')"),
        ("x, y = y, x;", "3:6 expected ',' or ':=', found '=' (to assign, write ':=')"),
        ("x = f();", "3:3 expected ':=', found '=' (to assign, write ':=')"),
        ("decl z = 1;", "3:8 expected ':=', ',' or ';', found '=' (to assign, write ':=')"),
        ("x := true;", "3:6 'true' is not declared (write 'T' for 'true')"),
        ("x := y & !FALSE; y := FALSE;", "3:11 'FALSE' is not declared (write 'F' for 'FALSE')"),
        ("x := t;", "3:6 't' is not declared (did you mean 'T'?)"),
        ("x := X;", "3:6 'X' is not declared (did you mean 'x'?)"),
        ("goto l;", "3:6 the procedure 'main' has no label 'l' (did you mean 'L'?)"),
        ("F();", "3:1 expected a statement, found 'F'"),
        ("G();", "3:1 there is no procedure 'G' (did you mean 'g'?)"),
        ("x := x and y;", "3:8 expected ';', found 'and' (write '&' for 'and')"),
        ("assert(x or y);", "3:10 expected an operator or ')', found 'or' (write '|' for 'or')"),
        ("assume(not x);", "3:8 expected an expression, found 'not' (write '!' for 'not')"),
        ("if x < y then skip; fi", "3:6 expected an operator or 'then', found '<' (BITS)"),
        ("if x then skip; else if y then skip; fi", "3:17 this 'else if' opens a second 'if', ELSE"),
        ("if x then skip;\nelse if y then skip;\nelse skip; fi", "4:1 this 'else if' opens a second 'if', ELSE"),
        ("while x do if x then skip; else if y then skip; fi od", "3:28 this 'else if' opens a second 'if', ELSE"),
        ("if x then skip; elif y then skip; fi", "3:22 expected ':=', '(' or ':' behind 'elif', found 'y' (ELSIF)"),
        ("if x then skip; elseif (y) then skip; fi", "3:28 expected ';', found 'then' (did you mean 'elsif'?)"),
        ("if x then skip; endif", "4:1 expected ':=', '(' or ':' behind 'endif', found 'L' (FI)"),
        ("bool z; z := 1;", "3:1 expected a statement, found 'bool' (DECLARE)"),
        ("int z; z := 1;", "3:5 expected ':=', '(' or ':' behind 'int', found 'z' (DECLARE)"),
        ("while x { skip; }", "3:9 expected an operator or 'do', found '{ skip; }' (BLOCKS)"),
        ("while x {\nx := y; od", "3:9 unknown character '{' (BLOCKS)"),
        ("if x then y := 1; end", "3:19 expected 'fi' of the 'if' of line 3, found 'end'"),
    ],
)
def test_habits_of_other_languages_get_a_hint(line: str, expected: str) -> None:
    words = {
        "BITS": "variables are single bits: compare them by '=' and '!='",
        "BLOCKS": "blocks stand between 'begin' and 'end', 'then' and 'fi', 'do' and 'od'",
        "DECLARE": "variables are declared by 'decl', whatever they hold",
        "ELSE": "for which a 'fi' is missing (did you mean 'elsif'?)",
        "ELSIF": "did you mean 'elsif'?",
        "FI": "did you mean 'fi'?",
    }
    for word, text in words.items():
        expected = re.sub(rf"\b{word}\b", text, expected)
    text = "decl x, y; bool f() begin return x; end void g() begin end\nvoid main() begin\n{}\nL: skip; x := y;\nend\n"
    assert mistakes(text.format(line)) == [expected]


def test_globals_declared_like_elsewhere() -> None:
    hint = "(variables are declared by 'decl', whatever they hold)"
    assert mistakes("bool x;\nint y, z;\ndecl a = 1;\nvoid main() begin x := y & z & a; end") == [
        f"1:1 expected a declaration or a procedure, found 'bool' {hint}",
        f"2:1 expected a declaration or a procedure, found 'int' {hint}",
        "3:8 expected ':=', ',' or ';', found '=' (to assign, write ':=')",
    ]


SLIPS = {
    "no semicolon": (r";$(?!\n *(?:end|fi|od|els))", ""),
    "no assignment": (":=", "="),
    "true": (r"\bT\b", "true"),
    "else if": (r"\belsif\b", "else if"),
    "fi for od": (r"\bod\b", "fi"),
    "od for fi": (r"\bfi\b", "od"),
    "end for fi": (r"\bfi\b", "end"),
    "no end of a block": (r"\b(?:fi|od)\b", ""),
    "no end": ("^end$", ""),
    "no word": (r"\b(?:then|do)\b", ""),
    "a brace": (r"\b(?:then|do)\b", "{"),
    "bool": (r"\bdecl\b", "bool"),
    "and": (" & ", " and "),
    "no parenthesis": (r"\)(?= then| do)", ""),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_one_slip_gives_one_message(slip: str) -> None:
    pattern, replacement = SLIPS[slip]
    rng = Random(slip)
    made = 0
    for seed in range(12):
        text = to_text(parse(random_text(rng)) if seed % 2 else random_program(rng, LARGE))
        for match in rng.sample(places := list(re.finditer(pattern, text, re.MULTILINE)), min(3, len(places))):
            made += 1
            problems = mistakes(text[: match.start()] + replacement + text[match.end() :])
            assert len(problems) == 1, (seed, match, problems)
            line, column = position(text, match.start())
            if slip in ("no semicolon", "no assignment", "true"):
                assert problems[0].startswith(f"{line}:{column} "), (seed, match, problems)
            if slip == "else if":
                assert f"{line}:{column} " in problems[0] or f"of line {line} " in problems[0]
                assert "elsif" in problems[0]
    assert made >= 5


def position(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def test_a_garbled_line_gets_one_message() -> None:
    text = "decl g;\nvoid main() begin\n  g := g @ 1;\n  g := ;\nend"
    assert mistakes(text) == ["3:10 unknown character '@'", "4:8 expected an expression, found ';'"]


def test_all_mistakes_of_a_text_are_reported_in_order() -> None:
    text = """decl g, g;
void main() begin
  h := 1;
  g := ;
  if (g then skip; fi
  goto nowhere;
  f(1);
end
void f() begin
  return 1;
  $ := 1;
end
"""
    assert mistakes(text) == [
        "1:9 'g' is already declared on line 1",
        "3:3 'h' is not declared",
        "4:8 expected an expression, found ';'",
        "5:9 expected an operator or ')', found 'then'",
        "6:8 the procedure 'main' has no label 'nowhere'",
        "7:3 'f' takes no arguments, here it gets 1",
        "10:3 'f' has no results, here it returns 1",
        "11:3 '$' is not declared",
    ]


def test_a_message_shows_file_line_caret_and_hint() -> None:
    with pytest.raises(SourceError) as caught:
        parse("decl counter;\nvoid main() begin\n\tconter := 1;\nend\n", file="some.bp")
    assert str(caught.value) == (
        "some.bp:3:2: error: 'conter' is not declared\n   conter := 1;\n   ^^^^^^\n  did you mean 'counter'?"
    )


def test_a_message_shows_nothing_that_moves_the_cursor() -> None:
    with pytest.raises(SourceError) as caught:
        parse("\x1b[2J @ \t x")
    assert "\n   [2J @   x\n" in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_lines_are_counted_at_line_feeds_only() -> None:
    with pytest.raises(SourceError) as caught:
        parse("// \x0c \x85 \u2028 \x1c\nx")
    assert "\n  x\n" in str(caught.value)


@pytest.mark.parametrize("text", ["", " \n\t", "// nothing", "/* */", ";;", "decl x;"])
def test_a_text_without_procedures_lacks_its_entry(text: str) -> None:
    assert [problem.message for problem in validate(parse(text))] == ["there is no procedure 'main' to start with"]


PIECES = """decl begin end if then elsif else fi while do od skip goto return assert assume constrain schoose void bool
proc dfs init T F _ call print dead sync enforce abortif start_thread end_thread atomic_begin wait x y z f g main 0 1 2
:= & && | || = == => != ! -> ~ ^ ' ( ) [ ] , ; : ? * < > { } {a@b} @ // /* */"""


def test_garbage_is_refused_or_read_but_never_crashes() -> None:
    rng = Random(7)
    pieces = PIECES.split()
    for _ in range(1500):
        text = " ".join(rng.choice(pieces) for _ in range(rng.randint(1, 40)))
        if rng.random() < 0.5:
            text = f"decl x, y; void main() begin {text} end"
        try:
            parse(text)
        except KnasterError as error:
            assert str(error)


SOUND = """decl g , h := 1 ; init ( ! g ) ; bool < 2 > f ( a , b ) begin decl c ; enforce g | h ; return a , b ; end
void main ( ) begin L : while * do if g then g , h := f ( h , schoose [ g , h ] ) ; elsif ( g ? h : g ) then
assert g = h ; else goto L , M ; fi od M : h := * constrain ' h = g ; start_thread goto L ; end"""


def test_a_damaged_program_is_refused_or_read_but_never_crashes() -> None:
    rng = Random(8)
    tokens = SOUND.split()
    parse(" ".join(tokens))
    for _ in range(1500):
        damaged = list(tokens)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(damaged))
            damaged[at : at + rng.randint(0, 2)] = [rng.choice(tokens)] * rng.randint(0, 2)
        try:
            parse(" ".join(damaged))
        except KnasterError as error:
            assert str(error)


def test_many_mistakes_are_reported_in_time() -> None:
    many = 3000
    text = "".join(f"decl a{index};" for index in range(many))
    text += "void main() begin " + "".join(f"b{index} := ;\nc{index} := 1;" for index in range(many)) + " end"
    assert len(mistakes(text)) == 2 * many
