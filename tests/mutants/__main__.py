"""The command line: change the trusted code, one operator at a time, and list what no test notices."""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Iterable
from pathlib import Path

from mutants.areas import Area, lines_since
from mutants.changes import Change, list_changes
from mutants.kept import FILE, PAGE, count_row, name_code, read_rows, replace_table, sum_by_folder, write_rows
from mutants.marks import Mark, Unreasoned, mark_of, read_marks
from mutants.report import Outcome, Outcomes, Verdict, describe, table

ROOT = Path(__file__).resolve().parents[2]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__)
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATH[:LINE]", help="change only what is in these modules, folders or lines")
    add("--only", action="append", default=[], metavar="PATH[:LINE]", help="the same")
    add("-j", "--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time (%(default)s)")
    add("--since", metavar="REVISION", help="change only lines that are new since a revision of git")
    add("--sample", type=int, metavar="N", help="change N places chosen at random")
    add("--seed", type=int, default=0, help="for --sample (%(default)s)")
    add("--seconds", type=float, default=20.0, help="seconds of tests for a change, as recorded (%(default)s)")
    add("--again", action="store_true", help="try only what was not killed the last time")
    add("--untried", action="store_true", help="try only what has no verdict yet")
    add("--marked", action="store_true", help="try marked changes too, and list the marks that are not needed")
    add("--record", action="store_true", help="record anew which test runs which line")
    add("--list", action="store_true", help="list the changes and try none")
    add("--table", action="store_true", help="print the last verdicts by module, beside those kept, and try none")
    add("--keep", action="store_true", help="keep the verdicts on modules that were tried wholly in the repository")
    add("--all", action="store_true", help="try modules too of which the repository keeps that nothing is open")
    add("--grace", type=float, default=10.0, help=argparse.SUPPRESS)
    add("--root", type=Path, default=ROOT, help=argparse.SUPPRESS)
    add("--sources", action="append", help=argparse.SUPPRESS)
    add("--tests", action="append", help=argparse.SUPPRESS)
    return parser


class Lane:
    """One run of the lane."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        root: Path = options.root.resolve()
        self.area = Area(root, **{k: tuple(v) for k in ("sources", "tests") if (v := getattr(options, k))})
        self.stream = os.fdopen(os.dup(1), "w")  # pytest takes the other
        self.cache = root / ".mutants"
        self.outcomes = Outcomes(root, self.cache / "outcomes.json")
        self.rows = read_rows(root / FILE)
        self.marks: dict[str, list[Mark]] = {}
        self.texts: dict[str, str] = {}
        self.open: list[Outcome] = []
        self.heard: list[Outcome] = []
        self.needless: list[Outcome] = []

    def changes(self, files: Iterable[str]) -> list[Change]:
        """Return the changes of modules, in order, with those that are marked."""
        return [change for file in sorted(files) for change in list_changes(self._text(file), file)]

    def wanted(self) -> list[Change]:
        """Return the changes to try."""
        options = self.options
        files = [file for file in self.named_files() if options.all or not self._is_left_out(file)]
        changes = [change for change in self.changes(files) if self._is_named(change)]
        if options.since:
            lines = lines_since(self.area.root, options.since)
            changes = [change for change in changes if lines.get(change.file, set()) & {change.line, *change.lines}]
        if options.again:
            tried = self.outcomes.verdict_of
            changes = [change for change in changes if (last := tried(change)) is None or last.is_open]
        if options.untried:
            changes = [change for change in changes if self.outcomes.verdict_of(change) is None]
        if not options.marked:
            changes = [change for change in changes if not self._note_mark(change)]
        if options.sample is not None and options.sample < len(changes):
            chosen = set(random.Random(options.seed).sample(range(len(changes)), options.sample))
            changes = [change for index, change in enumerate(changes) if index in chosen]
        return changes

    def named_files(self) -> list[str]:
        """Return the modules that are named, and those below folders that are; all where nothing is named."""
        names = [name.partition(":")[0].rstrip("/") for name in [*self.options.paths, *self.options.only]]
        files = self.area.source_files()
        return [file for file in files if not names or any(f"{file}/".startswith(f"{name}/") for name in names)]

    def _is_left_out(self, file: str) -> bool:
        """Tell whether the repository keeps that nothing is open in a module that is not named itself."""
        named = {name.partition(":")[0] for name in [*self.options.paths, *self.options.only]}
        return file not in named and file in self.rows and self.rows[file].is_settled(self._code(file))

    def _code(self, file: str) -> str:
        return name_code(self._text(file), [self._is_marked(change) for change in self.changes([file])])

    def keep(self) -> str:
        """Write the rows of the modules that were tried wholly; tell how many, and of which there is none."""
        there = set(self.area.source_files())
        rows = {file: row for file, row in self.rows.items() if file in there}
        lines = []
        for file in self.named_files():
            verdicts = [verdict for _, verdict in self._verdicts([file])]
            row = count_row(file, self._code(file), verdicts)
            if row is not None:
                rows[file] = row
            elif verdicts and (file not in rows or not rows[file].is_settled(self._code(file))):
                lines.append(f"{file}: {verdicts.count(None)} of {len(verdicts)} changes have no verdict")
        write_rows(self.area.root / FILE, rows.values())
        page = self.area.root / PAGE
        if page.is_file():
            page.write_text(replace_table(page.read_text(), sum_by_folder(rows.values(), self.area.sources)))
        return "\n".join([*lines, f"{len(rows)} modules have a row in {FILE}"])

    def _text(self, file: str) -> str:
        """Return a module as it was when it was read first: the changes of this run are those of that text."""
        if file not in self.texts:
            self.texts[file] = (self.area.root / file).read_text()
        return self.texts[file]

    def _is_named(self, change: Change) -> bool:
        names = [*self.options.paths, *self.options.only]
        return not names or any(_matches(name, change) for name in names)

    def _is_marked(self, change: Change) -> bool:
        try:
            if change.file not in self.marks:
                self.marks[change.file] = read_marks(self._text(change.file))
            return mark_of(change, self.marks[change.file]) is not None
        except Unreasoned as mistake:
            raise SystemExit(f"{change.file}: {mistake}") from None

    def _note_mark(self, change: Change) -> bool:
        marked = self._is_marked(change)
        if marked:
            self.outcomes.keep(Outcome(change, Verdict.MARKED, "", 0, 0))
        return marked

    def hear(self, outcome: Outcome) -> None:
        """Keep an outcome, and say it where somebody has to do something; none where the module is another now."""
        if (self.area.root / outcome.change.file).read_text() != self._text(outcome.change.file):
            self.say(f"{outcome.change}  is not known: somebody has edited the module")
            return
        marked = self._is_marked(outcome.change)
        self.heard.append(outcome)
        if marked and not outcome.verdict.is_open:
            self.needless.append(outcome)
            self.say(f"{outcome.change}  is marked, but a test notices it: {outcome.note}")
        elif outcome.verdict.is_open and not marked:
            self.open.append(outcome)
            self.say(describe(outcome, self.area.root))
        elif outcome.verdict is Verdict.LATE:
            self.say(f"{outcome.change}  killed by time, in {outcome.note}")
        self.outcomes.keep(Outcome(outcome.change, Verdict.MARKED, "", 0, 0) if marked else outcome)
        if len(self.heard) % 20 == 0:
            self.outcomes.save()

    def say(self, line: str) -> None:
        """Print a line at once."""
        self.stream.write(line + "\n")
        self.stream.flush()

    def run(self) -> int:
        """Try the changes; 0 where no survivor is unmarked, 1 where one is, 2 where the tests cannot be read."""
        if self.options.list:
            for change in self.wanted():
                self.say(str(change))
            return 0
        if self.options.table or self.options.keep:
            self.say(self.keep() if self.options.keep else self.table(self.named_files()))
            return 0
        from mutants.server import Server, serve

        options = self.options
        server = Server(
            self.area,
            options.jobs,
            options.seconds,
            options.grace,
            options.record,
            self.cache,
            self.wanted,
            self.outcomes.killers(),
            self.say,
            self.hear,
        )
        code = serve(server)
        self.outcomes.save()
        if code not in (0, 5):
            self.say("the tests of the area could not be collected")
            return 2
        self.say(self.table({outcome.change.file for outcome in self.heard}))
        self.say(f"{len(self.heard)} changes tried, {len(self.open)} survive and are not marked")
        return 1 if self.open or self.needless else 0

    def table(self, files: Iterable[str]) -> str:
        """Return the last verdicts of this checkout by module, beside the rows of the repository."""
        names = list(files)
        return table(self._verdicts(names), {file: self._kept(file) for file in names if file in self.rows})

    def _kept(self, file: str) -> str:
        row = self.rows[file]
        if row.code != self._code(file):
            return "another code"
        return f"{row.noticed} noticed, {row.marked} marked, {row.open} open"

    def _verdicts(self, files: Iterable[str]) -> list[tuple[str, Verdict | None]]:
        return [
            (change.file, Verdict.MARKED if self._is_marked(change) else self.outcomes.verdict_of(change))
            for change in self.changes(files)
        ]


def _matches(name: str, change: Change) -> bool:
    """Tell whether a change is in a module, a folder or a line."""
    path, _, line = name.partition(":")
    path = path.rstrip("/")
    inside = change.file == path or change.file.startswith(f"{path}/")
    return inside and (not line or int(line) == change.line)


def main(arguments: list[str] | None = None) -> int:
    """Run the lane."""
    return Lane(_parser().parse_args(arguments)).run()


if __name__ == "__main__":
    sys.exit(main())
