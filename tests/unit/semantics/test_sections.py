"""Sections: a thread gets out of one exactly where some run of it does, also where the section recurses."""

from __future__ import annotations

import random

import pytest

import knaster
from knaster.semantics.sections import leaves_section
from knaster.semantics.threads import Configuration, Threads

TEXT = """decl g;
void main() begin decl x; x := 0; atomic_begin; {body} atomic_end; end
void f(a) begin {callee} end
"""


def inside(body: str, callee: str) -> tuple[Threads, list[Configuration]]:
    program = knaster.parse(TEXT.format(body=body, callee=callee))
    threads = Threads(program)
    here = [start for start in threads.starts() if not start.shared[0]]
    seen = set(here)
    while here and not here[0].section:
        here = [after for each in here for _, after in threads.steps(each) if after not in seen]
    return threads, here


@pytest.mark.parametrize(
    ("body", "callee", "leaves"),
    [
        ("f(0);", "if a then f(a); fi", True),
        ("f(1);", "if a then f(a); fi", False),
        ("f(1);", "f(!a);", False),
        ("f(1);", "if g then skip; else g := *; f(a); fi", True),
        ("f(1); assume(g);", "if * then f(a); fi", False),
        ("f(1); assume(g);", "if * then f(a); g := !g; fi", True),
        ("f(1);", "if a then end_thread; fi f(a);", True),
    ],
)
def test_a_section_that_recurses(body: str, callee: str, leaves: bool) -> None:
    threads, here = inside(body, callee)
    assert here and {leaves_section(threads, each) for each in here} == {leaves}


def test_frames_below_the_section() -> None:
    text = """decl g;
    void main() begin f(1); atomic_end; end
    void f(a) begin atomic_begin; if a then f(0); fi end
    """
    threads = Threads(knaster.parse(text))
    here = next(start for start in threads.starts() if start.shared[0])
    while len(here.stacks[0]) < 3 or not here.section:
        here = next(after for _, after in threads.steps(here))
    assert leaves_section(threads, here)


def by_search(threads: Threads, here: Configuration, most: int) -> bool | None:
    seen, todo = {here}, [here]
    while todo:
        for _, after in threads.steps(todo.pop(0)):
            if not after.section:
                return True
            if after not in seen:
                seen.add(after)
                todo.append(after)
        if len(seen) > most:
            return None
    return False


@pytest.mark.parametrize("seed", range(20))
def test_random_sections(seed: int) -> None:
    rng = random.Random(seed)

    def statement(names: str) -> str:
        name, other = rng.choice(names), rng.choice(names)
        kinds = [f"{name} := {other};", f"{name} := !{other};", f"assume({name});", f"assume(!{name});"]
        kinds += [f"if {name} then f({other}); fi", f"if * then f(!{other}); fi"]
        return rng.choice(kinds)

    body, callee = (" ".join(statement(names) for _ in range(3)) for names in ("gx", "ga"))
    threads, here = inside(body, callee)
    for each in here:
        expected = by_search(threads, each, 300)
        found = leaves_section(threads, each)
        assert found == expected if expected is not None else isinstance(found, bool)


@pytest.mark.parametrize(
    ("main", "middle", "leaves"),
    [
        ("atomic_end;", "skip;", True),
        ("atomic_end;", "assume(g);", False),
        ("L: skip; goto L;", "skip;", False),
        ("L: skip; goto L;", "end_thread;", True),
        ("skip;", "skip;", True),  # with the thread the section ends
        ("assume(g);", "skip;", False),
        ("assume(!g);", "skip;", True),
    ],
)
@pytest.mark.parametrize("others", ["", "void main_0() begin skip; end\n"])
def test_ways_back_through_frames_below_the_section(main: str, middle: str, leaves: bool, others: str) -> None:
    text = f"decl g;\n{others}void main_1() begin middle(); {main} end\nvoid middle() begin low(); {middle} end\n"
    text += "void low() begin atomic_begin; skip; end\nvoid main_2() begin skip; end\n"
    threads = Threads(knaster.parse(text))
    here = [start for start in threads.starts() if not start.shared[0]]
    found = set()
    for each in here:  # grows
        here += [after for _, after in threads.steps(each) if after not in here]
        if each.section and len(each.stacks[each.running]) == 3:
            found.add(leaves_section(threads, each))
    assert found == {leaves}
