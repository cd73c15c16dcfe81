"""Where C puts the values of a list in braces (C17 6.7.9).

A designator names the part that gets the next value, and the list goes on behind that part, however deep it is; braces
may be left out; a value for a whole part replaces what was said of it before, and another member of a union the one
before.  Types are told apart by `Parts` alone, so programs with and without memory are read by the same rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeAlias

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass
from knaster.frontends.c.tree import nodes

Path = tuple[int, ...]  # numbers of parts, from the whole object to one of its parts
Problem: TypeAlias = Callable[[str, Any], Any]  # what is wrong, and the node where it stands


class Parts(Protocol):
    """What the rules ask of types."""

    def count(self, type: Any) -> int | None:
        """Return how many parts an object has; None where it is a scalar."""

    def part(self, type: Any, number: int) -> tuple[str | int, Any]:
        """Return the name of a member, empty where it has none, or the index of an element; and its type."""

    def is_union(self, type: Any) -> bool:
        """Tell whether only one of the parts has a value."""

    def takes(self, type: Any, value: Any) -> bool:
        """Tell whether a value, other than a list, is one of the whole object."""

    def text(self, type: Any, value: Any) -> nodes.Text | None:
        """Return the text that fills an array of characters, with or without braces; None where there is none."""


class Placed(NamedTuple):
    """The value of one part of an object."""

    path: Path
    type: Any
    node: Any


class _Value(NamedTuple):
    type: Any
    node: Any


_Tree: TypeAlias = "dict[int, _Tree | _Value]"


@dataclass(slots=True)
class _Frame:
    """An object whose parts get values, and the number of the next one."""

    type: Any
    tree: _Tree
    position: int


def place_values(parts: Parts, type: Any, braces: nodes.Braces, problem: Problem) -> Iterator[Placed]:
    """Yield the values of the parts of an object, those that a later value replaces left out."""
    todo: list[tuple[Path, _Tree | _Value]] = [((), _Placing(parts, problem).read(type, braces))]
    while todo:
        path, found = todo.pop()
        if isinstance(found, _Value):
            yield Placed(path, found.type, found.node)
        else:
            todo += [((*path, number), found[number]) for number in reversed(found)]


def count_elements(parts: Parts, endless: Any, braces: nodes.Braces, problem: Problem) -> int:
    """Return how many elements a list gives an array that has no length of its own."""
    return max(_Placing(parts, problem).read(endless, braces), default=-1) + 1


def text_in(node: Any) -> nodes.Text | None:
    """Return a text, with or without braces around it; None where there is none."""
    if isinstance(node, nodes.Braces) and len(node.items) == 1 and not node.items[0].path:
        node = node.items[0].value
    return node if isinstance(node, nodes.Text) else None


class _Placing:
    """Puts values into trees, whose branches are the numbers of parts."""

    def __init__(self, parts: Parts, problem: Problem) -> None:
        self.parts = parts
        self.problem = problem

    def read(self, type: Any, braces: nodes.Braces) -> _Tree:
        """Return the values that a list gives the parts of an object."""
        tree: _Tree = {}
        frames = [_Frame(type, tree, 0)]
        for item in braces.items:
            if item.path:
                frames = self.designate(type, tree, item)
                if not frames:
                    continue
            if not self.descend(frames, item):
                break
            top = frames[-1]
            self.only(top)
            top.tree[top.position] = self.value(self.inner(top), item.value)
            self.advance(frames)
        return tree

    def value(self, type: Any, node: Any) -> _Tree | _Value:
        """Return what one initial value says of a part."""
        if isinstance(node, nodes.Braces):
            if self.parts.count(type) is not None and not self.parts.takes(type, node):
                return self.read(type, node)
            if self.parts.count(type) is None:
                while isinstance(node, nodes.Braces) and node.items:
                    node = node.items[0].value
                if isinstance(node, nodes.Braces):
                    return {}
        return _Value(type, node)

    def inner(self, frame: _Frame) -> Any:
        """Return the type of the next part."""
        return self.parts.part(frame.type, frame.position)[1]

    def only(self, frame: _Frame) -> None:
        """Forget the other members of a union."""
        if self.parts.is_union(frame.type):
            for number in [number for number in frame.tree if number != frame.position]:
                del frame.tree[number]

    def descend(self, frames: list[_Frame], item: nodes.Item) -> bool:
        """Go to the part that a value is for, through braces that are left out; say so where no part is left."""
        while frames:
            type = self.inner(frames[-1])
            count = self.parts.count(type)
            if count is None or isinstance(item.value, nodes.Braces) or self.parts.takes(type, item.value):
                return True
            if count == 0:
                self.advance(frames)
            else:
                frames.append(_Frame(type, self.below(frames[-1], item), 0))
        self.problem("there are more initial values than parts", item)
        return False

    def below(self, frame: _Frame, item: nodes.Item) -> _Tree:
        """Return the tree of the next part."""
        self.only(frame)
        found = frame.tree.setdefault(frame.position, {})
        if not isinstance(found, _Value):
            return found
        text = self.parts.text(found.type, found.node)
        if text is None:
            self.problem("a part of an object that has an initial value as a whole is not read", item)
            return {}
        count, (_, element) = self.parts.count(found.type) or 0, self.parts.part(found.type, 0)
        numbers = [nodes.Number(code, element, text.at) for code in text.codes[:count]]
        letters: _Tree = {at: _Value(element, number) for at, number in enumerate(numbers)}
        frame.tree[frame.position] = letters
        return letters

    def advance(self, frames: list[_Frame]) -> None:
        """Go on behind the part that got a value."""
        while frames:
            top = frames[-1]
            top.position += 1
            if top.position < (self.parts.count(top.type) or 0) and not self.parts.is_union(top.type):
                return
            frames.pop()

    def designate(self, type: Any, tree: _Tree, item: nodes.Item) -> list[_Frame]:
        """Return the way to the part that a designator names; none where there is no such part."""
        frames: list[_Frame] = []
        for name in item.path:
            if frames:
                type, tree = self.inner(frames[-1]), self.below(frames[-1], item)
            way = self.way_to(type, name)
            if not way:
                self.problem("this initial value names no part", item)
                return []
            for position in way[:-1]:
                frames.append(_Frame(type, tree, position))
                type, tree = self.inner(frames[-1]), self.below(frames[-1], item)
            frames.append(_Frame(type, tree, way[-1]))
        return frames

    def way_to(self, type: Any, name: str | int) -> Path:
        """Return the numbers of the parts that lead to a named one: members without a name are passed through."""
        count = self.parts.count(type) or 0
        if isinstance(name, int) or not count or isinstance(self.parts.part(type, 0)[0], int):
            return (name,) if isinstance(name, int) and 0 <= name < count else ()
        for number in range(count):
            own, inner = self.parts.part(type, number)
            if own == name:
                return (number,)
            if not own and (way := self.way_to(inner, name)):
                return (number, *way)
        return ()
