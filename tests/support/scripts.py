"""Answers of z3 and of cvc5 to scripts of SMT-LIB, which each of them reads by itself."""

from __future__ import annotations

from typing import Any


def answers_of_z3(text: str) -> list[str]:
    """Return what z3 says to each question of a script."""
    import z3

    context = z3.Context()
    said = str(z3.Z3_eval_smtlib2_string(context.ref(), "(set-option :timeout 20000)\n" + text))
    assert "error" not in said, said
    return said.split()


def answers_of_cvc5(text: str) -> list[str]:
    """Return what cvc5 says to each question of a script."""
    import cvc5

    solver: Any = cvc5.Solver()
    solver.setOption("incremental", "true")
    solver.setOption("arrays-exp", "true")
    solver.setOption("tlimit-per", "20000")
    parser: Any = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "script")
    symbols, said = parser.getSymbolManager(), []
    while not (command := parser.nextCommand()).isNull():
        said.append(str(command.invoke(solver, symbols)))
    found = "".join(said)
    assert "error" not in found, found
    return found.split()
