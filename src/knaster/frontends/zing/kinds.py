"""The types of a model by name, how they are said in words, and which values fit where."""

from __future__ import annotations

from knaster.base.records import dataclass, field
from knaster.program.expression import Expr
from knaster.program.objects import ArrayCell, Cell, ChannelCell, ClassCell, SetCell
from knaster.program.types import BOOL, OBJECT, Bool, Enumeration, Int, Pointer, Struct, Type

INT = Int(32)
LONG = Int(64)
NULL = Pointer("null")
ANY = Pointer(OBJECT)


@dataclass(slots=True)
class Method:
    """A method: its signature, where its body stands, and the name of its procedure."""

    owner: str
    name: str
    at: int  # the token of its name
    static: bool
    atomic: bool
    activate: bool
    result: Type | None
    parameters: list[tuple[str, Type | None, bool, int]]  # name, type, out, token
    body: int  # the token of its opening brace; 0 in an interface
    procedure: str = ""


@dataclass(slots=True)
class Class:
    """A class or an interface: fields in the order of the text, statics, methods, and what it implements."""

    name: str
    at: int
    is_interface: bool = False
    fields: dict[str, Type | None] = field(default_factory=dict)
    initial: dict[str, int] = field(default_factory=dict)  # the token of an initialiser
    statics: dict[str, Type | None] = field(default_factory=dict)
    methods: dict[str, Method] = field(default_factory=dict)
    implements: list[tuple[str, int]] = field(default_factory=list)


@dataclass(slots=True)
class Kinds:
    """Everything that has a name outside methods."""

    types: dict[str, Type] = field(default_factory=dict)
    classes: dict[str, Class] = field(default_factory=dict)
    collections: dict[str, ArrayCell | ChannelCell | SetCell] = field(default_factory=dict)
    ranges: dict[str, tuple[int, int]] = field(default_factory=dict)

    def cells(self, initial: dict[str, tuple[tuple[str, Expr], ...]]) -> tuple[Cell, ...]:
        """Return the declarations of all that lives in the heap."""
        classes = [
            ClassCell(c.name, tuple((n, t or INT) for n, t in c.fields.items()), initial.get(c.name, ()))
            for c in self.classes.values()
            if not c.is_interface
        ]
        return (*classes, *self.collections.values())

    def collection(self, type: Type | None) -> ArrayCell | ChannelCell | SetCell | None:
        """Return the collection that a type points to."""
        return self.collections.get(type.target) if isinstance(type, Pointer) else None

    def dispatch(self, method: Method) -> tuple[tuple[str, str], ...]:
        """Return the procedure for each class that implements an interface's method; nothing for a class's own."""
        if not self.classes[method.owner].is_interface:
            return ()
        return tuple(
            (owner.name, owner.methods[method.name].procedure)
            for owner in self.classes.values()
            if method.owner in (name for name, _ in owner.implements) and method.name in owner.methods
        )

    def fits(self, wanted: Type | None, given: Type | None) -> bool:
        """Tell whether a value of one type may stand where another is wanted; an unknown type fits anywhere."""
        if wanted is None or given is None or wanted == given:
            return True
        match wanted, given:
            case (Enumeration() | Int(), Int()) | (Int(), Enumeration()):
                return True
            case Pointer(to), Pointer(source):
                if "null" in (to, source) or OBJECT in (to, source):
                    return True
                return self._is_related(to, source) or self._is_related(source, to)
        return False

    def _is_related(self, interface: str, name: str) -> bool:
        declared = self.classes.get(name)
        return declared is not None and interface in (other for other, _ in declared.implements)


def words(type: Type | None) -> str:
    """Return a type as the text spells it."""
    match type:
        case Bool():
            return "bool"
        case Int():
            return next((name for name, known in BASIC.items() if known == type), "int")
        case Enumeration(name) | Struct(name):
            return name
        case Pointer(target):
            return target
        case _:
            return "an unknown type"


def narrows(wanted: Type | None, given: Type | None) -> bool:
    """Tell whether some number of one type is none of another that is narrower than `int` or than the first."""
    if not isinstance(wanted, Int) or not isinstance(given, Int | Enumeration):
        return False
    of = given if isinstance(given, Int) else INT
    return not (wanted.holds(of.low or 0) and wanted.holds(of.high or 0))


BASIC: dict[str, Type] = {
    "bool": BOOL,
    "int": INT,
    "object": ANY,
    "byte": Int(8, False),
    "sbyte": Int(8),
    "short": Int(16),
    "ushort": Int(16, False),
    "long": LONG,
}
