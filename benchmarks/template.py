"""T(N), the paper's performance test, and straight-line code.

Ball, Rajamani, Bebop (SPIN 2000), section 4 and Figure 4: one global g; main calls level1 twice; level<i> runs a 3-bit
counter over its locals where g holds and otherwise calls level<i+1> twice (the last level skips twice); at its end it
negates g.  So every level negates g, by induction from the last, and main leaves g as it was.
"""

from __future__ import annotations

import random

_LEVEL = """\
void level{0}()
begin
  decl a, b, c;
  if (g) then
    a, b, c := 0, 0, 0;
    while (!a | !b | !c) do
      if (!a) then
        a := 1;
      else
        if (!b) then
          a, b := 0, 1;
        else
          if (!c) then
            a, b, c := 0, 0, 1;
          else
            skip;
          fi
        fi
      fi
    od
  else
    {1};
    {1};
  fi
  g := !g;
end
"""


def template(levels: int, reachable: bool) -> str:
    """Return T(levels); its ERROR is reached where g starts as 0, or asks whether main can change g."""
    declarations = [] if reachable else ["  decl h;", "  h := g;"]
    main = [
        "decl g;",
        "",
        "void main()",
        "begin",
        *declarations,
        "  level1();",
        "  level1();",
        f"  if ({'!g' if reachable else 'g != h'}) then",
        "    ERROR: skip;",
        "  else",
        "    skip;",
        "  fi",
        "end",
        "",
    ]
    calls = [f"level{level + 1}()" for level in range(1, levels)] + ["skip"]
    return "\n".join(main + [_LEVEL.format(level, call) for level, call in enumerate(calls, 1)])


def straight_line(statements: int, reachable: bool, seed: int = 2000) -> str:
    """Return so many assignments without a branch; the answer is computed along the way.

    Six locals start with x0 = x1; each assignment `x := x ^ f(others)` is a bijection of their 64 valuations, so 32
    stay reachable.  A variable's value is followed for all 64 starts at once, as one 64-bit number.
    """
    draw = random.Random(seed)
    names = [f"x{index}" for index in range(6)]
    every = (1 << 64) - 1
    values = [sum(1 << start for start in range(64) if start >> index & 1) for index in range(6)]
    lines = ["void main()", "begin", f"  decl {', '.join(names)};", "  assume x0 = x1;"]
    possible = every ^ values[0] ^ values[1]
    for _ in range(statements):
        x, y, z = draw.sample(range(6), 3)
        if draw.random() < 0.5:
            values[x] ^= values[y] & values[z]
            lines.append(f"  x{x} := x{x} ^ (x{y} & x{z});")
        else:
            values[x] ^= every ^ (values[y] | values[z])
            lines.append(f"  x{x} := x{x} ^ !(x{y} | x{z});")
    reached = {
        sum((value >> start & 1) << index for index, value in enumerate(values))
        for start in range(64)
        if possible >> start & 1
    }
    wanted = draw.choice([valuation for valuation in range(64) if (valuation in reached) == reachable])
    condition = " & ".join(name if wanted >> index & 1 else f"!{name}" for index, name in enumerate(names))
    return "\n".join([*lines, f"  if ({condition}) then", "    ERROR: skip;", "  fi", "end", ""])
