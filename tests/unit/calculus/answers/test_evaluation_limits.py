"""Limits and interruptions: what is known stays, nothing goes wrong afterwards; and nothing stays in memory."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from knaster.base.limits import OutOfBudget
from knaster.bdd.store import Store
from knaster.calculus import Session, Symbolic, evaluate, parse
from knaster.calculus.answers.outcomes import Truth, Unanswered
from knaster.calculus.fixpoints.allocate import allocate
from knaster.calculus.fixpoints.compile import Compiler
from knaster.calculus.fixpoints.machine import Machine
from knaster.calculus.fixpoints.simplify import PythonSimplifier
from support.machines import count_looks

REACH = """
enum S { 0..63 };
bool T(S s, S t) t = s + 1;
mu bool Reach(S s) s = 0 | (exists S t. Reach(t) & T(t, s));
"""
SLOW = "enum S { 0..65535 }; mu bool R(S s) s = 0 | (exists S t. R(t) & s = t + 1); 1; #ons R; R(1);"


def test_a_time_limit_keeps_what_was_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    count_looks(monkeypatch)
    solution = evaluate(parse(SLOW), timeout=1000)
    reason = "the time limit of 1000 s was reached"
    assert solution.answers == (Truth("1", 1, True), Unanswered("#ons R", 1, reason), Unanswered("R(1)", 1, reason))
    assert solution.reason == reason and solution.queries == [True] and reason in repr(solution)
    assert evaluate(parse("1;")).reason == ""


def test_a_memory_limit() -> None:
    assert evaluate(parse(SLOW), memory=1).reason == "the memory limit of 1 MB was reached"


def test_a_limit_before_the_first_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given relations are built when they are first needed, so that a limit holds there, too."""
    system = parse("enum S { 0..1023 }; bool f(S s, S t); 1; exists S s. f(s, s);")
    count_looks(monkeypatch)
    solution = evaluate(system, relations={"f": lambda s, t: True}, timeout=100)
    assert solution.reason and solution.queries in ([], [True])


def test_progress_is_told() -> None:
    said: list[str] = []
    evaluate(parse(f"{REACH}#ons Reach;"), progress=said.append)
    assert "line 5: #ons Reach" in said[0] and "round 1 of 'Reach'" in said[1]
    assert len(said) >= 64


class Stopped(Exception):
    """The user has had enough."""


def ticks(text: str) -> int:
    """Return how often `tick` is called."""
    count = 0

    def tick() -> None:
        nonlocal count
        count += 1

    evaluate(parse(text), tick=tick)
    return count


@pytest.mark.parametrize(
    ("small", "large", "least"),
    [
        ("1;", f"exists bool x. {' & '.join(['(x | ! x | x)'] * 500)};", 500),  # planning
        (f"{REACH}Reach(63);", f"{REACH}#wit Reach(63);", 64 * 3),  # a witness
        (
            "class C { bool b[9]; }; bool f(C c, C d) c ~- d c = d; #size f;",
            "class C { bool b[9]; }; bool f(C c, C d) c ~- d c = d; #dump f;",
            1 << 9,  # every node
        ),
    ],
)
def test_no_long_loop_goes_without_a_tick(small: str, large: str, least: int) -> None:
    assert ticks(large) - ticks(small) >= least


def test_simplification_ticks_at_every_level() -> None:
    calls: list[None] = []
    store = Store(9)
    parity = store.false
    for index in range(9):
        parity = parity ^ store.var(index)
    PythonSimplifier(store, lambda: calls.append(None)).assume(parity, store.var(0) | store.var(1))
    assert len(calls) >= 9


def test_given_tuples_are_counted_too() -> None:
    calls: list[None] = []
    system = parse("enum S { 0..31 }; bool f(S s, S t); exists S s. f(s, s);")
    evaluate(system, relations={"f": lambda s, t: s == t}, tick=lambda: calls.append(None))
    assert len(calls) > 1 << 10


@pytest.mark.parametrize("error", [Stopped, OutOfBudget, KeyboardInterrupt])
def test_a_session_goes_on_after_an_interruption(error: type[BaseException]) -> None:
    """Wherever it is stopped: half of a machine's values would be new, the others old."""
    text = """
        enum S { 0..7 };
        bool T(S s, S t) t = s + 1 | (s = 5 & t = 2);
        nu bool Y(S s);
        mu bool B(S s) (s = 3 & Y(s)) | (exists S t. T(s, t) & B(t));
        nu bool Y(S s) exists S t. T(s, t) & B(t);
        #ons Y; #ons B; #wit Y(0); forall S s. Y(s) -> s < 6;
    """
    expected = evaluate(parse(text)).answers
    total = ticks(text)
    for stop in range(1, total, max(1, total // 60)):
        left = iter(range(stop))
        stopped: list[None] = []

        def tick(left: Iterator[int] = left, stopped: list[None] = stopped) -> None:
            if not stopped and next(left, None) is None:
                stopped.append(None)
                raise error

        session = Session(parse(text), tick=tick)
        try:
            found = list(session.answers())
        except (Stopped, KeyboardInterrupt):
            found = []
        assert stopped
        assert len(found) in (0, len(expected))
        assert tuple(session.answers()) == expected


def test_a_machine_forgets_what_it_was_doing() -> None:
    """After both calls are read anew and the disjunction is not, going back to one old value must not see a new one."""
    system = parse("bool A(bool a); bool B(bool a); bool C(bool a) A(a) | B(a);")
    allocation = allocate(system.variables, system.predicates.values(), ())
    store = Store(allocation.count)
    compiler = Compiler(store, allocation, system.predicates)
    root = compiler.body(system.predicates["C"], frozenset({"A", "B"}))
    left = [1000]

    def tick() -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Stopped

    machine = Machine(store, root, PythonSimplifier(store), tick)
    assert machine.run({"A": store.false, "B": store.false}) == store.false
    left[0] = 1
    with pytest.raises(Stopped):
        machine.run({"A": store.true, "B": store.true})
    left[0] = 1000
    assert machine.run({"A": store.false, "B": store.var(0)}) == store.var(0)
    assert machine.run({"A": store.var(0), "B": store.false}) == store.var(0)


PLAIN = f"{REACH}Reach(7); #ons Reach; #dump Reach;"
FEATURES = {
    "plain": PLAIN,
    "witness": f"{REACH}#wit Reach(7); #cex forall S s. ! Reach(s);",
    "simplified": "bool f(bool a, bool b) a; exists bool a. (f(a, 0) assume a) & (f(a, 1) cofactor a) & (a <+> 0);",
    "nested": "nu bool Y(); mu bool A() Y(); mu bool B() A() | B(); nu bool Y() B(); #wit Y(); Y();",
    "diverging": "mu bool Q(bool s) s & ! Q(s); exists bool s. Q(s);",
    "out of time": SLOW,
    "given": "enum S { 0..3 }; bool T(S s); exists S s. T(s);",
}


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("feature", FEATURES)
@pytest.mark.usefixtures("no_collector")
def test_a_store_dies_with_its_solution(feature: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line switches the collector off: a cycle would keep every store of a batch."""
    count_looks(monkeypatch)
    given = {"T": Symbolic(lambda store, places: store.var(places[0][0]))} if feature == "given" else {}
    solution = evaluate(
        parse(FEATURES[feature]),
        relations=given,
        record=True,
        progress=lambda text: None,
        timeout=1000,
        tick=lambda: None,
    )
    solver = solution.session._solver
    assert solver is not None
    store = weakref.ref(solver.store)
    machines = [weakref.ref(machine) for machine in solver._machines.values()]
    del solver, solution
    assert store() is None and not any(machine() for machine in machines)


@pytest.mark.usefixtures("no_collector")
def test_a_store_dies_with_an_interrupted_session() -> None:
    left = iter(range(50))

    def tick() -> None:
        if next(left, None) is None:
            raise Stopped

    session = Session(parse(PLAIN), tick=tick)
    try:
        list(session.answers())
    except Stopped:
        assert session._solver is not None
        store = weakref.ref(session._solver.store)
    del session
    assert store() is None
