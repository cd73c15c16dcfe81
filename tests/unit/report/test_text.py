"""Text for people: the verdict first, 80 columns, nothing twice."""

from __future__ import annotations

from dataclasses import replace

from knaster.evidence.answers.answer import Answer, Reachable, Result, Unknown, Unreachable
from knaster.evidence.questions.question import Reach, Target
from knaster.frontends.boolean import parse
from knaster.program.expression import TRUE
from knaster.program.model import Call, Program
from knaster.report.entries import Form
from knaster.report.text import result_to_text, trace_to_text
from support.building import SKIP, Labelled, Statement, assign, procedure, program
from support.oracles.shortest_traces import trace_to

SOURCE = """\
decl g;
void main() begin
  decl h;
  h := !g;
  f(h);
  if (g) then
    R: skip;   // reached
  fi
end
void f(p) begin
  skip;
end
"""


def report(model: Program, *answers: tuple[Target, Answer], notes: tuple[str, ...] = ()) -> Result:
    question = Reach(tuple(target for target, _ in answers))
    named = replace(model, file="a.bp")
    return Result(named, question, "summaries", {}, answers, {"seconds": 0.5, "visits": 3}, notes)


def found() -> Result:
    model = parse(SOURCE)
    return report(model, (Target("R", "main", 3, 7), Reachable(trace_to(model, "R"), True)), notes=("a remark",))


def test_a_trace_below_its_verdict() -> None:
    assert "\n".join(result_to_text(found())) == (
        "a.bp: FALSE. R (line 7) is reachable (trace replayed).\n"
        "\n"
        "  line  procedure  statement                        values before it\n"
        "     4  main       h := !g                          g=1\n"
        "     5  main       f(h)                             h=0\n"
        "    11  f            skip                           g=1 p=0\n"
        "     6  main       if (g) then\n"
        "     7  main       R: skip"
    )


def test_folded_calls_are_marked() -> None:
    lines = list(result_to_text(found(), Form.CALLS))
    assert lines[4].startswith("     5  main       f(h) (returns)")
    assert lines[5] == "     6  main       if (g) then"


def test_no_trace_when_none_is_wanted() -> None:
    assert list(result_to_text(found(), Form.NONE)) == ["a.bp: FALSE. R (line 7) is reachable (trace replayed)."]


def test_a_missing_trace_is_explained() -> None:
    answer = Target("R", "main", 3, 7), Reachable(None, unchecked="the time limit of 1 s was reached")
    assert list(result_to_text(report(parse(SOURCE), answer, notes=("no trace: out of time",)))) == [
        "a.bp: FALSE. R (line 7) is reachable (trace not replayed: the time limit of 1 s was reached)."
    ]


def test_verbose_adds_remarks_and_statistics() -> None:
    lines = list(result_to_text(found(), Form.NONE, verbose=True))
    assert lines[1:] == ["", "a remark", "engine: summaries", "seconds: 0.500", "visits: 3"]


def test_several_targets_are_listed_by_answer() -> None:
    model = parse(SOURCE)
    other, third = Target("S", "main", 1, 5), Target("L", "f", 0, 11)
    lines = list(
        result_to_text(
            report(
                model,
                (other, Unreachable(None, unchecked="out of time")),
                (third, Unknown("out of time")),
                (Target("R", "main", 3, 7), Reachable(trace_to(model, "R"))),
            )
        )
    )
    assert lines[:5] == [
        "a.bp: FALSE. 1 of 3 targets is reachable, 1 undecided (trace not replayed, proof not checked: out of time).",
        "  reachable:   R (line 7)",
        "  unreachable: S (line 5)",
        "  undecided:   L (line 11)",
        "",
    ]
    assert lines[5] == "R (line 7):"


def test_many_unreachable_targets_are_counted() -> None:
    model = parse(SOURCE)
    answers = [(Target(f"L{index}", "main", 0, 4), Unreachable(None, checked=True)) for index in range(100)]
    assert list(result_to_text(report(model, *answers))) == [
        "a.bp: TRUE. All 100 targets are unreachable (proof checked).",
        "  unreachable: 100 targets",
    ]


def test_only_one_of_several_traces_is_shown_unless_asked() -> None:
    model = parse(SOURCE)
    trace = trace_to(model, "R")
    both = report(model, (Target("R", "main", 3, 7), Reachable(trace)), (Target("Q", "main", 3, 7), Reachable(trace)))
    assert "1 more trace: '--trace calls' or '--trace full' shows all of them." in list(result_to_text(both))
    assert sum("values before it" in line for line in result_to_text(both, Form.FULL)) == 2


def test_unknown_gives_its_reason() -> None:
    model = parse(SOURCE)
    lines = list(
        result_to_text(report(model, (Target("R", "main", 3, 7), Unknown("the time limit of 1 s was reached"))))
    )
    assert lines == ["a.bp: UNKNOWN. The time limit of 1 s was reached."]


def test_an_assertion_fails_or_not() -> None:
    model = parse("void main() begin\n decl x;\n assert(x);\nend\n")
    target = Target("assert at line 3", "main", model.procedures[0].failures[0], 3)
    assert "Assert at line 3 cannot fail (" in next(result_to_text(report(model, (target, Unreachable(None)))))
    assert "Assert at line 3 can fail (" in next(result_to_text(report(model, (target, Reachable(None)))))


def test_deep_stacks_long_names_and_wide_states_stay_within_80_columns() -> None:
    names = [f"a_rather_long_name_{index}" for index in range(12)]
    depth = 30
    chain = [
        procedure(f"procedure_with_a_long_name_{level}", [Call(f"procedure_with_a_long_name_{level + 1}", ())])
        for level in range(depth)
    ]
    last = procedure(f"procedure_with_a_long_name_{depth}", [Labelled("R", SKIP)])
    body: list[Statement] = [*(assign(name, TRUE) for name in names), Call("procedure_with_a_long_name_0", ())]
    model = program(" ".join(names), procedure("main", body), *chain, last)
    lines = list(trace_to_text(model, trace_to(model, "R")))
    assert max(map(len, lines)) <= 80
    assert any(f"[{depth + 1}]" in line for line in lines)
    assert sum(name in "\n".join(lines[-15:]) for name in names) == len(names)
