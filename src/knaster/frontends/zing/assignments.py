"""Declarations of locals, assignments, choices and calls that stand alone."""

from __future__ import annotations

from knaster.base.hints import did_you_mean
from knaster.frontends.zing.body import Body
from knaster.frontends.zing.call_steps import CallSteps
from knaster.frontends.zing.kinds import BASIC, narrows, words
from knaster.frontends.zing.lexer import REFUSED, is_name
from knaster.frontends.zing.mistakes import Unexpected
from knaster.frontends.zing.operators import Operand
from knaster.program.expression import Var
from knaster.program.objects import MOST_SLOTS, ArrayCell, Choose, SetCell, Store
from knaster.program.types import BOOL, Enumeration, Int, Type


class Assignments:
    """Reads them, from their first word to what is behind them."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.expressions, self.mistakes, self.words = body.expressions, body.mistakes, body.words
        self.kinds, self.calls, self.steps = body.kinds, body.expressions.calls, CallSteps(body)

    def read(self, at: int) -> int:
        """Read a declaration, an assignment or a call; return the token behind it."""
        if is_name(self.words[at + 1]) and (self.words[at] in BASIC or is_name(self.words[at])):
            return self._declaration(at)
        found, behind = self.expressions.read_whole(at)
        if found.call is not None and self.words[behind] != "=":
            self.steps.call(found.call, at, behind, None)
            return behind
        if self.words[behind] != "=":
            raise Unexpected(behind, "'=' or '('")
        return self._assignment(at, self.calls.assignable(found), behind)

    def _declaration(self, at: int) -> int:
        kind = at
        while True:
            at += 1
            if not is_name(self.words[at]):
                raise Unexpected(at, "the name of a variable")
            variable = self.declare(kind, at)
            behind = at + 1
            if self.words[behind] == "=":
                place = Operand(Var(variable), self.body.types.get(variable), at)
                behind = self._assignment(kind, place, behind)
            if self.words[behind] != ",":
                return behind
            at = behind

    def declare(self, kind: int, at: int) -> str:
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
        while variable in self.body.types:
            variable, number = f"{word}'{number}", number + 1
        self.body.types[variable] = type or Int(32)
        self.body.graph.owned[self.body.graph.scope].append(variable)
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
            found, behind = self.expressions.read_whole(at + 1)
            if self.words[behind] != "=":
                break
            places.append(self.calls.assignable(found))
            at = behind
        if found.call is not None and (found.call.outs or not narrows(place.type, found.type)):
            self.steps.call(found.call, start, behind, places)
            return behind
        span = self.body.span(start, behind)
        if found.update is not None:
            if len(places) > 1 or places[0].expr not in (found.update.target, found.update.operand):
                self.mistakes.add(start, "a set is changed in place", "write s = s + e or s = s - e")
            self.body.graph.step(found.update, span)
            return behind
        values = [self.expressions.operators.fit(each.type, found, "the left side") for each in places]
        if any(value != values[0] for value in values):
            self.mistakes.add(start, "the places have different types", "assign them one after the other")
        self.body.graph.step(Store(tuple(each.expr for each in places), values[0]), span)
        return behind

    def _choose(self, start: int, places: list[Operand], at: int) -> int:
        self.body.expect(at + 1, "(")
        word, place = self.words[at + 2], places[0]
        if len(places) > 1:
            self.mistakes.add(at, "a choice is assigned to one variable")
        if self.words[at + 3] == ")" and (known := self._domain(word, at + 2)) is not None:
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
            self.body.expect(behind, ")")
            behind += 1
            action = Choose(place.expr, None, collection.expr)
        message = f"the left side is {words(place.type)}, the choice is {words(type)}"
        wanted = place.type if isinstance(place.type, Int) and type != BOOL else None
        if wanted is None or action.values is None or not all(map(wanted.holds, action.values)):
            self.expressions.operators.take(place, type, at, message)
        self.body.graph.step(action, self.body.span(start, behind))
        return behind

    def _domain(self, word: str, at: int) -> tuple[tuple[int | bool, ...], Type] | None:
        """Return the values of a type that can be chosen from, and the type."""
        if word == "bool":
            return (False, True), BOOL
        if self.expressions.scope.local(word) is not None:
            return None
        if word in self.kinds.ranges:
            low, high = self.kinds.ranges[word]
            if high - low >= MOST_SLOTS:
                self.mistakes.add(at, f"a choice is of at most {MOST_SLOTS:,} values")
                high = low
            return tuple(range(low, high + 1)), Int(32)
        type = self.kinds.types.get(word)
        if isinstance(type, Enumeration):
            return tuple(range(len(type.members))), type
        return None
