"""Calls of C with memory: what asks for memory may fail where `malloc` says so."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.evidence.answers.answer import Reachable, Verdict

UNGUARDED = """#include <stdlib.h>
int main(void) { int *p = CALL; *p = 3; return *p; }
"""
GUARDED = """#include <stdlib.h>
#include <assert.h>
int main(void) {
  int *p = malloc(sizeof *p);
  if (!p) return 1;
  *p = 3;
  int *q = realloc(p, 8);
  if (!q) { assert(*p == 3); free(p); return 2; }
  assert(q[0] == 3);
  free(q);
  return 0;
}
"""


@pytest.mark.parametrize("call", ["malloc(8)", "calloc(2, 4)", "realloc(0, 8)", '(int *)strdup("abcd")'])
def test_what_asks_for_memory_returns_null_only_where_it_may_fail(call: str) -> None:
    text = "#include <string.h>\n" + UNGUARDED.replace("CALL", call)
    assert knaster.check(text, file="a.c", property="memory").verdict is Verdict.TRUE
    found = knaster.check(text, file="a.c", property="memory", malloc="may-fail")
    assert found.verdict is Verdict.FALSE
    assert [target.name.split(":")[0] for target, answer in found.answers if isinstance(answer, Reachable)] == ["null"]
    assert [value.value for value in found.inputs if "fails" in value.name] == [True]


def test_a_program_that_looks_at_null_is_safe_and_a_block_outlives_a_realloc_that_fails() -> None:
    result = knaster.check(GUARDED, file="a.c", malloc="may-fail")
    assert result.verdict is Verdict.TRUE and ("malloc", "may-fail") in result.program.reading
    careless = knaster.check(GUARDED.replace("if (!q) {", "if (!q) { *q = 1;"), file="a.c", malloc="may-fail")
    assert careless.verdict is Verdict.FALSE


def test_a_mistake_in_the_option_is_refused() -> None:
    with pytest.raises(UsageError, match="choose one of succeeds, may-fail"):
        knaster.check(GUARDED, file="a.c", malloc="never")


def test_what_is_no_constant_of_a_pointer_is_told() -> None:
    text = "int main(void) { int x = 1; int *p = &x; if (__builtin_constant_p(*p)) reach_error(); return 0; }\n"
    assert knaster.check(text, file="a.c", property="reach").verdict.value == "TRUE"  # it was an internal error


@pytest.mark.parametrize("name", ["inf", "inff", "huge_val", "huge_valf"])
def test_a_constant_of_the_compiler_is_one_by_its_whole_name_alone(name: str) -> None:
    text = "int main(void) {{ double x = {0}(); if (x == 2.0) reach_error(); return 0; }}\n"
    own = f"double {name}(void); " + text.format(name)
    assert knaster.check(own, file="a.c", property="reach").verdict.value == "FALSE"  # it was TRUE
    assert knaster.check(text.format(f"__builtin_{name}"), file="a.c", property="reach").verdict.value == "TRUE"
