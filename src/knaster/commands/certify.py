"""`knaster certify`: check a proof that was saved by `knaster check --proof`, without running an engine."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from knaster.base.errors import ProofError, SourceError, UsageError
from knaster.base.exits import ExitCode
from knaster.commands.table import exit_codes
from knaster.commands.terminal.console import Console
from knaster.commands.terminal.flags import add_readings, readings
from knaster.commands.terminal.interruption import add_limits, run_limited
from knaster.commands.terminal.source import STDIN, name_of, name_of_text, read, source_of

if TYPE_CHECKING:
    from knaster.base.limits import Budget
    from knaster.checkers.files import Proved
    from knaster.checkers.kernel import Word
    from knaster.program.model import Program
    from knaster.report.envelope import Json

SHOWN = 5  # targets that are named
EPILOG = f"""\
A proof has a set of states for each location of the program. It holds where the
sets contain the start, are closed under every statement, call and return, and
are empty at the targets. The check takes about as long as one round of an
engine, and runs none. Of a Zing model it is a table of states, or of calls and
their effects, that is checked step by step with the interpreter. Of C it has
invariants, measures that decrease where every run ends, or a run that never
does, with the set of states to which it comes back. A proof about threads
within a bound holds within it only, and the answer is UNKNOWN then.

{exit_codes("certify")}

examples:
  knaster check driver.bp --proof driver.proof
  knaster certify driver.bp driver.proof
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `certify`."""
    parser.epilog = EPILOG
    parser.add_argument("files", nargs="+", metavar="FILE", help="a program; '-' is standard input")
    parser.add_argument("proof", metavar="PROOF", help="what 'knaster check FILE --proof PROOF' has saved")
    parser.add_argument("--together", action="store_true", help="C: the files are one program")
    parser.add_argument("--entry", metavar="NAME", help="the procedure to start in (default: main)")
    parser.add_argument("--thread", action="append", metavar="NAME[*N]", help="a thread, as it was checked with")
    parser.add_argument("--dialect", default="default", metavar="NAME", help="see 'knaster check --help'")
    parser.add_argument("--format", default="text", choices=("text", "json"), help="for people (default) or programs")
    add_limits(parser)
    add_readings(parser)


def run(options: argparse.Namespace, console: Console) -> int:
    """Say whether the proof holds."""
    options.file = _program(options)
    file = name_of(options.file)
    if options.file == options.proof == STDIN:
        raise UsageError("standard input can be read only once, and '-' is given more than once")

    def stop(reason: str) -> ExitCode:
        if options.format == "json":
            from knaster.commands.terminal.flags import in_force
            from knaster.report.document import nothing

            console.write(nothing("certify", in_force(options), file, ExitCode.UNDECIDED, reason) + "\n")
        console.complain(f"{file}: UNKNOWN. {reason[0].upper()}{reason[1:]}.")
        return ExitCode.UNDECIDED

    return run_limited(
        lambda budget: compute(options, budget),
        lambda found: show(*found, options, console),
        stop,
        options,
        console,
        file,
    )


def _program(options: argparse.Namespace) -> str:
    """Return the program that is meant: a file, or the files of one."""
    from knaster.commands.files.together import is_whole, join_program

    if len(options.files) == 1 and not is_whole(options.files[0]):
        return str(options.files[0])
    if len(options.files) > 1 and not options.together:
        raise UsageError("a proof is of one program; --together takes several files for one")
    return join_program(options.files, getattr(options, "data_model", None))


def compute(options: argparse.Namespace, budget: Budget) -> tuple[Proved, Word, Program]:
    """Return what the proof proves of which program, and what the kernel says; raise `ProofError` where it is none."""
    from knaster.checkers.files import examine
    from knaster.checkers.kernel import ask_kernel
    from knaster.decide.crew import crew_of, start_at
    from knaster.decide.node_tables import with_enough_nodes
    from knaster.evidence.questions.question import Bound
    from knaster.frontends.languages import load

    name = name_of_text(options.file)
    source, text = source_of(options.file), read(options.proof)
    given = readings(options)
    endless: tuple[str, ...] = ()
    program = load(source, options.dialect, file=name, **given)
    if program.reading:
        program = _as_proved(program, text, lambda said: load(source, options.dialect, file=name, **{**said, **given}))
    if options.thread:
        crew = crew_of(program, options.thread)
        endless = crew.endless
        program = crew.within(program, Bound("switches", 1) if endless else None)  # two stand for any number
    program = start_at(program, options.entry)
    try:
        proved, _ = with_enough_nodes(lambda nodes: examine(text, program, nodes, budget, bool(endless)), budget)
        word = ask_kernel(program, text, budget, endless)
        if (word.holds or word.of_reduced) and word.bound != proved.bound:
            raise ProofError(f"the kernel says that the proof holds within {word.bound}")
    except ProofError as wrong:
        raise ProofError(f"{name_of(options.proof)}: {wrong}") from None
    return proved, word, program


def _as_proved(program: Program, proof: str, load: Callable[[Mapping[str, str]], Program]) -> Program:
    """Return a program as it was read when a proof of it was found."""
    from knaster.checkers.files import is_about_memory, reading_of
    from knaster.program.kind import Kind

    try:
        said, memory = reading_of(proof), is_about_memory(proof)
    except ProofError:
        return program  # what is wrong with the file is said later
    known = {name: value for name, value in said.items() if name in {"checks", *dict(program.reading)}}
    with suppress(UsageError, SourceError):
        if not known == said == dict(program.reading):
            program = load(known)
        if memory and program.kind is Kind.INTEGERS:  # a file without pointers, which runs with memory have decided
            program = load({**known, "objects": "always"})
    return program


def show(proved: Proved, word: Word, program: Program, options: argparse.Namespace, console: Console) -> ExitCode:
    """Say what the proof proves; one that holds within a bound decides nothing."""
    from knaster.report.sentence import reading

    file, bound = name_of(options.file), proved.bound
    verdict = "FALSE" if proved.endless or proved.reached else "TRUE" if bound is None else "UNKNOWN"
    code = ExitCode.DONE if bound is None else ExitCode.UNDECIDED
    if options.format == "json":
        from knaster.commands.terminal.flags import in_force
        from knaster.report.document import document

        body, reason = _body(proved, word), _reason(proved)
        console.write(document("certify", in_force(options), file, code, verdict, reason, body) + "\n")
        return code
    kernel = _kernel(word)
    how = f" ({integers}, {kernel})" if (integers := reading(program)) else f" ({kernel})"
    beyond = "" if bound is None else "; of more it says nothing"
    console.answer(
        f"{file}: {verdict}. The proof in {name_of(options.proof)} shows that {_claim(proved)}{how}{beyond}.\n"
    )
    return code


def _kernel(word: Word) -> str:
    """Return in words what the kernel has checked."""
    if word.of_reduced:
        return "the kernel has checked the proof of the program over integers; the reduction is trusted"
    return "checked by the kernel" if word.holds else f"not checked by the kernel: {word.silence}"


def _claim(proved: Proved) -> str:
    """Return in words what was proved."""
    targets = proved.targets
    if not targets:
        if proved.formula:
            return f"{proved.formula} {'does not hold' if proved.endless else 'holds'} on every {proved.runs}"
        return f"a {proved.runs} never ends" if proved.endless else f"every {proved.runs} ends"
    within = f" with {proved.bound}" if proved.bound is not None else ""
    named = ", ".join(str(target) for target in targets[:SHOWN]) + (", ..." if len(targets) > SHOWN else "")
    if proved.reached:
        return f"{named} is reachable"
    if len(targets) == 1:
        return f"{named} is unreachable{within}"
    return f"{len(targets)} targets are unreachable{within}: {named}"


def _reason(proved: Proved) -> str:
    if not proved.targets:
        return f"the proof was checked: {_claim(proved)}"
    return "the proof was checked" + (f": it holds with {proved.bound}" if proved.bound is not None else "")


def _body(proved: Proved, word: Word) -> dict[str, Json]:
    """Return the fields of the JSON output; within a bound a target is neither reachable nor unreachable."""
    bound, reachable = proved.bound, proved.reached if proved.bound is None else None
    targets: list[Json] = [
        {"name": target.name, "line": target.line, "reachable": reachable, "checked": True} for target in proved.targets
    ]
    kernel: dict[str, Json] = {"holds": word.holds, "silence": word.silence or None, "answered": dict(word.answered)}
    kernel |= {"reduced": True} if word.of_reduced else {}
    if bound is None:
        return {"targets": targets, "kernel": kernel}
    return {"targets": targets, "kernel": kernel, "bound": {"kind": bound.kind, "asked": None, "covered": bound.number}}
