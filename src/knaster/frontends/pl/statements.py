"""Statements of PL, read straight into a control-flow graph.

    S ::= skip | x, … := e, … | x, … := f(e, …) | f(e, …) | assume(e) | assert(e) | var x, … | kill x, …
        | S ; S | S || S | if (e) then S else S | while (e) S | (x, … -> y, …) S | LABEL: S | { S }

`;` binds more strongly than `||`, which takes either side; `if`, `while`, labels and types are about the one statement
that follows.  `var` begins the scope of a variable, `kill` ends it; both forget its value.
"""

from __future__ import annotations

from knaster.base.errors import Span
from knaster.base.hints import did_you_mean
from knaster.base.records import dataclass, field
from knaster.frontends.pl.expressions import DEEPEST, NUMBER, Expressions
from knaster.frontends.pl.lexer import Words, twice
from knaster.program.expression import CHOICE, TRUE, Choice, Expr, Not
from knaster.program.model import Action, Assign, Assume, Call, Edge, Location


@dataclass(slots=True)
class Body:
    """A function while it is read."""

    scope: set[str]
    edges: list[Edge] = field(default_factory=list)
    labels: list[tuple[str, Location]] = field(default_factory=list)
    failing: list[Location] = field(default_factory=list)
    locals: dict[str, None] = field(default_factory=dict)
    calls: list[tuple[Call, Span]] = field(default_factory=list)
    size: int = 1

    def place(self) -> Location:
        """Return a new location."""
        self.size += 1
        return self.size - 1

    def step(self, at: Location, action: Action, span: Span, to: Location | None = None) -> Location:
        """Add an edge to a place, a new one unless it is given; return that place."""
        target = self.place() if to is None else to
        self.edges.append(Edge(at, action, target, span))
        return target


class Statements:
    """Reads statements; each function begins at a location and returns the one behind."""

    def __init__(self, words: Words, body: Body) -> None:
        self._words, self._body = words, body
        self._expressions = Expressions(words, body.scope)
        self._depth = 0

    def block(self, at: Location) -> Location:
        """Read `{ S }`."""
        self._words.expect("{")
        end = self._choice(at)
        self._words.expect("}", " or ';'")
        return end

    def _choice(self, at: Location) -> Location:
        before, ends, scopes = set(self._body.scope), [self._sequence(at)], [set(self._body.scope)]
        while self._words.word == "||":
            span = self._words.span
            self._words.take()
            self._set_scope(before)
            ends.append(self._sequence(self._body.step(at, Assume(TRUE), span)))
            scopes.append(set(self._body.scope))
        return self._join(ends, scopes, self._words.span)

    def _join(self, ends: list[Location], scopes: list[set[str]], span: Span) -> Location:
        self._set_scope(set.intersection(*scopes))
        if len(ends) == 1:
            return ends[0]
        after = self._body.place()
        for end in ends:
            self._body.step(end, Assume(TRUE), span, after)
        return after

    def _sequence(self, at: Location) -> Location:
        at = self._one(at)
        while self._words.accept(";"):
            if self._words.word in ("}", "||", ""):
                break
            at = self._one(at)
        return at

    def _one(self, at: Location) -> Location:
        """Read one statement, labels and types before it included."""
        self._depth += 1
        if self._depth > DEEPEST:
            self._words.refuse(f"more than {DEEPEST} statements inside each other")
        try:
            return self._statement(at)
        finally:
            self._depth -= 1

    def _statement(self, at: Location) -> Location:
        words, body, span = self._words, self._body, self._words.span
        match words.word:
            case "{":
                return self.block(at)
            case "(":
                return self._typed(at)
            case "skip":
                words.take()
                return body.step(at, Assume(TRUE), span)
            case "assume" | "assert" as word:
                words.take()
                condition = self._condition()
                if word == "assert":
                    fails = body.step(at, _assume(condition, False), words.since(span))
                    body.failing.append(fails)
                return body.step(at, _assume(condition, True), words.since(span))
            case "var" | "kill" as word:
                words.take()
                names = words.names("a variable")
                for name in names:
                    self._declare(name, word, span)
                values = tuple(Choice(NUMBER, span, name) for name in names)
                return body.step(at, Assign(tuple(names), values), words.since(span))
            case "if":
                return self._if(at)
            case "while":
                return self._while(at)
        if words.following == ":" and words.word:
            body.labels.append((words.name("a label"), at))
            words.take()
            return self._one(at)
        return self._assignment(at)

    def _if(self, at: Location) -> Location:
        words, body, span = self._words, self._body, self._words.span
        words.take()
        condition = self._condition()
        said = words.since(span)
        words.expect("then")
        before = set(body.scope)
        ends = [self._one(body.step(at, _assume(condition, True), said))]
        scopes = [set(body.scope)]
        self._set_scope(before)
        otherwise = body.step(at, _assume(condition, False), said)
        words.expect("else", " (every 'if' has one)")
        ends.append(self._one(otherwise))
        scopes.append(set(body.scope))
        return self._join(ends, scopes, said)

    def _while(self, at: Location) -> Location:
        words, body, span = self._words, self._body, self._words.span
        head = body.step(at, Assume(TRUE), span)
        words.take()
        condition = self._condition()
        said = words.since(span)
        before = set(body.scope)
        end = self._one(body.step(head, _assume(condition, True), said))
        body.step(end, Assume(TRUE), said, head)
        self._set_scope(before & body.scope)
        return body.step(head, _assume(condition, False), said)

    def _typed(self, at: Location) -> Location:
        """Read `(x, … -> y, …) S`, where the names are those in scope before and after."""
        words, span = self._words, self._words.span
        words.expect("(")
        first = words.names("a variable")
        words.expect("->")
        second = words.names("a variable")
        words.expect(")")
        self._require(first, span)
        end = self._one(at)
        self._require(second, span)
        return end

    def _assignment(self, at: Location) -> Location:
        words, body, span = self._words, self._body, self._words.span
        if words.following == "(":
            return self._call(at, (), span)
        targets = words.names("a statement or of a variable")
        self._require(targets, span)
        if (again := twice(targets)) is not None:
            words.refuse(f"'{again}' is assigned twice", span=span)
        words.expect(":=")
        if words.following == "(" and words.word != "nondet" and (words.word[:1].isalpha() or words.word[:1] == "_"):
            return self._call(at, tuple(targets), span)
        values = self._numbers()
        if len(values) != len(targets):
            words.refuse(f"{len(targets)} variables on the left and {len(values)} values on the right", span=span)
        return body.step(at, Assign(tuple(targets), tuple(values)), words.since(span))

    def _call(self, at: Location, targets: tuple[str, ...], span: Span) -> Location:
        words, where = self._words, self._words.span
        name = words.name("a function")
        words.expect("(")
        arguments = [] if words.word == ")" else self._numbers()
        words.expect(")")
        call = Call(name, tuple(arguments), targets)
        self._body.calls.append((call, where))
        return self._body.step(at, call, words.since(span))

    def _numbers(self) -> list[Expr]:
        found = [self._expressions.number()]
        while self._words.accept(","):
            found.append(self._expressions.number())
        return found

    def _condition(self) -> Expr:
        self._words.expect("(")
        condition = self._expressions.condition()
        self._words.expect(")")
        return condition

    def _declare(self, name: str, word: str, span: Span) -> None:
        scope = self._body.scope
        if word == "kill":
            self._require([name], span)
            scope.discard(name)
        elif name in scope:
            self._words.refuse(f"'{name}' is in scope already", span=span)
        else:
            scope.add(name)
            self._body.locals.setdefault(name)

    def _require(self, names: list[str], span: Span) -> None:
        for name in names:
            if name not in self._body.scope:
                hint = did_you_mean(name, self._body.scope) or "declare it with 'var'"
                self._words.refuse(f"'{name}' is not in scope", hint, span)

    def _set_scope(self, names: set[str]) -> None:
        """Let these names be in scope; the set stays the same object, which expressions look at."""
        now = set(names)
        self._body.scope.clear()
        self._body.scope.update(now)


def _assume(condition: Expr, holds: bool) -> Assume:
    if condition == CHOICE:
        return Assume(TRUE)
    return Assume(condition if holds else Not(condition))
