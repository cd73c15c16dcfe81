"""The text of a formula as a tree, or an error with a caret and a hint.

Besides ours it takes what users of Spin and TLA+ type: `[]`, `<>`, `&&`, `||`, `/\\`, `\\/`, `~`, `=>`, `<=>`, `~>`.

Precedence: unary operators, `U W R` (right), `&`, `|`, `->` (right), `<->`.
"""

from __future__ import annotations

import re
from typing import NoReturn

from knaster.automata.ltl import LEVELS, UNARY, Atom, Binary, Constant, Formula, Operator, Unary
from knaster.base.errors import Problem, SourceError, Span
from knaster.base.named_tuples import NamedTuple

DEEPEST = 100  # parentheses and operators inside each other
LONGEST = 10_000  # characters of a formula
_SPELLINGS = {
    **{operator.value: operator for operator in Operator},
    **{"~": Operator.NOT, "[]": Operator.ALWAYS, "<>": Operator.EVENTUALLY},
    **{"&&": Operator.AND, "/\\": Operator.AND, "||": Operator.OR, "\\/": Operator.OR},
    **{"=>": Operator.IMPLIES, "<=>": Operator.IFF},
}
_CONSTANTS = {"true": True, "false": False}
_LEADS_TO = "~>"
_SYMBOLS = ("<->", "<=>", "->", "=>", "~>", "[]", "<>", "&&", "||", "/\\", "\\/", "!", "~", "&", "|", "(", ")")
_WORD = re.compile(r"[A-Za-z_$][A-Za-z_$0-9]*")
_TAIL = re.compile(r"\.[A-Za-z_$][A-Za-z_$0-9]*")
_HINTS = {
    "and": "write & between two formulas",
    "or": "write | between two formulas",
    "not": "write ! before a formula",
    "implies": "write -> between two formulas",
}
_OPERATORS_ELSEWHERE = {
    "V": "write R for release",
    "M": "there is no strong release; p M q is q U (p & q)",
}
_DOUBLE = re.compile(r"[FGX]{2,}")


class _Token(NamedTuple):
    kind: str  # "operator", "(", ")", "atom", "constant", "leads", "end"
    text: str
    column: int


def parse_ltl(text: str, name: str = "the formula", line: int = 1, source: str | None = None) -> Formula:
    """Return the formula of a text; raise `SourceError` where it is none.

    Where the text is a line of a file, `line` says which, and `source` is the whole file.
    """
    return _Parser(text, name, line, text if source is None else source).formula()


class _Parser:
    def __init__(self, text: str, name: str, line: int, source: str) -> None:
        self.text, self.name, self.line, self.source = text, name, line, source
        if len(text) > LONGEST:
            self._refuse(1, 1, f"a formula of {len(text):,} characters", f"at most {LONGEST:,} are taken")
        self._tokens = self._scan()
        self._at = 0
        self._depth = 0

    def formula(self) -> Formula:
        """Return the tree of the whole text."""
        found = self._level(len(LEVELS))
        here = self._here
        if here.kind == ")":
            self._refuse(here.column, 1, "there is no '(' for this ')'", "remove it")
        if here.kind != "end":
            self._refuse(here.column, len(here.text), "an operator is missing before this", self._hint_between(here))
        return found

    @property
    def _here(self) -> _Token:
        return self._tokens[self._at]

    def _next(self) -> _Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def _level(self, level: int) -> Formula:
        """Read operators of a level and everything that binds more tightly."""
        if level == 0:
            return self._unary()
        left = self._level(level - 1)
        operators = LEVELS[level - 1]
        if operators in ((Operator.AND,), (Operator.OR,)):
            while self._operator() in operators:
                self._next()
                left = Binary(operators[0], left, self._level(level - 1))
            return left
        operator = self._operator()
        if self._here.kind == "leads" and operators == (Operator.IMPLIES,):
            self._enter(self._next())
            then = Unary(Operator.EVENTUALLY, self._level(level))
            self._depth -= 1
            return Unary(Operator.ALWAYS, Binary(Operator.IMPLIES, left, then))
        if operator is None or operator not in operators:
            return left
        self._enter(self._next())
        right = self._level(level)
        self._depth -= 1
        return Binary(operator, left, right)

    def _operator(self) -> Operator | None:
        return _SPELLINGS[self._here.text] if self._here.kind == "operator" else None

    def _enter(self, token: _Token) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            self._refuse(token.column, len(token.text), "the formula is nested too deeply", f"at most {DEEPEST} levels")

    def _unary(self) -> Formula:
        token = self._next()
        self._enter(token)
        found: Formula
        match token.kind:
            case "operator" if (operator := _SPELLINGS[token.text]) in UNARY:
                found = Unary(operator, self._unary())
            case "operator" if token.text.isalpha():  # where a formula is due, U, W and R are labels
                found = Atom(token.text, token.column)
            case "(":
                found = self._level(len(LEVELS))
                closing = self._next()
                if closing.kind != ")":
                    self._refuse(token.column, 1, "there is no ')' for this '('", "add one")
            case "atom":
                found = Atom(token.text, token.column)
            case "constant":
                found = Constant(_CONSTANTS[token.text])
            case "end":
                self._refuse(token.column, 1, "the formula ends too early", "add an atom, such as at(L) or {x}")
            case ")":
                self._refuse(token.column, 1, "a formula is missing before this ')'", "add an atom or remove it")
            case _:
                hint = "unary operators are ! X F G, and binary ones stand between two formulas"
                self._refuse(token.column, len(token.text), f"a formula is missing before '{token.text}'", hint)
        self._depth -= 1
        return found

    def _scan(self) -> list[_Token]:
        tokens: list[_Token] = []
        at = 0
        while at < len(self.text):
            if self.text[at].isspace():
                at += 1
                continue
            token = self._scan_one(at)
            tokens.append(token)
            at = token.column - 1 + len(token.text)
        return [*(_tidy(token) for token in tokens), _Token("end", "", len(self.text) + 1)]

    def _scan_one(self, at: int) -> _Token:
        symbol = next((each for each in _SYMBOLS if self.text.startswith(each, at)), None)
        if symbol is not None:
            kind = symbol if symbol in "()" else "leads" if symbol == _LEADS_TO else "operator"
            return _Token(kind, symbol, at + 1)
        if self.text[at] == "{":
            return _Token("atom", self.text[at : self._closing(at, "{", "}")], at + 1)
        word = _WORD.match(self.text, at)
        if word is None:
            self._refuse_letter(at)
        return self._scan_word(word.group(), at)

    def _scan_word(self, word: str, at: int) -> _Token:
        if word in _CONSTANTS:
            return _Token("constant", word, at + 1)
        end = at + len(word)
        if word in _SPELLINGS:
            return _Token("operator", word, at + 1)
        while end < len(self.text):
            if self.text[end] == "(":
                if _DOUBLE.fullmatch(word):
                    self._refuse_double(word, at)
                end = self._closing(end, "(", ")")
            elif tail := _TAIL.match(self.text, end):
                end = tail.end()
            else:
                break
        if word in _HINTS and end == at + len(word):
            self._refuse(at + 1, len(word), f"'{word}' is no operator here", _HINTS[word])
        if _DOUBLE.fullmatch(word) and self._begins_formula(end):
            self._refuse_double(word, at)
        return _Token("atom", self.text[at:end], at + 1)

    def _begins_formula(self, at: int) -> bool:
        rest = self.text[at:].lstrip()
        return rest[:1] in ("(", "{", "!", "~") or bool(_WORD.match(rest) and _WORD.match(rest).group() not in "UWR")  # type: ignore[union-attr]

    def _refuse_double(self, word: str, at: int) -> NoReturn:
        self._refuse(at + 1, len(word), f"'{word}' is no operator", f"write {' '.join(word)}")

    def _closing(self, at: int, opening: str, closing: str) -> int:
        """Return where the text goes on behind what closes the bracket that opens here."""
        open_ones = 0
        for position in range(at, len(self.text)):
            open_ones += (self.text[position] == opening) - (self.text[position] == closing)
            if not open_ones:
                return position + 1
        self._refuse(at + 1, 1, f"there is no '{closing}' for this '{opening}'", "add one")

    def _refuse_letter(self, at: int) -> NoReturn:
        letter = self.text[at]
        shown = letter if letter.isprintable() else repr(letter)
        number = letter.isdigit()
        hint = "write true or false" if number else "expressions of the program stand in braces, as in {x & !y}"
        self._refuse(at + 1, 1, f"'{shown}' is no part of a formula", hint)

    def _hint_between(self, here: _Token) -> str:
        if here.text in _OPERATORS_ELSEWHERE:
            return _OPERATORS_ELSEWHERE[here.text]
        if here.kind == "atom" and here.text.startswith("{"):
            return "operators are & | -> <-> U W R"
        return "operators are & | -> <-> U W R; labels and procedures are single words"

    def _refuse(self, column: int, length: int, message: str, hint: str) -> NoReturn:
        raise SourceError(self.name, self.source, [Problem(message, Span(self.line, column, length), hint)])


def _tidy(token: _Token) -> _Token:
    """Return a token whose text has no needless space: equal atoms have equal texts."""
    if token.kind != "atom":
        return token
    text = " ".join(token.text.split())
    return _Token("atom", re.sub(r"\s*([(){}.,])\s*", r"\1", text), token.column)
