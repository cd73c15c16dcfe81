from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import Problem, SourceError, Span, UnsupportedError, UsageError
from knaster.frontends.boolean import parse
from knaster.frontends.boolean.notation import action_to_text, expression_to_text
from knaster.frontends.boolean.printer import to_text
from knaster.program.expression import TRUE
from knaster.program.model import Call, Concurrent
from knaster.program.validate import validate
from support.trusting import SEQUENTIAL

EMPTY = "begin end "


@pytest.mark.parametrize(
    ("procedures", "threads"),
    [
        (["main()"], ("main",)),
        (["f()"], ("main",)),
        ([], ("main",)),
        (["init()", "thread1()", "thread2()"], ("thread1", "thread2")),
        (["init()", "main()", "thread0()"], ("thread0", "main")),
        (["thread7()", "thread3()", "f()"], ("thread7", "thread3")),
        (["main()", "thread1()", "thread2()"], ("main",)),
        (["main()", "init()"], ("main",)),
        (["thread1(a)", "init()"], ("main",)),
        (["main_adder()", "f()", "main_stopper()"], ("main_adder", "main_stopper")),
        (["main_1()", "main()"], ("main",)),
        (["main_1(a)"], ("main",)),
    ],
)
def test_threads_are_known_by_their_names(procedures: list[str], threads: tuple[str, ...]) -> None:
    program = parse("".join(f"void {header} {EMPTY}" for header in procedures))
    assert program.threads == threads
    assert parse(to_text(program)) == program


INIT = "decl x, y, z; void init() begin decl t; {} end void thread1() begin end void thread2() begin end"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x, y := T, F; endinit: skip;", "x & !y"),
        ("x := 0; y := *; x := 1; t := 1; return;", "x"),
        ("y := 1; y := *;", "T"),
        ("", "T"),
    ],
)
def test_init_becomes_the_initial_state(body: str, expected: str) -> None:
    notes: list[Problem] = []
    program = parse(INIT.format(body), notes=notes)
    assert expression_to_text(program.init) == expected
    assert parse(to_text(program)) == program
    assert [note.message for note in notes] == ["runs 2 threads: thread1, thread2", "starts with what 'init' assigns"]


def test_init_joins_an_explicit_constraint() -> None:
    program = parse("init(x | y);" + INIT.format("z := 1;"))
    assert expression_to_text(program.init) == "(x | y) & z"
    assert parse(to_text(program)) == program


@pytest.mark.parametrize(
    "body", ["x := y;", "if * then x := 1; fi", "L: goto L;", "x := 1 constrain y;", "init();", "assume x;"]
)
def test_init_that_is_no_list_of_constants_is_refused(body: str) -> None:
    with pytest.raises(SourceError, match="'init' of a program with threads may only assign constants"):
        parse(INIT.format(body))


def test_an_init_that_another_procedure_calls_is_a_procedure_like_others() -> None:
    text = "decl x; void init() begin x := 1; end void main() begin {} end"
    for call in ("init();", "call init();", "start_thread init();", "ASYNC_1: init();"):
        assert parse(text.format(call)).init == TRUE


@pytest.mark.parametrize(
    "threads", ["void main() begin end", "void thread1() begin end", "void main_1() begin end", "main() begin end"]
)
def test_init_holds_for_one_thread_too(threads: str) -> None:
    notes: list[Problem] = []
    program = parse(f"decl x, y; void init() begin x := F; end {threads}", notes=notes)
    assert expression_to_text(program.init) == "!x"
    assert [(note.message, note.span) for note in notes] == [("starts with what 'init' assigns", Span(1, 17, 4))]
    assert parse(to_text(program)) == program


def test_traces_start_where_init_allows() -> None:
    text = "decl x;\nvoid init() begin x := F; end\n{} begin if (x) then ERROR: skip; fi end\n"
    for thread in ("void main()", "void thread1()"):
        assert knaster.check(text.format(thread)).verdict is knaster.Verdict.TRUE


def test_without_threads_any_other_init_is_dead_code() -> None:
    notes: list[Problem] = []
    assert parse("decl x; void init() begin x := !x; end void main() begin end", notes=notes).init == TRUE
    assert "it says nothing about the start" in notes[0].message


@pytest.mark.parametrize("assignment", ["x, y := F", "x, y := F, T, T", "x := F, F"])
def test_unequal_numbers_in_init_are_reported_once(assignment: str) -> None:
    with pytest.raises(SourceError) as error:
        parse(INIT.format(assignment + ";"))
    assert len(error.value.problems) == 1
    assert "variable" in error.value.problems[0].message


@pytest.mark.parametrize(
    ("text", "atomic"),
    [
        ("decl atomic; void init() begin end void thread1() begin end void thread2() begin end", "atomic"),
        ("decl atomic; void thread1() begin end", "atomic"),
        ("decl a; void thread1() begin end void thread2() begin end", None),
        ("decl atomic; void main() begin end", None),
        ("decl atomic; void main_1() begin end void main_2() begin end", None),
        ("void thread1() begin decl atomic; atomic := 1; end", None),
    ],
)
def test_the_lock_of_getafix_is_known(text: str, atomic: str | None) -> None:
    notes: list[Problem] = []
    program = parse(text, notes=notes)
    assert program.atomic == atomic
    assert ("no thread switches while 'atomic' is 1" in [note.message for note in notes]) == (atomic is not None)
    assert parse(to_text(program)) == program


ASYNC = """decl g;
bool f(a, b) begin return a; end
void h() begin g := F; end
void main() begin
  decl x;
  g := T;
  {}
  assert(g);
end
"""


@pytest.mark.parametrize(
    ("statement", "started"),
    [
        ("ASYNC_1: h();", "start_thread h()"),
        ("ASYNC_: call h();", "start_thread h()"),
        ("L: ASYNC_1: M: h();", "start_thread h()"),
        ("ASYNC_1: f(g & x, *);", "start_thread f(g & x, *)"),
        ("ASYNC_1: x := f(g, T);", "start_thread f(g, T)"),
        ("start_thread f(x, !g);", "start_thread f(x, !g)"),
    ],
)
def test_a_call_at_an_async_label_starts_a_thread(statement: str, started: str) -> None:
    program = parse(ASYNC.format(statement))
    main = program.procedure("main")
    assert [action_to_text(edge.action) for edge in main.edges][1] == started
    assert isinstance(main.edges[1].action, Concurrent)
    assert validate(program) == []
    assert parse(to_text(program)) == program


@pytest.mark.parametrize(
    "statement",
    ["ASYNC: h();", "async_1: h();", "MY_ASYNC_1: h();", "ASYNC_1: skip; h();", "ASYNC_1: if x then h(); fi"],
)
def test_other_calls_are_calls(statement: str) -> None:
    actions = [edge.action for edge in parse(ASYNC.format(statement)).procedure("main").edges]
    assert sum(isinstance(action, Call) for action in actions) == 1
    assert not any(isinstance(action, Concurrent) for action in actions)


@pytest.mark.parametrize(
    "statement", ["ASYNC_1: f(g);", "start_thread f();", "ASYNC_1: x, g := f(g, g);", "ASYNC_1: k();"]
)
def test_a_start_has_the_arguments_of_its_procedure(statement: str) -> None:
    with pytest.raises(SourceError, match=r"'f' takes 2 arguments|'f' has 1 result|there is no procedure 'k'"):
        parse(ASYNC.format(statement))


@pytest.mark.parametrize("engine", ["summaries", "pushdown"])
def test_a_sequential_method_refuses_started_threads_and_names_others(engine: str) -> None:
    with pytest.raises(UsageError, match=r"line 7 has 'start_thread'; use .*explicit"):
        knaster.check(ASYNC.format("ASYNC_1: h();"), engine=engine)


@pytest.mark.parametrize("engine", SEQUENTIAL)
@pytest.mark.parametrize("statement", ["wait", "broadcast"])
def test_what_is_not_settled_is_refused_by_every_engine(engine: str, statement: str) -> None:
    with pytest.raises(UnsupportedError, match=f"line 7 has '{statement}'"):
        knaster.check(ASYNC.format(f"{statement};"), engine=engine)
