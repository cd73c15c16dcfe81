"""A test session that has collected everything once, and forks for every change: the child makes it and runs tests."""

from __future__ import annotations

import gc
import importlib
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mutants import trial, whole
from mutants.areas import Area, choose_tests
from mutants.changes import Change
from mutants.children import Ended, Task, run_children
from mutants.report import Outcome, Verdict
from mutants.touched import Touch, TouchMap, Tracer

_SESSION = 10.0  # seconds that a session of its own may take to begin
_SLOWDOWN = 4  # a test may compute so many times as long as when it was recorded


@dataclass(slots=True, eq=False)
class Server:
    """The plugin that takes the place of running tests."""

    area: Area
    jobs: int
    seconds: float
    grace: float  # a child may compute so many seconds more than its tests need
    again: bool
    cache: Path
    choose: Callable[[], list[Change]]
    killers: dict[str, str]
    say: Callable[[str], None]
    heard: Callable[[Outcome], None]
    map: TouchMap = field(init=False)
    items: dict[str, pytest.Item] = field(default_factory=dict)
    kills: dict[str, Counter[str]] = field(default_factory=dict)  # by module: how many changes a test has noticed

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Make random tests the same in every child, and let none leave a file behind."""
        from hypothesis import settings  # after pytest, which reads it in its own way

        settings.register_profile("mutants", settings(), derandomize=True, database=None)
        settings.load_profile("mutants")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Record what is not recorded, and try every change."""
        self.items = {item.nodeid: item for item in session.items}
        sources = self.area.source_files()
        for source in sources:
            importlib.import_module(whole.module_name(self.area.root / source))
        found = trial.functions_by_file()
        functions = {source: found.get(str(self.area.root / source), []) for source in sources}
        gc.collect()
        gc.freeze()
        self.map = TouchMap.load(self.area.root, self.cache / "map.json")
        self._record(session, sources)
        for ended in run_children(self._trials(session, self.choose(), functions), self.jobs):
            self._hear(ended)
        return True

    def _record(self, session: pytest.Session, sources: list[str]) -> None:
        """Run the test files that are not recorded under the tracer."""
        files: dict[str, list[pytest.Item]] = {}
        for item in session.items:
            files.setdefault(item.nodeid.partition("::")[0], []).append(item)
        names = [str(self.area.root / source) for source in sources]

        def work(items: list[pytest.Item]) -> Callable[[Path], int]:
            def run(folder: Path) -> int:
                trial.limit_child(900)
                trial.silence(folder, session.config)
                touches = trial.record_tests(items, Tracer(names), self.area.root)
                rows = [[t.test, t.seconds, t.passes, t.lines] for t in touches]
                (folder / "data").write_text(json.dumps(rows))
                return 0

            return run

        tasks = [Task(file, 900.0, work(items)) for file, items in files.items() if self._has_to_be_recorded(file)]
        for number, ended in enumerate(run_children(tasks, self.jobs), start=1):
            rows = json.loads(ended.data) if ended.data else []
            touches = [Touch(test, seconds, lines, passes) for test, seconds, passes, lines in rows]
            self.map.record(ended.subject, sources, touches)
            self.map.save(self.cache / "map.json")
            total = sum(touch.seconds for touch in touches)
            words = "" if ended.code == 0 else f" (ended with {ended.code}: {ended.note[-200:]})"
            self.say(f"recorded {number} of {len(tasks)}: {ended.subject}, {len(touches)} tests, {total:.1f} s{words}")

    def _has_to_be_recorded(self, file: str) -> bool:
        return self.again or not self.map.is_recorded(file)

    def _trials(
        self, session: pytest.Session, changes: Iterable[Change], functions: dict[str, list[trial.Function]]
    ) -> Iterator[Task[tuple[Change, int, int]]]:
        for change in changes:
            touches = self.map.tests_of(change) if change.function else self.map.tests_of_file(change.file)
            touches = [touch for touch in touches if touch.test in self.items]
            kills = self.kills.setdefault(change.file, Counter())
            chosen = choose_tests(change, touches, self.seconds, self.killers.get(change.name), kills)
            if not chosen:
                self.heard(Outcome(change, Verdict.UNREACHED, "", 0, 0))
                continue
            limit = self._limit(chosen)
            if change.function:
                run = self._in_memory(session, change, chosen, functions[change.file])
            else:
                limit += _SESSION
                run = self._from_the_start(change, chosen, limit)
            yield Task((change, len(chosen), len(touches)), limit, run)

    def _limit(self, chosen: list[Touch]) -> float:
        return self.grace + _SLOWDOWN * sum(touch.seconds for touch in chosen)

    def _in_memory(
        self, session: pytest.Session, change: Change, chosen: list[Touch], functions: list[trial.Function]
    ) -> Callable[[Path], int]:
        def run(folder: Path) -> int:
            trial.limit_child(self._limit(chosen))
            trial.silence(folder, session.config)
            if not trial.patch(change, self.area.root, functions):
                return self._start(folder, change, chosen)
            return trial.try_tests([self.items[touch.test] for touch in chosen], folder / "note")

        return run

    def _from_the_start(self, change: Change, chosen: list[Touch], limit: float) -> Callable[[Path], int]:
        def run(folder: Path) -> int:
            trial.limit_child(limit)
            return self._start(folder, change, chosen)

        return run

    def _start(self, folder: Path, change: Change, chosen: list[Touch]) -> int:
        """Become a session of its own that reads the changed module from the start."""
        (folder / "note").write_text("(a session of its own)")
        trial.redirect()
        tests = [touch.test for touch in chosen]
        plugins = ["-p", "no:cacheprovider", "-p", "mutants.whole"]
        command = [sys.executable, "-m", "pytest", "-x", *plugins, f"--basetemp={folder / 'tmp'}", *tests]
        os.chdir(self.area.root)
        os.execve(sys.executable, command, whole.environment(self.area.root / change.file, change.number))

    def _hear(self, ended: Ended[tuple[Change, int, int]]) -> None:
        change, asked, touching = ended.subject
        if ended.code == trial.SURVIVED:
            verdict = Verdict.SURVIVED
        elif ended.late:
            verdict = Verdict.LATE
        elif ended.code == 70 or (ended.code == 4 and not change.function):
            verdict = Verdict.BROKEN
        else:
            verdict = Verdict.KILLED
            self.kills.setdefault(change.file, Counter())[ended.note] += 1
        self.heard(Outcome(change, verdict, ended.note, asked, touching))


def serve(server: Server) -> int:
    """Collect the tests of an area and hand them to the server; the exit code says whether that could be done."""
    os.chdir(server.area.root)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # children are stopped, and what is known is kept
    options = ["-p", "no:cacheprovider", "-p", "no:xdist", "--tb=native", "-qq", "-m", "not slow"]
    code = pytest.main([*options, *server.area.test_places()], plugins=[server])
    return int(code)
