"""`knaster show`: a program as canonical text, as a list of edges, or as a picture."""

from __future__ import annotations

import argparse
from pathlib import Path

from knaster.commands.console import Console, ExitCode

EPILOG = """\
forms:
  source     the canonical text: what the reader understood, to be read again
  cfg        the control-flow graph, one edge a line
  dot        the same for Graphviz
  svg        the same as a picture, drawn here; opens in any browser
  relations  the template relations of the fixed-point calculus; with an
             algorithm behind them they are a file for 'knaster solve'

examples:
  knaster show examples/figure1.bp
  knaster show examples/figure1.bp --as svg > figure1.svg
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `show`."""
    parser.epilog = EPILOG
    parser.add_argument("file", metavar="FILE", help="a Boolean program")
    parser.add_argument(
        "--as", dest="form", default="source", choices=("source", "cfg", "dot", "svg", "relations"), help="see below"
    )
    parser.add_argument("--target", action="append", metavar="TARGET", help="relations: what Target holds of")
    parser.add_argument("--entry", metavar="NAME", help="relations: the procedure to start in (default: main)")
    parser.add_argument("--dialect", default="default", metavar="NAME", help="see 'knaster check --help'")


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the program."""
    from knaster.pipeline import load

    program = load(Path(options.file), options.dialect)
    match options.form:
        case "source":
            from knaster.frontends.languages import spelling_of

            render = spelling_of(program).to_text
        case "cfg":
            from knaster.results.render.cfg import program_to_cfg as render
        case "dot":
            from knaster.results.render.dot import program_to_dot as render
        case "svg":
            from knaster.results.render.svg import program_to_svg as render
        case _:
            from knaster.pipeline import relations

            console.write(relations(program, options.target, options.entry))
            return ExitCode.UNREACHABLE
    console.write(render(program))
    return ExitCode.UNREACHABLE
