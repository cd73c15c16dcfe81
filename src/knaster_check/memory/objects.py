"""Objects of programs with memory: bytes, one by one, that live for a while.

A byte is a number from 0 to 255, a `Piece` of something that is no plain number, or None where nobody has written it.
Little endian, two's complement.
"""

from __future__ import annotations

from typing import Any

from knaster_check.memory.inputs import Inputs
from knaster_check.memory.values import Address, Image, NotANumber, Open, OpenReal, Piece
from knaster_check.refused import Unsupported

GLOBAL, LOCAL, HEAP, TEXT, FUNCTION, LIST = "global", "local", "heap", "text", "function", "list"


class Object:
    """Some bytes that live for a while; those that were not written are 0 (`zeroed`) or nothing."""

    __slots__ = ("alive", "bytes", "kind", "size", "unwritten", "writable")

    def __init__(self, size: int, kind: str, zeroed: bool = False, writable: bool = True) -> None:
        self.size, self.kind, self.writable = size, kind, writable
        self.unwritten = 0 if zeroed else None
        self.alive = True
        self.bytes: dict[int, Any] = {}

    def get(self, offset: int, size: int) -> list[Any]:
        """Return some bytes."""
        own, blank = self.bytes, self.unwritten
        return [own.get(at, blank) for at in range(offset, offset + size)]

    def put(self, offset: int, bytes: Any) -> None:
        """Let some bytes stand there."""
        self.bytes.update(enumerate(bytes, offset))

    def image(self, offset: int, size: int) -> Image:
        """Return some bytes as a value."""
        if self.unwritten == 0 or size < len(self.bytes):  # mutant(<): both ways give the same
            return Image(size, dict(enumerate(self.get(offset, size))))
        return Image(size, {at - offset: byte for at, byte in self.bytes.items() if offset <= at < offset + size})

    def put_image(self, offset: int, image: Image) -> None:
        """Let an image stand there; what nobody wrote in it is unwritten here."""
        if self.unwritten is None and image.size > 4 * len(self.bytes):  # mutant(>, *): both ways give the same
            for at in [at for at in self.bytes if offset <= at < offset + image.size]:
                del self.bytes[at]
        else:
            self.put(offset, [None] * image.size)
        self.put_pairs(offset, image.bytes)

    def put_pairs(self, offset: int, bytes: dict[int, Any]) -> None:
        """Let bytes stand there, by their places."""
        self.bytes.update((offset + at, byte) for at, byte in bytes.items())

    def die(self) -> None:
        """End the life of the object."""
        self.alive = False
        self.bytes = {}


def to_bytes(value: Any, size: int) -> Any:
    """Return how a number, an address or a piece stands in memory."""
    if value.__class__ is int or value.__class__ is bool:
        return (value & (1 << 8 * size) - 1).to_bytes(size, "little")
    if isinstance(value, Address) and value.base == 0:
        return to_bytes(value.offset, size)
    if isinstance(value, Piece) and size == 1:
        return (value,)
    if isinstance(value, Address | Open | OpenReal | NotANumber):
        return [Piece(value, index, size) for index in range(size)]
    raise Unsupported("a part of a pointer is stored as a number")


def from_bytes(bytes: list[Any], inputs: Inputs) -> Any:
    """Return what some bytes are together, all of them written: an unsigned number, or what they are pieces of."""
    first = bytes[0]
    if isinstance(first, Piece) and first.size == len(bytes):
        whole = [Piece(first.whole, at, first.size) for at in range(first.size)]
        if bytes == whole:
            return first.whole
    plain = [_plain_byte(byte, inputs) for byte in bytes]
    if len(plain) == 1:
        return plain[0]
    if not all(isinstance(byte, int | Open) for byte in plain):
        raise Unsupported("a part of a pointer is read as a number")
    return inputs.joined(plain)


def _plain_byte(byte: Any, inputs: Inputs) -> Any:
    """Return a byte as a number where it is one."""
    if isinstance(byte, Piece) and isinstance(byte.whole, Open):
        return inputs.byte_of(byte.whole, byte.at)
    return byte
