"""Words of threads in C: pthreads, threads of C11, sections of verifiers, labels that start a thread.

A word becomes one step of the machine (`Library`), or several: a wait for a condition is the step that gives the mutex
back and the one that takes it again.  Where a file has threads, every read of memory is a step of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.trampoline import Steps
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.memory.arithmetic import Result, is_pointer
from knaster.frontends.c.tree import nodes
from knaster.program.expression import Choice, Var
from knaster.program.memory import Invoke, Library
from knaster.program.types import BOOL, Int

if TYPE_CHECKING:
    from knaster.frontends.c.memory.calls import Calls

_PLAIN = """pthread_create thrd_create pthread_exit thrd_exit pthread_self thrd_current pthread_equal thrd_equal
pthread_join thrd_join pthread_detach thrd_detach pthread_key_create pthread_getspecific pthread_setspecific
pthread_key_delete tss_create tss_get tss_set tss_delete pthread_mutex_init mtx_init pthread_mutex_destroy mtx_destroy
pthread_mutex_lock mtx_lock pthread_mutex_trylock mtx_trylock pthread_mutex_unlock mtx_unlock pthread_mutexattr_init
pthread_mutexattr_settype pthread_mutexattr_destroy pthread_spin_init pthread_spin_lock pthread_spin_trylock
pthread_spin_unlock pthread_spin_destroy pthread_cond_init cnd_init pthread_cond_destroy cnd_destroy pthread_cond_signal
cnd_signal pthread_cond_broadcast cnd_broadcast pthread_rwlock_init pthread_rwlock_destroy pthread_rwlock_rdlock
pthread_rwlock_wrlock pthread_rwlock_tryrdlock pthread_rwlock_trywrlock pthread_rwlock_unlock sem_init sem_destroy
sem_wait sem_trywait sem_post sem_getvalue pthread_cancel pthread_testcancel pthread_setcancelstate
pthread_barrier_init pthread_barrier_destroy pthread_attr_init
pthread_attr_destroy pthread_attr_setdetachstate pthread_attr_setstacksize pthread_yield sched_yield thrd_yield"""
_IDLE = "sleep usleep nanosleep thrd_sleep"  # only in programs with threads
_WAITS = {
    "pthread_cond_wait": "wait_end", "cnd_wait": "wait_end", "pthread_cond_timedwait": "timed_wait_end",
    "cnd_timedwait": "timed_wait_end",
}  # fmt: skip
_ONCE = ("pthread_once", "call_once")
_BARRIER = "pthread_barrier_wait"
_ENDS = ("pthread_exit", "thrd_exit")
PLAIN = frozenset(_PLAIN.split())
WORDS = PLAIN | {*_WAITS, *_ONCE, _BARRIER}
ORDER = "__knaster_order"  # of our header: the memory order of what follows
ANY = "__knaster_any"  # of our header: true or false
_SEQUENTIAL = 5
SECTIONS = {
    "__knaster_section_begin": "section_begin",
    "__knaster_section_end": "section_end",
    **{
        f"{tool}_atomic_{end}": f"section_{end}"
        for tool in ("__VERIFIER", "__CPROVER", "__ESBMC")
        for end in ("begin", "end")
    },
}
_YIELDS = ("__ESBMC_yield", "__VERIFIER_yield")
ATOMIC = "__VERIFIER_atomic_"  # functions whose names begin so are sections
ASYNC = "__CPROVER_ASYNC_"


def has_threads(file: nodes.File) -> bool:
    """Tell whether a file has threads, or words that only threads need."""
    todo: list[Any] = [function.body for function in file.functions]
    while todo:
        found = todo.pop()
        if isinstance(found, nodes.Call) and found.name in WORDS:
            return True
        if isinstance(found, nodes.Label) and found.name.startswith(ASYNC):
            return True
        todo += memory.parts(found)
    return False


def reads_memory(node: Any, registers: set[nodes.Object]) -> bool:
    """Tell whether evaluating an expression may read something that is no variable of the model."""
    todo = [node]
    while todo:
        found = todo.pop()
        if isinstance(found, nodes.Name):
            if found.object not in registers:
                return True
        elif isinstance(found, nodes.Subscript | nodes.Field | memory.Dereference):
            return True
        todo += memory.parts(found)
    return False


class ThreadCalls:
    """The words of threads in one function."""

    def __init__(self, calls: Calls) -> None:
        self.calls = calls
        self.expressions = calls.expressions

    def knows(self, name: str) -> bool:
        """Tell whether a function is a word of threads here."""
        threaded = self.expressions.unit.threaded
        return (
            name in WORDS
            or name in SECTIONS
            or name in (ORDER, ANY)
            or name in _YIELDS
            or (threaded and name in _IDLE.split())
        )

    def call(self, node: nodes.Call, wanted: bool) -> Steps[Result]:
        """Perform a word of threads; return its result where it is wanted."""
        name = node.name
        if name == ORDER:
            return self.order(node)
        if name == ANY:
            fails = self.expressions.temporary(BOOL, "fails")
            self.expressions.assign(fails, Choice(BOOL, self.expressions.span, "a failure without a reason"))
            return Result(Var(fails), node.type)
        if name in SECTIONS or name in _YIELDS:
            if name in SECTIONS:
                self.emit(SECTIONS[name], (), None)
            return self.expressions.values.constant(0)
        given: list[Result] = yield self.expressions.operands(node.arguments)
        if name in _WAITS:
            places = tuple(value.expr for value in given[:2])
            statements = self.expressions.statements
            if _WAITS[name] == "wait_end" and not (statements is not None and statements.continues):
                message = f"'{name}' stands in no loop, and may return without a signal; here it does not"
                self.expressions.unit.note_once(message, self.expressions.span)
            self.emit("wait_begin", places, None)
            return self.calls.library(_WAITS[name], given[:2], node.type, wanted)
        if name in _ONCE:
            return self.once(given, node)
        if name == _BARRIER:
            ticket = self.expressions.temporary(Int(32), "ticket")
            self.emit("barrier_arrive", (given[0].expr,), ticket)
            arrived = Result(Var(ticket), node.type)
            return self.calls.library("barrier_leave", [given[0], arrived], node.type, wanted)
        found = self.calls.library(name, given, node.type, wanted)
        if name in _ENDS:
            self.expressions.graph.here = None
        return found

    def order(self, node: nodes.Call) -> Result:
        """Refuse a memory order under which threads may see steps in another order than they are taken."""
        order: Any = node.arguments[0]
        while isinstance(order, nodes.Convert):
            order = order.operand
        if self.expressions.unit.threaded and not (isinstance(order, nodes.Number) and order.value == _SEQUENTIAL):
            hint = "use memory_order_seq_cst"
            self.expressions.unit.problem("a memory order weaker than seq_cst is not read", self.expressions.span, hint)
        return self.expressions.values.constant(0)

    def begin(self) -> None:
        """Let nobody interrupt what follows."""
        self.emit("section_begin", (), None)

    def end(self) -> None:
        """Let others run again."""
        self.emit("section_end", (), None)

    def emit(self, name: str, arguments: tuple[Any, ...], target: str | None) -> None:
        """Add a step of the machine."""
        action = Library(name, arguments, target, None)
        self.expressions.graph.emit(action, self.expressions.span)

    def once(self, given: list[Result], node: nodes.Call) -> Result:
        """Call a function where nobody has called it before."""
        expressions, graph = self.expressions, self.expressions.graph
        function = given[1]
        if not is_pointer(function.type) or function.type.form is None:
            return expressions.problem("this is no function", node)
        first, yes, end = expressions.temporary(BOOL, "once"), graph.new(), graph.new()
        self.emit("once_begin", (given[0].expr,), first)
        graph.branch(Var(first), yes, end, expressions.span)
        graph.place(yes)
        graph.emit(Invoke(function.expr, (), (None,), function.type.form), expressions.span)
        self.emit("once_end", (given[0].expr,), None)
        graph.place(end)
        return expressions.values.constant(0)
