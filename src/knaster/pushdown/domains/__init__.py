"""Weight domains, one per file; each is a semiring in the sense of `knaster.pushdown.semiring`.

Also here: `affine` (affine relations), `aliases` (may-aliases of single-level pointers), `bitmatrix` (relations on a
small set of states), `boolean` (the Boolean domain), `constants` (copy-constant propagation), `functions` (functions on
a finite join semilattice), `genkill` (gen/kill problems), `howell` (exact linear algebra modulo 2^w), `linear` (exact
linear algebra over the rationals), `minpath` (the min-path domain), `native_howell` (Howell forms by the native
library), `packed` (rows modulo 2^w as integers),
`packed_affine` (affine relations on these), `product` (pairs of weights), `relations` (relations on valuations of
Boolean variables), `shortest` (shortest paths and their number), `term_pairs` (pairs of terms that may be the same, or
that may differ), `touched_nodes` (weights that say which nodes paths touch and how long they are), `weighted_relations`
(weighted relations).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from knaster.base.lazy import names_of

if TYPE_CHECKING:
    from knaster.pushdown.domains.affine import AffineRelations as AffineRelations
    from knaster.pushdown.domains.aliases import PointerAliases as PointerAliases
    from knaster.pushdown.domains.bitmatrix import BitRelations as BitRelations
    from knaster.pushdown.domains.boolean import Boolean as Boolean
    from knaster.pushdown.domains.constants import CopyConstants as CopyConstants
    from knaster.pushdown.domains.functions import FunctionSpace as FunctionSpace
    from knaster.pushdown.domains.genkill import GenKill as GenKill
    from knaster.pushdown.domains.howell import ModularIntegers as ModularIntegers
    from knaster.pushdown.domains.minpath import MinPath as MinPath
    from knaster.pushdown.domains.product import Product as Product
    from knaster.pushdown.domains.relations import BddRelations as BddRelations
    from knaster.pushdown.domains.shortest import ShortestPaths as ShortestPaths
    from knaster.pushdown.domains.touched_nodes import Touching as Touching
    from knaster.pushdown.domains.weighted_relations import WeightedRelations as WeightedRelations

_HOMES = {
    "AffineRelations": "knaster.pushdown.domains.affine",
    "PointerAliases": "knaster.pushdown.domains.aliases",
    "BitRelations": "knaster.pushdown.domains.bitmatrix",
    "Boolean": "knaster.pushdown.domains.boolean",
    "CopyConstants": "knaster.pushdown.domains.constants",
    "FunctionSpace": "knaster.pushdown.domains.functions",
    "GenKill": "knaster.pushdown.domains.genkill",
    "ModularIntegers": "knaster.pushdown.domains.howell",
    "MinPath": "knaster.pushdown.domains.minpath",
    "Product": "knaster.pushdown.domains.product",
    "BddRelations": "knaster.pushdown.domains.relations",
    "ShortestPaths": "knaster.pushdown.domains.shortest",
    "Touching": "knaster.pushdown.domains.touched_nodes",
    "WeightedRelations": "knaster.pushdown.domains.weighted_relations",
}
__all__ = sorted(_HOMES)

__getattr__, __dir__ = names_of(__name__, _HOMES)
