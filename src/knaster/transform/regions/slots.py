"""The variables that stand for registers and for parts of objects: one for a number, up to two for a pointer.

A part of an object that is reached by constant offsets alone is a variable; one that is reached by an index is an
array.  An object that never leaves its procedure has its variables there, and recursion is no matter; others have
theirs in the program, and then their procedure must have one activation at a time.
"""

from __future__ import annotations

from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass
from knaster.program.memory import Addresses, bytes_of
from knaster.program.model import Program
from knaster.program.types import Array, Bool, Int, Type
from knaster.transform.regions.floating_numbers import kept_as
from knaster.transform.regions.pointer_sets import DEAD, FUNCTION, NOTHING, NULL, WILD, Base, PointerSet
from knaster.transform.regions.points_to import PointsTo
from knaster.transform.regions.refusal import Refused

LARGEST = 4_096  # elements of an array
BASE = Int(32)
INDEX = Int(64)


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a value is kept: a number in `value`, or a pointer in `base` and `index`, as far as these vary."""

    type: Any  # of the value: Int, Bool, Floating or Addresses
    value: str = ""
    base: str = ""
    index: str = ""
    pointers: PointerSet = NOTHING

    @property
    def variables(self) -> list[tuple[str, Type]]:
        """The variables, each with the type of one element."""
        pairs = ((self.value, kept_as(self.type)), (self.base, BASE), (self.index, INDEX))
        return [(name, type) for name, type in pairs if name]


class PartOfObject(NamedTuple):
    """A part of an object: its slot, where it begins, and how many of it there are, in steps of `stride` bytes."""

    slot: Slot
    residue: int
    stride: int  # 0 where there is one
    length: int


class Slots:
    """The slots of a program."""

    def __init__(self, points: PointsTo, recursive: set[str]) -> None:
        self.points = points
        self.recursive = recursive
        self.registers: dict[tuple[str, str], Slot] = {}
        self.parts: dict[tuple[Base, int], PartOfObject] = {}
        self.used: dict[str, set[str]] = {}  # names by procedure; '' has those of the program
        self._suffixes = _suffixes_of(points.program)
        functions = [Base(FUNCTION, "", name) for name in sorted(points.functions)]
        self._numbers = {base: number for number, base in enumerate((NULL, WILD, DEAD, *functions))}
        self.first_object = 3 + len(functions)
        roots = sorted(base for base in points.sizes if base == base.root)
        for number, root in enumerate(roots, self.first_object):  # members of equal structs are as far apart
            for member, base in enumerate(points.windows.all_of(root)):
                self._numbers[base] = number + member * len(roots)
        taken = {name for procedure in points.procedures for name in procedure.frame}
        self.used[""] = set(taken)
        for procedure in points.procedures:
            self.used[procedure.name] = set(procedure.frame)
            for name in procedure.frame:
                self.registers[procedure.name, name] = self._register(procedure.name, name)
        self.local = self._local_objects()
        for base in sorted(points.accesses):
            self._lay_out(base)

    def number(self, base: Base) -> int:
        """Return the number of a base: null, wild, dead, functions, objects, in this order."""
        return self._numbers[base]

    def _register(self, procedure: str, name: str) -> Slot:
        type = self.points.types[procedure].get(name, Bool())
        if not isinstance(type, Addresses):
            return Slot(type, value=name)
        pointers = self.points.registers.get((procedure, name), NOTHING)
        return self._pointer_slot(pointers, name, procedure)

    def _pointer_slot(self, pointers: PointerSet, name: str, where: str) -> Slot:
        base = self._fresh(f"{name}.base", where) if len(pointers.bases) > 1 else ""
        index = self._fresh(f"{name}.index", where) if pointers.stride else ""
        return Slot(Addresses(8), base=base, index=index, pointers=pointers)

    def _fresh(self, name: str, where: str) -> str:
        taken = self.used[where] | self.used[""]
        found = name
        number = 1
        while found in taken:
            number += 1
            found = f"{name}.{number}"
        self.used[where].add(found)
        if where:
            self.used[""].add(found)
        return found

    def _local_objects(self) -> set[Base]:
        """Return the objects that only their own procedures can reach, with their windows."""
        points = self.points
        local = {base.root for base in points.sizes if base.owner}
        for (procedure, name), pointers in points.registers.items():
            passed = name in points.names[procedure].parameters  # perhaps from another activation
            local -= {base.root for base in pointers.objects if passed or base.owner != procedure}
        while True:
            leaving = {
                base.root
                for (holder, _), pointers in points.cells.items()
                for base in pointers.objects
                if base.root in local and not (holder.root in local and holder.owner == base.owner)
            }
            if not leaving:
                return {base for base in points.sizes if base.root in local}
            local -= leaving

    def _lay_out(self, base: Base) -> None:
        points = self.points
        if base.owner in self.recursive and base not in self.local:
            raise Refused(f"the address of '{base.name}' leaves '{base.owner}', which is recursive")
        size, stride = points.sizes[base], points.strides.get(base, 0)
        where = base.owner if base in self.local else ""
        entries = sorted(points.accesses[base], key=lambda entry: (entry[0], bytes_of(entry[1]), str(entry[1])))
        end = None
        for residue, type in entries:
            if residue < 0 or residue + bytes_of(type) > size:
                continue  # never inside
            if (base, residue) in self.parts:
                self._check_same(base, self.parts[base, residue].slot.type, type)
                continue
            if end is not None and residue < end:
                raise Refused(f"bytes of '{base.name}' are used in several ways")
            end = residue + bytes_of(type)
            if stride and end > stride:
                raise Refused(f"bytes of '{base.name}' are used in several ways")
            count = (size - end) // stride + 1 if stride else 1
            if count > LARGEST:
                raise Refused(f"'{base.name}' has more than {LARGEST:,} elements")
            free = not base.owner or where or base.name not in self.used[""]
            name = base.name if free else f"{base.owner}.{base.name}"
            at = points.windows.start(base) + residue
            alone = len(entries) == 1 and base == base.root
            name += "" if alone else self._suffixes.get((base.owner, base.name, at), f".{at}")
            slot = self._part_slot(base, residue, type, name, where)
            self.parts[base, residue] = PartOfObject(slot, residue, stride if count > 1 else 0, count)

    def _part_slot(self, base: Base, residue: int, type: Any, name: str, where: str) -> Slot:
        if isinstance(type, Addresses):
            return self._pointer_slot(self.points.cells.get((base, residue), NOTHING), name, where)
        return Slot(type, value=self._fresh(name, where))

    def _check_same(self, base: Base, known: Any, type: Any) -> None:
        both = isinstance(known, Int) and isinstance(type, Int) and known.width == type.width
        if not both and known != type:
            raise Refused(f"bytes of '{base.name}' are used in several ways")

    def part(self, base: Base, offset: int) -> PartOfObject | None:
        """Return the part of an object at an offset; None where it has none."""
        return self.parts.get((base, self.points.key(base, offset)))

    def variables_of(self, where: str) -> list[tuple[str, Type]]:
        """Return the variables of the parts of objects that stand in a procedure, or in the program."""
        found: list[tuple[str, Type]] = []
        for (base, _), part in self.parts.items():
            if (base.owner if base in self.local else "") == where:
                for name, type in part.slot.variables:
                    found.append((name, Array(type, part.length) if part.length > 1 else type))
        return found

    def parts_of(self, root: Base) -> list[tuple[PartOfObject, int]]:
        """Return the parts of an object and of its windows, each with the offset at which it begins."""
        start = self.points.windows.start
        return [(part, start(base) + part.residue) for (base, _), part in self.parts.items() if base.root == root]


def _suffixes_of(program: Program) -> dict[tuple[str, str, int], str]:
    """Return how parts are written after the name of an object, by its procedure, its name and their offset.

    A part of each element of an array is written as that of the first, without an index.
    """
    assert program.memory is not None
    objects = [("", declared.name, declared.parts) for declared in program.memory.objects]
    objects += [(procedure, name, parts) for (procedure, name), parts in program.memory.locals]
    found: dict[tuple[str, str, int], str] = {}
    for procedure, name, parts in objects:
        for part in parts:
            found.setdefault((procedure, name, part.offset), part.suffix.replace("[0]", ""))
    return found
