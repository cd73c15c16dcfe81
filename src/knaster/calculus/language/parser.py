"""Text -> commands.  A faulty command is reported and skipped; reading resumes behind its `;`.

`#load` reads another file in place, `#quit` ends the reading, as in muCKE; the path is looked up next to the loading
file first.
"""

from __future__ import annotations

from collections.abc import Callable

from knaster.base.errors import Problem
from knaster.base.hints import did_you_mean
from knaster.base.trampoline import run
from knaster.calculus.language import syntax
from knaster.calculus.language.expressions import constraints, expression, parse_declaration
from knaster.calculus.language.lexer import Source, tokenize
from knaster.calculus.language.syntax import Command, Directive
from knaster.calculus.language.tokens import Cursor, RefusedCommand

Loader = Callable[[str, str], Source | None]  # (name, file that asks) -> the text, None where there is no such file
Reported = list[tuple[Source, Problem]]

_EXPRESSION = ("#wit", "#witness", "#cex", "#counterexample")
_PREDICATE = ("#size", "#ons", "#onsetsize", "#dump", "#vis", "#reset")
_WORDS = ("#print", "#load", "#timer", "#frontier", "#verbose", "#undump")
DIRECTIVES = (*_EXPRESSION, *_PREDICATE, *_WORDS, "#quit")
_MAX_FILES = 1000


def read(source: Source, load: Loader) -> tuple[list[Command], Reported]:
    """Return the commands of `source` and of what it loads, in the order of execution, and what was refused."""
    commands: list[Command] = []
    problems: Reported = []
    cursors = [_open(source, problems)]
    opened = 1
    while cursors:
        at = cursors[-1]
        if at.kind == "end":
            cursors.pop()
            continue
        try:
            command = _command(at)
        except RefusedCommand as refused:
            problems.append((at.source, refused.problem))
            _resynchronise(at)
            continue
        if command is None:
            continue
        match command.action:
            case Directive("#quit"):
                break
            case Directive("#load", arguments, offsets):
                for name, offset in zip(arguments, offsets, strict=True):
                    opened += 1
                    text = load(name.strip('"'), at.source.name) if opened <= _MAX_FILES else None
                    if text is None:
                        message = f"cannot read '{name}'" if opened <= _MAX_FILES else "files load each other for ever"
                        problems.append((at.source, Problem(message, at.source.span(offset, offset + len(name)))))
                    else:
                        cursors.append(_open(text, problems))
            case _:
                commands.append(command)
    return commands, problems


def _open(source: Source, problems: Reported) -> Cursor:
    tokens, bad = tokenize(source)
    problems.extend((source, problem) for problem in bad)
    return Cursor(source, tokens)


def _resynchronise(at: Cursor) -> None:
    """Skip to behind the next `;` outside braces and `case`."""
    depth = 0
    while at.kind != "end":
        kind = at.take().kind
        if kind in ("{", "case"):
            depth += 1
        elif kind in ("}", "esac"):
            depth = max(0, depth - 1)
        elif kind == ";" and depth == 0:
            return


def _command(at: Cursor) -> Command | None:
    """Read one command with its `;`; None for an empty one."""
    start = at.token
    if at.accept(";"):
        return None
    action: syntax.EnumDefinition | syntax.ClassDefinition | syntax.PredicateDefinition | syntax.Query | Directive
    if at.kind == "enum":
        action = _enum(at)
    elif at.kind == "class":
        action = _class(at)
    elif at.kind == "name" and at.token.text.startswith("#"):
        action = _directive(at)
        if action.name == "#quit":
            at.accept(";")
            return Command(at.source, action, start.start, at.last_end)
    elif at.kind in ("mu", "nu") or (at.kind == "name" and at.peek() == "name"):
        action = _predicate(at)
    else:
        action = syntax.Query(run(expression(at)))
    end = at.last_end
    at.expect(";", "';' at the end of the command")
    return Command(at.source, action, start.start, end)


def _enum(at: Cursor) -> syntax.EnumDefinition:
    at.take()
    name = at.expect("name", "the name of the type").text
    at.expect("{")
    if at.kind == "number":
        first = at.token
        low = at.number("the first value")
        at.expect(".", "'..'")
        at.expect(".", "'..'")
        at.accept(".")
        high = at.number("the last value")
        if high < low:
            raise at.refusal(f"the range {low}..{high} is empty", token=first)
        at.expect("}")
        return syntax.EnumDefinition(name, (), low, high)
    names: list[tuple[str, int]] = []
    while not names or at.accept(","):
        constant = at.expect("name", "the name of a value")
        names.append((constant.text, constant.start))
    at.expect("}")
    return syntax.EnumDefinition(name, tuple(names), 0, len(names) - 1)


def _class(at: Cursor) -> syntax.ClassDefinition:
    at.take()
    name = at.expect("name", "the name of the class").text
    at.expect("{")
    members: list[syntax.Declared] = []
    while not at.accept("}"):
        member = parse_declaration(at)
        members.append(member)
        while at.accept(","):
            token = at.expect("name", "the name of a member")
            length = None
            if at.accept("["):
                length = at.number("the length of an array")
                at.expect("]")
            members.append(syntax.Declared(member.type_name, token.text, length, token.start, at.last_end))
        if at.kind != "}":
            at.expect(";", "';' behind the members")
    return syntax.ClassDefinition(name, tuple(members), constraints(at, before_body=False))


def _predicate(at: Cursor) -> syntax.PredicateDefinition:
    kind: syntax.Kind = ""
    if at.kind in ("mu", "nu"):
        kind = "mu" if at.take().kind == "mu" else "nu"
    result = at.expect("name", "'bool'")
    if result.text != "bool":
        raise _not_a_command(at, result.text)
    name = at.expect("name", "the name of the predicate").text
    if at.kind != "(":
        raise at.refusal("a variable outside a predicate has no meaning", "declare it in `exists` or as a parameter")
    at.take()
    parameters: list[syntax.Declared] = []
    if at.kind != ")":
        parameters.append(parse_declaration(at))
        while at.accept(","):
            parameters.append(parse_declaration(at))
    at.expect(")")
    hints = constraints(at, before_body=True)
    body = None if at.kind == ";" else run(expression(at))
    return syntax.PredicateDefinition(kind, name, tuple(parameters), hints, body)


def _not_a_command(at: Cursor, word: str) -> RefusedCommand:
    first = at.tokens[at.index - 1]
    if f"#{word}" in DIRECTIVES:
        return at.refusal(f"'{word}' is no command", f"write #{word}", first)
    return at.refusal(f"a predicate has the result type bool, not '{word}'", token=first)


def _directive(at: Cursor) -> Directive:
    token = at.take()
    if token.text not in DIRECTIVES:
        raise at.refusal(f"unknown directive '{token.text}'", did_you_mean(token.text, DIRECTIVES), token)
    if token.text in _EXPRESSION:
        return Directive(token.text, body=run(expression(at)))
    arguments: list[str] = []
    offsets: list[int] = []
    while at.kind not in (";", "end") and token.text != "#quit":
        word = at.take()
        if word.kind not in ("string",) and not (word.text[0].isalpha() or word.text[0] in "_#"):
            raise at.refusal(f"expected a name, found '{word.text}'", token=word)
        arguments.append(word.text)
        offsets.append(word.start)
        if not at.accept(","):
            break
    if token.text in _PREDICATE and len(arguments) != 1:
        raise at.refusal(f"{token.text} wants the name of one predicate", token=token)
    return Directive(token.text, tuple(arguments), tuple(offsets))
