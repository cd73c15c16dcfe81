"""Mistakes planted at random in engines, views and checkers, and what a process with one of them answers.

    python -m support.mistakes.planted FAMILY MODULE NUMBER

asks the questions of a family (`families`) and prints a line for each: what is so, the verdict, and whether the kernel
is said to have checked it, or the proof of a reduced program.  With a further word `trusting` the fast checkers of
Boolean programs believe everything.  A mistake is a change of one operator or condition (`mutants.changes`), made when
the module is loaded.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

from support.mistakes.families import FAMILIES

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "src"
SECONDS = 60
NOWHERE = "knaster.no_such_module"  # a mistake in it is none


class Mistake(NamedTuple):
    """A change of a module, by its number."""

    module: str
    number: int


class Answered(NamedTuple):
    """What was asked and what was said: what is so, the verdict, and whether the kernel is said to have checked it.

    Or the proof of the reduced program: then who reduces is trusted.
    """

    truth: str
    verdict: str
    kernel: bool
    reduced: bool


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


def choose_mistakes(seed: int, count: int, checkers: bool = True, family: str = "boolean") -> list[Mistake]:
    """Return so many mistakes, the same for the same seed; modules count alike.  Without `checkers` none is in one."""
    from mutants.changes import list_changes

    own = FAMILIES[family]
    files = [file for room in own.rooms for file in sorted((SOURCE / "knaster" / room).rglob("*.py"))]
    files += [SOURCE / "knaster" / "checkers" / f"{name}.py" for name in own.checkers if checkers] * own.weight
    rng, run = Random(seed), executed_lines(family)
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
def executed_lines(family: str) -> dict[str, set[int]]:
    """Return the lines of each file that the questions run; a mistake elsewhere would be none."""
    done = subprocess.run([*_COMMAND, family], cwd=ROOT / "tests", capture_output=True, text=True, check=True)
    lines: dict[str, set[int]] = {}
    for row in done.stdout.splitlines():
        file, _, line = row.rpartition(":")
        if file.startswith(str(SOURCE)):
            lines.setdefault(file, set()).add(int(line))
    return lines


def trace_lines(family: str) -> None:
    """Print the lines that the questions run."""
    lines: set[tuple[str, int]] = set()

    def note(frame: Any, event: str, _: object) -> Any:
        if not frame.f_code.co_filename.startswith(str(SOURCE)):
            return None
        lines.add((frame.f_code.co_filename, frame.f_lineno))
        return note

    import knaster

    for text, file, engine, _ in FAMILIES[family].questions():
        sys.settrace(note)
        knaster.check(text, file=file, engine=engine)
        sys.settrace(None)
    sys.stdout.writelines(f"{file}:{line}\n" for file, line in sorted(lines))


def answers_with(mistake: Mistake, trusting: bool = False, family: str = "boolean") -> list[Answered]:
    """Return what another process with a mistake answers; nothing where it breaks down or takes too long.

    Where it is `trusting`, the fast checkers believe everything: then only the kernel is left.
    """
    command = [*_COMMAND, family, mistake.module, str(mistake.number)]
    command += ["trusting"] if trusting else []
    try:
        done = subprocess.run(command, cwd=ROOT / "tests", capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired as late:
        text = late.stdout.decode() if isinstance(late.stdout, bytes) else late.stdout or ""
    else:
        text = done.stdout
    rows = [line.split() for line in text.splitlines()]
    return [Answered(row[0], row[1], row[2] == "True", row[3] == "True") for row in rows if len(row) == 4]


def main(family: str, module: str, number: int, trusting: bool) -> None:
    """Print what is answered with a mistake."""
    sys.meta_path.insert(0, Plant(Mistake(module, number)))
    import knaster

    if trusting:
        for name in ("path_edges", "threads.configurations", "threads.interference", "threads.stack_table"):
            checker = import_module(f"knaster.checkers.{name}")
            assert hasattr(checker, f"check_{name.rpartition('.')[2]}")
            setattr(checker, f"check_{name.rpartition('.')[2]}", lambda *_: None)
    from knaster.evidence.answers.answer import Unreachable

    limits = knaster.Limits(None if module == NOWHERE else 5)
    for text, file, engine, truth in FAMILIES[family].questions():
        try:
            result = knaster.check(text, file=file, engine=engine, limits=limits)
        except Exception:
            continue
        missed = [answer for _, answer in result.answers if isinstance(answer, Unreachable)]
        kernel, reduced = any(one.kernel for one in missed), any(one.kernel_reduced for one in missed)
        sys.stdout.write(f"{truth} {result.verdict.value} {kernel} {reduced}\n")
        sys.stdout.flush()


_COMMAND = [sys.executable, "-m", "support.mistakes.planted"]

if __name__ == "__main__" and not sys.argv[2:]:
    trace_lines(sys.argv[1])
elif __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:] == ["trusting"])
