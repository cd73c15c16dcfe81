"""Which equations hold between variables?  Figure 3.5 of Lal's thesis (2009), over Q and in machine arithmetic.

Prints:
    n2: x1 = 0
    n3: 1 - x1 = 0
    n4: 1 + x1 - x2 = 0
    n4 modulo 2^8: 1 + x1 + 255·x2 = 0 (mod 2^8)
"""

from knaster.pushdown import FlowSolution, GraphBuilder
from knaster.pushdown.domains import AffineRelations, ModularIntegers
from knaster.pushdown.domains.affine import AffineSpace


def analyse(domain: AffineRelations) -> FlowSolution[AffineSpace]:
    """Return the solution of the graph: x1 becomes 0 or 1, then a procedure sets x2."""
    builder = GraphBuilder(domain)
    main = builder.procedure("main", "n1")
    main.edge("n1", "n2", domain.assign({"x1": 0}))
    main.edge("n1", "n3", domain.assign({"x1": 1}))
    main.call("n2", "f", "n4")
    main.call("n3", "f", "n4")
    f = builder.procedure("f", "n5", "n6")
    f.edge("n5", "n6", domain.assign({"x2": (1, {"x1": 1})}))
    return builder.build("main").jovp()


rational = AffineRelations(["x1", "x2"])
solution = analyse(rational)
for node in ("n2", "n3", "n4"):
    print(f"{node}:", *map(rational.describe, rational.relations(solution.at(node))))
modular = AffineRelations(["x1", "x2"], ModularIntegers(8))
print("n4 modulo 2^8:", *map(modular.describe, modular.relations(analyse(modular).at("n4"))))
