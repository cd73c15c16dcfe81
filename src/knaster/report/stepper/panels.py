"""The parts of the page that need no script: source, targets, inputs, what was proved, and the run as a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import islice

from knaster.evidence.answers.answer import Answer, Diverges, Terminates, Unknown
from knaster.report.entries import REMARKS, EntryKind, indent, texts_of
from knaster.report.proof_words import lines_of_ending, lines_of_proof
from knaster.report.sentence import Report, notes_for_all, word_for
from knaster.report.source import SourceText
from knaster.report.stepper.facts import facts_by_line, unreached_lines
from knaster.report.stepper.steps import StepRow

PLAIN_ROWS = 400  # of the table for browsers without scripts
_FACTS = 12  # sentences at one line


def source_panel(report: Report) -> str:
    """Return the whole text, line by line, with what was proved at a line above it, and what no run reaches."""
    facts, never = facts_by_line(report), unreached_lines(report)
    lines = report.program.source.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    body = "".join(_line(number, text, facts.get(number, ()), number in never) for number, text in enumerate(lines, 1))
    return panel("source", "Source", f'<div class="scroll code" tabindex="0" role="region" aria-label="source text">'
                 f"{body}</div>")  # fmt: skip


def _line(number: int, text: str, facts: Sequence[str], never: bool) -> str:
    marks = " data-unreached" if never else ""
    said = '<span class="never">never reached</span>' if never else ""
    proved = "".join(f'<span class="fact" data-proof>{escape(fact)}</span>' for fact in facts[:_FACTS])
    more = f'<span class="fact">and {len(facts) - _FACTS} more</span>' if len(facts) > _FACTS else ""
    return f'<div data-line="{number}"{marks}>{proved}{more}<i>{number}</i><code>{escape(text)}</code>{said}</div>'


def targets_panel(report: Report) -> str:
    """Return each target with its answer."""
    rows = "".join(
        f'<tr><th scope="row">{escape(target.name)}</th><td>{target.line or ""}</td>'
        f"<td>{escape(_word(answer))}</td><td>{escape(_trust(answer))}</td></tr>"
        for target, answer in report.answers
    )
    head = "".join(f'<th scope="col">{word}</th>' for word in ("target", "line", "answer", "checked"))
    return panel("targets", "Targets", f'<div class="scroll" tabindex="0" role="region" aria-label="list of targets">'
                 f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>")  # fmt: skip


def _word(answer: Answer) -> str:
    match answer:
        case Terminates(_, bound):
            return "holds" if bound is None else f"holds with {bound}"
        case Diverges():
            return "does not hold"
        case _:
            return word_for(answer)


def _trust(answer: Answer) -> str:
    if isinstance(answer, Unknown):
        return answer.reason
    if not answer.checked:
        return f"no: {answer.unchecked}" if answer.unchecked else "no"
    if getattr(answer, "kernel_reduced", False):
        return "yes, that of the program over integers by the kernel too; the reduction is trusted"
    return "yes, by the kernel too" if getattr(answer, "kernel", False) else "yes"


def words_panel(report: Report, sentences: Iterable[str]) -> str:
    """Return what is said of the run and of the proof, and the notes; empty where nothing is."""
    said = [f"<p>{escape(line)}</p>" for line in sentences if line]
    proved = "\n".join([*lines_of_proof(report), *lines_of_ending(report)])
    said += [f'<pre class="scroll" tabindex="0">{escape(proved)}</pre>'] if proved else []
    said += [f"<p>Note: {escape(note)}</p>" for note in notes_for_all(report)]
    return panel("words", "What is known", "".join(said)) if said else ""


def inputs_panel(inputs: Sequence[tuple[str, str, int]]) -> str:
    """Return the inputs of a run: name, value and line of each; empty where there are none."""
    if not inputs:
        return ""
    items = "".join(
        f"<li><code>{escape(name)} = {escape(value)}</code> (line {line})</li>" for name, value, line in inputs
    )
    return panel("inputs", "Inputs", f'<ol class="scroll" tabindex="0" aria-label="list of inputs">{items}</ol>')


def plain_table(report: Report, rows: Iterable[StepRow]) -> Iterator[str]:
    """Yield the run as a table, for browsers without scripts; a long one ends with a remark."""
    source = SourceText(report.program)
    words = ("step", "line", "thread", source.spelling.routine, "statement", "values that are new before it")
    yield f"<table><tr>{''.join(f'<th>{word}</th>' for word in words)}</tr>"
    for number, (entry, news, said) in enumerate(islice(rows, PLAIN_ROWS), 1):
        texts = texts_of(entry, source.spelling.value)
        values = " ".join(f"{name}={text}" for name, text in texts.items() if name in news)
        remark = " (fails)" if entry.kind is EntryKind.TARGET and entry.said else REMARKS.get(entry.kind, "")
        statement = indent(entry.depth) + source.statement(entry.span) + remark
        cells = (number, entry.span.line, entry.thread, entry.procedure, statement, f"{values} {said}".strip())
        yield f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in cells)}</tr>"
    yield "</table>"
    if next(iter(rows), None) is not None:
        yield f"<p>Here the table ends, after {PLAIN_ROWS} steps.</p>"


def panel(name: str, title: str, body: str, script: bool = False) -> str:
    """Return a panel; one that a script fills is not there without it."""
    kind = ' class="needs"' if script else ""
    return (
        f'<section data-panel="{name}"{kind} aria-labelledby="h-{name}"><h2 id="h-{name}">{title}</h2>{body}</section>'
    )
