"""The questions of one `check`: each file with each property, and each property of a task definition of SV-COMP."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from knaster.base.errors import KnasterError, UsageError
from knaster.base.named_tuples import NamedTuple
from knaster.commands.terminal.source import STDIN, name_of, read
from knaster.evidence.questions.properties import PROPERTIES

if TYPE_CHECKING:
    from knaster.competition.properties import Specification

_TASKS = (".yml", ".yaml")


class CheckQuestion(NamedTuple):
    """A file, a property, and the options in force for both; or why there is nothing to ask."""

    file: str
    property: str | None
    options: argparse.Namespace
    specification: Specification | None = None
    expected: bool | None = None
    remarks: tuple[str, ...] = ()
    error: KnasterError | None = None


def questions_of(options: argparse.Namespace) -> list[CheckQuestion]:
    """Return what is asked, in the order of the files; a task that cannot be read is one question, which fails."""
    wanted = _specification(options)
    properties = properties_of(options.property)
    questions: list[CheckQuestion] = []
    for file in options.files:
        if file.lower().endswith(_TASKS):
            questions += _questions_of_task(options, file, wanted)
        elif wanted is not None:
            questions.append(_specified(options, file, wanted))
        else:
            questions += [CheckQuestion(file, property, options) for property in properties]
    return questions


def properties_of(text: str | None) -> list[str] | list[None]:
    """Return what `--property` names: one property, several with commas between them, or each formula of a file."""
    if text is None:
        return [None]
    if not text.startswith("@"):
        names = [name.strip() for name in text.split(",")]
        return names if all(name in PROPERTIES for name in names) else [text]
    from knaster.automata.formula_files import read_formulas

    file = text[1:]
    if not file or file == STDIN:
        raise UsageError("--property @FILE takes a file of formulas; there is no name behind '@'")
    return [one.property for one in read_formulas(read(file), name_of(file))]


def _specification(options: argparse.Namespace) -> Specification | None:
    if options.spec is None:
        return None
    if options.target or options.property is not None or options.entry:
        raise UsageError("--spec says what is asked; leave out --target, --property and --entry")
    from knaster.competition.properties import read_specification

    return read_specification(read(options.spec), name_of(options.spec))


def _specified(options: argparse.Namespace, file: str, wanted: Specification) -> CheckQuestion:
    """Return the question that a property of a competition asks of a file."""
    own = argparse.Namespace(**vars(options))
    own.target = wanted.targets
    own.property, own.entry = wanted.asks, wanted.entry
    return CheckQuestion(file, wanted.asks, own, wanted)


def _questions_of_task(options: argparse.Namespace, file: str, wanted: Specification | None) -> Iterator[CheckQuestion]:
    from knaster.competition.tasks import read_task

    try:
        task = read_task(file, wanted)
    except KnasterError as error:
        yield CheckQuestion(file, options.property, options, error=error)
        return
    program = task.files[0]
    if len(task.files) > 1:
        from knaster.commands.files.together import join_program

        program = join_program(task.files)
    for each in task.questions:
        question = _specified(options, program, each.specification)
        if task.data_model is not None and getattr(question.options, "data_model", None) is None:
            question.options.data_model = task.data_model
        yield question._replace(expected=each.expected, remarks=task.notes)
