"""Functions of the library: what the reader of C knows by name, the machine can do."""

from __future__ import annotations

import knaster
from knaster.frontends.c.memory import calls
from knaster.program.memory import bytes_of
from knaster.semantics.memory.actions import FUNCTIONS, Codes
from knaster.semantics.memory.explore import run_machine
from knaster.semantics.memory.inputs import Candidates, Numbers
from knaster.semantics.memory.machine import END, Machine, to_raw
from knaster.semantics.memory.objects import GLOBAL, Object


def test_the_machine_can_do_what_the_reader_calls() -> None:
    assert FUNCTIONS.keys() >= calls._LIBRARY
    assert {"va_start", "va_arg", "va_copy", "va_end"} <= FUNCTIONS.keys()
    assert {f"overflow {sign} s32" for sign in ("add", "sub", "mul")} <= FUNCTIONS.keys()


def test_numbers_are_made_cells_once() -> None:
    """The image of an object is what its initial values write; addresses and values that overlap have none."""
    text = """#include <assert.h>
char word[8] = "ab"; int numbers[3] = {-1, 2}; _Bool yes = 1; int *where = &numbers[1];
struct { char c; short s; } pair = {'x', 7};
union { int i; char c[4]; } both = {.c = {1, 2}};
int main(void) {
  assert(word[1] == 'b' && word[7] == 0 && numbers[0] == -1 && *where == 2 && yes && pair.s == 7 && both.i == 513);
  word[0] = 0; numbers[0] = 5;
  return __VERIFIER_nondet_int() == 3;
}
"""
    program = knaster.parse(text, file="a.c")
    assert program.memory is not None
    codes = Codes(program)
    for _ in range(2):  # the second machine begins as the first did, whatever that one wrote
        machine = Machine(codes, Candidates(Numbers(program), ()))
        for declared in program.memory.objects:
            written = Object("", declared.size, GLOBAL, zeroed=True)
            for offset, type, value in codes.initial(declared):
                written.write(offset, bytes_of(type), to_raw(value(machine, machine.frame), type))
            assert machine.objects[machine.globals[declared.name].base].cells == written.cells
        assert run_machine(machine, {}, 1000, lambda: None).kind == END
    images = {declared.name: codes.image(declared) for declared in program.memory.objects}
    assert images["where"] is None and images["numbers"] == {0: (4, 2**32 - 1), 4: (4, 2)}
