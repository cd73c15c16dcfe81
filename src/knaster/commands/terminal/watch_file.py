"""`knaster facts --watch`: the facts of a file, and again whenever it changes, until Ctrl-C."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator

from knaster.base.errors import KnasterError, UsageError
from knaster.base.exits import ExitCode
from knaster.commands.terminal.console import Console
from knaster.commands.terminal.flags import readings
from knaster.commands.terminal.source import STDIN

PAUSE = 0.3  # seconds between two looks at a file


def watch_facts(options: argparse.Namespace, console: Console, wait: Callable[[float], None] = time.sleep) -> ExitCode:
    """Print the facts of a file, and those of each later version; what is wrong with a version is said."""
    (file, *more) = options.files
    if more or file == STDIN or options.format != "text" or options.annotate is not None:
        raise UsageError("--watch follows one file, and prints text")
    from knaster.decide.asked import Source
    from knaster.decide.crew import start_at
    from knaster.decide.facts_session import KEPT, FactsSession
    from knaster.report.facts import facts_to_text

    domains = KEPT if options.domain == "all" else (options.domain,)
    if domains[0] not in KEPT:
        raise UsageError(f"--watch is for the domains {' and '.join(KEPT)}")
    session: FactsSession | None = None
    try:
        for _ in versions(file, wait):
            try:
                program = start_at(Source(file, None, options.dialect, readings(options)).read()[0], options.entry)
                said = "" if session is None else session.edit(program)
                session = FactsSession(program, domains) if session is None else session
            except KnasterError as error:
                console.complain(str(error))
                continue
            console.write(facts_to_text(session.facts()) + (f"\n{said}\n" if said else ""))
    except KeyboardInterrupt:
        return ExitCode.DONE
    return ExitCode.DONE


def versions(file: str, wait: Callable[[float], None]) -> Iterator[int]:
    """Yield the time of each version of a file."""
    last = None
    while True:
        try:
            now = os.stat(file).st_mtime_ns
        except OSError:
            now = last if last is not None else 0
        if now != last:
            last = now
            yield now
        wait(PAUSE)
