"""Statements to edges.  Nesting is followed by `descent`, not by Python's stack.

One location is one step of Zing: an assignment, a call, a choice, an assert, an assume, a send, a start, a trace, the
test of an if or a while, a goto, an empty statement, the end of an atomic block, a select.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from knaster.base.trampoline import Steps
from knaster.frontends.zing.assignments import Assignments
from knaster.frontends.zing.body import Body
from knaster.frontends.zing.graph import SKIP, Draft, Label, Try
from knaster.frontends.zing.joins import Joins
from knaster.frontends.zing.kinds import words
from knaster.frontends.zing.lexer import REFUSED, is_name
from knaster.frontends.zing.mistakes import Unexpected
from knaster.frontends.zing.nested_calls import calls
from knaster.frontends.zing.operators import Operand
from knaster.frontends.zing.single_steps import SingleSteps
from knaster.program.expression import Arithmetic, Compare, Comparison, Const, Index, IntegerOperator, SizeOf, Var
from knaster.program.objects import ArrayCell, Join, Mode, SetCell, Store
from knaster.program.types import Int


class Statements:
    """Reads blocks and branches, and leaves what they are made of to others."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.expressions, self.mistakes, self.words = body.expressions, body.mistakes, body.words
        self.kinds, self.tokens = body.kinds, body.tokens
        self.single, self.assignments, self.joins = SingleSteps(body), Assignments(body), Joins(body)
        self._nested: Mapping[str, Callable[[int], Steps[int]]] = {
            "{": self._block,
            "if": self._if,
            "while": self._while,
            "atomic": self._atomic,
            "select": self._select,
            "foreach": self._foreach,
            "try": self._try,
        }

    def block(self, at: int) -> Steps[int]:
        """Read statements up to the brace that closes them; return the token behind it."""
        self.expressions.scope.locals.append({})
        while self.words[at] != "}":
            if not self.words[at]:
                raise Unexpected(at, "'}'")
            start = at
            try:
                at = yield self.statement(at)
            except Unexpected as error:
                self.mistakes.report_unexpected(error)
                at = self._recover(max(start, error.at))
        self.expressions.scope.locals.pop()
        return at + 1

    def _recover(self, at: int) -> int:
        """Return the token behind the statement that was given up."""
        depth = 0
        while self.words[at]:
            if self.words[at] in "{":
                depth += 1
            elif self.words[at] == "}":
                if depth == 0:
                    return at
                depth -= 1
                if depth == 0:
                    return at + 1
            elif self.words[at] == ";" and depth == 0:
                return at + 1
            at += 1
        return at

    def statement(self, at: int) -> Steps[int]:
        """Read one statement with its labels; return the token behind it."""
        while self.words[at] == "[" or (is_name(self.words[at]) and self.words[at + 1] == ":"):
            if self.words[at] == "[":
                at = self.mistakes.behind_attribute(at)
                continue
            self._label(at)
            at += 2
        word = self.words[at]
        behind: int
        if word in self._nested:
            behind = yield self._nested[word](at)
            return behind
        if word == ";":
            self.body.graph.step(SKIP, self.body.span(at, at + 1))
            return at + 1
        if word in REFUSED:
            raise Unexpected(at, "a statement")
        handler = self.single.handlers.get(word)
        behind = handler(at) if handler is not None else self.assignments.read(at)
        if self.words[behind] != ";":
            raise Unexpected(behind, "';'")
        return behind + 1

    def _label(self, at: int) -> None:
        graph = self.body.graph
        label = Label(None, graph.region)
        if self.words[at] in graph.labels:
            self.mistakes.add(at, f"the label '{self.words[at]}' is there twice")
        graph.labels[self.words[at]] = label
        graph.waiting.append(label)

    def _block(self, at: int) -> Steps[int]:
        graph = self.body.graph
        if self.words[at + 1] == "}":
            graph.step(SKIP, self.body.span(at, at + 2))
            return at + 2
        graph.begin_scope()
        behind: int = yield self.block(at + 1)
        graph.end_scope()
        return behind

    def _if(self, at: int) -> Steps[int]:
        graph = self.body.graph
        condition, behind = self.body.condition(at + 1)
        yes, no = graph.branch(condition, self.body.span(at, behind))
        graph.open = [yes]
        end: int = yield self.statement(behind)
        if self.words[end] != "else":
            graph.open.append(no)
            return end
        after, graph.open = graph.open, [no]
        waiting, graph.waiting = graph.waiting, []
        end = yield self.statement(end + 1)
        graph.open += after
        graph.waiting += waiting
        return end

    def _while(self, at: int) -> Steps[int]:
        graph = self.body.graph
        condition, behind = self.body.condition(at + 1)
        head = len(graph.scopes)  # where the calls of the condition begin, or its test
        yes, no = graph.branch(condition, self.body.span(at, behind))
        graph.open = [yes]
        end: int = yield self.statement(behind)
        graph.lead(graph.open, head)
        graph.open = [no]
        return end

    def _atomic(self, at: int) -> Steps[int]:
        graph = self.body.graph
        self.body.expect(at + 1, "{")
        before = graph.begin_region()
        graph.begin_scope()
        behind: int = yield self.block(at + 2)
        graph.end_scope()
        graph.end_region(before, self.body.span(behind - 1, behind))
        return behind

    def _select(self, at: int) -> Steps[int]:
        graph = self.body.graph
        start, may_end, mode = at, False, Mode.ANY
        at += 1
        while self.words[at] in ("end", "first", "visible"):
            may_end |= self.words[at] == "end"
            mode = Mode.FIRST if self.words[at] == "first" else mode
            at += 1
        self.body.expect(at, "{")
        at += 1
        location = graph.enter()
        after: list[Draft] = []
        if self.words[at] == "}":
            self.mistakes.add(start, "a select has at least one branch")
        while self.words[at] != "}":
            first = at
            waits, receives, at = self.joins.read(at)
            self.body.expect(at, "->")
            join = Join(tuple(waits), tuple(receives), mode, may_end)
            graph.open = [graph.add(location, join, self.body.span(first, at))]
            at = yield self.statement(at + 1)
            after += graph.open
        graph.open = after
        return at + 1

    def _foreach(self, at: int) -> Steps[int]:
        """Read `foreach (T x in e) s`: a hidden counter, a test, an assignment, the body."""
        graph = self.body.graph
        self.body.expect(at + 1, "(")
        kind, name = at + 2, at + 3
        self.body.expect(at + 4, "in")
        graph.begin_scope()
        self.expressions.scope.locals.append({})
        collection, behind = self.expressions.read(at + 5)
        self.body.expect(behind, ")")
        span = self.body.span(at, behind + 1)
        if calls(collection.expr):
            kept = self.assignments.fresh(f"{self.words[name]}'in", collection.type)
            graph.step(Store((Var(kept),), collection.expr), span)
            collection = Operand(Var(kept), collection.type, collection.at)
        cell = self.kinds.collection(collection.type)
        if not isinstance(cell, ArrayCell | SetCell):
            if collection.type is not None:
                self.mistakes.add(collection.at, f"this is {words(collection.type)}, no array and no set")
            cell = None
        variable = self.assignments.declare(kind, name)
        if cell is not None:
            place = Operand(Var(variable), self.body.types.get(variable), kind)
            self.expressions.operators.take(place, cell.element, kind, f"the elements are {words(cell.element)}")
        counter = self.assignments.fresh(f"{self.words[name]}'index", Int(32))
        graph.step(Store((Var(counter),), Const(0)), span)
        size = SizeOf(collection.expr, self.tokens.span(collection.at))
        yes, no = graph.branch(Compare(Comparison.LESS, Var(counter), size), span)
        graph.open = [yes]
        element = Index(collection.expr, Var(counter), self.tokens.span(collection.at))
        graph.step(Store((Var(variable),), element), span)
        end: int = yield self.statement(behind + 1)
        one = Arithmetic(IntegerOperator.ADD, Var(counter), Const(1), Int(32), span)
        graph.step(Store((Var(counter),), one), span)
        graph.lead(graph.open, yes.source)
        graph.open = [no]
        self.expressions.scope.locals.pop()
        graph.end_scope()
        return end

    def _try(self, at: int) -> Steps[int]:
        graph = self.body.graph
        self.body.expect(at + 1, "{")
        block = Try(graph.trying)
        graph.blocks.append(block)
        graph.trying = len(graph.blocks) - 1
        graph.begin_scope()
        at = yield self.block(at + 2)
        graph.end_scope()
        graph.trying = block.outer
        self.body.expect(at, "with")
        self.body.expect(at + 1, "{")
        at += 2
        after = graph.open
        while self.words[at] != "}":
            if self.words[at] != "*" and not is_name(self.words[at]):
                raise Unexpected(at, "the name of an exception, or '*'")
            exception = None if self.words[at] == "*" else self.words[at]
            self.body.expect(at + 1, "->")
            graph.open = []
            handler = len(graph.scopes)
            at = yield self.statement(at + 2)
            block.handlers.append((exception, handler))
            after = after + graph.open
        graph.open = after
        return at + 1
