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
from knaster.frontends.zing import parse as parse_zing
from knaster_check import Refused, read_program
from knaster_check.program import Program
from knaster_check.refused import Unsupported
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


def numbers(program: Program) -> list[int]:
    """Return which threads atoms may speak of."""
    found = []
    for number in range(5):
        try:
            found.append(meaning_of(program, f"thread({number}).at(L)").thread)
        except Refused:
            continue
    return found  # type: ignore[return-value]


def test_numbers_of_threads_have_bounds() -> None:
    for count in (2, 3):
        text = "".join(f"void main_{n}() begin L: skip; end\n" for n in range(1, count + 1))
        assert numbers(read_program(program_to_kernel(parse(text, "p.bp")))) == list(range(1, count + 1))
    model = "class Main { activate static void main() { L: yield; } };"
    assert numbers(read_program(program_to_kernel(parse_zing(model, "p.zing")))) == [1, 2, 3, 4]


def test_an_expression_has_at_most_a_thousand_tokens() -> None:
    own = read_program(program_to_kernel(parse(TEXT, "p.bp")))
    assert meaning_of(own, "{" + "x&" * 499 + "!x}").condition is not None
    with pytest.raises(Unsupported, match="not understood"):
        meaning_of(own, "{" + "x&" * 500 + "x}")
