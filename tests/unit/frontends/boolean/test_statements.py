from __future__ import annotations

from dataclasses import dataclass

import pytest

from knaster.base.errors import Problem, Span
from knaster.frontends.boolean import parse
from knaster.frontends.boolean.notation import action_to_text, expression_to_text
from knaster.frontends.boolean.printer import to_text
from knaster.program.expression import TRUE, Binary, Expr, Not, Operator, Var
from knaster.program.model import Concurrent, Procedure, Program, ThreadOperation


def body(text: str, globals: str = "x, y, z") -> Procedure:
    return parse(f"decl {globals}; void main() begin {text} end").procedure("main")


def graph(procedure: Procedure) -> list[str]:
    """Return the edges, one string each."""
    return [f"{edge.source} {action_to_text(edge.action)} -> {edge.target}" for edge in procedure.edges]


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("skip;", ["0 skip -> 1"]),
        ("skip", ["0 skip -> 1"]),
        ("print(x, y);", ["0 skip -> 1"]),
        ("print();", ["0 skip -> 1"]),
        ("sync event;", ["0 skip -> 1"]),
        ("x := y;", ["0 x := y -> 1"]),
        ("x, y := y, x;", ["0 x, y := y, x -> 1"]),
        ("x := * constrain 'x = y;", ["0 x := * constrain 'x = y -> 1"]),
        ("_ := x; _, y := x, z;", ["0 _ := F -> 1", "1 y := z -> 2"]),
        ("assume x;", ["0 assume(x) -> 1"]),
        ("assume(x);", ["0 assume(x) -> 1"]),
        ("constrain x;", ["0 assume(x) -> 1"]),
        ("constrain 'x = y;", ["0 _ := F constrain 'x = y -> 1"]),
        ("abortif x;", ["0 assume(!x) -> 1"]),
        ("dead x, y;", ["0 x, y := *, * -> 1"]),
        ("return; skip;", ["0 return -> 2", "1 skip -> 2"]),
        ("assert x; assert(y);", ["0 assume(x) -> 1", "0 assume(!x) -> 3", "1 assume(y) -> 2", "1 assume(!y) -> 4"]),
        ("L: goto L;", ["0 skip -> 0"]),
        ("goto 1, end_; 1: skip; end_:", ["0 skip -> 1", "0 skip -> 2", "1 skip -> 2", "2 skip -> 3"]),
        ("decl a := x, b, c := a;", ["0 a := x -> 1", "1 c := a -> 2"]),
        ("atomic_begin; atomic_end; wait; broadcast;", None),
    ],
)
def test_simple_statements(text: str, edges: list[str] | None) -> None:
    expected = edges or [
        f"{at} {word} -> {at + 1}" for at, word in enumerate(["atomic_begin", "atomic_end", "wait", "broadcast"])
    ]
    assert graph(body(text)) == expected


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("if x then y := 1; fi", ["0 assume(x) -> 1", "0 assume(!x) -> 2", "1 y := T -> 2"]),
        ("if x then fi", ["0 assume(x) -> 1", "0 assume(!x) -> 1"]),
        ("if x then else skip fi;", ["0 assume(x) -> 2", "0 assume(!x) -> 1", "1 skip -> 2"]),
        ("if x then skip else fi", ["0 assume(x) -> 1", "0 assume(!x) -> 2", "1 skip -> 2"]),
        (
            "if x then skip; else z := 1; fi z := 0;",
            ["0 assume(x) -> 1", "0 assume(!x) -> 2", "1 skip -> 3", "2 z := T -> 3", "3 z := F -> 4"],
        ),
        (
            "if x then skip; elsif y then skip; else skip; fi",
            [
                "0 assume(x) -> 1",
                "0 assume(!x) -> 2",
                "1 skip -> 5",
                "2 assume(y) -> 3",
                "2 assume(!y) -> 4",
                "3 skip -> 5",
                "4 skip -> 5",
            ],
        ),
        ("while x do y := 1; od", ["0 assume(x) -> 1", "0 assume(!x) -> 2", "1 y := T -> 0"]),
        ("while * do od; skip", ["0 assume(*) -> 0", "0 assume(!*) -> 1", "1 skip -> 2"]),
        (
            "while x do if y then skip; fi od",
            ["0 assume(x) -> 1", "0 assume(!x) -> 3", "1 assume(y) -> 2", "1 assume(!y) -> 0", "2 skip -> 0"],
        ),
        ("while x do return; od", ["0 assume(x) -> 1", "0 assume(!x) -> 2", "1 return -> 2"]),
        (";; skip;; ; skip;", ["0 skip -> 1", "1 skip -> 2"]),
        ("", []),
    ],
)
def test_blocks(text: str, edges: list[str]) -> None:
    assert graph(body(text)) == edges


def test_elsif_is_an_if_inside_else() -> None:
    flat = "if x then skip; elsif y then y := 1; elsif z then z := 1; else x := 1; fi"
    nested = "if x then skip; else if y then y := 1; else if z then z := 1; else x := 1; fi fi fi"
    assert body(flat) == body(nested)


def test_labels() -> None:
    procedure = body("A: B: skip; 7: x := 1; if x then C: fi while y do D: od E: decl q; I: ; G: goto 7; H:")
    assert procedure.labels == (
        ("A", 0),
        ("B", 0),
        ("7", 1),
        ("C", 3),
        ("D", 5),
        ("E", 6),
        ("I", 6),
        ("G", 7),
        ("H", 8),
    )
    assert procedure.exit == 9


def test_a_label_may_stand_on_several_statements() -> None:
    assert body("ERROR: skip; ERROR: skip;").labels == (("ERROR", 0), ("ERROR", 1))


def test_keywords_that_are_names() -> None:
    names = "wait, print, call, dead, init, proc, dfs, sync, enforce, abortif, start_thread, end_thread, broadcast"
    procedure = body("wait := print; call, dead := dead, call; wait: init := proc & dfs; goto wait;", names)
    assert graph(procedure) == [
        "0 wait := print -> 1",
        "1 call, dead := dead, call -> 2",
        "2 init := proc & dfs -> 3",
        "3 skip -> 2",
    ]
    program = parse("void wait() begin end void proc() begin end void main() begin wait(); proc(); call wait(); end")
    assert graph(program.procedure("main")) == ["0 call wait() -> 1", "1 proc() -> 2", "2 call wait() -> 3"]


def test_calls() -> None:
    program = parse(
        "bool<2> f(a) begin return a, !a; end "
        "void main() begin decl x, y; x, y := f(1); _, y := call f(x); _, _ := f(0); f(1); call f(0); end"
    )
    assert graph(program.procedure("main")) == [
        "0 x, y := f(T) -> 1",
        "1 _, y := f(x) -> 2",
        "2 f(F) -> 3",
        "3 f(T) -> 4",
        "4 f(F) -> 5",
    ]
    assert program.procedure("f").results == ("@0", "@1")


@dataclass(frozen=True)
class Counted:
    text: str
    results: int


@pytest.mark.parametrize(
    "case",
    [
        Counted("proc f() begin return 1, 0; end void main() begin decl x, y; x, y := f(); end", 2),
        Counted("f() begin if * then return 1; fi return 0; end main() begin f(); end", 1),
        Counted("proc f() begin skip; end void main() begin decl x; x := f(); end", 1),
        Counted("proc f() begin return; end void main() begin f(); end", 0),
        Counted("proc f() begin end void main() begin f(); end", 0),
        Counted("bool<0> f() begin end void main() begin f(); end", 0),
        Counted("bool < 3 > f() begin end void main() begin f(); end", 3),
        Counted("dfs bool f() begin end void main() begin f(); end", 1),
    ],
)
def test_number_of_results(case: Counted) -> None:
    assert len(parse(case.text).procedure("f").results) == case.results


def test_a_call_before_the_definition_throws_away_as_many_results_as_there_are() -> None:
    program = parse("void main() begin f(); end proc f() begin return 1, 1; end")
    assert program.procedure("main").edges[0].action.targets == (None, None)  # type: ignore[union-attr]


def initial(text: str) -> str:
    program = parse(text + " void main() begin end")
    return expression_to_text(program.init)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("decl x;", "T"),
        ("decl x := 1, y, z := !x;", "x = T & z = !x"),
        ("decl x := *;", "x = *"),
        ("decl x, y; init(x); init (y | x);", "x & (y | x)"),
        ("decl x := schoose[0,1], y; init((y));", "x = (F | !T & *) & y"),
        ("decl x; init (x) & !x;", "x & !x"),
        ("init(g); decl g;", "g"),
    ],
)
def test_initial_states(text: str, expected: str) -> None:
    assert initial(text) == expected


def test_a_procedure_called_init() -> None:
    program = parse("decl g; void init() begin g := 1; end init2(a) begin end void main() begin init(); end")
    assert [procedure.name for procedure in program.procedures] == ["init", "init2", "main"]
    assert program.init == TRUE
    assert parse("init(a) begin skip end main() begin init(1) end").procedure("init").parameters == ("a",)


def test_enforce() -> None:
    procedure = body("decl a; enforce a | x; enforce !y; skip;")
    expected: Expr = Binary(Operator.OR, Var("a"), Var("x"))
    assert procedure.enforce == Binary(Operator.AND, expected, Not(Var("y")))
    assert graph(procedure) == ["0 skip -> 1"]


def test_declarations_hold_in_the_whole_procedure() -> None:
    program = parse("void main() begin L: a := b; if * then decl a; fi decl b, c; end decl late;")
    assert program.procedure("main").locals == ("a", "b", "c")
    assert program.globals == ("late",)


def test_a_local_that_hides_a_global_gets_a_name_of_its_own() -> None:
    notes: list[Problem] = []
    program = parse(
        "decl x, {p}; void f(x) begin decl {p}; x := !x & {p}; end void main() begin f(x); end", notes=notes
    )
    procedure = program.procedure("f")
    assert (procedure.parameters, procedure.locals) == (("f.x",), ("{f.p}",))
    assert graph(procedure) == ["0 f.x := !f.x & {f.p} -> 1"]
    assert graph(program.procedure("main")) == ["0 f(x) -> 1"]
    assert [note.message for note in notes] == [
        "'x' hides a global here and is called 'f.x'",
        "'{p}' hides a global here and is called '{f.p}'",
    ]


def test_dfs_is_ignored_with_a_note() -> None:
    notes: list[Problem] = []
    assert parse("dfs void main() begin end", notes=notes) == parse("void main() begin end")
    assert notes == [Problem("'dfs' has no meaning here and is ignored", Span(1, 1, 3))]


def test_of_several_values_at_once_the_last_counts() -> None:
    notes: list[Problem] = []
    program = parse("decl x, y; void main() begin x, y, x := 0, 1, y; end", notes=notes)
    assert graph(program.procedure("main")) == ["0 y, x := T, y -> 1"]
    assert [note.message for note in notes] == ["'x' gets several values at once, of which the last counts"]


def test_threads_are_started_and_ended() -> None:
    program = parse(
        "void f() begin end_thread; end void main() begin start_thread goto L; start_thread f(); L: skip; end"
    )
    start = ThreadOperation.START
    assert [edge.action for edge in program.procedure("main").edges[:2]] == [
        Concurrent(start, location=2),
        Concurrent(start, procedure="f"),
    ]
    assert graph(program.procedure("f")) == ["0 end_thread -> 1"]


def test_spans() -> None:
    text = "decl g;\nvoid main()\nbegin\n  L:\n  g := !g &\n    g;\n  if (g) then\tassert(g); fi\nend\n"
    procedure = parse(text).procedure("main")
    spans = {edge.source: edge.span for edge in procedure.edges}
    assert spans == {0: Span(5, 3, 9), 1: Span(7, 3, 11), 2: Span(7, 15, 9)}
    assert procedure.span == Span(2, 6, 4)


def test_the_text_belongs_to_the_program() -> None:
    program = parse("void main()\r\nbegin\rend", file="some.bp")
    assert (program.file, program.source) == ("some.bp", "void main()\nbegin\nend")
    assert isinstance(program, Program)


DEPTH = 10_000


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("if x then ", " fi"),
        ("if x then ", " else y := 0; fi"),
        ("if x then y := 0; else ", " fi"),
        ("while x do ", " od"),
        ("while x do if y then ", " fi od"),
    ],
)
def test_depth_costs_no_recursion(opening: str, closing: str) -> None:
    procedure = body(opening * DEPTH + "x := 1;" + closing * DEPTH)
    assert procedure.exit > DEPTH


def test_many_statements() -> None:
    assert body("x := !x; " * 100_000).exit == 100_000


@pytest.mark.parametrize(
    "word", ["call", "dead", "sync", "wait", "print", "init", "dfs", "proc", "start_thread", "enforce", "abortif"]
)
def test_a_rarer_keyword_is_a_name_wherever_another_name_is(word: str) -> None:
    text = """decl NAME, x;
bool<2> f(NAME) begin return NAME, (NAME); end
void main() begin
  NAME: NAME := x;
  goto NAME;
  x := NAME;
  x := NAME & (x);
  x := NAME | (NAME);
  NAME, x := NAME, (x);
  x, NAME := x, NAME;
  x := (NAME) ? (x) : NAME;
  NAME, x := f(NAME);
  x, _ := call f((NAME));
  dead NAME, x;
  if NAME then skip; elsif (NAME) then skip; fi
  while NAME do skip; od
  assert NAME; assume NAME; constrain NAME = 'NAME;
  x := NAME constrain (NAME) & 'NAME;
  return;
end
"""
    expected, found = parse(text.replace("NAME", "other")), parse(text.replace("NAME", word))
    assert to_text(found).replace(word, "other") == to_text(expected)


@pytest.mark.parametrize("word", ["call", "dead", "sync", "wait", "init", "start_thread", "end_thread", "dfs", "proc"])
def test_a_procedure_may_be_called_like_a_rarer_keyword(word: str) -> None:
    text = "decl x; bool NAME(a) begin return a; end void main() begin NAME((x)); call NAME(x); x := NAME((x)); end"
    expected, found = parse(text.replace("NAME", "other")), parse(text.replace("NAME", word))
    assert to_text(found).replace(f"call {word}(", f"{word}(").replace(word, "other") == to_text(expected)
