"""`knaster check`: every file gets an answer; several files get one line each and a summary."""

from __future__ import annotations

import argparse
from functools import partial

from knaster.base.errors import UsageError
from knaster.commands.files.batch import Batch
from knaster.commands.table import exit_codes
from knaster.commands.terminal.console import Console
from knaster.commands.terminal.executors import add_cluster, add_jobs
from knaster.commands.terminal.flags import add_flags, add_schedule
from knaster.commands.terminal.interruption import add_limits
from knaster.commands.terminal.parser import Parser
from knaster.commands.terminal.source import STDIN
from knaster.evidence.questions.properties import help_on_properties
from knaster.evidence.questions.question import FAIRNESS
from knaster.report.formats import FORMATS

EPILOG = f"""\
The claim that is checked is that no target can be reached. FALSE: some target
can, and a trace shows how. TRUE: none can, and a proof says why.
Without --target, every assert and every label ERROR, error or SLIC_ERROR is a
target; in C, reach_error, __VERIFIER_error, every assert, every label ERROR,
and every step that C may leave undefined (--property reach leaves those out).

{exit_codes("check")}
Of several files the worst counts, in the order 6, 2, 1, 10, 5, 0.

examples:
  knaster check examples/figure1.bp --target R
  knaster check *.bp --timeout 60 --format json
  knaster check program.c --property termination
  knaster check examples/temporal/driver.bp --property 'F at(RELEASE)'
"""


def configure(parser: Parser) -> None:
    """Declare the arguments of `check`."""
    parser.usage = "knaster check FILE... [OPTION]..."
    parser.epilog = EPILOG
    parser.add_help_all("also the methods, their options, and how C is read")
    parser.add_argument("files", nargs="*", metavar="FILE", help="a program; '-' is standard input")
    asked = parser.add_argument_group("the question")
    asked.add_argument(
        "--target",
        action="append",
        metavar="TARGET",
        help="LABEL, FILE:LINE, 'asserts', 'all-labels', or 'deadlock' of threads; of Zing models also 'any failure' "
        "(default), 'failures' (each one decided) and 'errors'; may be repeated",
    )
    asked.add_argument(
        "--property",
        metavar="PROPERTY",
        help=help_on_properties(),
    )
    asked.add_argument(
        "--fair", default="none", choices=FAIRNESS, help="threads: which runs count; weak: who can always move moves"
    )
    asked.add_argument("--entry", metavar="NAME", help="the procedure to start in (default: main)")
    add_schedule(asked)
    asked.add_argument("--first", action="store_true", help="stop at the first target that is found reachable")
    shown = parser.add_argument_group("the answer")
    shown.add_argument(
        "--format",
        choices=tuple(FORMATS),
        help=", ".join(format.about for format in FORMATS.values()),
    )
    shown.add_argument(
        "--trace",
        choices=("full", "calls", "none"),
        help="every step, one line for each call that returns, or nothing (default: full where that is short)",
    )
    shown.add_argument(
        "--certify",
        action=argparse.BooleanOptionalAction,
        help="re-check the proof of 'unreachable' independently (default: for small programs)",
    )
    shown.add_argument(
        "--proof",
        metavar="PROOF",
        help="save the proof of TRUE, or an endless run, for 'knaster certify'; C: as SMT-LIB (.smt2) or Horn clauses"
        " (.chc) for other solvers",
    )
    shown.add_argument("--verbose", action="store_true", help="add remarks and statistics")
    limits = parser.add_argument_group("limits")
    add_limits(limits, " for each file")
    add_jobs(limits, ", or N methods for one file of C")
    method = parser.add_argument_group("the method")
    method.add_argument("--engine", metavar="NAME", help="one method (default: the first that can)")
    parser.declare_further(partial(_declare_rare, asked, shown, limits))
    parser.declare_later(partial(_declare_methods, parser))


def _declare_rare(
    asked: argparse._ArgumentGroup, shown: argparse._ArgumentGroup, limits: argparse._ArgumentGroup
) -> None:
    """Declare the rare options that only `--help-all` shows."""
    asked.add_argument(
        "--dialect", default="default", metavar="NAME", help="'boppo': = != => bind weakest (default: tighter than &)"
    )
    asked.add_argument(
        "--together",
        action="store_true",
        help="C: the files are one program (so are those of a folder, and of a compile_commands.json)",
    )
    asked.add_argument("--spec", metavar="FILE.prp", help="a property as SV-COMP states it, instead of --property")
    add_cluster(limits)
    shown.add_argument("--witness", metavar="OUT.yml", help="C: write a verification witness of the answer")
    shown.add_argument(
        "--output",
        action="append",
        metavar="FORMAT=PATH",
        help="also write the answers to a file, in this format ('html' of several files: to a folder); may be repeated",
    )
    shown.add_argument(
        "--cache",
        nargs="?",
        const="",
        metavar="DIR",
        help="keep proofs and runs there, and check those of the last time again instead of finding them anew",
    )
    shown.add_argument(
        "--since",
        metavar="SESSION",
        help="Boolean programs: solve only what changed since the session in this file, which is written anew",
    )
    shown.add_argument("--watch", action="store_true", help="answer again whenever the file changes (with a session)")
    shown.add_argument(
        "--baseline", metavar="FILE", help="findings of this SARIF log are known: only new ones count in the exit code"
    )
    shown.add_argument(
        "--harness",
        metavar="OUT.c",
        help="C: write the inputs of the trace as functions to compile with, and the turns of threads",
    )
    shown.add_argument(
        "--draw",
        metavar="STEP",
        help="references, C: the heap before a step of the trace, or at its end ('last'), as 'svg' or 'dot'",
    )


def _declare_methods(parser: Parser) -> None:
    """Declare what only `--help-all` shows: the engines, the options of each, and how languages are read."""
    from knaster.engines.table import ENGINES

    width = max(map(len, ENGINES))
    engines = "\n".join(f"{name:<{width}}  {engine.about}" for name, engine in ENGINES.items())
    parser.add_argument_group("names of methods", engines)
    add_flags(parser)


def run(options: argparse.Namespace, console: Console) -> int:
    """Answer for every file; return the worst exit code."""
    if not options.files:
        from knaster.commands.terminal.settings import apply_settings

        apply_settings(options, configure)
    options.format = options.format or "text"
    if options.together or any(map(_is_whole, options.files)):
        from knaster.commands.files.together import join_arguments

        options.files = join_arguments(options.files, options.together, getattr(options, "data_model", None))
    if options.since is not None or options.watch:
        from knaster.commands.terminal.sessions import check_since

        return check_since(options, console)
    return answer_files(options, console)


def answer_files(options: argparse.Namespace, console: Console) -> int:
    """Answer for every file from scratch; return the worst exit code."""
    if options.files.count(STDIN) > 1:
        raise UsageError("standard input can be read only once, and '-' is given more than once")
    if options.proof is not None and (len(options.files) > 1 or options.certify is False):
        raise UsageError("--proof saves the proof of one file, which is checked first")
    if options.proof is not None or options.harness is not None or options.witness is not None:
        from knaster.base.outputs import refuse_inputs

        refuse_inputs("--proof", options.proof, options.files)
        refuse_inputs("--harness", options.harness, options.files)
        refuse_inputs("--witness", options.witness, options.files)
        if options.proof is not None and options.proof == options.harness:
            raise UsageError(f"--proof and --harness are the same file: {options.proof}")
    if options.cache is not None:
        options.cache = _cache_folder(options.cache)
    if options.cluster is not None:
        _refuse_paths(options)
    form = FORMATS[options.format]
    if options.draw is not None and not form.picture:
        raise UsageError(f"--draw makes a picture; --format {options.format} is none")
    if options.draw is None and not form.write and not form.whole:
        raise UsageError(f"--format {form.name} is for --draw STEP; 'knaster show --as {form.name}' shows the program")
    if (options.draw is not None or not form.several) and len(options.files) > 1:
        raise UsageError(
            "--draw shows one file" if options.draw is not None else f"--format {options.format} shows one file"
        )
    batch = Batch(options, console)
    if len(batch.questions) > len(options.files) and (options.proof is not None or not form.several):
        raise UsageError("several questions: --proof, --witness and --format svg are for one of them")
    if len(batch.questions) > 1 and options.witness is not None:
        raise UsageError("--witness is about one question")
    if options.output is not None and options.draw is not None:
        raise UsageError("--draw makes a picture of one step; leave out --output")
    if options.cluster is not None or (options.jobs not in (None, 1) and len(batch.questions) > 1):
        batch.check_side_by_side()
        return batch.finish()
    for question in batch.questions:
        batch.check(question)
    return batch.finish()


def _is_whole(file: str) -> bool:
    """Tell whether a file stands for several: a folder, or a compilation database."""
    import os

    return file.endswith("compile_commands.json") or os.path.isdir(file)


def _refuse_paths(options: argparse.Namespace) -> None:
    """Raise `UsageError` where a file would be written on a machine of the cluster."""
    for flag in ("proof", "witness", "harness"):
        if getattr(options, flag) is not None:
            raise UsageError(f"--{flag} writes a file on the machine that checks; leave out --cluster")


def _cache_folder(given: str) -> str:
    """Return the folder that `--cache` names, or the one of this user."""
    import os

    from knaster.base.file_store import default_folder

    if os.path.isfile(given):
        raise UsageError(f"--cache {given}: is a file, and a folder is meant; write --cache=DIR, or name files first")
    return given or default_folder()
