"""Statements to edges.  Nesting is followed by `descent`, not by Python's stack.

One location is one step of Zing: an assignment, a call, a choice, an assert, an assume, a send, a start, a trace, the
test of an if or a while, a goto, an empty statement, the end of an atomic block, a select.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from knaster.descent import Steps
from knaster.errors import Span
from knaster.frontends.zing.calls import Calls
from knaster.frontends.zing.expressions import Callee, Expressions
from knaster.frontends.zing.graph import SKIP, Draft, Graph, Label, Try
from knaster.frontends.zing.kinds import BASIC, Method, words
from knaster.frontends.zing.lexer import REFUSED, is_name, is_text, text_of
from knaster.frontends.zing.mistakes import Mistakes, Unexpected
from knaster.frontends.zing.operators import Operand
from knaster.hints import did_you_mean
from knaster.program.expression import Arithmetic, Compare, Comparison, Const, Expr, Index, IntegerOperator, SizeOf, Var
from knaster.program.model import Assume
from knaster.program.objects import ArrayCell, ChannelCell, Choose, Join, Mode, Print, Raise, Send, SetCell, Store
from knaster.program.types import BOOL, Enumeration, Int, Type, default


class Statements:
    """Reads the body of one method after another."""

    def __init__(self, expressions: Expressions, mistakes: Mistakes) -> None:
        self.expressions = expressions
        self.kinds = expressions.kinds
        self.mistakes = mistakes
        self.tokens = mistakes.tokens
        self.words = mistakes.tokens.spellings
        self.graph = Graph()
        self.types: dict[str, Type] = {}
        self.method: Method | None = None
        self.calls = Calls(expressions, mistakes)
        self._handlers: Mapping[str, Callable[[int], int]] = {
            "goto": self._goto,
            "return": self._return,
            "assert": self._assert,
            "assume": self._assume,
            "send": self._send,
            "async": self._async,
            "trace": self._trace,
            "raise": self._raise,
            "yield": self._yield,
        }
        self._nested: Mapping[str, Callable[[int], Steps[int]]] = {
            "{": self._block,
            "if": self._if,
            "while": self._while,
            "atomic": self._atomic,
            "select": self._select,
            "foreach": self._foreach,
            "try": self._try,
        }

    def begin(self, method: Method, graph: Graph, types: dict[str, Type]) -> None:
        """Read the following statements into `graph`, as the body of `method`."""
        self.method, self.graph, self.types = method, graph, types
        self.calls.graph = graph

    def span(self, first: int, behind: int) -> Span:
        """Return where a statement stands, without the token that ends it."""
        return self.tokens.stretch(first, max(first, behind - 1))

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
                self.mistakes.unexpected(error)
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
        while is_name(self.words[at]) and self.words[at + 1] == ":":
            self._label(at)
            at += 2
        word = self.words[at]
        behind: int
        if word in self._nested:
            behind = yield self._nested[word](at)
            return behind
        if word == ";":
            self.graph.step(SKIP, self.span(at, at + 1))
            return at + 1
        if word in REFUSED or word == "[":
            if word == "[":
                self.mistakes.add(at, "attributes are not read by Knaster", "delete them")
            raise Unexpected(at, "a statement")
        handler = self._handlers.get(word)
        behind = handler(at) if handler is not None else self._simple(at)
        if self.words[behind] != ";":
            raise Unexpected(behind, "';'")
        return behind + 1

    def _label(self, at: int) -> None:
        label = Label(None, self.graph.region)
        if self.words[at] in self.graph.labels:
            self.mistakes.add(at, f"the label '{self.words[at]}' is there twice")
        self.graph.labels[self.words[at]] = label
        self.graph.waiting.append(label)

    # Blocks and branches

    def _block(self, at: int) -> Steps[int]:
        if self.words[at + 1] == "}":
            self.graph.step(SKIP, self.span(at, at + 2))
            return at + 2
        self.graph.begin_scope()
        behind: int = yield self.block(at + 1)
        self.graph.end_scope()
        return behind

    def _body(self, at: int) -> Steps[int]:
        """Read the statement that an if, a while or a foreach rules."""
        behind: int = yield self.statement(at)
        return behind

    def _condition(self, at: int) -> tuple[Expr, int]:
        """Read `(e)`; return the token behind it."""
        self._expect(at, "(")
        operand, behind = self.expressions.read(at + 1)
        self._expect(behind, ")")
        self.expressions.operators.require(operand, BOOL, "a condition is a bool")
        return operand.expr, behind + 1

    def _if(self, at: int) -> Steps[int]:
        condition, behind = self._condition(at + 1)
        yes, no = self.graph.branch(condition, self.span(at, behind))
        self.graph.open = [yes]
        behind = yield from self._body(behind)
        if self.words[behind] != "else":
            self.graph.open.append(no)
            return behind
        after, self.graph.open = self.graph.open, [no]
        waiting, self.graph.waiting = self.graph.waiting, []
        behind = yield from self._body(behind + 1)
        self.graph.open += after
        self.graph.waiting += waiting
        return behind

    def _while(self, at: int) -> Steps[int]:
        condition, behind = self._condition(at + 1)
        yes, no = self.graph.branch(condition, self.span(at, behind))
        self.graph.open = [yes]
        behind = yield from self._body(behind)
        self.graph.lead(self.graph.open, yes.source)
        self.graph.open = [no]
        return behind

    def _atomic(self, at: int) -> Steps[int]:
        self._expect(at + 1, "{")
        before = self.graph.begin_region()
        self.graph.begin_scope()
        behind: int = yield self.block(at + 2)
        self.graph.end_scope()
        self.graph.end_region(before, self.span(behind - 1, behind))
        return behind

    def _select(self, at: int) -> Steps[int]:
        start, may_end, mode = at, False, Mode.ANY
        at += 1
        while self.words[at] in ("end", "first", "visible"):
            may_end |= self.words[at] == "end"
            mode = Mode.FIRST if self.words[at] == "first" else mode
            at += 1
        self._expect(at, "{")
        at += 1
        location = self.graph.enter()
        after: list[Draft] = []
        if self.words[at] == "}":
            self.mistakes.add(start, "a select has at least one branch")
        while self.words[at] != "}":
            first = at
            waits, receives, at = self._join(at)
            self._expect(at, "->")
            join = Join(tuple(waits), tuple(receives), mode, may_end)
            self.graph.open = [self.graph.add(location, join, self.span(first, at))]
            at = yield self.statement(at + 1)
            after += self.graph.open
        self.graph.open = after
        return at + 1

    def _join(self, at: int) -> tuple[list[Expr], list[tuple[Expr, Expr]], int]:
        """Read the patterns of one branch."""
        waits: list[Expr] = []
        receives: list[tuple[Expr, Expr]] = []
        while True:
            match self.words[at]:
                case "wait":
                    condition, at = self.calls.wait(at + 1)
                    waits.append(condition)
                case "receive":
                    receive, at = self._receive(at)
                    receives.append(receive)
                case "timeout":
                    at += 1
                case "event":
                    raise Unexpected(at, "wait, receive or timeout")
                case _:
                    raise Unexpected(at, "wait, receive or timeout")
            if self.words[at] != "&&":
                return waits, receives, at
            at += 1

    def _receive(self, at: int) -> tuple[tuple[Expr, Expr], int]:
        self._expect(at + 1, "(")
        channel, at = self.expressions.read(at + 2)
        element = self._channel(channel)
        self._expect(at, ",")
        place, behind = self.calls.place(at + 1)
        self._expect(behind, ")")
        if not self.kinds.fits(place.type, element):
            self.mistakes.add(place.at, f"the channel carries {words(element)}, this is {words(place.type)}")
        return (channel.expr, place.expr), behind + 1

    def _channel(self, operand: Operand) -> Type | None:
        cell = self.kinds.collection(operand.type)
        if isinstance(cell, ChannelCell):
            return cell.element
        if operand.type is not None:
            self.mistakes.add(operand.at, f"this is {words(operand.type)}, no channel")
        return None

    def _foreach(self, at: int) -> Steps[int]:
        """Read `foreach (T x in e) s`: a hidden counter, a test, an assignment, the body."""
        self._expect(at + 1, "(")
        kind, name = at + 2, at + 3
        self._expect(at + 4, "in")
        self.graph.begin_scope()
        self.expressions.scope.locals.append({})
        collection, behind = self.expressions.read(at + 5)
        self._expect(behind, ")")
        cell = self.kinds.collection(collection.type)
        if not isinstance(cell, ArrayCell | SetCell):
            if collection.type is not None:
                self.mistakes.add(collection.at, f"this is {words(collection.type)}, no array and no set")
            cell = None
        variable = self._declare(kind, name)
        if cell is not None and not self.kinds.fits(self.types.get(variable), cell.element):
            self.mistakes.add(kind, f"the elements are {words(cell.element)}")
        counter = self.fresh(f"{self.words[name]}'index", Int(32))
        span = self.span(at, behind + 1)
        self.graph.step(Store((Var(counter),), Const(0)), span)
        size = SizeOf(collection.expr, self.tokens.span(collection.at))
        yes, no = self.graph.branch(Compare(Comparison.LESS, Var(counter), size), span)
        self.graph.open = [yes]
        element = Index(collection.expr, Var(counter), self.tokens.span(collection.at))
        self.graph.step(Store((Var(variable),), element), span)
        behind = yield from self._body(behind + 1)
        one = Arithmetic(IntegerOperator.ADD, Var(counter), Const(1), Int(32), span)
        self.graph.step(Store((Var(counter),), one), span)
        self.graph.lead(self.graph.open, yes.source)
        self.graph.open = [no]
        self.expressions.scope.locals.pop()
        self.graph.end_scope()
        return behind

    def _try(self, at: int) -> Steps[int]:
        self._expect(at + 1, "{")
        block = Try(self.graph.trying)
        self.graph.blocks.append(block)
        self.graph.trying = len(self.graph.blocks) - 1
        self.graph.begin_scope()
        at = yield self.block(at + 2)
        self.graph.end_scope()
        self.graph.trying = block.outer
        self._expect(at, "with")
        self._expect(at + 1, "{")
        at += 2
        after = self.graph.open
        while self.words[at] != "}":
            if self.words[at] != "*" and not is_name(self.words[at]):
                raise Unexpected(at, "the name of an exception, or '*'")
            exception = None if self.words[at] == "*" else self.words[at]
            self._expect(at + 1, "->")
            self.graph.open = []
            handler = len(self.graph.scopes)
            at = yield self.statement(at + 2)
            block.handlers.append((exception, handler))
            after = after + self.graph.open
        self.graph.open = after
        return at + 1

    # Statements of one step

    def _goto(self, at: int) -> int:
        if not is_name(self.words[at + 1]):
            raise Unexpected(at + 1, "a label")
        draft = self.graph.step(SKIP, self.span(at, at + 2))
        self.graph.open = []
        self.graph.jumps.append((draft, at + 1, self.words[at + 1]))
        return at + 2

    def _return(self, at: int) -> int:
        assert self.method is not None
        if self.words[at + 1] == ";":
            if self.method.result is not None:
                self.mistakes.add(
                    at, f"'{self.method.name}' returns {words(self.method.result)}", "write return VALUE;"
                )
            self.graph.leave(self.results(None), self.span(at, at + 1))
            return at + 1
        found, behind = self.expressions.read(at + 1)
        if self.method.result is None:
            self.mistakes.add(at + 1, f"'{self.method.name}' is void and returns no value")
        else:
            self.expressions.operators.fit(self.method.result, found, "the result")
        self.graph.leave(self.results(found.expr), self.span(at, behind))
        return behind

    def results(self, value: Expr | None) -> tuple[Expr, ...]:
        """Return what a return gives back: the result, then the out parameters."""
        assert self.method is not None
        given: list[Expr] = []
        if self.method.result is not None:
            given.append(value if value is not None else Const(default(self.method.result)))
        return (*given, *(Var(name) for name, _, out, _ in self.method.parameters if out))

    def _assert(self, at: int) -> int:
        self._expect(at + 1, "(")
        operand, behind = self.expressions.read(at + 2)
        self.expressions.operators.require(operand, BOOL, "a condition is a bool")
        if self.words[behind] == ",":
            if not is_text(self.words[behind + 1]):
                raise Unexpected(behind + 1, "a string")
            behind += 2
        self._expect(behind, ")")
        self.graph.check(operand.expr, self.span(at, behind + 1))
        return behind + 1

    def _assume(self, at: int) -> int:
        condition, behind = self._condition(at + 1)
        self.graph.step(Assume(condition), self.span(at, behind))
        return behind

    def _send(self, at: int) -> int:
        self._expect(at + 1, "(")
        channel, behind = self.expressions.read(at + 2)
        element = self._channel(channel)
        self._expect(behind, ",")
        value, behind = self.expressions.read(behind + 1)
        self.expressions.operators.fit(element, value, "the message")
        self._expect(behind, ")")
        self.graph.step(Send(channel.expr, value.expr), self.span(at, behind + 1))
        return behind + 1

    def _async(self, at: int) -> int:
        callee, _ = self.expressions.read_or_call(at + 1)
        if not isinstance(callee, Callee):
            raise Unexpected(at + 1, "a call")
        return self.calls.start(callee, at)

    def _trace(self, at: int) -> int:
        self._expect(at + 1, "(")
        if not is_text(self.words[at + 2]):
            raise Unexpected(at + 2, "a string")
        behind, values = at + 3, []
        while self.words[behind] == ",":
            value, behind = self.expressions.read(behind + 1)
            values.append(value.expr)
        self._expect(behind, ")")
        self.graph.step(Print(text_of(self.words[at + 2]), tuple(values)), self.span(at, behind + 1))
        return behind + 1

    def _raise(self, at: int) -> int:
        if not is_name(self.words[at + 1]):
            raise Unexpected(at + 1, "the name of an exception")
        self.graph.add(self.graph.enter(), Raise(self.words[at + 1]), self.span(at, at + 2)).target = -1
        self.graph.open = []
        return at + 2

    def _yield(self, at: int) -> int:
        self.graph.step(SKIP, self.span(at, at + 1))
        return at + 1

    # Declarations, assignments and calls

    def _simple(self, at: int) -> int:
        if is_name(self.words[at + 1]) and (self.words[at] in BASIC or is_name(self.words[at])):
            return self._declaration(at)
        found, behind = self.expressions.read_or_call(at)
        if isinstance(found, Callee):
            return self.calls.call(found, at, None)
        if self.words[behind] != "=":
            raise Unexpected(behind, "'=' or '('")
        return self._assignment(at, self.calls.assignable(found), behind)

    def _declaration(self, at: int) -> int:
        kind = at
        while True:
            at += 1
            if not is_name(self.words[at]):
                raise Unexpected(at, "the name of a variable")
            variable = self._declare(kind, at)
            behind = at + 1
            if self.words[behind] == "=":
                place = Operand(Var(variable), self.types.get(variable), at)
                behind = self._assignment(kind, place, behind)
            if self.words[behind] != ",":
                return behind
            at = behind

    def _declare(self, kind: int, at: int) -> str:
        """Declare a local variable; return the name that it has in the model."""
        word, names = self.words[at], self.expressions.scope.locals[-1]
        type = self._type(kind)
        if word in names:
            self.mistakes.add(at, f"there is already a variable '{word}' in this block")
        variable = self.fresh(word, type)
        names[word] = variable, type
        return variable

    def fresh(self, word: str, type: Type | None) -> str:
        """Return a name that no variable of the method has, for a new one of the scope."""
        variable, number = word, 2
        while variable in self.types:
            variable, number = f"{word}'{number}", number + 1
        self.types[variable] = type or Int(32)
        self.graph.owned[self.graph.scope].append(variable)
        return variable

    def _type(self, at: int) -> Type | None:
        word = self.words[at]
        if word in BASIC:
            return BASIC[word]
        if word in REFUSED:
            self.mistakes.refuse(at)
        elif word not in self.kinds.types:
            self.mistakes.add(at, f"there is no type '{word}'", did_you_mean(word, self.kinds.types, BASIC))
        return self.kinds.types.get(word)

    def _assignment(self, start: int, place: Operand, at: int) -> int:
        """Read what stands right of the `=` at `at`: a value, a call, a choice, or more places."""
        places = [place]
        while True:
            if self.words[at + 1] == "choose":
                return self._choose(start, places, at + 1)
            found, behind = self.expressions.read_or_call(at + 1)
            if isinstance(found, Callee):
                return self.calls.call(found, start, places)
            if self.words[behind] != "=":
                break
            places.append(self.calls.assignable(found))
            at = behind
        span = self.span(start, behind)
        if found.update is not None:
            if len(places) > 1 or places[0].expr not in (found.update.target, found.update.operand):
                self.mistakes.add(start, "a set is changed in place", "write s = s + e or s = s - e")
            self.graph.step(found.update, span)
            return behind
        for each in places:
            self.expressions.operators.fit(each.type, found, "the left side")
        self.graph.step(Store(tuple(each.expr for each in places), found.expr), span)
        return behind

    def _choose(self, start: int, places: list[Operand], at: int) -> int:
        self._expect(at + 1, "(")
        word, place = self.words[at + 2], places[0]
        if len(places) > 1:
            self.mistakes.add(at, "a choice is assigned to one variable")
        if self.words[at + 3] == ")" and (known := self._domain(word)) is not None:
            type: Type | None
            values, type = known
            behind = at + 4
            action = Choose(place.expr, values)
        else:
            collection, behind = self.expressions.read(at + 2)
            cell = self.kinds.collection(collection.type)
            type = cell.element if isinstance(cell, SetCell | ArrayCell) else None
            if type is None and collection.type is not None:
                self.mistakes.add(collection.at, f"this is {words(collection.type)}; nothing can be chosen from it")
            self._expect(behind, ")")
            behind += 1
            action = Choose(place.expr, None, collection.expr)
        if not self.kinds.fits(place.type, type):
            self.mistakes.add(at, f"the left side is {words(place.type)}, the choice is {words(type)}")
        self.graph.step(action, self.span(start, behind))
        return behind

    def _domain(self, word: str) -> tuple[tuple[int | bool, ...], Type] | None:
        """Return the values of a type that can be chosen from, and the type."""
        if word == "bool":
            return (False, True), BOOL
        if self.expressions.scope.local(word) is not None:
            return None
        if word in self.kinds.ranges:
            low, high = self.kinds.ranges[word]
            return tuple(range(low, high + 1)), Int(32)
        type = self.kinds.types.get(word)
        if isinstance(type, Enumeration):
            return tuple(range(len(type.members))), type
        return None

    def _expect(self, at: int, word: str) -> None:
        if self.words[at] != word:
            raise Unexpected(at, f"'{word}'")
