"""A run as C: compiled with gcc's sanitizers, the program comes to the same first error at the same line."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import knaster
from knaster.evidence.answers.answer import Reachable
from knaster.report.harness import harness

SANITIZERS = ("-w", "-g", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
PROGRAMS = {
    "bounds of an array": """extern int in(void);
int main(void) {
  int a[4] = {0}, i = in(), j = in();
  if (i < 2 || i > 5 || j != i + 1) return 0;
  return a[i];
}
""",
    "a freed object": """#include <stdlib.h>
extern int in(void);
int main(void) {
  int *p = malloc(sizeof *p);
  *p = in();
  if (*p == 1234) free(p);
  return *p == 1234;
}
""",
    "a null pointer from outside": """struct s { int x; int y; };
extern struct s *make(void);
int main(void) {
  struct s *p = make();
  if (p) return 0;
  return p->y;
}
""",
    "floating-point inputs": """extern double real(void);
extern float single(void);
int main(void) {
  int a[2] = {1, 2};
  double d = real();
  int i = d > 0.5 ? 2 : 0;
  return single() < 0 ? a[i] : 0;
}
""",
    "arguments of main": """int main(int argc, char **argv) {
  char a[3] = "ab";
  if (argc < 3 || argv[2][0] != '-' || argv[2][1] != 'q') return 0;
  int n = argv[1][0] - '0';
  if (n < 3 || n > 9) return 0;
  return a[n];
}
""",
    "a division": """extern unsigned char in(void);
int main(void) {
  unsigned char c = in();
  return 7 % (c - 200);
}
""",
}
LINES = {"bounds of an array": 5, "a freed object": 7, "a null pointer from outside": 6}
LINES |= {"floating-point inputs": 7, "arguments of main": 6, "a division": 4}


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_compiled_program_comes_to_the_same_error(name: str, tmp_path: Path) -> None:
    source, own, binary = tmp_path / "p.c", tmp_path / "h.c", tmp_path / "p"
    source.write_text(PROGRAMS[name])
    result = knaster.check(source, engine="search")
    ((target, answer),) = [(t, a) for t, a in result.answers if isinstance(a, Reachable)]
    assert target.line == LINES[name] and answer.trace is not None
    own.write_text(harness(result.program, answer.trace))
    subprocess.run(["gcc", *SANITIZERS, source, own, "-o", binary], check=True)
    done = subprocess.run([binary], capture_output=True, text=True, check=False)
    places = re.findall(r"p\.c:(\d+)", done.stderr)
    assert done.returncode and places and int(places[0]) == LINES[name], done.stderr


def test_what_cannot_be_set_from_outside_is_said() -> None:
    text = "int main(void) { volatile int v = 0; int a[2] = {0}, i; if (v != 3) return 0; return a[i]; }\n"
    result = knaster.check(text, file="p.c")
    assert result.trace is not None
    written = harness(result.program, result.trace)
    assert "'v (volatile)' changes by itself; it must be 3LL there" in written and "'i' is not initialised" in written
