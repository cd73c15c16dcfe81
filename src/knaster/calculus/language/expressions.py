"""Parser of expressions, by binding strength (specification of the language, section 4.1).

Tightest first: basic, `assume`/`cofactor`, comparison, `!`, `&`, `|`, one of `-> <- <-> <+>`, quantifier, `if`.
More is accepted than muCKE accepts: a quantifier or `if` as the last operand, a nested `if`, `< <= > >=`, `x + 1`.
"""

from __future__ import annotations

from knaster.base.trampoline import Steps
from knaster.calculus.language import syntax
from knaster.calculus.language.syntax import Access, Constraint, Declared, Expr, Number, Shifted, Term, TermFormula
from knaster.calculus.language.tokens import Cursor

_COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
_ARROWS = ("->", "<-", "<->", "<+>")
_OPENING = ("exists", "forall", "if")
_SUFFIXES = ("{", "assume", "cofactor", *_COMPARISONS)
STARTS = ("name", "number", "true", "false", "(", "!", "case", *_OPENING)


def expression(at: Cursor) -> Steps[Expr]:
    """Read a whole expression."""
    start = at.token.start
    if at.kind in _OPENING:
        opened: Expr = yield _read_prefix(at)
        return opened
    left = yield from _disjunction(at)
    if at.kind not in _ARROWS:
        return left
    operator = at.take().kind
    right = yield from _disjunction(at)
    if at.kind in _ARROWS:
        raise at.refusal(f"'{operator}' and '{at.kind}' need brackets", "write (a -> b) -> c or a -> (b -> c)")
    return syntax.Connective(operator, (left, right), start, at.last_end)


def _disjunction(at: Cursor) -> Steps[Expr]:
    start = at.token.start
    alternatives: list[Expr] = []
    while not alternatives or at.accept("|"):
        first = at.token.start
        operands: list[Expr] = []
        while not operands or at.accept("&"):
            simple = _simple(at)
            operands.append(simple if simple is not None else (yield from _negation(at)))
        is_one = len(operands) == 1
        alternatives.append(operands[0] if is_one else syntax.Connective("&", tuple(operands), first, at.last_end))
    is_one = len(alternatives) == 1
    return alternatives[0] if is_one else syntax.Connective("|", tuple(alternatives), start, at.last_end)


def _simple(at: Cursor) -> Expr | None:
    """Read a comparison, an access or an application, unless more belongs to it; most operands are of this kind."""
    before = at.index
    start = at.token.start
    found: Expr
    if at.kind == "name" and at.peek() == "(":
        found = _application(at)
    elif at.kind in ("name", "number", "true", "false"):
        left = term(at)
        if at.kind not in _COMPARISONS:
            if isinstance(left, Shifted):
                raise at.refusal("a sum is no formula", "compare it: x = y + 1")
            found = TermFormula(left, start, at.last_end)
        else:
            operator = at.take().kind
            if at.kind in ("(", "!", "case", *_OPENING) or (at.kind == "name" and at.peek() == "("):
                raise at.refusal(f"'{operator}' compares values, not formulas", "use <-> or <+> between formulas")
            return syntax.Comparison(operator, left, term(at), start, at.last_end)
    else:
        return None
    if at.kind in _SUFFIXES:
        at.index = before
        return None
    return found


def _negation(at: Cursor) -> Steps[Expr]:
    starts = []
    while at.kind == "!":
        starts.append(at.take().start)
    inner = _simple(at)
    if inner is None:
        if at.kind in _OPENING:
            inner = yield _read_prefix(at)
        else:
            inner = yield from _basic(at)
    for start in reversed(starts):
        inner = syntax.Negation(inner, start, at.last_end)
    return inner


def _read_prefix(at: Cursor) -> Steps[Expr]:
    """Read a quantifier or an `if`; its last part extends to the right as far as possible."""
    start = at.token.start
    if at.kind == "if":
        at.take()
        at.expect("(", "'(' before the condition of `if`")
        condition: Expr = yield expression(at)
        at.expect(")")
        then: Expr = yield expression(at)
        otherwise: Expr = TermFormula(Number(1, start, start), start, start)
        if at.accept("else"):
            otherwise = yield expression(at)
        return syntax.Cases(((condition, then),), otherwise, start, at.last_end)
    kind = at.take().kind
    variables = [parse_declaration(at)]
    while at.accept(","):
        variables.append(parse_declaration(at))
    if not at.accept(":"):
        at.expect(".", "'.' or ':' behind the quantified variables")
    body: Expr = yield expression(at)
    name: syntax.QuantifierKind = "exists" if kind == "exists" else "forall"
    return syntax.Quantifier(name, tuple(variables), body, start, at.last_end)


def parse_declaration(at: Cursor) -> Declared:
    """Read `type name` or `type name[length]`."""
    type_token = at.expect("name", "a type")
    name = at.expect("name", f"the name of a variable of type {type_token.text}").text
    length = None
    if at.accept("["):
        length = at.number("the length of an array")
        at.expect("]")
    return Declared(type_token.text, name, length, type_token.start, at.last_end)


def _basic(at: Cursor) -> Steps[Expr]:
    """Read a basic expression with the attributes, `assume` and `cofactor` behind it."""
    start = at.token.start
    body: Expr = yield from _read_attribute(at)
    while at.kind in ("assume", "cofactor"):
        kind: syntax.SimplifiedKind = "assume" if at.take().kind == "assume" else "cofactor"
        care = yield from _read_attribute(at)
        body = syntax.Simplified(kind, body, care, start, at.last_end)
    if at.kind in _COMPARISONS:
        raise at.refusal(f"'{at.kind}' compares values, not formulas", "use <-> or <+> between formulas")
    return body


def _read_attribute(at: Cursor) -> Steps[Expr]:
    start = at.token.start
    body: Expr
    if at.kind in ("number", "true", "false") or (at.kind == "name" and at.peek() != "("):
        left = term(at)
        if isinstance(left, Shifted):
            raise at.refusal("a sum is no formula", "compare it: x = y + 1")
        body = TermFormula(left, start, at.last_end)
    elif at.kind == "name":
        body = _application(at)
    else:
        body = yield from _read_bracket(at)
    while at.kind == "{":
        body = yield from _attributes(at, body)
    return body


def _read_bracket(at: Cursor) -> Steps[Expr]:
    """Read `( expression )` or `case ... esac`."""
    start = at.token.start
    if at.kind == "case":
        at.take()
        arms = []
        while at.kind != "esac":
            condition: Expr = yield expression(at)
            at.expect(":", "':' behind the condition of a case")
            value: Expr = yield expression(at)
            at.expect(";", "';' behind each arm of a case")
            arms.append((condition, value))
        at.take()
        return syntax.Cases(tuple(arms), TermFormula(Number(0, start, start), start, start), start, at.last_end)
    at.expect("(", "an expression")
    inner: Expr = yield expression(at)
    at.expect(")")
    return inner


def _application(at: Cursor) -> Expr:
    name = at.take()
    at.expect("(")
    arguments: list[Term] = []
    if at.kind != ")":
        arguments.append(_argument(at))
        while at.accept(","):
            arguments.append(_argument(at))
    at.expect(")")
    return syntax.Application(name.text, tuple(arguments), name.start, at.last_end)


def _argument(at: Cursor) -> Term:
    if at.kind in ("!", "(", "case", *_OPENING) or (at.kind == "name" and at.peek() == "("):
        raise at.refusal("an argument is a variable or a constant", "quantify: exists bool b. (b <-> ...) & P(b)")
    return term(at)


def term(at: Cursor) -> Term:
    """Read a constant, an access, or an access plus or minus a number."""
    token = at.token
    if token.kind in ("true", "false"):
        at.take()
        return Number(int(token.kind == "true"), token.start, token.end, truth=True)
    if token.kind == "number":
        return Number(at.number("a number"), token.start, token.end)
    value = access(at)
    if at.kind not in ("+", "-"):
        return value
    sign = 1 if at.take().kind == "+" else -1
    return Shifted(value, sign * at.number("a number behind '+' or '-'"), value.start, at.last_end)


def access(at: Cursor) -> Access:
    """Read a name with its selectors."""
    name = at.expect("name", "an expression")
    path: list[str | int] = []
    while at.kind in (".", "["):
        if at.kind == "[":
            at.take()
            path.append(at.number("an index (a number)"))
            at.expect("]")
        elif at.peek() == "name":
            at.take()
            path.append(at.take().text)
        else:
            break
    return Access(name.text, tuple(path), name.start, at.last_end)


def _attributes(at: Cursor, body: Expr) -> Steps[Expr]:
    """Read `{ ... }` behind a basic expression; allocation and witness constraints there have no effect on truth."""
    at.expect("{")
    while True:
        match at.kind:
            case "assume" | "cofactor":
                kind: syntax.SimplifiedKind = "assume" if at.take().kind == "assume" else "cofactor"
                care: Expr = yield expression(at)
                body = syntax.Simplified(kind, body, care, body.start, at.last_end)
            case "show":
                at.take()
                body = _show_body(at, body)
            case "alloccs" | "witcs":
                while at.kind not in ("}", "end"):
                    at.take()
            case _:
                raise at.refusal("expected assume, cofactor, show, alloccs or witcs")
        if not at.accept(","):
            break
    at.expect("}")
    return body


def _show_body(at: Cursor, body: Expr) -> Expr:
    label, accesses = "", []
    while True:
        if at.kind == "string":
            label = at.take().text[1:-1]
        else:
            accesses.append(access(at))
        if not at.accept(","):
            return syntax.Shown(body, label, tuple(accesses), body.start, at.last_end)


def constraints(at: Cursor, before_body: bool) -> tuple[Constraint, ...]:
    """Read allocation constraints, comma separated; before a body, leaves an order comparison that starts it alone."""
    found: list[Constraint] = []
    while at.kind in ("~+", "~-") or (at.kind == "name" and at.peek() in ("~+", "~-", "<", ">")):
        if at.kind != "name":
            at.take()
            at.expect("name")  # unary constraints say nothing
        elif at.peek(2) != "name":
            break
        else:
            before = at.index
            left, operator, right = at.take(), at.take().kind, at.take()
            is_body = before_body and operator in ("<", ">") and at.kind != "," and at.kind not in STARTS
            if is_body:
                at.index = before  # `x < y ;` or `x < y & ...`, which muCKE would not accept
                break
            names = (right.text, left.text) if operator == ">" else (left.text, right.text)
            sort: syntax.ConstraintKind = "~+" if operator == "~+" else "~-" if operator == "~-" else "<"
            found.append(Constraint(sort, *names, left.start, right.end))
        if not at.accept(","):
            break
    return tuple(found)
