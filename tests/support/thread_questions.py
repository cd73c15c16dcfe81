"""Small programs with threads, and what is known of their infinite runs: program, question, fairness, answer."""

from __future__ import annotations

BUSY = "decl x := 0; void main_1() begin while (!x) do skip; od end void main_2() begin x := 1; end\n"
TAKES = (
    "decl lock := 0; void main_1() begin while (1) do atomic_begin; assume(!lock); lock := 1; atomic_end; "
    "lock := 0; od end void main_2() begin atomic_begin; assume(!lock); lock := 1; atomic_end; R: lock := 0; end\n"
)
LOCALS = "void main_1() begin decl l; assume(l); A: skip; end void main_2() begin decl m; assume(m); B: skip; end\n"
STUCK = "void main_1() begin assume(F); A: skip; end void main_2() begin assume(F); end\n"
DEADLOCK = "decl x := 0; void main_1() begin assume(x); end void main_2() begin skip; end\n"
ENFORCED = (  # with some locals neither can take its first step: it enforces something, or what it calls does
    "decl g := 0; void main_1() begin decl l; enforce(!g); g := l; B: skip; end "
    "void main_2() begin decl l; f(l); D: skip; end void f(x) begin enforce(!x); skip; end\n"
)
STARTED = (
    "decl x := 0; void main() begin start_thread work(); while (!x) do skip; od A: skip; end "
    "void work() begin x := 1; L: while (1) do skip; od end\n"
)
SECTION = (
    "decl x := 0; void main_1() begin atomic_begin; while (!x) do skip; od atomic_end; end "
    "void main_2() begin x := 1; end\n"
)
LOCK = (
    "decl atomic := 0, x := 0; void main_1() begin atomic := 1; while (x) do skip; od atomic := 0; end "
    "void main_2() begin x := 1; end\n"
)
FAILS = "decl x := 0; void main_1() begin while (1) do x := !x; od end void main_2() begin assert(F); end\n"
QUESTIONS = (
    (BUSY, "termination", "none", False),
    (BUSY, "termination", "weak", True),
    (BUSY, "F ended", "strong", True),
    (TAKES, "F R", "none", False),
    (TAKES, "F R", "weak", False),  # the lock is free again and again, and taken again and again
    (TAKES, "F R", "strong", True),
    (DEADLOCK, "termination", "none", True),  # to wait for ever is no infinite run
    (DEADLOCK, "F ended", "strong", False),
    (DEADLOCK, "F G !ended", "weak", True),
    (BUSY, "G F thread(2).in(main_2) | F ended", "none", True),
    (BUSY, "F thread(1).in(main_2)", "none", False),
    (LOCALS, "F (A | B)", "strong", False),  # both may begin with locals with which they wait for ever
    (LOCALS, "F A", "none", False),
    (STUCK, "X F (A | ended)", "none", False),  # the automaton goes on where nobody ever moves
    (ENFORCED, "F (B | D)", "weak", False),
    (SECTION, "termination", "strong", False),  # inside a section nobody asks for fairness
    (SECTION, "F in(main_2)", "none", True),
    (LOCK, "termination", "none", False),
    (LOCK, "F ended", "weak", False),
    (FAILS, "F ended", "weak", True),
    (FAILS, "G F {x}", "weak", False),
)
