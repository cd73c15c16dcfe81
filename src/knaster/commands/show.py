"""`knaster show`: a program as canonical text, as a list of edges, or as a picture."""

from __future__ import annotations

import argparse

from knaster.base.exits import ExitCode
from knaster.commands.table import exit_codes
from knaster.commands.terminal.console import Console
from knaster.commands.terminal.interruption import add_limits, run_limited
from knaster.commands.terminal.source import STDIN, name_of, source_of

EPILOG = f"""\
forms:
  source     the canonical text: what the reader understood, to be read again
  cfg        the control-flow graph, one edge a line
  dot        the same for Graphviz
  svg        the same as a picture, drawn here; opens in any browser
  relations  the template relations of the fixed-point calculus; with an
             algorithm behind them they are a file for 'knaster solve'
  summaries  references: what each method sees before a call and what it leaves
             behind, as a picture; the check is run for it
  sequential a program without threads that reaches its targets iff this one
             does with at most K switches (R rounds); 'knaster check' reads it
  kernel     the text that the kernel of proofs reads: python -m knaster_check
  boolean    C: a Boolean program with a variable for each --predicate; where it
             never reaches a target, the C program does not either

{exit_codes("show")}

examples:
  knaster show examples/figure1.bp
  knaster show examples/figure1.bp --as svg > figure1.svg
"""

FORMS = ("source", "cfg", "dot", "svg", "summaries", "relations", "sequential", "kernel", "boolean")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `show`."""
    parser.epilog = EPILOG
    parser.add_argument("file", metavar="FILE", help="a program; '-' is standard input")
    parser.add_argument("--as", dest="form", default="source", choices=FORMS, metavar="FORM", help="see below")
    parser.add_argument(
        "--target", action="append", metavar="TARGET", help="relations, sequential, boolean: what is to be reached"
    )
    parser.add_argument("--switches", type=int, metavar="K", help="sequential: at most so many context switches")
    parser.add_argument("--rounds", type=int, metavar="R", help="sequential: at most so many rounds of all threads")
    parser.add_argument("--thread", action="append", metavar="NAME[*N]", help="sequential, kernel: what runs")
    parser.add_argument(
        "--entry", metavar="NAME", help="relations, summaries, kernel: the procedure to start in (default: main)"
    )
    parser.add_argument("--engine", metavar="NAME", help="summaries: 'patterns' or 'visible' (default: what fits)")
    parser.add_argument(
        "--predicate", action="append", default=[], metavar="TEXT", help="boolean: as in 'main: x > 0'; may be repeated"
    )
    parser.add_argument("--integers", choices=("machine", "mathematical"), help="see 'knaster check --help'")
    parser.add_argument("--data-model", choices=("LP64", "ILP32"), help="see 'knaster check --help'")
    parser.add_argument("--dialect", default="default", metavar="NAME", help="see 'knaster check --help'")
    add_limits(parser)


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the program."""

    def report(text: str) -> ExitCode:
        console.write_exact(text)
        return ExitCode.DONE

    def stop(reason: str) -> ExitCode:
        console.complain(f"{name_of(options.file)}: not shown: {reason}")
        return ExitCode.UNDECIDED

    return run_limited(lambda _: render_program(options), report, stop, options, console, name_of(options.file))


def render_program(options: argparse.Namespace) -> str:
    """Return the program in the form that was asked for."""
    from knaster.frontends.languages import load

    file = name_of(options.file) if options.file == STDIN else None
    given = {name: getattr(options, name) for name in ("integers", "data_model")}
    reading = {name: value for name, value in given.items() if value is not None}
    program = load(source_of(options.file), options.dialect, file=file, **reading)
    match options.form:
        case "source":
            from knaster.frontends.languages import spelling_of

            return spelling_of(program).to_text(program)
        case "cfg":
            from knaster.report.flow.listing import program_to_cfg as render
        case "dot":
            from knaster.report.flow.dot import program_to_dot as render
        case "svg":
            from knaster.report.flow.svg import program_to_svg as render
        case "summaries":
            from knaster.decide.shown_forms import effect_table
            from knaster.report.heap.summaries import summaries_to_svg

            table, reason = effect_table(program, options.engine, options.entry)
            return summaries_to_svg(table, f"these are not all: {reason}" if reason else "")
        case "sequential":
            from knaster.decide.shown_forms import sequential_program
            from knaster.frontends.languages import spelling_of

            bound = {"switches": options.switches, "rounds": options.rounds}
            alone = sequential_program(program, options.target, **bound, threads=options.thread)
            return spelling_of(alone).to_text(alone)
        case "kernel":
            from knaster.decide.shown_forms import kernel_text

            return kernel_text(program, options.thread, options.entry)
        case "boolean":
            from knaster.decide.shown_forms import boolean_abstraction
            from knaster.frontends.languages import spelling_of

            kept = boolean_abstraction(program, options.target, options.predicate)
            return spelling_of(kept).to_text(kept)
        case _:
            from knaster.decide.shown_forms import template_relations

            return template_relations(program, options.target, options.entry)
    return render(program)
