"""Types of C with their layout, for programs with memory: sizes, offsets and bit-fields are Clang's."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from knaster.base.records import dataclass
from knaster.frontends.c.names.types import INCOMPLETE, Boolean, Foreign, Integer
from knaster.frontends.c.tree.types import Types
from knaster.program.memory import Addresses, CellType, Chunk, Extent, Floating, Form, Part
from knaster.program.types import BOOL, Int

_FUNCTIONS = ("FUNCTIONPROTO", "FUNCTIONNOPROTO")
_ARRAYS = ("CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY")
MOST_NAMES = 100  # of an enumeration
MOST_PARTS = 12  # of an object that traces show
MOST_FIELDS = 10_000  # of a struct, those of inner structs counted

LONG_DOUBLE = Foreign("'long double' is not read", "use double")


class UnreadValueError(Exception):
    """A value is needed of a type that is not read: whoever reads a function or an initial value refuses it."""

    def __init__(self, type: Foreign) -> None:
        super().__init__(type.what)
        self.type = type


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer; `step` is the size of what it points to, `form` what a function takes that it points to.

    Where it points to an array whose length varies, `variable` is that, and `step` the size of the elements.
    """

    step: int
    size: int
    form: Form | None = None
    void: bool = False
    variable: Sequence | None = None


@dataclass(frozen=True, slots=True)
class AtomicInteger(Integer):
    """An integer whose uses no other thread interrupts."""


@dataclass(frozen=True, slots=True)
class AtomicBoolean(Boolean):
    """A truth value whose uses no other thread interrupts."""


@dataclass(frozen=True, slots=True)
class AtomicPointer(Pointer):
    """A pointer whose uses no other thread interrupts."""


@dataclass(frozen=True, slots=True)
class Member:
    """A field: its place in bits, and how many it has where it is a bit-field."""

    name: str
    type: Any
    offset: int
    width: int | None = None
    shown: str = ""  # how its values are shown, as in `Part`


@dataclass(frozen=True, slots=True)
class Structure:
    """A struct or a union; `tag` tells two of them apart."""

    tag: str
    size: int
    members: tuple[Member, ...]
    union: bool = False


@dataclass(frozen=True, slots=True)
class Sequence:
    """An array; the length is None where it is known only at run time, and `key` tells which declaration says it."""

    element: Any
    length: int | None
    key: int = 0


@dataclass(frozen=True, slots=True)
class FunctionType:
    """A function."""

    result: Any
    form: Form


def size_of(type: Any) -> int:
    """Return how many bytes an object of a type has."""
    match type:
        case Integer(width) | Floating(width):
            return width // 8
        case Structure(_, size) | Pointer(_, size):
            return size
        case Sequence(element, length):
            return size_of(element) * (length or 0)
    return 1


def is_variable(type: Any) -> bool:
    """Tell whether the size of an array is known only at run time."""
    while isinstance(type, Sequence) and type.length is not None:
        type = type.element
    return isinstance(type, Sequence)


def fixed_element(type: Any) -> Any:
    """Return what an array whose length varies has elements of, in the end: the outermost type of a fixed size."""
    while is_variable(type):
        type = type.element
    return type


def is_scalar(type: Any) -> bool:
    """Tell whether values of a type are numbers, truth values or pointers."""
    return isinstance(type, Integer | Boolean | Pointer | Floating)


def cell_of(type: Any) -> CellType:
    """Return how a value of a type stands in memory."""
    match type:
        case Integer(width, signed):
            return Int(width, signed)
        case Boolean():
            return BOOL
        case Floating():
            return type
        case Pointer():
            return Addresses(type.size)
        case Sequence() | Structure():
            return Chunk(size_of(type))
        case Foreign():
            raise UnreadValueError(type)
    raise TypeError(f"a value of type {type} is stored")


def find_member(type: Structure, name: str) -> Member | None:
    """Return a field by its name, also inside members without a name, with its place in the whole."""
    for member in type.members:
        if member.name == name:
            return member
        if not member.name and isinstance(member.type, Structure):
            found = find_member(member.type, name)
            if found is not None:
                return Member(found.name, found.type, found.offset + member.offset, found.width, found.shown)
    return None


def scalar_parts(type: Any, offset: int = 0, suffix: str = "", shown: str = "") -> Iterator[Part]:
    """Yield the scalar parts of an object, in the order of the text, for people to read.

    Bit-fields are left out, and members with reserved names, which no program names: the bytes of a lock.
    """
    match type:
        case Structure(_, _, members):
            for member in members:
                if member.width is None and not member.name.startswith("__"):
                    name = f"{suffix}.{member.name}" if member.name else suffix
                    yield from scalar_parts(member.type, offset + member.offset // 8, name, member.shown)
        case Sequence(element, length):
            for index in range(min(length or 0, MOST_PARTS)):
                yield from scalar_parts(element, offset + index * size_of(element), f"{suffix}[{index}]", shown)
        case Integer() | Boolean() | Pointer() | Floating():
            yield Part(suffix, offset, cell_of(type), shown)


def member_extents(type: Any) -> tuple[Extent, ...]:
    """Return where the members of a struct stand that has arrays among them; those of inner structs are its own.

    Bit-fields are left out.
    """
    if not isinstance(type, Structure) or type.union:
        return ()
    found = tuple(sorted(_members(type, 0)))
    return found if any(extent.is_array for extent in found) else ()


def _members(type: Structure, start: int) -> Iterator[Extent]:
    for member in type.members:
        at = start + member.offset // 8
        if member.width is not None or not size_of(member.type):
            continue
        if isinstance(member.type, Structure) and not member.type.union:
            yield from _members(member.type, at)
        else:
            yield Extent(at, size_of(member.type), isinstance(member.type, Sequence))


def atomic(type: Any) -> Any:
    """Return a type whose uses no other thread interrupts."""
    match type:
        case Integer(width, signed):
            return AtomicInteger(width, signed)
        case Boolean():
            return AtomicBoolean()
        case Pointer(step, size, form, void, None):
            return AtomicPointer(step, size, form, void)
    return Foreign("an atomic object of this type is not read", "use integers and pointers")


def is_atomic(type: Any) -> bool:
    """Tell whether no other thread interrupts the uses of objects of a type."""
    return isinstance(type, AtomicInteger | AtomicBoolean | AtomicPointer)


def is_named(field: Any) -> bool:
    """Tell whether a field has a name: Clang gives others a text with their place."""
    return str(field.spelling).replace("$", "_").isidentifier()


def address_of(type: Any) -> int:
    """Return a number that tells one of Clang's types from others, `const` and the like apart."""
    return int(type.get_canonical().data[0]) & ~15


class MemoryTypes(Types):
    """The types of one file, each with its layout; a pointer has `pointer` bytes."""

    pointer = 8

    def __init__(self, cursors: Any, link: Any) -> None:
        super().__init__(cursors, link, True)
        self._parts: dict[str, int] = {}  # by the name of a struct

    def _read(self, type: Any) -> Any:
        kind = self.cursors.type_kinds.get(type._kind_id, "")
        match kind:
            case "POINTER":
                return self.pointer_to(type.get_pointee())
            case "CONSTANTARRAY":
                return self._array(type, type.element_count)
            case "INCOMPLETEARRAY":
                return self._array(type, 0)
            case "VARIABLEARRAY":
                return self._array(type, None, address_of(type))
            case "FUNCTIONPROTO" | "FUNCTIONNOPROTO":
                return FunctionType(self.of_type(type.get_result()), self.form_of(type))
            case "RECORD":
                return self._record(type)
            case "ATOMIC":
                return atomic(self.of_type(self.library.clang_Type_getValueType(type)))
            case "FLOAT" | "DOUBLE":
                return Floating(8 * type.get_size())
            case "LONGDOUBLE":
                return LONG_DOUBLE
        return super()._read(type)

    def _array(self, type: Any, length: int | None, key: int = 0) -> Any:
        element = self.of_type(type.element_type)
        return element if isinstance(element, Foreign) else Sequence(element, length, key)

    def pointer_to(self, pointee: Any) -> Pointer:
        """Return the type of pointers to one of Clang's types."""
        pointee = pointee.get_canonical()
        kind = self.cursors.type_kinds.get(pointee._kind_id, "")
        if kind in _FUNCTIONS:
            return Pointer(1, self.pointer, self.form_of(pointee))
        if kind in _ARRAYS and pointee.get_size() < 0:
            array: Any = self.of_type(pointee)
            if is_variable(array):
                return Pointer(size_of(fixed_element(array)), self.pointer, variable=array)
        step = 1 if kind == "VOID" else max(0, pointee.get_size())
        return Pointer(step, self.pointer, None, kind == "VOID")

    def form_of(self, type: Any) -> Form:
        """Return what a function takes and returns, as far as a caller must agree."""
        result = self._letter(type.get_result())
        if self.cursors.type_kinds.get(type._kind_id, "") == "FUNCTIONNOPROTO":
            return Form(result, None)
        return Form(result, tuple(map(self._letter, type.argument_types())), type.is_function_variadic())

    def _letter(self, type: Any) -> str:
        kind = self.cursors.type_kinds.get(type.get_canonical()._kind_id, "")
        if kind == "POINTER":
            return "pointer"
        if kind == "RECORD":
            declaration = type.get_canonical().get_declaration()
            return str(declaration.hash) if self.link.alone else f"{declaration.spelling} of {type.get_size()}"
        return kind if kind == "VOID" else f"{type.get_size()}" + ("f" if "FLOAT" in kind or "DOUBLE" in kind else "")

    def shown(self, type: Any) -> str:
        """Return how values of one of Clang's types are shown, or those of an array of them."""
        type = type.get_canonical()
        while (kind := self.cursors.type_kinds.get(type._kind_id, "")) in _ARRAYS:
            type = type.element_type.get_canonical()
        if kind in ("CHAR_S", "CHAR_U"):
            return "char"
        if kind != "ENUM":
            return ""
        constants = list(islice(type.get_declaration().get_children(), MOST_NAMES))
        names = (f"{one.spelling}={one.enum_value}" for one in constants if one.kind.name == "ENUM_CONSTANT_DECL")
        return " ".join(("enum", *names))

    def _fields(self, declaration: Any, number: int) -> Any:
        union = self.cursors.kind(declaration) == "UNION_DECL"
        members: list[Member] = []
        parts = 0
        for field in declaration.type.get_fields():
            type: Any = self.of_type(field.type)
            if isinstance(type, Foreign):
                return Foreign(type.what, type.advice)
            parts += self._parts.get(type.tag, 1) if isinstance(type, Structure) else 1
            if parts > MOST_FIELDS:  # Clang looks at each of them to tell an offset
                return Foreign(f"a struct of more than {MOST_FIELDS:,} parts is not read", "use an array")
            name = str(field.spelling)
            width = field.get_bitfield_width() if field.is_bitfield() else None
            if width is not None and not name:
                continue  # padding
            own = name if is_named(field) else ""
            members.append(Member(own, type, field.get_field_offsetof(), width, self.shown(field.type)))
        size = declaration.type.get_size()
        if size < 0:
            return INCOMPLETE
        tag = self.link.tag(str(declaration.spelling), number, (size, tuple(members), union))
        found = Structure(tag, size, tuple(members), union)
        self._parts[found.tag] = parts
        return found
