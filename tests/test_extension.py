"""What a newcomer does to add one of each: new files, and one line in one table (docs/architecture.md).

Each test writes these into a folder that lies over the package (`support.overlay`) and drives the command line. Where
another file had to change, what was added would not work.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from support import ROOT

SOURCE = ROOT / "src" / "knaster"


class House:
    """The package with files added to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "over"
        self.work = folder

    def add(self, files: Mapping[str, str]) -> None:
        """Add modules, none of which is there."""
        for name, text in files.items():
            assert not (SOURCE / name).exists()
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")

    def add_line(self, table: str, name: str, line: str) -> None:
        """Add one line at the end of a table."""
        text = (SOURCE / table).read_text("utf-8")
        (node,) = (node for node in ast.parse(text).body if name in _assigned(node))
        lines = text.splitlines(keepends=True)
        assert node.end_lineno is not None and lines[node.end_lineno - 1].strip() in (")", "}", "]")
        lines.insert(node.end_lineno - 1, f"    {line}\n")
        path = self.folder / table
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(lines), "utf-8")

    def run(self, *words: str) -> tuple[int, str, str]:
        """Run a command; return its exit code, what it prints and what it complains about."""
        launcher = [sys.executable, str(ROOT / "tests" / "support" / "overlay.py"), str(self.folder)]
        done = subprocess.run([*launcher, *words], capture_output=True, text=True, cwd=self.work, check=False)
        assert "Traceback" not in done.stderr
        return done.returncode, done.stdout, done.stderr

    def file(self, name: str, text: str) -> str:
        """Write an input; return its name."""
        (self.work / name).write_text(text, "utf-8")
        return name


def _assigned(node: ast.stmt) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


SAFE = "decl g;\nvoid main() begin\n  g := 1;\n  if (!g) then\n    R: skip;\n  fi\nend\n"
UNSAFE = SAFE.replace("!g", "g")

COUNTDOWN = '''"""Countdowns: a letter for each variable, lower case: set it; upper case: wait for it."""

from knaster.base.errors import Problem, SourceError, Span
from knaster.program.expression import FALSE, TRUE, Var
from knaster.program.model import Assign, Assume, Edge, Kind, Procedure, Program, Return


def looks_like(text):
    return text.startswith("countdown ")


def parse(text, file="<text>", dialect="default", notes=None):
    letters = text.split()[1:]
    if not all(letter.isalpha() for letter in letters):
        raise SourceError(file, text, [Problem("no letter", Span(1, 1))])
    actions = [Assume(Var(x.lower())) if x.isupper() else Assign((x,), (TRUE,)) for x in letters]
    edges = [Edge(at, action, at + 1, Span(1, 11 + 2 * at)) for at, action in enumerate(actions)]
    end = len(edges)
    labels = (("R", end),)
    main = Procedure("main", (), (), (), 0, end + 1, (*edges, Edge(end, Return(()), end + 1, Span(1, 1))), labels)
    names = tuple(sorted({letter.lower() for letter in letters}))
    return Program(names, (main,), file=file, source=text, language="countdown", kind=Kind.BOOLEAN, init=_none(names))


def _none(names):
    from knaster.program.expression import Binary, Not, Operator

    found = TRUE
    for name in names:
        found = Binary(Operator.AND, found, Not(Var(name)))
    return found
'''
COUNTDOWN_SPELLING = '''"""How countdowns are written."""

from knaster.frontends.boolean.spelling import SPELLING as BOOLEAN
from dataclasses import replace

SPELLING = BOOLEAN._replace(to_text=lambda program: program.source, routine="countdown")
'''


def test_a_language(house: House) -> None:
    house.add({"frontends/countdown/__init__.py": COUNTDOWN, "frontends/countdown/spelling.py": COUNTDOWN_SPELLING})
    line = 'Language("countdown", "a countdown", (".count",), "knaster.frontends.countdown:looks_like"),'
    house.add_line("frontends/languages.py", "LANGUAGES", line)
    good, bad = house.file("good.count", "countdown a B\n"), house.file("bad.txt", "countdown a b B A\n")
    code, text, _ = house.run("check", good, "--target", "R", "--proof", "good.proof")
    assert code == 0 and "TRUE" in text
    assert house.run("certify", good, "good.proof")[0] == 0
    code, text, _ = house.run("check", bad, "--target", "R")  # known by its content
    assert code == 10 and "FALSE" in text
    assert house.run("show", good)[1] == "countdown a B\n"
    assert "no letter" in house.run("check", house.file("wrong.count", "countdown 1\n"))[2]
    assert "this looks like a countdown" in house.run("check", house.file("wrong.bp", "countdown a\n"))[2]


GUESS = '''"""Guesses: no paper."""

from __future__ import annotations

from dataclasses import dataclass

from knaster.base.options import Options, option
from knaster.engines.card import Card
from knaster.engines.requirements import BOOLEAN, REACH


class GuessOptions(Options):
    """What is guessed."""

    guess: str = option("nothing", "what is reachable", ("nothing", "everything"))


CARD = Card("guess", "guesses", (REACH, BOOLEAN), "knaster.engines.boolean.guess.engine:guess", GuessOptions)
'''
GUESS_ENGINE = '''"""Guesses."""

from knaster.engines.contract import Findings


def guess(task):
    reached = frozenset(task.targets if task.options.guess == "everything" else ())
    return Findings(reached, None, {"guesses": 1})
'''


def test_an_engine(house: House) -> None:
    house.add({"engines/boolean/guess/__init__.py": GUESS, "engines/boolean/guess/engine.py": GUESS_ENGINE})
    house.add_line("engines/table.py", "FOLDERS", '"boolean.guess",')
    asked = ("--target", "R", "--engine", "guess")
    safe, unsafe = house.file("safe.bp", SAFE), house.file("unsafe.bp", UNSAFE)
    code, text, _ = house.run("check", safe, *asked)
    assert code == 0 and "TRUE" in text
    code, text, _ = house.run("check", unsafe, *asked, "--guess", "everything")
    assert code == 10 and "FALSE" in text
    assert house.run("check", unsafe, *asked)[0] == 6  # it is wrong, and that is found out
    assert house.run("compare", unsafe, "--target", "R", "--engines", "guess,summaries")[0] == 6
    code, _, complaint = house.run("check", house.file("x.c", "int main(void) { R: return 0; }\n"), *asked)
    assert code == 1 and "it checks programs whose variables are Boolean" in complaint
    help_text = house.run("check", "--help-all")[1]
    assert "guesses" in help_text and "--guess" in help_text


ISOLATED = '''"""A proof that no run reaches a target: no edge leads to its place, and it is no entry."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Isolated:
    """The places without an edge to them."""

    program: Any
    places: tuple

    def unreached_places(self):
        return None


def to_fields(proof, program):
    return {"isolated": [list(place) for place in proof.places]}


def from_fields(document, program, nodes, budget):
    return Isolated(program, tuple((name, location) for name, location in document["isolated"]))


def to_words(proof, program, verbose=False):
    return [f"nothing leads to {len(proof.places)} place"]


def to_json(proof, program):
    return {"isolated": len(proof.places)}
'''
ISOLATED_CHECK = '''"""The check of places that no edge leads to."""

from knaster.base.errors import InternalError


def check_isolated(proof, program, targets, budget):
    for name, location in proof.places:
        procedure = program.procedure(name)
        if location == procedure.entry or any(edge.target == location for edge in procedure.edges):
            raise InternalError("an edge leads to a place of it")
    if any(target.place not in proof.places for target in targets):
        raise InternalError("it does not say that a target has no edge")
'''
ISOLATED_CARD = '''"""Looks for targets that no edge leads to, for a proof of a new kind."""

from knaster.engines.card import Card
from knaster.engines.requirements import REACH

CARD = Card("isolated", "targets that no edge leads to", (REACH,), "knaster.engines.boolean.isolated.engine:isolated")
'''
ISOLATED_ENGINE = '''"""Believes that no edge leads to a target."""

from knaster.engines.contract import Findings
from knaster.evidence.proofs.isolated import Isolated


def isolated(task):
    proof = Isolated(task.program, tuple(target.place for target in task.targets))
    return Findings(frozenset(), None, {}, proof=lambda: proof)
'''
DEAD = "decl g;\nvoid main() begin\n  goto L;\n  R: g := 1;\n  L: skip;\nend\n"


def test_a_kind_of_proof(house: House) -> None:
    """With an engine that makes it: a line for the engine, and one for the proof."""
    house.add({"evidence/proofs/isolated.py": ISOLATED, "checkers/isolated.py": ISOLATED_CHECK})
    house.add({"engines/boolean/isolated/__init__.py": ISOLATED_CARD})
    house.add({"engines/boolean/isolated/engine.py": ISOLATED_ENGINE})
    line = '_kind("isolated", "Isolated", "isolated", "isolated:check_isolated", words=True),'
    house.add_line("evidence/proofs/table.py", "PROOFS", line)
    house.add_line("engines/table.py", "FOLDERS", '"boolean.isolated",')
    dead, unsafe = house.file("dead.bp", DEAD), house.file("unsafe.bp", UNSAFE)
    code, text, _ = house.run("check", dead, "--target", "R", "--engine", "isolated", "--proof", "dead.proof")
    assert code == 0 and "nothing leads to 1 place" in text
    code, text, _ = house.run("certify", dead, "dead.proof")
    assert code == 0 and "TRUE" in text
    document = json.loads((house.work / "dead.proof").read_text())
    document["isolated"].append(["main", 0])
    (house.work / "changed.proof").write_text(json.dumps(document))
    code, _, complaint = house.run("certify", dead, "changed.proof")
    assert code == 2 and "an edge leads to a place of it" in complaint
    assert house.run("check", unsafe, "--target", "R", "--engine", "isolated")[0] == 6
    document = json.loads(house.run("check", dead, "--target", "R", "--engine", "isolated", "--format", "json")[1])
    assert '"isolated": 1' in json.dumps(document)


CSV = '''"""Answers as values between commas."""


def write_csv(result, style):
    rows = [f"{result.file},{target.name},{type(answer).__name__}" for target, answer in result.answers]
    return "\\n".join(["file,target,answer", *rows])
'''


def test_a_format(house: House) -> None:
    house.add({"report/csv.py": CSV})
    line = 'Format("csv", "values between commas", "knaster.report.csv:write_csv", several="each"),'
    house.add_line("report/formats.py", "_LIST", line)
    safe, unsafe = house.file("safe.bp", SAFE), house.file("unsafe.bp", UNSAFE)
    asked = ("--target", "R", "--format", "csv")
    assert house.run("check", safe, *asked) == (0, "file,target,answer\nsafe.bp,R,Unreachable\n", "")
    code, text, _ = house.run("check", safe, unsafe, *asked)
    assert code == 10 and "safe.bp,R,Unreachable\n" in text and "unsafe.bp,R,Reachable\n" in text
    assert house.run("check", safe, unsafe, *asked, "--timeout", "600")[0] == 10  # by a process of its own
    assert "values between commas" in house.run("check", "--help")[1]


COUNT = '''"""`knaster count`: how many statements a program has."""

from knaster.commands.table import exit_codes


def configure(parser):
    parser.epilog = exit_codes("count")
    parser.add_argument("file")


def run(options, console):
    from knaster.frontends.languages import load

    program = load(options.file)
    console.write(f"{sum(len(procedure.edges) for procedure in program.procedures)}\\n")
    return 0
'''


def test_a_command(house: House) -> None:
    house.add({"commands/count.py": COUNT})
    house.add_line("commands/table.py", "_LIST", 'Command("count", "count statements", {ExitCode.DONE: "counted"}),')
    code, text, _ = house.run("count", house.file("safe.bp", SAFE))
    assert code == 0 and int(text) > 3
    assert "count statements" in house.run("--help")[1]
    assert "counted" in house.run("count", "--help")[1]
    assert house.run("count", "missing.bp")[0] == 2
    assert "did you mean 'count'" in house.run("conut", "safe.bp")[2]


def test_a_property(house: House) -> None:
    """With the function that finds its targets: every label."""
    house.add({"evidence/questions/labels.py": LABELS})
    words = '"can a label be reached", "a label can be reached"'
    line = f'Property("labels", "", "knaster.evidence.questions.labels:labels", Reach(()), {words}),'
    house.add_line("evidence/questions/properties.py", "_LIST", line)
    safe, unsafe = house.file("safe.bp", SAFE), house.file("unsafe.bp", UNSAFE)
    code, text, _ = house.run("check", safe, "--property", "labels")
    assert code == 0 and "R (line 5) is unreachable" in text
    code, text, _ = house.run("check", unsafe, "--property", "labels")
    assert code == 10 and "R (line 5) is reachable" in text
    assert "labels" in house.run("check", "--help")[1]
    assert house.run("compare", unsafe, "--property", "labels", "--engines", "summaries,explicit")[0] == 0


LABELS = '''"""Every label of a program as a target."""


def labels(program):
    from knaster.evidence.questions.targets import resolve_targets

    return resolve_targets(program, "all-labels")
'''


TAPE = '''"""Tapes, a new kind of programs: memory that is never cleared."""

from knaster.base.errors import InternalError
from knaster.program.expression import Var
from knaster.program.model import Assign, Assume


def step(edge, memory):
    """Return the memory after an edge; None where it cannot be taken."""
    match edge.action:
        case Assume(Var(name)):
            return memory if name in memory else None
        case Assign((name,)):
            return memory | {name}
        case _:
            return memory


def replay(program, trace, target):
    memory = frozenset()
    for each in trace.paths[0].steps:
        memory = step(each.edge, memory)
        if memory is None:
            raise InternalError("the tape has no such letter")
    if trace.location != target.location:
        raise InternalError("the tape ends elsewhere")


def targets(program):
    from knaster.evidence.questions.targets import resolve_targets

    return resolve_targets(program, "all-labels")


def failures(program, name):
    return None


def stuck(program, trace):
    return ()


def entries(program, trace, room):
    from knaster.report.entries import Entry, kind_of

    for each in trace.paths[0].steps:
        yield Entry("main", 0, kind_of(each.edge.action), each.edge.span, {"letters": len(each.after)})
'''
TAPE_CARD = '''"""Runs a tape."""

from knaster.engines.card import Card
from knaster.engines.requirements import REACH

CARD = Card("tape", "runs a tape", (REACH,), "knaster.engines.tape.engine:run")
'''
TAPE_ENGINE = '''"""Runs a tape."""

from knaster.engines.contract import Findings
from knaster.evidence.traces.trace import Path, Step, Trace
from knaster.semantics.tape import step


def run(task):
    (main,), memory, steps = task.program.procedures, frozenset(), []
    for edge in main.edges:
        if (memory := step(edge, memory)) is None:
            break
        steps.append(Step(edge, dict.fromkeys(memory, True)))
    places = {main.entry, *(each.edge.target for each in steps)}
    reached = frozenset(target for target in task.targets if target.location in places)

    def traces(targets):
        return {target: Trace.sequential((Path("main", {}, to(target)),), target.location) for target in targets}

    def to(target):
        return tuple(each for each in steps if each.edge.target <= target.location)

    return Findings(reached, None, {}, traces)
'''


def test_a_kind_of_program(house: House) -> None:
    """With a language that makes such programs and an engine that runs them."""
    tape = COUNTDOWN.replace("Kind.BOOLEAN", "Kind.MEMORY").replace('"countdown"', '"tape"')
    house.add({"frontends/tape/__init__.py": tape, "frontends/tape/spelling.py": COUNTDOWN_SPELLING})
    house.add({"semantics/tape/__init__.py": TAPE})
    house.add({"engines/tape/__init__.py": TAPE_CARD, "engines/tape/engine.py": TAPE_ENGINE})
    sign = "knaster.frontends.tape:looks_like"
    house.add_line("frontends/languages.py", "LANGUAGES", f'Language("tape", "a tape", (".tape",), "{sign}"),')
    house.add_line("engines/table.py", "FOLDERS", '"tape",')
    names = [f'"knaster.semantics.tape:{name}"' for name in ("replay", "targets", "failures", "entries", "stuck")]
    functions = ", ".join([*names[:3], '("all-labels",)', *names[3:]])
    house.add_line("semantics/table.py", "_SEMANTICS", f"Semantics(Kind.MEMORY, {functions}),")
    good, bad = house.file("good.tape", "countdown a B\n"), house.file("bad.tape", "countdown a b B A\n")
    code, text, _ = house.run("check", bad, "--engine", "tape")
    assert code == 10 and "trace replayed" in text and "letters=1" in text
    code, text, _ = house.run("check", good, "--engine", "tape", "--no-certify")
    assert code == 0 and "TRUE" in text
    code, _, complaint = house.run("check", bad, "--engine", "summaries")
    assert code == 1 and "it checks programs whose variables are Boolean" in complaint
