"""Programs as abstraction tools write them: many variables in one scope, and drivers of many procedures.

All random choices come from a seeded generator, so a size always gives the same text.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

_WINDOW = 3  # how far apart the predicates lie that one statement relates


def many_variables(variables: int, reachable: bool, seed: int = 2006) -> str:
    """Return a loop of guarded updates over `variables` variables of one scope, as Terminator's models have them.

    The variables come in pairs (p, q) with q = p or q = !p, fixed for each pair; every update keeps that, so ERROR,
    which asks for a broken pair, is unreachable.  With `reachable` one update under a free guard breaks the first pair.
    """
    draw = random.Random(seed)
    count = variables // 2
    signs = ["!" if draw.random() < 0.5 else "" for _ in range(count)]
    shared = [name for pair in range(count // 4) for name in (f"p{pair}", f"q{pair}")]
    own = [name for pair in range(count // 4, count) for name in (f"p{pair}", f"q{pair}")]
    lines = [f"decl {', '.join(shared)};", "", "void main()", "begin", f"  decl {', '.join(own)};"]
    lines += [f"  p{pair}, q{pair} := 0, {1 if signs[pair] else 0};" for pair in range(count)]
    lines.append("  while (*) do")
    free = {1, *draw.sample(range(count), count // 3)}
    blocks = [_havoc(pair, signs) for pair in sorted(free)] + [_update(draw, count, signs) for _ in range(2 * count)]
    draw.shuffle(blocks)
    lines += [line for block in blocks for line in block]
    if reachable:
        lines += ["    if (p1) then", f"      p0, q0 := p1, {'!' if not signs[0] else ''}p1;", "    fi"]
    broken = " | ".join(f"(q{pair} != ({signs[pair]}p{pair}))" for pair in range(count))
    return "\n".join([*lines, "  od", f"  if ({broken}) then", "    ERROR: skip;", "  fi", "end", ""])


def _havoc(pair: int, signs: list[str]) -> list[str]:
    """Return a block that may make one pair arbitrary."""
    return [
        "    if (*) then",
        f"      dead p{pair}, q{pair};",
        f"      p{pair} := *;",
        f"      q{pair} := {signs[pair]}p{pair};",
        "    fi",
    ]


def _update(draw: random.Random, count: int, signs: list[str]) -> list[str]:
    """Return a guarded update of up to three neighbouring pairs."""
    middle = draw.randrange(count)
    near = [pair for pair in range(count) if abs(pair - middle) <= _WINDOW]
    chosen = sorted(draw.sample(near, draw.randint(1, 3)))
    values = [_formula(draw, near) for _ in chosen]
    left = ", ".join(f"p{pair}, q{pair}" for pair in chosen)
    right = ", ".join(f"{value}, {signs[pair]}({value})" for pair, value in zip(chosen, values, strict=True))
    return [f"    if ({_formula(draw, near)}) then", f"      {left} := {right};", "    fi"]


def _formula(draw: random.Random, pairs: list[int]) -> str:
    """Return a random formula of two or three literals over the given pairs."""
    literals = [f"{draw.choice(['', '!'])}{draw.choice('pq')}{draw.choice(pairs)}" for _ in range(draw.randint(2, 3))]
    return f" {draw.choice('&|')} ".join(literals)


@dataclass(slots=True)
class _Body:
    """Lines of one procedure and the number of statements in them."""

    draw: random.Random
    locals: list[str]
    lines: list[str] = field(default_factory=list)
    statements: int = 0
    depth: int = 1

    def add(self, text: str, *, counts: bool = True) -> None:
        self.lines.append("  " * self.depth + text)
        self.statements += counts

    def assign(self) -> None:
        x, y, z = self.draw.sample(self.locals, 3)
        choices = [f"{x} := {y} & !{z};", f"{x} := {y} | {z};", f"{x}, {y} := {y}, {x};", f"{x} := *;", "skip;"]
        self.add(self.draw.choice(choices))

    def critical(self) -> None:
        self.add("acquire();")
        for _ in range(self.draw.randint(1, 3)):
            self.assign()
        self.add(
            self.draw.choice(["pending := *;", "pending, cancelled := cancelled, pending;", "status := !pending;"])
        )
        self.add("release();")

    def branch(self) -> None:
        a, b = self.draw.sample(self.locals, 2)
        self.add(f"if ({self.draw.choice(['*', a, f'{a} & !{b}', f'pending | {a}', 'status'])}) then")
        self.nested()
        self.add("else", counts=False)
        self.nested()
        self.add("fi", counts=False)

    def loop(self) -> None:
        self.add("while (*) do")
        self.nested()
        self.add("od", counts=False)

    def nested(self) -> None:
        self.depth += 1
        for _ in range(self.draw.randint(1, 3)):
            self.assign()
        if self.draw.random() < 0.4:
            self.critical()
        self.depth -= 1

    def call(self, name: str) -> None:
        x, y = self.draw.sample(self.locals, 2)
        self.add(f"{x} := {name}({y});")


def driver(statements: int, reachable: bool, seed: int = 2004) -> str:
    """Return a driver of about `statements` statements, one procedure for each 66, with 5 globals and a lock.

    Every procedure that takes the lock releases it, so no second `acquire` and no idle `release` happens; with
    `reachable` the last procedure may return with the lock held, and main takes it afterwards.  Procedure i may call
    i + 1 on a path that only `*` decides, so the last one is reachable.
    """
    draw = random.Random(seed)
    count = max(2, statements // 66 - 4)
    lines = ["decl locked, irql, pending, cancelled, status;", ""]
    main = ["decl s;", "locked, irql := 0, 0;", "s := dispatch0(*);", "acquire();", "release();"]
    lines += ["void main()", "begin", *(f"  {line}" for line in main), "end", ""]
    lines += ["void slic_error()", "begin", "  ERROR: skip;", "end", ""]
    lines += _lock_procedure("acquire", "locked", "1") + _lock_procedure("release", "!locked", "0")
    for index in range(count):
        body = _Body(draw, [f"v{number}" for number in range(draw.randint(3, 6))] + ["argument"])
        if reachable and index == count - 1:
            body.add("v0 := *;")
            body.add("if (v0) then")
            body.add("  acquire();")
            body.add("  return v0;")
            body.add("fi", counts=False)
        _fill(body, index, count, statements // (count + 2) - body.statements)
        lines += [f"bool dispatch{index}(argument)", "begin", f"  decl {', '.join(body.locals[:-1])};"]
        lines += [*body.lines, "end", ""]
    return "\n".join(lines)


def _lock_procedure(name: str, wrong: str, after: str) -> list[str]:
    test = [f"  if ({wrong}) then", "    slic_error();", "  fi"]
    return [f"void {name}()", "begin", *test, f"  locked, irql := {after}, {after};", "end", ""]


def _fill(body: _Body, index: int, count: int, statements: int) -> None:
    while body.statements < statements - 3:
        later = range(index + 1, min(count, index + 9))
        match body.draw.choices(["assign", "critical", "branch", "loop", "call"], [6, 2, 3, 1, 2 if later else 0])[0]:
            case "assign":
                body.assign()
            case "critical":
                body.critical()
            case "branch":
                body.branch()
            case "loop":
                body.loop()
            case _:
                body.call(f"dispatch{body.draw.choice(later)}")
    if index + 1 < count:
        body.add("if (*) then")
        body.depth += 1
        body.call(f"dispatch{index + 1}")
        body.depth -= 1
        body.add("fi", counts=False)
    body.add(f"return {body.draw.choice(body.locals)};")
