"""Mistakes planted at random in engines, views and checkers, and what a process with one of them answers.

    python -m support.mistakes.planted MODULE NUMBER

prints a line for each question: what is so, the verdict, and whether the kernel is said to have checked it.  With a
third word `trusting` the fast checkers believe everything.  A mistake is a change of one operator or condition
(`mutants.changes`), made when the module is loaded.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "src"
ROOMS = (
    *(
        "bdd",
        "engines/boolean/summaries",
        "engines/threads/states",
        "engines/threads/modular",
        "engines/threads/stacks",
    ),
    *("views/symbolic", "views/summaries", "program/layout", "pushdown/saturation"),
)
CHECKERS = (
    *("path_edges", "boolean_meaning", "threads/configurations", "threads/thread_steps", "threads/interference"),
    *("threads/interference_form", "threads/stack_table", "checked"),
)
SECONDS = 60


class Mistake(NamedTuple):
    """A change of a module, by its number."""

    module: str
    number: int


class Answered(NamedTuple):
    """What was asked and what was said: what is so, the verdict, and whether the kernel is said to have checked it."""

    truth: str
    verdict: str
    kernel: bool


class Plant(MetaPathFinder, Loader):
    """Loads one module with a change."""

    def __init__(self, mistake: Mistake) -> None:
        self.mistake = mistake

    def find_spec(self, name: str, path: object = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return how the module is loaded; None for every other."""
        if name != self.mistake.module:
            return None
        found = PathFinder.find_spec(name, path)  # type: ignore[arg-type]
        assert found is not None
        return ModuleSpec(name, self, origin=found.origin, is_package=found.submodule_search_locations is not None)

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed text."""
        from mutants.changes import compile_changed

        assert module.__spec__ is not None and module.__spec__.origin is not None
        module.__file__ = module.__spec__.origin
        exec(
            compile_changed(Path(module.__file__).read_text("utf-8"), module.__file__, self.mistake.number),
            vars(module),
        )


def choose_mistakes(seed: int, count: int, checkers: bool = True) -> list[Mistake]:
    """Return so many mistakes, the same for the same seed; modules count alike.  Without `checkers` none is in one."""
    from mutants.changes import list_changes

    files = [file for room in ROOMS for file in sorted((SOURCE / "knaster" / room).rglob("*.py"))]
    files += [SOURCE / "knaster" / "checkers" / f"{name}.py" for name in CHECKERS if checkers] * 6
    rng, run = Random(seed), executed_lines()
    assert run and all(file.exists() for file in files)
    found: dict[Mistake, None] = {}
    while len(found) < count:
        file = rng.choice(files)
        changes = list_changes(file.read_text("utf-8"), file.name)
        lines = run.get(str(file), set())
        touched = [number for number, change in enumerate(changes) if change.line in lines]
        if touched:
            parts = file.relative_to(SOURCE).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[Mistake(name, rng.choice(touched))] = None
    return list(found)


@cache
def executed_lines() -> dict[str, set[int]]:
    """Return the lines of each file that the questions run; a mistake elsewhere would be none."""
    done = subprocess.run(_COMMAND, cwd=ROOT / "tests", capture_output=True, text=True, check=True)
    lines: dict[str, set[int]] = {}
    for row in done.stdout.splitlines():
        file, _, line = row.rpartition(":")
        if file.startswith(str(SOURCE)):
            lines.setdefault(file, set()).add(int(line))
    return lines


def trace_lines() -> None:
    """Print the lines that the questions run."""
    lines: set[tuple[str, int]] = set()

    def note(frame: Any, event: str, _: object) -> Any:
        if not frame.f_code.co_filename.startswith(str(SOURCE)):
            return None
        lines.add((frame.f_code.co_filename, frame.f_lineno))
        return note

    import knaster

    for text, engine, _ in questions():
        sys.settrace(note)
        knaster.check(text, file="p.bp", engine=engine)
        sys.settrace(None)
    sys.stdout.writelines(f"{file}:{line}\n" for file, line in sorted(lines))


def answers_with(mistake: Mistake, trusting: bool = False) -> list[Answered]:
    """Return what another process with a mistake answers; nothing where it breaks down or takes too long.

    Where it is `trusting`, the fast checkers believe everything: then only the kernel is left.
    """
    command = [*_COMMAND, mistake.module, str(mistake.number)]
    command += ["trusting"] if trusting else []
    try:
        done = subprocess.run(command, cwd=ROOT / "tests", capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired as late:
        text = late.stdout.decode() if isinstance(late.stdout, bytes) else late.stdout or ""
    else:
        text = done.stdout
    rows = [line.split() for line in text.splitlines()]
    return [Answered(row[0], row[1], row[2] == "True") for row in rows if len(row) == 3]


def questions() -> Iterator[tuple[str, str | None, str]]:
    """Yield programs, engines and what is so."""
    from support.fuzz.proofs import boolean_cases

    cases = [case for case in boolean_cases() if case.section != "run" and case.question is None and not case.switches]
    asked = [
        (text, case.engine, truth) for case in cases for text, truth in ((case.right, "TRUE"), (case.wrong, "FALSE"))
    ]
    yield from dict.fromkeys(asked)


def main(module: str, number: int, trusting: bool) -> None:
    """Print what is answered with a mistake."""
    sys.meta_path.insert(0, Plant(Mistake(module, number)))
    import knaster

    if trusting:
        for name in ("path_edges", "threads.configurations", "threads.interference", "threads.stack_table"):
            checker = import_module(f"knaster.checkers.{name}")
            assert hasattr(checker, f"check_{name.rpartition('.')[2]}")
            setattr(checker, f"check_{name.rpartition('.')[2]}", lambda *_: None)
    from knaster.evidence.answers.answer import Unreachable

    for text, engine, truth in questions():
        try:
            result = knaster.check(text, file="p.bp", engine=engine, limits=knaster.Limits(5))
        except Exception:
            continue
        kernel = any(isinstance(answer, Unreachable) and answer.kernel for _, answer in result.answers)
        sys.stdout.write(f"{truth} {result.verdict.value} {kernel}\n")
        sys.stdout.flush()


_COMMAND = [sys.executable, "-m", "support.mistakes.planted"]

if __name__ == "__main__" and not sys.argv[1:]:
    trace_lines()
elif __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:] == ["trusting"])
