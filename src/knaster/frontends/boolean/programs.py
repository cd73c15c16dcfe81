"""Text to Program: global declarations, `init`, and the headers of procedures."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from knaster.base.errors import Problem, SourceError, UsageError
from knaster.frontends.boolean.bodies import BodyReader
from knaster.frontends.boolean.declarations import declare, find_declarations, is_declaration, visible_name
from knaster.frontends.boolean.expressions import DIALECTS, ExpressionReader
from knaster.frontends.boolean.graph import Draft
from knaster.frontends.boolean.lexer import tokenize
from knaster.frontends.boolean.mistakes import TYPES, Mistakes, Unexpected
from knaster.frontends.boolean.notation import expression_to_text
from knaster.frontends.boolean.resolve import (
    find_initializer,
    find_threads,
    finish_procedures,
    initial_state,
    shared_lock,
)
from knaster.frontends.boolean.statements import StatementReader
from knaster.program.expression import TRUE, Binary, Expr, Operator, Var
from knaster.program.model import Procedure, Program

_STARTERS = frozenset(("", "decl", "void", "bool"))
_MOST_RESULTS = 10_000
LONG = 8192  # letters of a text from which opening the native library is worth its time


def parse(text: str, file: str = "<text>", dialect: str = "default", notes: list[Problem] | None = None) -> Program:
    """Return the program that `text` spells; raise `SourceError` with every problem found in it.

    What was accepted but deserves a word (an ignored `dfs`, a local that hides a global, threads found by their names)
    is appended to `notes`.
    """
    if dialect not in DIALECTS:
        raise UsageError(f"there is no dialect '{dialect}'; choose one of {', '.join(sorted(DIALECTS))}")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    with _collector_paused():
        if len(text) >= LONG and (read := _read_natively(text, file, dialect)) is not None:
            return read
        reader = ProgramReader(text, dialect, [] if notes is None else notes)
        program = reader.read(file)
    if reader.problems:
        raise SourceError(file, text, sorted(reader.problems, key=lambda problem: problem.span))
    return program


def _read_natively(text: str, file: str, dialect: str) -> Program | None:
    """Return the program of a text that is long and plainly right; None where it has to be looked at here."""
    from knaster.frontends.boolean.columns import read_columns

    return read_columns(text, file, dialect)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Stop looking for garbage cycles: reading makes none, and a large model would be searched again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class ProgramReader:
    """Reads one text from its first token to its last."""

    def __init__(self, text: str, dialect: str, notes: list[Problem]) -> None:
        self.problems: list[Problem] = []
        self._text = text
        self._notes = notes
        self._tokens = tokenize(text, self.problems)
        self._spellings = self._tokens.spellings
        self._names = self._tokens.names
        self._mistakes = Mistakes(self._tokens, self.problems, {problem.span.line for problem in self.problems})
        self._expressions = ExpressionReader(self._tokens, dialect, self._mistakes, notes)
        self._statements = StatementReader(self._tokens, self._expressions, self._mistakes)
        self._bodies = BodyReader(self._tokens, self._expressions, self._statements, self._mistakes)
        self._declarations = find_declarations(self._tokens)
        self._drafts: list[Draft] = []
        self._variables: dict[str, Var] = {}  # one node for each local name, shared by all expressions
        self._init: Expr = TRUE

    def read(self, file: str) -> Program:
        """Return the program; it means something only where no problem was found."""
        shared = declare(self._tokens, self._declarations.shared, self.problems)
        self._expressions.shared = {name: Var(name) for name in shared}
        at = 0
        while self._spellings[at] != "":
            start = at
            try:
                at = self._global(at)
            except Unexpected as mistake:
                self._mistakes.report_unexpected(mistake)
                is_short = self._spellings[start] in ("decl", "init") or is_declaration(self._spellings, start)
                ending = ";" if is_short else "end"
                at = self._resume(max(mistake.at, start + 1), ending)
        procedures = finish_procedures(self._drafts, self._tokens, self._mistakes)
        threads = find_threads(procedures)
        if len(threads) > 1:
            self._notes.append(Problem(f"runs {len(threads)} threads: {', '.join(threads)}", self._tokens.span(0)))
        atomic = shared_lock(threads, shared) if "atomic" in shared else None
        if atomic is not None:
            self._notes.append(Problem(f"no thread switches while '{atomic}' is 1", self._tokens.span(shared[atomic])))
        init, initializer = self._init, find_initializer(procedures)
        if initializer is not None:
            init, initializer = self._after(initializer, threads, tuple(shared))
        everything = tuple(shared), tuple(procedures), threads, init, file, self._text, "boolean", atomic
        return Program(*everything, initializer=initializer.name if initializer is not None else None)

    def _after(
        self, initializer: Procedure, threads: Sequence[str], shared: Sequence[str]
    ) -> tuple[Expr, Procedure | None]:
        """Return the states after the procedure `init` if it gives them; without threads it may be dead code."""
        problems: list[Problem] = []
        state = initial_state(initializer, shared, problems)
        if not problems:
            self._notes.append(Problem("starts with what 'init' assigns", initializer.span))
            return _conjoin_once(self._init, state), initializer
        if threads == ("main",):
            message = "nobody calls 'init', and it does not only assign constants: it says nothing about the start"
            self._notes.append(Problem(message, initializer.span))
        else:
            self.problems += problems
        return self._init, None

    def _resume(self, at: int, ending: str) -> int:
        """Return the token behind `ending`, or an earlier one that can only start something new."""
        while self._spellings[at] != ending and self._spellings[at] not in _STARTERS:
            at += 1
        return at + 1 if self._spellings[at] == ending else at

    def _global(self, at: int) -> int:
        """Read one declaration, constraint or procedure; return the token behind it."""
        token = self._spellings[at]
        if token == ";":
            return at + 1
        if token == "decl":
            return self._declaration(at)
        if token in TYPES and is_declaration(self._spellings, at):
            raise Unexpected(at, "a declaration or a procedure")
        if token == "init" and self._spellings[at + 1] == "(":
            behind = self._closing(at + 1)
            if behind > at + 3 and self._spellings[behind] != "begin":
                return self._constraint(at)
        return self._procedure(at)

    def _closing(self, at: int) -> int:
        """Return the token behind the parenthesis that closes the one at `at`."""
        depth = 0
        while self._spellings[at] not in ("", "begin", ";"):
            depth += (self._spellings[at] == "(") - (self._spellings[at] == ")")
            at += 1
            if depth == 0:
                break
        return at

    def _declaration(self, at: int) -> int:
        """Read `decl`: the names are known already, an initialiser restricts the initial state."""
        while True:
            name = at + 1
            if self._spellings[name] not in self._names:
                raise Unexpected(name, "a name")
            at = name + 1
            if self._spellings[at] in ("=", "=="):
                self._mistakes.report_unexpected(Unexpected(at, "':=', ',' or ';'"))
            if self._spellings[at] in (":=", "=", "=="):
                value, at = self._expressions.read(at + 1)
                self._restrict(Binary(Operator.EQUAL, Var(self._spellings[name]), value))
            if self._spellings[at] != ",":
                break
        if self._spellings[at] != ";":
            raise Unexpected(at, "',' or ';'")
        return at + 1

    def _constraint(self, at: int) -> int:
        condition, behind = self._expressions.read(at + 1)
        self._restrict(condition)
        if self._spellings[behind] != ";":
            raise Unexpected(behind, "';'")
        return behind + 1

    def _restrict(self, condition: Expr) -> None:
        self._init = condition if self._init == TRUE else Binary(Operator.AND, self._init, condition)

    # Procedures

    def _procedure(self, at: int) -> int:
        spellings = self._spellings
        if spellings[at] == "dfs" and spellings[at + 1] != "(":
            self._notes.append(Problem("'dfs' has no meaning here and is ignored", self._tokens.span(at)))
            at += 1
        results, at = self._result_count(at)
        if spellings[at] not in self._names:
            raise Unexpected(at, "a declaration or a procedure")
        draft = Draft(spellings[at], at, results)
        parameters: list[int] = []
        try:
            parameters, begin = self._parameters(at + 1)
            if spellings[begin] != "begin":
                raise Unexpected(begin, "'begin'")
        except Unexpected as mistake:
            begin = mistake.at
            while spellings[begin] not in _STARTERS and spellings[begin] not in ("begin", ";", "end"):
                begin += 1
            if spellings[begin] != "begin":
                raise
            self._mistakes.report_unexpected(mistake)
        local = self._scope(draft, parameters, begin)
        behind = self._bodies.read(draft, local, begin + 1)
        self._statements.begin(Draft("", at, None), {})
        self._drafts.append(draft)
        return behind

    def _result_count(self, at: int) -> tuple[int | None, int]:
        spellings = self._spellings
        if spellings[at] == "void":
            return 0, at + 1
        if spellings[at] == "proc" and spellings[at + 1] != "(":
            return None, at + 1
        if spellings[at] != "bool":
            return None, at
        if spellings[at + 1] != "<":
            return 1, at + 1
        number = spellings[at + 2]
        if not number.isdecimal():
            raise Unexpected(at + 2, "a number of results")
        if len(number) > 9 or int(number) > _MOST_RESULTS:
            self._mistakes.add(at + 2, f"at most {_MOST_RESULTS} results are possible")
            number = "0"
        if spellings[at + 3] != ">":
            raise Unexpected(at + 3, "'>'")
        return int(number), at + 4

    def _parameters(self, at: int) -> tuple[list[int], int]:
        spellings = self._spellings
        if spellings[at] != "(":
            raise Unexpected(at, "'('")
        if spellings[at + 1] == ")":
            return [], at + 2
        parameters: list[int] = []
        while True:
            at += 1
            if spellings[at] not in self._names:
                raise Unexpected(at, "a name")
            parameters.append(at)
            at += 1
            if spellings[at] == ")":
                return parameters, at + 1
            if spellings[at] != ",":
                raise Unexpected(at, "',' or ')'")

    def _scope(self, draft: Draft, parameters: list[int], begin: int) -> dict[str, Var]:
        """Declare parameters and locals; return what their names mean in the procedure."""
        places = parameters + self._declarations.local.get(begin, [])
        declared = declare(self._tokens, places, self.problems)
        shared = self._expressions.shared
        local: dict[str, Var] = {}
        for name, at in declared.items():
            model_name = name
            if name in shared:
                model_name = visible_name(name, draft.name, shared, declared)
                message = f"'{name}' hides a global here and is called '{model_name}'"
                self._notes.append(Problem(message, self._tokens.span(at)))
            local[name] = self._variables.setdefault(model_name, Var(model_name))
        names = [variable.name for variable in local.values()]
        count = len({self._spellings[at] for at in parameters})
        draft.parameters, draft.locals = tuple(names[:count]), tuple(names[count:])
        return local


def _conjoin_once(init: Expr, state: Expr) -> Expr:
    """Return both, but add nothing where a printed program already says so."""
    if init == TRUE:
        return state
    said = expression_to_text(state)
    last = init.right if isinstance(init, Binary) and init.operator is Operator.AND else init
    if state == TRUE or said in (expression_to_text(init), expression_to_text(last)):
        return init
    return Binary(Operator.AND, init, state)
