"""Random programs of C with floating-point numbers, whose inputs choose among a few numbers: all runs can be tried."""

from __future__ import annotations

from random import Random

NUMBERS = ("0.0", "-0.0", "1.0", "-1.5", "0.1", "3.5", "1e30", "-1e-40", "INFINITY", "NAN", "2147483648.0", "255.9")
_HEAD = """#include <math.h>
#include <assert.h>
struct pair {{ float x; double y; }};
static double total = 0.5;
static double pick(int n) {{ if (n == 0) return {0}; if (n == 1) return {1}; if (n == 2) return {2}; return {3}; }}
static double mix(double *p, double q) {{ *p = *p + q; return *p * 0.5; }}
int main(void) {{
  int choice = nondet_int();
  if (choice < 0 || choice > 3) return 0;
  double a = pick(choice), b = {4};
  float f = (float)a, g = {5}f;
  int n = choice, i = 0;
  double row[3] = {{ 1.0, a, 0.25 }};
  struct pair s = {{ 0.5f, 2.0 }};
"""
_NAMES = ("a", "b", "f", "g", "row[1]", "row[n & 1]", "s.x", "s.y", "total")
_FUNCTIONS = ("fabs", "floor", "ceil", "trunc", "round", "rint", "fabsf", "sqrtf")
_TESTS = ("isnan", "isinf", "isfinite")


class _Making:
    """One program while it is made."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def number(self, depth: int) -> str:
        """Return an expression of a floating-point type."""
        random = self.random
        if depth == 0 or random.random() < 0.2:
            return random.choice((*_NAMES, "0.5", "1.0f", "2.0", "0.1f", "n", "(float)n"))
        one, other = self.number(depth - 1), self.number(depth - 1)
        match random.randrange(9):
            case 0:
                return f"(-{one})" if not one.startswith("n") else f"(-(double){one})"
            case 1:
                return f"{random.choice(_FUNCTIONS)}({one})"
            case 2:
                return f"({self.truth(depth - 1)} ? {one} : {other})"
            case 3:
                return f"({random.choice(('float', 'double'))}){one}"
            case _:
                return f"((float)({one}) {random.choice('+-+-*/')} {other})"

    def truth(self, depth: int) -> str:
        """Return a condition."""
        random = self.random
        if depth and random.random() < 0.3:
            return f"({self.truth(depth - 1)} {random.choice(('&&', '||'))} {self.truth(depth - 1)})"
        match random.randrange(8):
            case 0:
                return f"{random.choice(_TESTS)}({random.choice(_NAMES)})"
            case 1:
                return f"!{random.choice(_NAMES)}"
            case 2:
                return random.choice(_NAMES)
            case 3:
                return f"!({self.number(1)} < {self.number(1)})"
            case _:
                sign = random.choice(("<", "<=", ">", ">=", "==", "!="))
                return f"{self.number(depth)} {sign} {self.number(1)}"

    def statement(self, depth: int) -> str:
        """Return a statement."""
        random = self.random
        match random.randrange(10):
            case 0 if depth:
                return f"if ({self.truth(1)}) {{ {self.block(depth)} }} else {{ {self.block(depth)} }}"
            case 1 if depth:
                return f"for (i = 0; i < {random.randint(1, 3)}; i++) {{ {self.block(0)} }}"
            case 2:
                return f"assert({self.truth(1)});"
            case 3:
                return f"if ({self.truth(0)}) n = ({random.choice(('int', 'unsigned char'))}){self.number(1)};"
            case 4:
                target, place = random.choice(("a", "b", "total")), random.choice(("a", "b", "total", "s.y"))
                return f"{target} = mix(&{place}, {self.number(1)});"
            case _:
                return f"{random.choice(_NAMES)} = {self.number(2)};"

    def block(self, depth: int) -> str:
        """Return some statements."""
        return " ".join(self.statement(max(0, depth - 1)) for _ in range(self.random.randint(1, 2)))


def program(random: Random, statements: int) -> str:
    """Return the text of a program."""
    making = _Making(random)
    lines = [f"  {making.statement(2)}" for _ in range(statements)]
    numbers = [random.choice(NUMBERS) for _ in range(5)]
    head = _HEAD.format(*numbers, random.choice(("0.5", "1.0", "16777216.0")))
    lines += [f"  assert({making.truth(1)});", "  return 0;", "}"]
    return "\n".join(["extern int nondet_int(void);", head.rstrip(), *lines, ""])
