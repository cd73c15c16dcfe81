"""The native reader of long texts: what it takes, it reads as `ProgramReader` does; what it does not take is refused.

Every edge with its span, every label and every name is compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from knaster.base.errors import Problem, SourceError
from knaster.frontends.boolean import DIALECTS, columns, parse, programs
from knaster.frontends.boolean.columns import read_columns
from knaster.frontends.boolean.printer import to_text
from knaster.frontends.boolean.programs import ProgramReader
from knaster.native.library import open_library
from knaster.program.expression import postorder
from knaster.program.model import Assign, Program
from support import ROOT
from support.generators.boolean_programs import LARGE, random_program
from support.generators.boolean_texts import random_text
from support.generators.damaged_texts import mutate

pytestmark = pytest.mark.skipif(open_library("boolean") is None, reason="the native library is not compiled")

EXAMPLES = [path.read_text() for path in sorted((ROOT / "examples").rglob("*.bp"))]
STATEMENTS = """decl g, h;
void main()
begin
  decl x, call; // a comment; with := in it
  L: M: x, h := !g & (x | T) => 0, x ? * : g = 1;
  if (schoose[x, g]) then call := f(x, x != g); else f(g, g -> h); g(); fi
  while (*) do goto L, 17; od;
  if (x) then skip elsif (h) then assert !x else /* two
  lines */ assume g fi
  17: ;
  assert x
    ^ h;
  LAST:
end
bool f(a, b) begin return a; if (b) then return ~b fi; return 1 end
bool<2> g() begin return 0, g; end
decl late;
"""
UNUSUAL = (
    "void main() begin x := 1; end",  # not declared
    "decl x; void main() begin decl x; skip; end",  # hides a global
    "decl x, x; void main() begin skip; end",
    "decl x; void main() begin x, x := 1, 0; end",
    "decl x; void main() begin x := 1, 0; end",
    "decl x; void main() begin x := 'x; end",
    "decl x; void main() begin x := 1 constrain x; end",
    "decl x := 1; void main() begin skip; end",
    "void main() begin goto L; end",
    "void main() begin L: skip; L: skip; goto L; end",
    "void main() begin if (1) then skip; end",
    "void main() begin if (1) then skip; od end",
    "void main() begin if (1) then else else skip; fi end",
    "void main() begin else skip; fi end",
    "void main() begin skip end void main() begin skip end",
    "void main() begin f(); end",
    "void f(x) begin skip; end void main() begin f(); end",
    "bool f() begin return; end void main() begin f(); end",
    "f() begin skip; end void main() begin decl x; x := f(); end",
    "void main() begin return\n skip; end",
    "void main() begin skip skip; end",
    "void main() begin skip; end /* no end",
    "void main() begin ASYNC_a: f(); end void f() begin skip; end",
    "void thread1() begin skip; end void thread2() begin skip; end",
    "void main() begin skip; end void init() begin skip; end",
    "decl atomic; void main() begin skip; end",
    "decl é; void main() begin skip; end",
    "decl {a b}; void main() begin skip; end",
    "bool<12345> main() begin skip; end",
    "void main() begin wait; end",
    "void main() begin \x0c skip; end",
    "void main() begin",
    "decl x",
    "",
)


def everything(program: Program) -> object:
    """Return what comparing programs leaves out, too."""
    edges = [[(edge, edge.span, edge.origin) for edge in one.edges] for one in program.procedures]
    rest = program.file, program.source, program.language, program.initializer, program.reading, program.errors
    return program, rest, [(one.span, one.size) for one in program.procedures], edges


def read_plainly(text: str, dialect: str) -> Program | None:
    """Return what the reader in Python makes of a text about which it has nothing to say."""
    notes: list[Problem] = []
    reader = ProgramReader(text, dialect, notes)
    program = reader.read("file")
    return None if reader.problems or notes else program


def is_read_alike(text: str, dialect: str) -> bool:
    """Compare both readers; tell whether the native one took the text."""
    found = read_columns(text, "file", dialect)
    if found is not None:
        plain = read_plainly(text, dialect)
        assert plain is not None, text
        assert everything(found) == everything(plain), text
    return found is not None


def random_texts() -> Iterator[str]:
    for seed in range(60):
        yield random_text(Random(seed))
        yield to_text(random_program(Random(seed), LARGE))


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_every_statement_that_it_knows_is_read_as_in_python(dialect: str) -> None:
    assert is_read_alike(STATEMENTS, dialect)


def test_examples_and_random_programs_are_read_as_in_python() -> None:
    assert sum(is_read_alike(text, "default") for text in EXAMPLES) > 5
    assert sum(is_read_alike(text, "boppo") for text in random_texts()) > 0


def test_damaged_texts_are_refused_or_read_as_in_python() -> None:
    texts, taken = [*EXAMPLES, STATEMENTS], 0
    for seed in range(400):
        rng = Random(seed)
        damaged = mutate(rng, rng.choice((STATEMENTS, rng.choice(texts)[:3000])), texts)
        plain = damaged.replace("\r\n", "\n").replace("\r", "\n")
        taken += is_read_alike(plain, rng.choice(sorted(DIALECTS)))
    assert taken > 10


@pytest.mark.parametrize("text", UNUSUAL)
def test_what_is_unusual_is_left_to_python(text: str) -> None:
    assert (read_columns(text, "file", "default") is None) == (text != "")


def test_equal_statements_of_a_long_text_are_one_action() -> None:
    body = "x := x ^ (y & !x); y := *; x := * & y; " * 400
    program = parse(f"decl x, y; void main() begin {body} end")
    actions = [edge.action for edge in program.procedures[0].edges]
    assert len({id(action) for action in actions[0::3]}) == len({id(action) for action in actions[1::3]}) == 1
    assert len({id(action) for action in actions[2::3]}) == 400  # a choice inside an expression is its own


def test_deep_nesting_and_long_lists_take_no_more_than_their_size() -> None:
    deep = "if (x) then skip; else " * 20_000 + "skip; " + "fi " * 20_000
    program = read_columns(f"decl x; void main() begin {deep} end", "file", "default")
    assert program is not None
    assert program.size == 60_001
    program = read_columns(f"decl x; void main() begin x := {'!(' * 5000}x{')' * 5000}; end", "file", "default")
    assert program is not None
    (edge,) = program.procedures[0].edges
    assert isinstance(edge.action, Assign)
    assert sum(1 for _ in postorder(edge.action.values[0])) == 5001


def test_without_the_library_python_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    text = STATEMENTS + "// " + "long " * programs.LONG
    native = parse(text)
    monkeypatch.setattr(columns, "_library", lambda: None)
    assert everything(parse(text)) == everything(native)


def test_a_long_text_with_a_mistake_is_refused_with_its_place() -> None:
    with pytest.raises(SourceError, match="'z' is not declared"):
        parse(STATEMENTS + "// " + "long " * programs.LONG + "\nvoid p() begin z := 1; end")
