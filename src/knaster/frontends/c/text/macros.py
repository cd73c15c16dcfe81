"""Macros: definitions, expansion (a name is never expanded inside its own expansion), and the values of `#if`.

D. Prosser's algorithm as the C standard describes it (6.10.3): arguments are expanded before they are put in, except
beside `#` and `##`; the result is looked at again together with what follows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from knaster.base.errors import Problem, Span
from knaster.base.records import dataclass
from knaster.frontends.c.text.tokens import Token, logical_lines

MOST = 2_000_000  # tokens that a file may become
_MOST_WORK = 1_000_000  # tokens that come out of macros, those that are gone again included


@dataclass(frozen=True, slots=True)
class Macro:
    """What a name stands for; `parameters` is None where it takes no arguments."""

    body: tuple[Token, ...]
    parameters: tuple[str, ...] | None = None
    variadic: bool = False


class TooLong(Exception):
    """Macros expand to more than anybody could want."""


@dataclass(slots=True)
class Work:
    """The tokens that all macros of a file have been replaced by so far."""

    done: int = 0

    def add(self, tokens: int) -> None:
        """Count tokens; raise `TooLong` where there are too many."""
        self.done += tokens
        if self.done > _MOST_WORK:
            raise TooLong


def simple_macro(text: str) -> Macro:
    """Return a macro without arguments that stands for a text."""
    return Macro(tuple(logical_lines(text, [])[0]))


def defined_by(line: Sequence[Token], problems: list[Problem]) -> tuple[str, Macro] | None:
    """Return what a line `#define NAME ...` defines; the tokens begin with the name."""
    if not line or not line[0].is_name:
        problems.append(Problem("#define names no macro", line[0].span if line else Span(1, 1)))
        return None
    name, rest = line[0], list(line[1:])
    glued = bool(rest) and rest[0].text == "(" and rest[0].span == Span(*_after(name), 1)
    if not glued:
        return name.text, Macro(tuple(rest))
    close = next((index for index, token in enumerate(rest) if token.text == ")"), None)
    if close is None:
        problems.append(Problem(f"the parameters of the macro '{name.text}' have no end", name.span))
        return None
    parameters = [token.text for token in rest[1:close] if token.text != ","]
    variadic = bool(parameters) and parameters[-1] == "..."
    if variadic:
        parameters[-1] = "__VA_ARGS__"
    return name.text, Macro(tuple(rest[close + 1 :]), tuple(parameters), variadic)


def _after(token: Token) -> tuple[int, int]:
    return token.span.line, token.span.column + token.span.length


def expand(tokens: Sequence[Token], macros: Mapping[str, Macro], work: Work | None = None) -> list[Token]:
    """Return the tokens with every macro expanded; what a macro became stands where it was used."""
    work = Work() if work is None else work
    todo = list(reversed(tokens))
    done: list[Token] = []
    while todo:
        token = todo.pop()
        macro = macros.get(token.text)
        if token.text == "__LINE__":
            done.append(token._replace(text=str(token.span.line)))
        elif macro is None or token.text in token.hidden:
            done.append(token)
        elif macro.parameters is None:
            work.add(1 + len(macro.body))
            todo += reversed(_place(macro.body, token, token.hidden | {token.text}))
        elif not todo or todo[-1].text != "(":
            done.append(token)
        else:
            before = len(todo)
            arguments = _arguments(todo, macro)
            work.add(before - len(todo) if arguments is not None else before)
            if arguments is None:
                done.append(token)
                continue
            body = _substitute(macro, arguments, lambda part: expand(part, macros, work))
            work.add(len(body))
            todo += reversed(_place(body, token, token.hidden | {token.text}))
    return done


def _place(body: Sequence[Token], use: Token, hidden: frozenset[str]) -> list[Token]:
    return [Token(token.text, use.span, token.hidden | hidden) for token in body]


def _arguments(todo: list[Token], macro: Macro) -> list[list[Token]] | None:
    """Take the arguments of a macro from the end of `todo`; None, with nothing taken, where they have no end."""
    assert macro.parameters is not None
    depth, found, index = 0, [[]] if macro.parameters else [], len(todo) - 1  # type: ignore[var-annotated]
    while index >= 0:
        token = todo[index]
        index -= 1
        if token.text == "(":
            depth += 1
            if depth == 1:
                continue
        elif token.text == ")":
            depth -= 1
            if depth == 0:
                del todo[index + 1 :]
                return found
        last = macro.variadic and len(found) == len(macro.parameters)
        if token.text == "," and depth == 1 and not last:
            found.append([])
        elif found:
            found[-1].append(token)
    return None


def _substitute(
    macro: Macro, arguments: Sequence[list[Token]], expanded: Callable[[list[Token]], list[Token]]
) -> list[Token]:
    """Return the body of a macro with its arguments put in."""
    assert macro.parameters is not None
    given = dict(zip(macro.parameters, arguments, strict=False))
    body, done, index = macro.body, [], 0
    while index < len(body):
        token = body[index]
        following = body[index + 1].text if index + 1 < len(body) else ""
        if token.text == "#" and following in given:
            text = " ".join(part.text for part in given[following]).replace("\\", "\\\\").replace('"', '\\"')
            done.append(token._replace(text=f'"{text}"'))
            index += 2
            continue
        if token.text == "##" and done and following:
            right = given.get(following, [body[index + 1]])
            left = done.pop()
            done += [left._replace(text=left.text + right[0].text), *right[1:]] if right else [left]
            index += 2
            continue
        if token.text in given:
            done += given[token.text] if following == "##" else expanded(given[token.text])
        else:
            done.append(token)
        index += 1
    return done
