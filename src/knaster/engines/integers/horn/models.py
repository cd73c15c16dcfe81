"""Reads a model of the Horn clauses, as Spacer gives it, as invariants and requirements of the program."""

from __future__ import annotations

from collections.abc import Mapping

from knaster.engines.integers.horn.clauses import Encoding
from knaster.evidence.proofs.invariants import Invariants, of_entry
from knaster.program.algebra import conjunction
from knaster.program.expression import TRUE, Compare, Comparison, Expr, Var
from knaster.program.model import Place, old
from knaster.program.types import Type
from knaster.smt.horn import Meaning
from knaster.smt.read_back import negate, read
from knaster.smt.terms import Formula


def read_invariants(encoding: Encoding, model: Mapping[str, Meaning], missing: Expr = TRUE) -> Invariants:
    """Return a model of the clauses as invariants of the program; `missing` stands for relations that it leaves out."""
    program = encoding.program
    requires: dict[str, Expr] = {}
    at: dict[Place, Expr] = {}
    for name, own in encoding.columns.items():
        procedure = program.procedure(name)
        variables, entry = encoding.formulas.variables[name], encoding.entry[name]
        given = [variables[column] if column in own.rigid else entry[column] for column in own.entry]
        names: dict[int, tuple[Expr, Type]] = {
            term.value.get_id(): (Var(column), term.type) for column, term in variables.items()
        }
        names |= {entry[column].value.get_id(): (Var(old(column)), entry[column].type) for column in own.entry}
        values = [term.value for term in given]
        requires[name] = _read_requirement(encoding, name, model, values, names, missing)
        kept = [*(g for g in program.globals if g not in encoding.changed[name]), *procedure.parameters]
        same: list[Expr] = [
            Compare(Comparison.EQUAL, Var(v), Var(old(v))) for v in kept if v in program.globals or v in own.rigid
        ]
        for location, now in own.now.items():
            if (name, location) in encoding.at:
                known = model.get(f"{name}@{location}")
                told = [*values, *(variables[column].value for column in now)]
                at[name, location] = conjunction(
                    dict.fromkeys([*same, missing if known is None else read(known.of(told), names)])
                )
            else:  # the entry
                begun = [
                    Compare(Comparison.EQUAL, Var(v), Var(old(v))) for v in (*program.globals, *procedure.parameters)
                ]
                at[name, location] = conjunction(dict.fromkeys(begun))
    return Invariants(program, requires, at)


def _read_requirement(
    encoding: Encoding,
    name: str,
    model: Mapping[str, Meaning],
    values: list[Formula],
    names: Mapping[int, tuple[Expr, Type]],
    missing: Expr,
) -> Expr:
    """Return what a procedure requires of its entry values."""
    if name == encoding.main and not encoding.columns[name].entry:
        return of_entry(encoding.program.init)
    if name not in encoding.calls:
        return TRUE
    label = f"{name}@{'in' if encoding.down else 'bad'}"
    meaning = read(model[label].of(values), names) if label in model else missing
    return of_entry(meaning if encoding.down else negate(meaning))
