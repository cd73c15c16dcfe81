"""Programs and proofs for the kernel: what Knaster proves, and proofs that are written by hand."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from typing import Any

import knaster
from knaster.checkers.files import proof_to_text
from knaster.evidence.proofs.files import FORMAT, FORMAT_VERSION, entry_of, fingerprint
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.evidence.questions.targets import every_target
from knaster.program.model import Program
from knaster.semantics.python_code import loop_heads
from knaster_check import Verdict, check, read_program

_LOGIC = {ast.And: "&", ast.Or: "|"}
_OPERATORS = {
    **{ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "/", ast.Mod: "%", ast.BitAnd: "&", ast.BitOr: "|"},
    **{ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>"},
}
_COMPARISONS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def formula(text: str, width: int | None = None, signed: bool = True) -> list[list[Any]]:
    """Return a formula of a proof file: written as in Python, `old(x)` for entry values; operators of one type.

    `i8(e)` and `u8(e)` convert; so do other widths.
    """
    return _nodes(ast.parse(text, mode="eval").body, [width, signed])


def _nodes(tree: ast.expr, type: list[Any]) -> list[list[Any]]:
    def of(one: ast.expr) -> list[list[Any]]:
        return _nodes(one, type)

    match tree:
        case ast.Constant(bool(value)):
            return [["truth", value]]
        case ast.Constant(int(value)):
            return [["number", str(value)]]
        case ast.Name(name):
            return [["variable", name.replace("__", "@")]]
        case ast.UnaryOp(ast.Not(), one):
            return [*of(one), ["not"]]
        case ast.UnaryOp(ast.USub(), ast.Constant(int(value))):
            return [["number", str(-value)]]
        case ast.BoolOp(operator, [first, *rest]):
            found = of(first)
            for one in rest:
                found = [*found, *of(one), ["logic", _LOGIC[operator.__class__]]]
            return found
        case ast.BinOp(left, operator, right):
            return [*of(left), *of(right), ["arithmetic", _OPERATORS[operator.__class__], *type]]
        case ast.Compare(left, [operator], [right]):
            return [*of(left), *of(right), ["compare", _COMPARISONS[operator.__class__]]]
        case ast.IfExp(condition, then, otherwise):
            return [*of(condition), *of(then), *of(otherwise), ["if"]]
        case ast.Subscript(array, index):
            return [*of(array), *of(index), ["element"]]
        case ast.Call(ast.Name("old"), [ast.Name(name)]):
            return [["variable", f"\\old({name})"]]
        case ast.Call(ast.Name("truth"), [one]):
            return [*of(one), ["convert", "bool"]]
        case ast.Call(ast.Name(name), [one]):
            return [*of(one), ["convert", int(name[1:]), name[0] == "i"]]
    raise ValueError(ast.dump(tree))


def document(program: Program, fields: Mapping[str, Any], excludes: bool = True) -> dict[str, Any]:
    """Return a proof file of a program, as an object."""
    targets = every_target(program) if excludes else ()
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "tool": "a hand",
        "file": program.file,
        "program": fingerprint(program),
        "entry": entry_of(program),
        "targets": [{"name": t.name, "procedure": t.procedure, "location": t.location} for t in targets],
        **({"reading": dict(program.reading)} if program.reading else {}),
        **fields,
    }


def claims(program: Program, said: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """Return invariants: of each procedure what it `requires`, what holds at its `entry`, `exit` and loops `0`, `1`...

    What is not said is true; a place for which nothing is said ("") is left out.
    """
    requires, at = [], []
    for name, own in said.items():
        procedure = program.procedure(name)
        requires.append([name, formula(own.get("requires", "True"))])
        places = {"entry": procedure.entry, "exit": procedure.exit}
        places |= {str(number): head for number, head in enumerate(sorted(loop_heads(procedure)))}
        places |= {key: int(key[1:]) for key in own if key[0] == "@"}
        at += [
            [name, location, formula(own.get(key, "True"))] for key, location in places.items() if own.get(key, "True")
        ]
    return {
        "requires": requires,
        "at": [list(row) for row in {(name, at): [name, at, what] for name, at, what in at}.values()],
    }


def measures(program: Program, said: Mapping[str, Mapping[str, Sequence[str]]]) -> list[Any]:
    """Return measures at loops and entries of procedures."""
    found = []
    for name, own in said.items():
        procedure = program.procedure(name)
        places = {"entry": procedure.entry}
        places |= {str(number): head for number, head in enumerate(sorted(loop_heads(procedure)))}
        found += [[name, places[key], [formula(part) for part in parts]] for key, parts in own.items()]
    return found


def kernel(program: Program, proof: Mapping[str, Any] | str) -> Verdict:
    """Return what the kernel says to a proof of a program."""
    text = proof if isinstance(proof, str) else json.dumps(proof)
    return check(read_program(program_to_kernel(program)), text)


def kernel_of(result: knaster.Result) -> Verdict:
    """Return what the kernel says to the proof of a result."""
    return kernel(result.program, proof_to_text(result))
