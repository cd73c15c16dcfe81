"""Tensor products of weights: several weights side by side that can be multiplied later.

Lal, Interprocedural Analysis and the Verification of Concurrent Programs (PhD thesis, University of Wisconsin, 2009),
section 6.5.2 and Definitions 6.5.1 and 6.5.4.  The n-fold product of a domain is another domain with

    (a1 ⊙ … ⊙ an) · (b1 ⊙ … ⊙ bn) = a1·b1 ⊙ … ⊙ an·bn                                    (1)
    detensor(a1 ⊙ … ⊙ an) = a1 · … · an                                                     (2)
    detensor(s + t) = detensor(s) + detensor(t)                                             (3)
    detensor_transposed(a1 ⊙ … ⊙ an) = a1 · a2ᵗ · a3 · a4ᵗ · …, and (3) for it too          (4)

Tuples of weights would break (3).  Weights that are matrices over a commutative semiring have it: the product is
Kronecker's, of matrices whose indices are tuples, and detensor keeps the entries at ((i1 … in), (j1 … jn)) with j1 =
i2, …, j(n-1) = in and puts them at (i1, jn).  Affine relations are spaces of matrices, treated matrix by matrix,
which is right because both operations are linear.  Where extend commutes, the product is extend itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from operator import add, mul, or_
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from knaster.base.errors import UsageError
from knaster.pushdown.domains.affine import AffineRelations, AffineSpace
from knaster.pushdown.domains.bitmatrix import BitRelation, BitRelations, bits
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.domains.minpath import MinPath
from knaster.pushdown.domains.weighted_relations import WeightedRelation, WeightedRelations
from knaster.pushdown.semiring import Semiring
from knaster.pushdown.transducers.kronecker import Matrix, contract, kronecker

W = TypeVar("W")
T = TypeVar("T")

LARGEST = 4096  # rows of a product matrix


class TensorPower(Protocol[W, T]):
    """The n-fold product of a domain with weights W; its own weights are T."""

    @property
    def count(self) -> int:
        """How many weights stand side by side."""
        ...

    @property
    def domain(self) -> Semiring[T]:
        """The product as a domain."""
        ...

    def tensor(self, weights: Sequence[W], /) -> T:
        """Return w1 ⊙ … ⊙ wn."""
        ...

    def transpose(self, weight: W, /) -> W:
        """Return wᵗ, with (a·b)ᵗ = bᵗ·aᵗ."""
        ...

    def detensor(self, weight: T, /) -> W:
        """Return w1 · … · wn for w1 ⊙ … ⊙ wn, and sums for sums."""
        ...

    def detensor_transposed(self, weight: T, /) -> W:
        """Return w1 · w2ᵗ · w3 · w4ᵗ · … for w1 ⊙ … ⊙ wn, and sums for sums."""
        ...


@runtime_checkable
class OffersTensors(Protocol):
    """A domain that knows its tensor products itself."""

    def tensor_power(self, count: int, /) -> TensorPower[Any, Any]:
        """Return the product of `count` copies."""
        ...


def tensor_power(domain: Semiring[W], count: int) -> TensorPower[W, Any]:
    """Return the product of `count` copies of a domain; raise `UsageError` where it has none or is too large."""
    if count < 1:
        raise UsageError(f"a tensor product has at least one factor, not {count}")
    found: Any
    match domain:
        case OffersTensors():
            found = domain.tensor_power(count)
        case Boolean() | MinPath():
            found = CommutativePower(domain, count)
        case BitRelations():
            found = RelationPower(domain, count)
        case WeightedRelations():
            found = WeightedPower(domain, count)
        case AffineRelations():
            found = AffinePower(domain, count)
        case _:
            raise UsageError(f"the domain {type(domain).__name__} has no tensor product: its weights are no matrices")
    power: TensorPower[W, Any] = found
    return power


def at_position(power: TensorPower[W, T], base: Semiring[W], position: int, weight: W) -> T:
    """Return 1 ⊙ … ⊙ w ⊙ … ⊙ 1 with w at a position, counted from 0."""
    weights = [base.one] * power.count
    weights[position] = weight
    return power.tensor(weights)


class CommutativePower(Generic[W]):
    """The product of a domain whose extend commutes: the weights are multiplied at once."""

    def __init__(self, domain: Semiring[W], count: int) -> None:
        self.domain, self.count = domain, count

    def tensor(self, weights: Sequence[W]) -> W:
        """Return the product."""
        total = self.domain.one
        for weight in weights:
            total = self.domain.extend(total, weight)
        return total

    def transpose(self, weight: W) -> W:
        """Return the weight itself."""
        return weight

    def detensor(self, weight: W) -> W:
        """Return the weight itself."""
        return weight

    def detensor_transposed(self, weight: W) -> W:
        """Return the weight itself."""
        return weight


class RelationPower:
    """The product of relations on a set of states: a relation on tuples of states."""

    def __init__(self, base: BitRelations[Any], count: int) -> None:
        self.count, self._base, self._size = count, base, len(base.states)
        _require_size(self._size, count)
        self.domain: BitRelations[Any] = BitRelations(product(base.states, repeat=count))

    def tensor(self, weights: Sequence[BitRelation[Any]]) -> BitRelation[Any]:
        """Return the relation that holds between tuples where each weight holds between their components."""
        rows = [1]
        for weight in weights:
            shifted = [[column * self._size for column in bits(row)] for row in rows]
            rows = [_place(row, columns) for columns in shifted for row in weight.rows]
        return BitRelation(self.domain.states, tuple(rows))

    def transpose(self, weight: BitRelation[Any]) -> BitRelation[Any]:
        """Return the relation with its sides exchanged."""
        return self._base.transpose(weight)

    def detensor(self, weight: BitRelation[Any]) -> BitRelation[Any]:
        """Return the composition of the components."""
        return self._contract(weight, False)

    def detensor_transposed(self, weight: BitRelation[Any]) -> BitRelation[Any]:
        """Return the composition of the components, every other one with its sides exchanged."""
        return self._contract(weight, True)

    def _contract(self, weight: BitRelation[Any], transposed: bool) -> BitRelation[Any]:
        entries = {(row, column): True for row, word in enumerate(weight.rows) for column in bits(word)}
        rows = [0] * self._size
        for row, column in contract(entries, self._size, self.count, transposed, or_):
            rows[row] |= 1 << column
        return BitRelation(self._base.states, tuple(rows))


class WeightedPower:
    """The product of weighted relations on a set of states; the weights inside must commute."""

    def __init__(self, base: WeightedRelations[Any, Any], count: int) -> None:
        self.count, self._base, self._size = count, base, len(base.states)
        _require_size(self._size, count)
        self.domain: WeightedRelations[Any, Any] = WeightedRelations(product(base.states, repeat=count), base.inner)

    def tensor(self, weights: Sequence[WeightedRelation[Any, Any]]) -> WeightedRelation[Any, Any]:
        """Return Kronecker's product."""
        inner = self._base.inner
        return self._make(self.domain.states, kronecker(map(_entries, weights), self._size, inner.one, inner.extend))

    def transpose(self, weight: WeightedRelation[Any, Any]) -> WeightedRelation[Any, Any]:
        """Return the transposed matrix."""
        return self._make(self._base.states, {(j, i): value for (i, j), value in _entries(weight).items()})

    def detensor(self, weight: WeightedRelation[Any, Any]) -> WeightedRelation[Any, Any]:
        """Return the product of the factors."""
        return self._contract(weight, False)

    def detensor_transposed(self, weight: WeightedRelation[Any, Any]) -> WeightedRelation[Any, Any]:
        """Return the product of the factors, every other one transposed."""
        return self._contract(weight, True)

    def _contract(self, weight: WeightedRelation[Any, Any], transposed: bool) -> WeightedRelation[Any, Any]:
        plus = self._base.inner.combine
        return self._make(self._base.states, contract(_entries(weight), self._size, self.count, transposed, plus))

    def _make(self, states: tuple[Any, ...], entries: Matrix[Any]) -> WeightedRelation[Any, Any]:
        rows: dict[int, dict[int, Any]] = {}
        for (row, column), value in entries.items():
            if value != self._base.inner.zero:
                rows.setdefault(row, {})[column] = value
        return WeightedRelation(states, rows)


class AffinePower:
    """The product of affine relations: the space that the products of matrices span."""

    def __init__(self, base: AffineRelations, count: int) -> None:
        self.count, self._base, self._size = count, base, base.size
        _require_size(base.size, count)
        self.domain = AffineRelations(map(str, range(1, base.size**count)), base.arithmetic)

    def tensor(self, weights: Sequence[AffineSpace]) -> AffineSpace:
        """Return the span of all products of matrices, one of each space."""
        size = self.domain.size
        choices = product(*([self._sparse(row, self._size) for row in weight.basis] for weight in weights))
        return _span(self._base, size, (kronecker(choice, self._size, 1, mul) for choice in choices))

    def transpose(self, weight: AffineSpace) -> AffineSpace:
        """Return the space of the transposed matrices."""
        matrices = (self._sparse(row, self._size) for row in weight.basis)
        return _span(self._base, self._size, ({(j, i): n for (i, j), n in matrix.items()} for matrix in matrices))

    def detensor(self, weight: AffineSpace) -> AffineSpace:
        """Return the products of the factors."""
        return self._contract(weight, False)

    def detensor_transposed(self, weight: AffineSpace) -> AffineSpace:
        """Return the products of the factors, every other one transposed."""
        return self._contract(weight, True)

    def _contract(self, weight: AffineSpace, transposed: bool) -> AffineSpace:
        matrices = (self._sparse(row, self.domain.size) for row in weight.basis)
        small = (contract(matrix, self._size, self.count, transposed, add) for matrix in matrices)
        return _span(self._base, self._size, small)

    def _sparse(self, row: Sequence[int], size: int) -> Matrix[int]:
        return {divmod(position, size): entry for position, entry in enumerate(row) if entry}


def _place(row: int, columns: Iterable[int]) -> int:
    word = 0
    for column in columns:
        word |= row << column
    return word


def _entries(weight: WeightedRelation[Any, Any]) -> Matrix[Any]:
    return {(row, column): value for row, columns in weight.rows.items() for column, value in columns.items()}


def _span(base: AffineRelations, size: int, matrices: Iterable[Matrix[int]]) -> AffineSpace:
    rows = []
    for matrix in matrices:
        row = [0] * (size * size)
        for (i, j), entry in matrix.items():
            row[i * size + j] = entry
        rows.append(row)
    return AffineSpace(base.arithmetic.span(rows), size)


def _require_size(size: int, count: int) -> None:
    if size**count > LARGEST:
        raise UsageError(f"the {count}-fold product of matrices with {size} rows has {size**count} rows: too many")
