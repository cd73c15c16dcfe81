"""WALi's XML: a pushdown system, a weighted automaton, or a query that holds both.

    <Query type='poststar'><WPDS><Rule from='p' fromStack='a' to='p' toStack1='b' toStack2='c'>…</Rule></WPDS>
    <WFA><State Name='p' initial='TRUE'/><State Name='f' final='TRUE'/><Trans from='p' stack='a' to='f'/></WFA></Query>

What a weight means is up to the program that wrote the file.  Here ONE or nothing is 1, ZERO is 0, and a natural number
is a length; other weights are refused.  A rule of weight 0 never fires and is left out, as is such a transition.
"""

from __future__ import annotations

from typing import NoReturn
from xml.parsers import expat

from knaster.base.errors import Problem, SourceError, Span
from knaster.base.records import dataclass, field
from knaster.pushdown.automaton import EMPTY, Automaton, Edge
from knaster.pushdown.domains.minpath import Length
from knaster.pushdown.formats.instance import FileRule, Instance, Sets
from knaster.pushdown.system import State


@dataclass(slots=True)
class Element:
    """An element of the file with its attributes, what is inside, and where it starts."""

    name: str
    attributes: dict[str, str]
    span: Span
    children: list[Element] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)  # between the elements inside, in pieces


def read_xml(text: str, file: str = "<xml>", instance: Instance | None = None) -> Instance | Sets:
    """Return what an XML file holds: an instance, or a set of configurations (of `instance`, if given)."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _Reader(text, file).read(parse_elements(text, file), instance)


def parse_elements(text: str, file: str) -> Element:
    """Return the root element of an XML text."""
    root = Element("", {}, Span(1, 1))
    path = [root]
    parser = expat.ParserCreate()

    def start(name: str, attributes: dict[str, str]) -> None:
        element = Element(name, attributes, Span(parser.CurrentLineNumber, parser.CurrentColumnNumber + 1))
        path[-1].children.append(element)
        path.append(element)

    def end(name: str) -> None:
        path.pop()

    def data(content: str) -> None:
        path[-1].texts.append(content)

    def entity(*declared: object) -> None:
        span = Span(parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
        raise SourceError(file, text, [Problem("entities are not read", span, "write what each of them stands for")])

    parser.buffer_text = True
    parser.EntityDeclHandler = entity
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = data
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        span = Span(error.lineno, error.offset + 1)
        raise SourceError(file, text, [Problem(f"this is no XML: {expat.ErrorString(error.code)}", span)]) from None
    return root.children[0]


class _Reader:
    """Checks elements and turns them into rules and automata."""

    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file

    def read(self, root: Element, instance: Instance | None) -> Instance | Sets:
        """Return what the root element holds."""
        match root.name:
            case "WPDS":
                return self._system(root)
            case "WFA":
                return self._automaton(root)
            case "Query":
                parts = {child.name: child for child in root.children}
                if "WPDS" not in parts:
                    self._fail(root, "a query needs a <WPDS>")
                direction = {"poststar": "post", "prestar": "pre"}.get(root.attributes.get("type", ""))
                found = self._system(parts["WPDS"])
                automaton = self._automaton(parts["WFA"]) if "WFA" in parts else None
                if direction == "post":
                    return Instance(found.rules, found.states, sources=automaton, direction="post")
                if direction == "pre":
                    return Instance(found.rules, found.states, targets=automaton, direction="pre")
                self._fail(root, "the type of a query is 'poststar' or 'prestar'")
        self._fail(root, "expected <Query>, <WPDS> or <WFA>")

    def _system(self, element: Element) -> Instance:
        rules: list[FileRule] = []
        for rule in element.children:
            if rule.name != "Rule":
                self._fail(rule, "expected <Rule>")
            source, symbol, target = (self._attribute(rule, name) for name in ("from", "fromStack", "to"))
            push = tuple(rule.attributes[name] for name in ("toStack1", "toStack2") if rule.attributes.get(name))
            usable, length = self._weight(rule)
            if usable:
                rules.append(FileRule(source, symbol, target, push, length))
        states = dict.fromkeys(state for rule in rules for state in (rule.source, rule.target))
        return Instance(tuple(rules), tuple(states))

    def _automaton(self, element: Element) -> Sets:
        edges: list[Edge[Length]] = []
        final: set[State] = set()
        initial: set[State] = set()
        for child in element.children:
            if child.name == "State":
                name = child.attributes.get("Name") or self._attribute(child, "name")
                if child.attributes.get("final", "").upper() == "TRUE":
                    final.add(name)
                if child.attributes.get("initial", "").upper() == "TRUE":
                    initial.add(name)
            elif child.name == "Trans":
                usable, length = self._weight(child)
                source, target = self._attribute(child, "from"), self._attribute(child, "to")
                symbol = self._attribute(child, "stack")
                if usable:
                    edges.append(Edge(source, EMPTY if symbol == "*" else symbol, target, length))
            else:
                self._fail(child, "expected <State> or <Trans>")
        return Automaton(tuple(edges), frozenset(final), frozenset(initial))

    def _weight(self, element: Element) -> tuple[bool, int | None]:
        """Return whether the weight of an element is not 0, and its length if it has one."""
        for child in element.children:
            content = "".join(child.texts).strip()
            if child.name != "Weight" or content in ("", "ONE"):
                continue
            if content == "ZERO":
                return False, None
            if not content.isdecimal() or len(content) > 4000:  # Python's limit is 4300 digits
                self._fail(child, f"the weight {content!r} is none of ONE, ZERO and natural numbers")
            return True, int(content)
        return True, None

    def _attribute(self, element: Element, name: str) -> str:
        value = element.attributes.get(name)
        if not value:
            self._fail(element, f"<{element.name}> needs the attribute '{name}'")
        return value

    def _fail(self, element: Element, message: str) -> NoReturn:
        raise SourceError(self.file, self.text, [Problem(message, element.span, "")])
