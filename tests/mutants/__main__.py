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
    add("--table", action="store_true", help="print the last verdict on every change, by module, and try none")
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
        self.marks: dict[str, list[Mark]] = {}
        self.open: list[Outcome] = []
        self.heard: list[Outcome] = []
        self.needless: list[Outcome] = []

    def changes(self, files: Iterable[str] | None = None) -> list[Change]:
        """Return the changes of all modules, in order, with those that are marked; only of the `files` that count."""
        names = self.area.source_files() if files is None else sorted(files)
        return [change for file in names for change in list_changes(self._text(file), file)]

    def wanted(self) -> list[Change]:
        """Return the changes to try."""
        options = self.options
        names = [name.partition(":")[0].rstrip("/") for name in [*options.paths, *options.only]] or [""]
        files = [file for file in self.area.source_files() if file.startswith(tuple(names))]
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

    def _text(self, file: str) -> str:
        return (self.area.root / file).read_text()

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
        """Keep an outcome, and say it where somebody has to do something."""
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
        if self.options.table:
            self.say(self.table())
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
        self.say(self.table(outcome.change.file for outcome in self.heard))
        self.say(f"{len(self.heard)} changes tried, {len(self.open)} survive and are not marked")
        return 1 if self.open or self.needless else 0

    def table(self, files: Iterable[str] | None = None) -> str:
        """Return the last verdicts by module, of the modules that were tried."""
        return table(
            (change.file, Verdict.MARKED if self._is_marked(change) else self.outcomes.verdict_of(change))
            for change in self.changes(None if files is None else set(files))
        )


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
