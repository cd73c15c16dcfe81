"""Random initial values of C: designators at any depth, braces that are left out, values that replace others, unions.

The same text is compiled and run, and read by us, as in `c_closed`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

SCALARS = ("_Bool", "int", "unsigned char", "short", "long")
OBJECTS = 6


@dataclass
class Kind:
    """A type: its name in the text, and its parts where it is an array or a struct."""

    name: str
    members: list[tuple[str, Kind]] = field(default_factory=list)  # of a struct; without a name where it is inside
    element: Kind | None = None
    length: int = 0
    body: str = ""  # of a struct

    @property
    def is_text(self) -> bool:
        """Whether a text can be its initial value."""
        return self.element is not None and self.element.name == "char" and self.element.element is None

    def parts(self) -> list[tuple[str, Kind]]:
        """Return its parts, each with what is written behind the object."""
        if self.element is not None:
            return [(f"[{index}]", self.element) for index in range(self.length)]
        return [(f".{name}" if name else "", kind) for name, kind in self.members]

    def scalars(self) -> list[str]:
        """Return what is written behind an object for each of its scalars."""
        parts = self.parts()
        return [way + rest for way, part in parts for rest in part.scalars()] if parts else [""]


class InitialProgram:
    """A random program by its number; `unions` where it needs memory."""

    def __init__(self, number: int) -> None:
        self.random = random.Random(number)
        self.unions = self.random.random() < 0.5
        self.declared: list[str] = []
        self.count = 0
        objects = [self._object(index) for index in range(OBJECTS)]
        outside = "".join(text for text, local, _ in objects if not local)
        inside = "".join(text for text, local, _ in objects if local)
        sums = "".join(f"sum = sum * 31 + (unsigned long long)({part});\n" for *_, parts in objects for part in parts)
        self.body = (
            "extern void reach_error(void); extern int printf(const char *, ...);\n"
            + "".join(self.declared)
            + outside
            + f"int main(void) {{ unsigned long long sum = 0;\n{inside}{sums}CHECK\nreturn 0; }}\n"
        )

    def text(self, value: int | None = None) -> str:
        """Return the program: it prints its sum, or says that something is wrong where the sum is not the value."""
        last = 'printf("%llu\\n", sum);' if value is None else f"if (sum != {value}ull) reach_error();"
        return self.body.replace("CHECK", last)

    def _object(self, index: int) -> tuple[str, bool, list[str]]:
        kind = self._aggregate(3)
        while not kind.parts():
            kind = self._aggregate(3)
        local, name = self.random.random() < 0.5, f"v{index}"
        endless = kind.element is not None and self.random.random() < 0.3
        value = self._list(kind) if not endless else self._list(kind, inside=kind.length)
        text = f"{self._declare(kind, name, endless)} = {value};\n"
        if endless:
            inner = kind.element
            assert inner is not None
            return text, local, [f"sizeof {name}", *(f"{name}[0]{rest}" for rest in inner.scalars())]
        return text, local, [name + rest for rest in kind.scalars()]

    def _declare(self, kind: Kind, name: str, endless: bool = False) -> str:
        lengths = ""
        while kind.element is not None:
            lengths += f"[{'' if endless and not lengths else kind.length}]"
            kind = kind.element
        return f"{kind.name} {name}{lengths}"

    def _kind(self, depth: int) -> Kind:
        scalars = SCALARS[self.unions :]  # what is no truth value must not be read as one
        return self._aggregate(depth) if depth and self.random.random() < 0.6 else Kind(self.random.choice(scalars))

    def _aggregate(self, depth: int) -> Kind:
        choice = self.random.random()
        if choice < 0.15:
            return Kind("char", element=Kind("char"), length=self.random.randint(1, 4))
        if choice < 0.45:
            return Kind("array", element=self._kind(depth - 1), length=self.random.randint(1, 3))
        return self._record(depth)

    def _record(self, depth: int) -> Kind:
        members: list[tuple[str, Kind]] = []
        body = ""
        for _ in range(self.random.randint(1, 3)):
            self.count += 1
            kind, name = self._kind(depth - 1), f"m{self.count}"
            hidden = bool(kind.members) and self.random.random() < 0.3
            body += f" {kind.name.split()[0]} {{{kind.body} }};" if hidden else f" {self._declare(kind, name)};"
            members.append(("" if hidden else name, kind))
        word = "union" if self.unions and self.random.random() < 0.3 else "struct"
        self.count += 1
        name = f"{word} s{self.count}"
        self.declared.append(f"{name} {{{body} }};\n")
        return Kind(name, members, body=body)

    def _list(self, kind: Kind, inside: int = 0) -> str:
        """Return a list in braces for an object: each value is for a part, or for the first scalars of it."""
        if kind.is_text and self.random.random() < 0.5:
            return self._text(kind)
        parts = kind.parts()
        union = kind.name.startswith("union")
        items, next, deep = [], 0, 0  # `deep`: how many scalars may follow inside the part that was named
        for _ in range(self.random.randint(1 if inside else 0, 4)):
            if self.random.random() < 0.45:
                way, part, next, deep = self._designator(kind)
                items.append(f"{way} = {self._value(part)}")
            elif deep:
                items.append(str(self.random.randint(0, 120)))
                deep -= 1
                next = len(parts)
            elif next < (1 if union else len(parts)):
                items.append(self._value(parts[next][1]))
                next += 1
        return "{" + ", ".join(items) + "}"

    def _designator(self, kind: Kind) -> tuple[str, Kind, int, int]:
        """Return a designator, what it names, the number of the part behind it, and how many scalars follow inside."""
        number = self.random.randrange(len(kind.parts()))
        way, part = kind.parts()[number]
        deep = 0
        while part.parts() and (not way or self.random.random() < 0.5):
            index = self.random.randrange(len(part.parts()))
            step, inner = part.parts()[index]
            if step.startswith("[") and "[" in way:
                break
            if not part.name.startswith("union"):
                deep += len(part.parts()) - index - 1
            way, part = way + step, inner
        return way, part, len(kind.parts()) if kind.name.startswith("union") else number + 1, deep

    def _value(self, kind: Kind) -> str:
        if kind.parts():
            if self.random.random() < 0.5:
                return self._list(kind)
            if kind.is_text:
                return self._text(kind)
            if self.random.random() < 0.5:
                return self._list(kind)
        return str(self.random.randint(0, 120))

    def _text(self, kind: Kind) -> str:
        return '"' + "".join(self.random.choice("abc") for _ in range(self.random.randint(0, kind.length))) + '"'
