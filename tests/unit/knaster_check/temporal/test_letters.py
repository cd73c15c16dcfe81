"""What atoms mean to the kernel, against what they mean to Knaster."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from knaster.automata.ltl_parser import parse_ltl
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.evidence.questions.letters import meanings_of
from knaster.evidence.questions.question import Temporal
from knaster.frontends.boolean import parse
from knaster_check import Refused, read_program
from knaster_check.temporal.letters import meaning_of

TEXT = """decl x, y, z;
void main()
begin
  L: x := y;
  M: f();
  if (x) then L2: skip; fi
end
void f()
begin
  L: skip;
  y := z;
end
"""


def test_places() -> None:
    program = parse(TEXT, "dir/p.bp")
    other = read_program(program_to_kernel(program))
    for atom in ("at(L)", "at(main.L)", "f.L", "L2", "in(f)", "in(main)", "at(p.bp:5)", "at(11)", "ended", "M"):
        mine, theirs = meaning_of(other, atom), meanings_of(program, Temporal(parse_ltl(atom)))[atom]
        assert (mine.places, mine.ended) == (theirs.places, theirs.ended), atom
    for atom in (
        "at(N)",
        "in(g)",
        "at(q.bp:5)",
        "at(99)",
        "of(L)",
        "thread(1).at(L)",
        "N",
        "{w}",
        "{x &}",
        "{(x}",
        "{*}",
    ):
        with pytest.raises(Refused):
            meaning_of(other, atom)


def test_expressions() -> None:
    random, program = Random(3), parse(TEXT, "p.bp")
    other = read_program(program_to_kernel(program))
    operators = ("&", "|", "^", "=", "!=", "=>", "->", "&&", "||", "==")
    for _ in range(150):
        words = [random.choice(("x", "!y", "z", "(x | !z)", "T", "0", "~(y => x)"))]
        for _ in range(random.randrange(4)):
            words += [random.choice(operators), random.choice(("x", "y", "!(z)", "F", "1"))]
        atom = "{" + " ".join(words) + "}"
        text = parse_ltl(atom).text  # type: ignore[union-attr]
        mine, theirs = meaning_of(other, text), meanings_of(program, Temporal(parse_ltl(atom)))[text]
        for values in product((False, True), repeat=3):
            state = dict(zip("xyz", values, strict=True))
            assert mine.holds([], state, False) is theirs.holds(None, state), atom


def test_threads_have_numbers() -> None:
    program = parse("void main() begin L: skip; start_thread goto B; B: skip; end\n", "p.bp")
    other = read_program(program_to_kernel(program))
    assert meaning_of(other, "thread(1).at(L)").thread == 1
    assert meaning_of(other, "thread(1).at(L)").holds([(1, ("main", 0))], {}, False)
    assert not meaning_of(other, "thread(1).at(L)").holds([(2, ("main", 0))], {}, False)
    assert meaning_of(other, "at(L)").holds([(2, ("main", 0))], {}, False)
    with pytest.raises(Refused, match="no such thread"):
        meaning_of(other, "thread(2).at(L)")
