"""`--since SESSION` and `check --watch`: answers about a program that is edited, from what was solved before.

Of a TRUE answer the procedures that are solved again are checked at once, the others were when the session was made,
and the verdict says so; where a target is reached, the ordinary way finds a trace, which is replayed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from knaster.base.errors import InternalError, KnasterError, UsageError
from knaster.base.exits import ExitCode
from knaster.base.limits import Budget, OutOfBudget
from knaster.base.outputs import refuse_inputs
from knaster.base.records import replace
from knaster.commands.terminal.console import Console
from knaster.commands.terminal.flags import readings
from knaster.commands.terminal.interruption import limits_of
from knaster.commands.terminal.nothing import say_unknown
from knaster.commands.terminal.source import STDIN, read
from knaster.decide.asked import Source
from knaster.decide.sessions.session_file import Session, read_session, write_session
from knaster.evidence.questions.question import BOUNDS

if TYPE_CHECKING:
    from knaster.decide.sessions.since import Reached
    from knaster.evidence.answers.facts import Facts
    from knaster.evidence.answers.projection import Projection

_OTHERS = ("proof", "witness", "harness", "output", "cache", "baseline", "draw", "cluster", "engine", "spec", "thread")


def check_since(
    options: argparse.Namespace, console: Console, wait: Callable[[float], None] = time.sleep
) -> ExitCode | int:
    """Answer for one Boolean program; with `--watch` again whenever it changes, until Ctrl-C."""
    _refuse_others(options)
    session = read_session(options.since) if options.since is not None else Session()
    if not options.watch:
        return _check(options, console, session)
    from knaster.commands.terminal.watch_file import versions

    code: ExitCode | int = ExitCode.DONE
    try:
        for _ in versions(options.files[0], wait):
            try:
                code = _check(options, console, session)
            except KnasterError as error:
                console.complain(str(error))
    except KeyboardInterrupt:
        return code
    return code


def facts_of_session(options: argparse.Namespace) -> Facts:
    """Return the facts of a program, and write the session."""
    from knaster.decide.facts_session import KEPT
    from knaster.decide.sessions.facts_since import facts_since

    domains = KEPT if options.domain == "all" else (options.domain,)
    if domains[0] not in KEPT:
        raise UsageError(f"--since is for the domains {' and '.join(KEPT)}; leave it out for {domains[0]}")
    _refuse_paths(options)
    session = read_session(options.since)
    source = Source(options.file, None, options.dialect, readings(options))
    found = facts_since(source, domains, options.at or (), options.entry, session)
    write_session(options.since, session)
    return replace(found, note=session.said)


def projection_of_session(options: argparse.Namespace, budget: Budget) -> Projection:
    """Return the projection of a Boolean program, and write the session."""
    from knaster.decide.sessions.since import project_since

    if options.annotate or options.causes or options.slice or options.switches is not None or options.thread:
        raise UsageError("--since goes with --target and --entry; leave out --annotate, --causes, --slice and threads")
    _refuse_paths(options)
    session = read_session(options.since)
    source = Source(options.file, None, options.dialect, readings(options))
    found = project_since(source, options.target, options.entry, session, budget)
    write_session(options.since, session)
    options.said = session.said
    return found


def _check(options: argparse.Namespace, console: Console, session: Session) -> ExitCode | int:
    from knaster.decide.sessions.since import reach_since

    (file,) = options.files
    source = Source(file, None, options.dialect, readings(options))
    budget = Budget.of(limits_of(options))
    try:
        reached = reach_since(source, read(file), options.target, options.entry, session, budget)
    except OutOfBudget as spent:
        return say_unknown(str(spent), argparse.Namespace(**{**vars(options), "file": file}), console)
    if options.since is not None:
        write_session(options.since, session)
    code: ExitCode | int = ExitCode.DONE
    if reached.any:
        from knaster.commands.check import answer_files

        code = answer_files(options, console)
        if code == ExitCode.DONE:
            raise InternalError("a session says that a target is reached, and a fresh run does not")
    else:
        console.write(f"{file}: TRUE. {_finding(reached)} ({_ground(reached)}).\n")
    console.write(f"Session: {session.said}.\n")
    return code


def _ground(reached: Reached) -> str:
    """Say what was checked."""
    if reached.unchecked:
        return "by a session; --certify, without --since, checks a proof"
    if not reached.checked_before:
        return "proof checked"
    now, before = f"{reached.checked_now:,}", f"{reached.checked_before:,}"
    total = f"{reached.checked_now + reached.checked_before:,} procedures"
    if not reached.checked_now:
        return f"proof checked when the session was made: {total}"
    return f"proof checked: {now} of {total} now, {before} when the session was made"


def _finding(reached: Reached) -> str:
    if len(reached.targets) > 1:
        return f"All {len(reached.targets)} targets are unreachable"
    ((name, line, _),) = reached.targets
    if name.startswith("assert"):
        return f"{name.capitalize()} cannot fail"
    return f"{name} (line {line}) is unreachable"


def _refuse_others(options: argparse.Namespace) -> None:
    """Refuse what a session does not answer."""
    flag = "--since" if options.since is not None else "--watch"
    if len(options.files) != 1 or options.files[0] == STDIN:
        raise UsageError(f"{flag} follows one file")
    given = [name for name in (*_OTHERS, *BOUNDS) if getattr(options, name, None) not in (None, [], ())]
    if given or options.certify:
        raise UsageError(f"{flag} does not go with --{(given or ['certify'])[0]}; leave one of them out")
    if options.property not in (None, "reach"):
        raise UsageError(f"{flag} is for targets; leave out --property {options.property}")
    if options.format != "text":
        raise UsageError(f"{flag} prints text; leave out --format {options.format}")
    if options.since is not None:
        _refuse_paths(options)


def _refuse_paths(options: argparse.Namespace) -> None:
    refuse_inputs("--since", options.since, options.files)
