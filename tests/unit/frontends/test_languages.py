"""Which language a text is written in, and what is said about one that is not read."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import cast

import pytest

from knaster.base.errors import Problem, SourceError, Span, UsageError
from knaster.frontends.languages import LANGUAGES, Language, language_of, load, spelling_of
from knaster.frontends.text.content import looks_boolean, stranger_by_content
from knaster.program.expression import CHOICE, TRUE, Binary, Operator, Var
from knaster.program.model import Program
from support import SHARED

ZING = "class Main {\n  static int g;\n  activate static void main() {\n    g = 1;\n  }\n};\n"
BOOLEAN = "// int main(void) { }\ndecl g;\nvoid main() begin\n  L: g := 1;\n  start_thread goto L;\nend\n"
STRANGERS = {
    "a Promela model": "bool flag;\nactive [2] proctype P() {\n  do :: flag -> break; od\n}\n",
    "an SMT-LIB2 script": "; a comment\n(set-logic HORN)\n(assert true)\n(check-sat)\n",
    "a file of the fixed-point calculus": "enum PC {0..8};\nmu bool R(PC p) p = 0 | (exists PC q. R(q));\n#size R;\n",
    "a JSON file": '{\n  "pda": {\n    "states": {}\n  }\n}\n',
    "an XML file": "<WPDS>\n  <Rule from='p' fromStack='a' to='q'/>\n</WPDS>\n",
}


def refusal(text: str, file: str = "<text>") -> SourceError:
    with pytest.raises(SourceError) as error:
        load(text, file=file)
    return error.value


@pytest.mark.parametrize("file", ["<text>", "some.bp", "some.txt", "some"])
def test_a_boolean_program_is_known_by_its_suffix_or_its_content(file: str) -> None:
    assert language_of(file, BOOLEAN).name == "boolean"
    program = load(BOOLEAN, file=file)
    assert (program.language, program.file) == ("boolean", file)


@pytest.mark.parametrize("file", ["<text>", "some.zing", "some.txt"])
def test_a_zing_model_is_known_by_its_suffix_or_its_content(file: str) -> None:
    assert load(ZING, file=file).language == "zing"


def test_a_zing_model_in_the_file_of_a_boolean_program_gets_one_sentence() -> None:
    error = refusal(ZING, "some.bp")
    assert [problem.message for problem in error.problems] == [
        "this looks like a Zing model, not like a Boolean program"
    ]


def test_a_zing_model_has_no_dialects() -> None:
    with pytest.raises(UsageError, match="a Zing model has no dialect 'boppo'"):
        load(ZING, "boppo")


def test_a_text_without_any_sign_is_taken_for_a_boolean_program() -> None:
    assert load("\n").procedures == ()
    assert language_of("some.txt", "x := 1;\n") is LANGUAGES[0]


@pytest.mark.parametrize("title", STRANGERS)
@pytest.mark.parametrize("file", ["<text>", "some.bp", "some.txt"])
def test_a_text_of_another_language_gets_one_sentence(title: str, file: str) -> None:
    error = refusal(STRANGERS[title], file)
    assert [problem.message for problem in error.problems] == [f"this looks like {title}, not like a Boolean program"]
    line = STRANGERS[title].split("\n")[error.problems[0].span.line - 1]
    assert line.strip() and not line.startswith(";")


@pytest.mark.parametrize(
    ("suffix", "message"),
    [
        ("h", "this looks like C, .*\n.*\n.*\n  give the file a name that ends in .c or .i"),
        ("pml", "this looks like a Promela model"),
        ("smt2", "this looks like an SMT-LIB2 script"),
        ("mu", "this looks like a file of the fixed-point calculus, .*\n.*\n.*\n  'knaster solve .*some.mu'"),
        ("json", "this looks like a JSON file, .*\n.*\n.*\n  'knaster pushdown .*some.json'"),
        ("xml", "this looks like an XML file, .*\n.*\n.*\n  'knaster pushdown .*some.xml'"),
    ],
)
def test_a_suffix_of_another_language_decides(tmp_path: Path, suffix: str, message: str) -> None:
    path = tmp_path / f"some.{suffix}"
    path.write_text("x\n")
    with pytest.raises(SourceError, match=rf"some\.{suffix}:1:1: error: {message}"):
        load(path)


C = "#include <assert.h>\nint main(void) {\n  int x = 0;\n  while (x < 3) { x++; }\n  assert(x == 3);\n}\n"


def test_c_is_told_by_its_suffix_or_its_content() -> None:
    for file in ("<text>", "some.c", "some.i", "some.txt", "some.C"):
        assert load(C, file=file).language == "c"
    assert refusal(C, "some.bp").problems[0].message == "this looks like a C program, not like a Boolean program"
    assert refusal(BOOLEAN, "some.c").problems[0].hint == "give the file a name that ends in '.bp'"


def test_options_of_one_language_are_refused_for_another() -> None:
    assert dict(load(C, integers="mathematical").reading) == {"integers": "mathematical", "data_model": "LP64"}
    with pytest.raises(UsageError, match="a C program can be read with 'integers', but this is a Boolean program"):
        load(BOOLEAN, integers="machine")
    with pytest.raises(UsageError, match="nothing can be read with 'speed'"):
        load(C, speed="high")
    with pytest.raises(UsageError, match="unknown data_model 'LP65'; choose one of LP64, ILP32"):
        load(C, data_model="LP65")


def test_another_language_needs_only_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def parse_toy(text: str, file: str, dialect: str, notes: list[Problem] | None) -> Program:
        if "toy" not in text:
            raise SourceError(file, text, [Problem("no toy", Span(1, 1))])
        return Program((), (), file=file, source=text, language="toy")

    front_end = SimpleNamespace(parse=parse_toy, looks_like=lambda text: "toy" in text)
    monkeypatch.setitem(sys.modules, "knaster.frontends.toy", cast(ModuleType, front_end))
    spelling = SimpleNamespace(SPELLING=LANGUAGES[0].spelling)
    monkeypatch.setitem(sys.modules, "knaster.frontends.toy.spelling", cast(ModuleType, spelling))
    toy = Language("toy", "a toy", (".toy",), "knaster.frontends.toy:looks_like")
    monkeypatch.setattr("knaster.frontends.languages.LANGUAGES", (*LANGUAGES, toy))
    for file in ("some.toy", "some.TOY", "some.txt"):
        assert load("a toy\n", file=file).language == "toy"
    assert load(BOOLEAN, file="some.txt").language == "boolean"
    assert spelling_of(load("a toy\n")) is LANGUAGES[0].spelling
    assert [problem.message for problem in refusal("some\n", "some.toy").problems] == ["no toy"]
    for text, file, message, hint in (
        ("a toy\n", "some.bp", "this looks like a toy, not like a Boolean program", ".toy"),
        (BOOLEAN, "some.toy", "this looks like a Boolean program, not like a toy", ".bp"),
    ):
        problem = refusal(text, file).problems[0]
        assert (problem.message, problem.hint) == (message, f"give the file a name that ends in '{hint}'")


@pytest.mark.parametrize("mistake", ["int x;\n", "#define N 3\n", "{ \n", "class A { };\n"])
def test_a_foreign_line_in_a_boolean_program_is_a_mistake_like_others(mistake: str) -> None:
    error = refusal(BOOLEAN + mistake + "void f() begin y := 1; end\n", "some.bp")
    assert not any("looks like" in problem.message for problem in error.problems)
    assert "'y' is not declared" in [problem.message for problem in error.problems]


def test_another_dialect_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no dialect 'basic'"):
        load(BOOLEAN, "basic")


def test_how_a_boolean_program_is_written() -> None:
    program = load(BOOLEAN)
    main, spelling = program.procedure("main"), spelling_of(program)
    assert [spelling.statement(main, edge) for edge in main.edges] == ["g := T", "start_thread goto L"]
    assert (spelling.value(True), spelling.value(False)) == ("1", "0")
    assert (spelling.name("g"), spelling.name("if")) == ("g", "{if}")
    assert spelling.expression(Binary(Operator.AND, TRUE, Binary(Operator.OR, Var("g"), CHOICE))) == "T & (g | *)"
    assert load(spelling.to_text(program)) == program


@pytest.mark.shared
def test_the_shared_files_are_told_apart() -> None:
    titles = {".c": "C", ".i": "C", ".zing": "a Zing model", ".mu": "a file of the fixed-point calculus"}
    wrong: list[str] = []
    seen: Counter[str] = Counter()
    for path in sorted(path for path in SHARED.rglob("*") if path.is_file()):
        if path.suffix not in titles and path.suffix != ".bp":
            continue
        text = path.read_text("utf-8", errors="replace")
        found = stranger_by_content(text)
        expected = titles.get(path.suffix)
        seen[path.suffix] += 1
        if looks_boolean(text) != (expected is None) or (expected and (found is None or found.title != expected)):
            wrong.append(f"{path}: {found}")
    assert not wrong
    assert all(seen[suffix] >= 20 for suffix in (*titles, ".bp"))
