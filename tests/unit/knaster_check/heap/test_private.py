"""Which steps nobody else can notice, statement by statement; a wrong yes here would leave states out of a table."""

from __future__ import annotations

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.zing import parse
from knaster_check import read_program
from knaster_check.heap.machine import Machine
from knaster_check.heap.private import is_private

TEXT = """\
interface I {{ int f(); }}; class A : I {{ int v; int f() {{ return 1; }} }}; class D {{ int v = Main.x; }};
struct Pair {{ int a; int b; }};
class Main {{
  static int x; static Pair both;
  static activate void main() {{ int l; int m; Pair p; A a; D d; I i; {0} }}
  static int g(int n) {{ return n; }}
  static int h() {{ return x; }}
}};
"""


def machine_of(statement: str) -> Machine:
    return Machine(read_program(program_to_kernel(parse(TEXT.format(statement)))))


@pytest.mark.parametrize(
    ("statement", "private"),
    [
        ("l = m;", True),
        ("l = m + 1;", True),
        ("p.a = l;", True),
        ("l = p.b;", True),
        ("x = l;", False),
        ("l = x;", False),
        ("both.a = l;", False),
        ("l = both.b;", False),
        ("l = a.v;", False),
        ("a.v = l;", False),
        ("a = new A;", True),
        ("d = new D;", False),
        ("if (l == 0) { m = 1; }", True),
        ("if (x == 0) { m = 1; }", False),
        ("while (l == 0) { m = 1; }", True),
        ("assume(l == 0);", False),
        ("assume(true);", True),
        ("assert(l == 0);", False),
        ("assert(true);", True),
        ("l = g(m);", True),
        ("l = g(x);", False),
        ("l = i.f();", False),
        ('trace("here");', True),
        ("async g(l);", False),
        ("select { wait(l == 0) -> ; }", False),
        ("raise E;", False),
        ("atomic { l = m; }", False),
    ],
)
def test_statements(statement: str, private: bool) -> None:
    machine = machine_of(statement)
    assert is_private(machine, machine.start().threads[0], False) is private


@pytest.mark.parametrize(
    ("statement", "call", "back"),
    [
        ("l = g(m);", True, True),
        ("x = g(m);", True, False),
        ("g(m);", True, True),
        ("p.a = g(m);", True, True),
        ("both.a = g(m);", True, False),
        ("l = h();", True, False),  # the return reads a static
        ("atomic { l = g(m); }", False, False),  # the callee is inside the region, too
    ],
)
def test_calls_and_returns(statement: str, call: bool, back: bool) -> None:
    machine = machine_of(statement)
    memory = machine.start()
    assert is_private(machine, memory.threads[0], False) is call
    machine.step(memory, 1)
    assert len(memory.threads[0]) == 2 and is_private(machine, memory.threads[0], False) is back


def test_a_new_thread_must_not_ask_for_its_number() -> None:
    for statement, new in (("l = self;", False), ("l = m;", True)):
        machine = machine_of(statement)
        frames = machine.start().threads[0]
        assert is_private(machine, frames, False) and is_private(machine, frames, True) is new
