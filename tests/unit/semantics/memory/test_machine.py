"""Which undefined step the use of a wrong pointer is."""

from __future__ import annotations

import pytest

import knaster

TEXT = """struct n { int v; int far[2000]; struct n *next; };
int main(void) {
  struct n a, *p = &a;
  a.next = 0;
  int i = %s;
  return %s;
}
"""


@pytest.mark.parametrize(
    ("index", "use", "kind"),
    [
        ("0", "p->next->v", "null"),
        ("0", "p->next->far[9]", "null"),
        ("__VERIFIER_nondet_int()", "i == 7 ? p->next->far[i] : 0", "null"),
        ("0", "p->next->next->v", "invalid-pointer"),  # 8,008 bytes away
        ("0", "p->next->far[-9]", "null"),
        ("0", "*(int *) 70000", "invalid-pointer"),
        ("__VERIFIER_nondet_int()", "i == 1500 ? p->next->far[i] : 0", "invalid-pointer"),
    ],
)
@pytest.mark.parametrize("engine", ["search", "paths", "regions"])
def test_parts_of_what_is_null_are_null(index: str, use: str, kind: str, engine: str) -> None:
    if "70000" in use and engine == "regions":
        pytest.skip("numbers that are made pointers are not taken")
    result = knaster.check(TEXT % (index, use), file="a.c", property="memory", engine=engine)
    reached = [target.name for target, answer in result.answers if isinstance(answer, knaster.Reachable)]
    assert reached == [f"{kind}:6"] or reached == [f"{kind}:6:{reached[0].split(':')[-1]}"]
