"""A run that never ends as rows: its entries, the atoms that hold at each, and where its cycle begins."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from knaster.automata.words import Word
from knaster.base.named_tuples import NamedTuple
from knaster.evidence.questions.letters import Meanings, meanings_of
from knaster.evidence.questions.question import Question, Temporal
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.letters import letter_at, standings_of
from knaster.evidence.traces.trace import Path, Trace
from knaster.program.model import Kind, Program
from knaster.report.entries import AUTOMATIC_LIMIT, Entry, EntryKind, Form, list_entries, with_changes

Atoms = tuple[str, ...]


class Row(NamedTuple):
    """An entry, the values in it that are new, the atoms that hold there, and whether the cycle begins with it."""

    entry: Entry
    changed: Container[str]
    atoms: Atoms | None  # None where nobody asked about atoms, or where calls are folded
    begins: bool


def rows_of(program: Program, question: Question, lasso: Lasso, form: Form | None) -> Iterator[Row]:
    """Yield the rows of a run that never ends, the stem and the cycle once."""
    form = form_of(lasso, form)
    stem = sum(entry.kind is not EntryKind.TARGET for entry in list_entries(program, lasso.stem, form))
    atoms = (each for trace in (lasso.stem, lasso.cycle) for each in atoms_along(program, question, lasso, trace, form))
    for at, (entry, changed) in enumerate(with_changes(list_entries(program, lasso.once, form))):
        if entry.kind is not EntryKind.TARGET:
            own = None if entry.kind is EntryKind.BACK else next(atoms, None)
            yield Row(entry, changed, own, at == stem and not lasso.stays)


def form_of(lasso: Lasso, form: Form | None) -> Form | None:
    """Return a form that lists a whole run as it lists its parts."""
    once = lasso.once
    if form is None and once.length < once.expanded_length:
        return Form.FULL if once.expanded_length <= AUTOMATIC_LIMIT else Form.CALLS
    return form


def atoms_along(program: Program, question: Question, lasso: Lasso, trace: Trace, form: Form | None) -> list[Atoms]:
    """Return the atoms that hold before each statement of the stem or the cycle, as far as a form lists it."""
    if not isinstance(question, Temporal):
        return []
    meanings, paths = meanings_of(program, question), trace.paths
    if _has_threads(program):
        word = _word(program, lasso, meanings)
        letters = word.stem if trace is lasso.stem else () if lasso.stays else word.cycle
        return [tuple(sorted(letter)) for letter in letters] if form is not Form.CALLS else []
    if form is Form.CALLS:
        return [_sorted(meanings, place, state) for place, state in _folded(paths)]
    return [_sorted(meanings, place, state) for place, state in standings_of(tuple(paths))]


def last_atoms(program: Program, question: Question, lasso: Lasso) -> Atoms | None:
    """Return the atoms that hold for ever after the end of a run; None where nobody asked about atoms."""
    if not isinstance(question, Temporal):
        return None
    if _has_threads(program):
        return tuple(sorted(_word(program, lasso, meanings_of(program, question)).cycle[0]))
    return _sorted(meanings_of(program, question), None, lasso.cycle.paths[-1].end)


def _has_threads(program: Program) -> bool:
    """Tell whether a run is read on a graph of configurations."""
    return program.is_threaded or program.kind is Kind.REFERENCES


def _word(program: Program, lasso: Lasso, meanings: Meanings) -> Word:
    """Return the word of a run of threads, or of a model with references."""
    if program.kind is Kind.REFERENCES:
        from knaster.checkers.heap.lasso import heap_word_of

        return heap_word_of(lasso, program, meanings)
    from knaster.checkers.runs.thread_lasso import word_of

    return word_of(lasso, program, meanings)


def _sorted(meanings: Meanings, place: object, state: object) -> Atoms:
    return tuple(sorted(letter_at(place, state, meanings)))  # type: ignore[arg-type]


def _folded(paths: Sequence[Path]) -> Iterator[tuple[object, object]]:
    for path in paths:
        state = path.start
        for step in path.steps:
            yield (path.procedure, step.edge.source), state
            state = step.after
