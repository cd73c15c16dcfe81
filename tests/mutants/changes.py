"""The changes of a module: every operator, `if`, `continue` and slice bound of its text, each with its opposite.

Numbered in the order of the text, so that two runs speak of the same changes.  Annotations, names of types,
assertions, which say what is never false, and the words of messages (`raise`, `expect`) are left alone.  Where the
condition of an `if` is one `==`, `in` or `not`, turning that round and turning the `if` round are the same change: made
once.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import CodeType

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Sub,  # with its operands exchanged: sets have a difference, but no sum
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr,
    ast.MatMult: ast.Mult,
}
SPELLING: dict[type[ast.AST], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitOr: "|",
    ast.BitAnd: "&",
    ast.BitXor: "^",
    ast.MatMult: "@",
    ast.And: "and",
    ast.Or: "or",
}
_TURNS_ROUND = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)  # whose opposite here is the negation


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a module, by its number there."""

    file: str  # below the root
    number: int
    line: int
    lines: tuple[int, ...]  # a test that runs one of them may notice
    token: str
    instead: str
    function: str  # the qualified name of the function whose code changes; empty outside of functions
    ordinal: int  # among the changes of that function

    @property
    def name(self) -> str:
        """What the change is called while lines above it come and go."""
        return f"{self.file}::{self.function}#{self.ordinal} {self.token}"

    @property
    def outermost(self) -> str:
        """The function outside of which nothing else is changed."""
        return self.function.partition(".<locals>")[0]

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.token} → {self.instead}"


@dataclass(slots=True)
class _Site:
    """A place of a tree where something can be changed, and how."""

    line: int
    span: tuple[int, int]
    token: str
    instead: str
    apply: Callable[[], None]
    function: str = ""


def list_changes(text: str, file: str) -> list[Change]:
    """Return every change of a module."""
    counts: dict[str, int] = {}
    changes = []
    for number, site in enumerate(_sites(ast.parse(text))):
        ordinal = counts[site.function] = counts.get(site.function, 0) + 1
        lines = tuple(range(site.span[0], site.span[1] + 1))
        changes.append(Change(file, number, site.line, lines, site.token, site.instead, site.function, ordinal))
    return changes


def name_functions(text: str) -> dict[str, str]:
    """Return the code of each outermost function of a module as a text, by name; of what is outside under ""."""
    tree = ast.parse(text)
    found: dict[str, str] = {}
    work: list[tuple[ast.AST, tuple[str, ...]]] = [(tree, ())]
    while work:
        node, names = work.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            name = ".".join((*names, node.name))
            found[name] = found.get(name, "") + ast.dump(node)
            node.body = []
        elif isinstance(node, ast.ClassDef):
            work += [(child, (*names, node.name)) for child in node.body]
        else:
            work += [(child, names) for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
    return {**found, "": ast.dump(tree)}


def compile_changed(text: str, filename: str, number: int) -> CodeType:
    """Return the code of a module with one change made."""
    tree = ast.parse(text)
    sites = list(_sites(tree))
    sites[number].apply()
    code: CodeType = compile(ast.fix_missing_locations(tree), filename, "exec", dont_inherit=True)
    return code


def _sites(tree: ast.Module) -> list[_Site]:
    """Return the places of a tree, in the order of the text."""
    found: list[_Site] = []
    work: list[tuple[ast.AST, tuple[str, ...], bool]] = [(tree, (), False)]  # node, names around it, inside a function
    while work:
        node, names, inside = work.pop()
        for site in _sites_at(node):
            site.function = ".".join(names) if inside else ""
            found.append(site)
        work += _below(node, names, inside)
    return sorted(found, key=lambda site: (site.line, site.span, site.token))


def _below(node: ast.AST, names: tuple[str, ...], inside: bool) -> Iterator[tuple[ast.AST, tuple[str, ...], bool]]:
    """Yield what is below a node and may be changed: no annotation, and no union of types outside of functions."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            own = (*names, "<locals>", node.name) if inside else (*names, node.name)
            yield from ((child, own, True) for child in node.body)
            outer = [*node.decorator_list, *node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]
            yield from ((child, names, inside) for child in outer)
        case ast.Lambda():
            yield node.body, names, inside  # outside of functions the whole module is read again
        case ast.ClassDef():
            own = (*names, "<locals>", node.name) if inside else (*names, node.name)
            yield from ((child, own, inside) for child in [*node.body, *node.bases, *node.decorator_list])
        case ast.AnnAssign():
            yield node.target, names, inside
            if node.value is not None:
                yield node.value, names, inside
        case ast.Assert():
            return
        case ast.Raise(exc=ast.Call(args=parts)) | ast.Call(func=ast.Name(id="expect"), args=parts):
            yield from ((part, names, inside) for part in parts if not isinstance(part, ast.JoinedStr))
        case ast.Assign(value=ast.BinOp(op=ast.BitOr()) | ast.Subscript(slice=ast.Tuple() | ast.BinOp())) if not inside:
            return
        case _:
            yield from ((child, names, inside) for child in ast.iter_child_nodes(node))


def _sites_at(node: ast.AST) -> Iterator[_Site]:
    """Yield what can be changed at one node."""
    match node:
        case ast.Compare():
            yield from _comparisons(node)
        case ast.BinOp():
            yield _arithmetic(node)
        case ast.AugAssign():
            yield _augmented(node)
        case ast.BoolOp():
            yield from (_connective(node, index) for index in range(1, len(node.values)))
        case ast.UnaryOp(op=ast.Not()):
            yield _negation(node)
        case ast.If() | ast.IfExp():
            yield from _condition(node, "test", node.test)
        case ast.match_case(guard=ast.expr() as guard):
            yield from _condition(node, "guard", guard)
        case ast.comprehension():
            yield from (site for index in range(len(node.ifs)) for site in _filter(node, index))
        case ast.Slice():
            yield from _bounds(node)
    yield from _continues(node)


def _site(at: ast.expr | ast.stmt, token: str, instead: str, apply: Callable[[], None]) -> _Site:
    return _Site(at.lineno, (at.lineno, at.end_lineno or at.lineno), token, instead, apply)


def _comparisons(node: ast.Compare) -> Iterator[_Site]:
    for index, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
        other = COMPARISONS[type(op)]

        def apply(index: int = index, other: type[ast.cmpop] = other) -> None:
            node.ops[index] = other()

        site = _site(node, SPELLING[type(op)], SPELLING[other], apply)
        site.line = right.lineno
        yield site


def _arithmetic(node: ast.BinOp) -> _Site:
    site = _other_operation(node)
    if isinstance(node.op, ast.Add):
        for side in ("left", "right"):
            if (empty := _empty(getattr(node, side))) is not None:
                site.instead = f"+ without its {side} side"
                site.apply = partial(setattr, node, side, empty)
    site.line = node.right.lineno
    return site


def _other_operation(node: ast.BinOp) -> _Site:
    token = SPELLING[type(node.op)]
    if isinstance(node.op, ast.Sub):
        return _site(node, token, "- with its sides exchanged", lambda: _exchange(node))
    other = ARITHMETIC[type(node.op)]
    return _site(node, token, SPELLING[other], lambda: setattr(node, "op", other()))


def _exchange(node: ast.BinOp) -> None:
    node.left, node.right = node.right, node.left


def _empty(node: ast.expr) -> ast.expr | None:
    """Return the empty list, tuple or text in the place of one that is written there."""
    match node:
        case ast.List() | ast.ListComp():
            return ast.List(elts=[], ctx=ast.Load())
        case ast.Tuple():
            return ast.Tuple(elts=[], ctx=ast.Load())
        case ast.JoinedStr() | ast.Constant(value=str()):
            return ast.Constant(value="")
    return None


def _augmented(node: ast.AugAssign) -> _Site:
    token = f"{SPELLING[type(node.op)]}="
    if isinstance(node.op, ast.Add) and (empty := _empty(node.value)) is not None:
        return _site(node, token, "+= nothing", lambda: setattr(node, "value", empty))
    other = ast.Add if isinstance(node.op, ast.Sub) else ARITHMETIC[type(node.op)]
    return _site(node, token, f"{SPELLING[other]}=", lambda: setattr(node, "op", other()))


def _connective(node: ast.BoolOp, index: int) -> _Site:
    other: ast.boolop = ast.Or() if isinstance(node.op, ast.And) else ast.And()

    def apply() -> None:
        op, values = node.op, node.values
        node.op = other
        node.values = [
            part[0] if len(part) == 1 else ast.BoolOp(op=op, values=part) for part in (values[:index], values[index:])
        ]

    site = _site(node, SPELLING[type(node.op)], SPELLING[type(other)], apply)
    site.line = node.values[index].lineno
    return site


def _negation(node: ast.UnaryOp) -> _Site:
    return _site(node, "not", "(nothing)", lambda: setattr(node, "operand", _negate(node.operand)))


def _negate(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(op=ast.Not(), operand=test)


def _is_turned_round_below(test: ast.expr) -> bool:
    """Tell whether a change of the condition itself is already its negation."""
    match test:
        case ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Compare(ops=[op]):
            return isinstance(op, _TURNS_ROUND)
        case ast.Name(id="TYPE_CHECKING"):
            return True
    return False


def _condition(node: ast.AST, field: str, test: ast.expr) -> Iterator[_Site]:
    if not _is_turned_round_below(test):
        yield _site(test, "if", "if not", lambda: setattr(node, field, _negate(test)))


def _filter(node: ast.comprehension, index: int) -> Iterator[_Site]:
    def apply() -> None:
        node.ifs[index] = _negate(node.ifs[index])

    if not _is_turned_round_below(node.ifs[index]):
        yield _site(node.ifs[index], "if", "if not", apply)


def _bounds(node: ast.Slice) -> Iterator[_Site]:
    for side in ("lower", "upper"):
        bound = getattr(node, side)
        if bound is not None:

            def apply(side: str = side, bound: ast.expr = bound) -> None:
                setattr(node, side, ast.BinOp(left=bound, op=ast.Add(), right=ast.Constant(value=1)))

            text = ast.unparse(bound)
            yield _site(bound, f"[{text}:" if side == "lower" else f":{text}]", f"{text} + 1", apply)


def _continues(node: ast.AST) -> Iterator[_Site]:
    for name in ("body", "orelse"):
        body = getattr(node, name, None)
        if not isinstance(body, list):
            continue
        for index, child in enumerate(body):
            if isinstance(child, ast.Continue):
                site = _site(child, "continue", "pass", partial(body.__setitem__, index, ast.Pass()))
                site.span = (node.lineno, child.lineno) if isinstance(node, ast.If) else site.span
                yield site  # Python may leave its line out, and jump where the `if` is
