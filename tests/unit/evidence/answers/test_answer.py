"""What a result says of its first run."""

from __future__ import annotations

import knaster

WRONG = "int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 42); return 0; }\n"
ENDLESS = "int main(void) { int x = __VERIFIER_nondet_int(); while (x == 3) { x = 3; } return 0; }\n"


def test_the_inputs_of_a_run() -> None:
    said = [(one.name, one.line, one.value) for one in knaster.check(WRONG, file="a.c").inputs]
    assert said == [("__VERIFIER_nondet_int()", 1, 42)]
    endless = knaster.check(ENDLESS, file="a.c", property="termination")
    assert [one.value for one in endless.inputs] == [3]
    assert knaster.check("void main() begin\n  assert(F);\nend\n").inputs == ()
    assert knaster.check(WRONG.replace("x != 42", "x == x"), file="a.c").inputs == ()
