"""Random Boolean programs for transactions, as text: threads that take a lock, recurse, and share two globals.

They recurse as often as two bits say, so that all their states are finitely many; `endless` ones as often as they
choose, mostly inside a transaction.  Every check is a label.
"""

from __future__ import annotations

from random import Random

_HEAD = "decl m, u, v;\ninit (!m & !u & !v);\n"
_TAIL = """void acquire() begin atomic_begin; assume(!m); m := T; atomic_end; end
bool get() begin return u; end
"""


def random_boolean_transactions(rng: Random, endless: bool) -> str:
    """Return a random program."""
    author = _Author(rng)
    threads = [f"void main_{n}() begin decl l; {author.body(endless)} end" for n in ("one", "two")]
    return _HEAD + "\n".join([*threads, author.endless() if endless else author.counted()]) + "\n" + _TAIL


class _Author:
    def __init__(self, rng: Random) -> None:
        self.rng, self.labels = rng, 0

    def body(self, endless: bool) -> str:
        rng = self.rng
        call = "foo(*);" if endless else f"foo({rng.choice('TF')}, {rng.choice('TF')});"
        parts = [self.statement() for _ in range(rng.randint(0, 2))]
        parts.insert(rng.randint(0, len(parts)), call)
        parts.append(self.section(self.check()) if rng.random() < 0.7 else self.check())
        return " ".join(parts)

    def counted(self) -> str:
        before, last, after = (self.statement() if self.rng.random() < 0.5 else "skip;" for _ in range(3))
        again = "if (a) then foo(F, b); else if (b) then foo(F, F); else {} fi fi"
        return f"void foo(a, b) begin decl l; {before} {again.format(last)} {after} end"

    def endless(self) -> str:
        rng = self.rng
        before, after = (self.local() if rng.random() < 0.6 else "skip;" for _ in range(2))
        before += " " + self.data() if rng.random() < 0.08 else ""
        last = self.section(self.data()) if rng.random() < 0.6 else self.statement()
        again = rng.choice(["foo(a);", "foo(!a);", "foo(*);"])
        choice = f"if ({rng.choice('*a')}) then {again} else {last} fi"
        return f"void foo(a) begin decl l; l := a; {before} {choice} {after} end"

    def section(self, *statements: str) -> str:
        """Return statements under the lock; seldom it is not taken, or not released."""
        rng = self.rng
        take = "acquire();" if rng.random() < 0.5 else "atomic_begin; assume(!m); m := T; atomic_end;"
        take = take if rng.random() < 0.96 else ""
        return f"{take} {' '.join(statements)} {'m := F;' if rng.random() < 0.96 else ''}"

    def local(self) -> str:
        return self.rng.choice(["l := !l;", "l := *;", "if (l) then l := F; fi", "while (l) do l := *; od", "skip;"])

    def data(self) -> str:
        rng = self.rng
        simple = ["v := T;", "v := !v;", "l := v;", "v := l;", f"v := {rng.choice('TF')};", self.check()]
        others = ["u := T;", "l := u;", "u := l;", "u, v := v, u;", "l := get();", "u := get();", "u := *;"]
        return rng.choice(simple if rng.random() < 0.6 else others)

    def check(self) -> str:
        self.labels += 1
        return f"if ({self.rng.choice(['v', '!v', 'u', '!u', 'l', 'u & v', 'v & !u'])}) then X{self.labels}: skip; fi"

    def statement(self) -> str:
        rng = self.rng
        roll = rng.random()
        if roll < 0.35:
            return self.section(*(self.data() for _ in range(rng.randint(1, 2))))
        if roll < 0.42:
            return f"atomic_begin; {self.data()} {self.data()} atomic_end;"
        if roll < 0.55:
            return self.local()
        if roll < 0.8:
            return self.data()
        waits = ["assume(u);", "assume(!u & v);", "assume(*);"]
        return rng.choice([*waits, "while (u) do l := v; od", "m := F;", "end_thread;"])
