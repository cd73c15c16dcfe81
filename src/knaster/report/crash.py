"""A path to a stack for people and programs: its statements, calls indented."""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.hints import did_you_mean
from knaster.base.visible import make_line, make_visible
from knaster.evidence.answers.crash import CrashPath
from knaster.report.envelope import Json, envelope, to_line

DEEPEST = 20  # levels that are indented
SHOWN = 3  # frames that were left out and are named


def crash_to_text(found: CrashPath) -> str:
    """Return the path, one statement a line, behind what it is."""
    lines = [make_line(f"{found.program.file}: {crash_sentence(found)}")]
    source = found.program.source.splitlines()
    for step in found.path:
        indent = "  " * min(step.depth, DEEPEST)
        text = source[step.line - 1].strip() if 0 < step.line <= len(source) else ""
        lines.append(make_visible(f"{step.line:5d}  {indent}{step.procedure}: {text}"))
    return "\n".join(lines) + "\n"


def crash_sentence(found: CrashPath) -> str:
    """Return what was found: a path of the control flow, and which lines it passes; or why there is none."""
    if not found.path:
        return f"no path of the control flow has this stack: {found.misfit}.{_left_out(found)}"
    count = f"{len(found.path)} statements" if len(found.path) > 1 else "1 statement"
    if found.run is not None:
        said = f"a run with this stack, {count} (replayed)."
    elif found.excluded:
        said = f"no run has this stack (proof checked). A path of the control flow, {count}, conditions not looked at."
    else:
        said = f"a path of the control flow with this stack, {count}; conditions are not looked at."
        said += f" Whether some run has it is not decided: {found.undecided}." if found.undecided else ""
    wanted = len(found.touched) + len(found.missed)
    if wanted:
        said += f" It passes {len(found.touched)} of {wanted} lines"
        more = "not" if found.run is not None else "and no path passes more: not"
        said += f", {more} {', '.join(map(str, found.missed))}." if found.missed else "."
    return said + _left_out(found)


def _left_out(found: CrashPath) -> str:
    """Say which inner frames are not of the program: one of them may be misspelt."""
    if not found.inner:
        return ""
    names = ", ".join(f"'{name}'" for name in found.inner[:SHOWN]) + (", …" if len(found.inner) > SHOWN else "")
    hint = next((hint for name in found.inner if (hint := did_you_mean(name, _names(found)))), "")
    return f" Left out of the stack, since the program has no such procedure: {names}{f' ({hint})' if hint else ''}."


def _names(found: CrashPath) -> list[str]:
    return [own.name for own in found.program.procedures]


def crash_to_json(found: CrashPath, options: Mapping[str, object] | None = None) -> str:
    """Return the path as one JSON object on one line; `options` are what was in force."""
    frames: list[Json] = [{"procedure": frame.procedure, "line": frame.line} for frame in found.frames]
    path: list[Json] = [{"depth": step.depth, "procedure": step.procedure, "line": step.line} for step in found.path]
    body: dict[str, Json] = {
        "frames": frames,
        "path": path,
        "passed": list(found.touched),
        "missed": list(found.missed),
        "replayed": found.run is not None,
        "excluded": found.excluded,
    }
    return to_line(envelope("crash", found.program.file, "answered", None, crash_sentence(found), options or {}, body))
