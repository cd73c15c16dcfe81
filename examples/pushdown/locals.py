"""Local variables survive a call.  Figure 3.1 of Lal's thesis (2009), with and without a projection.

Prints:
    with projection: {'a': 2, 'b': ⊤, 'y': 2}
    without:         {'a': ⊤, 'b': 2, 'y': 2}
"""

from collections.abc import Callable

from knaster.pushdown import FlowSolution, GraphBuilder
from knaster.pushdown.domains import CopyConstants
from knaster.pushdown.domains.constants import TOP, ConstantTransformer

constants = CopyConstants(["a", "b", "y"])  # a is main's, b is f's, y is global
bind = constants.assign({"a": TOP, "b": "a"})  # f(a): the formal is bound, main's local is out of sight

Project = Callable[[ConstantTransformer], ConstantTransformer]


def analyse(project: Project | None) -> FlowSolution[ConstantTransformer]:
    """Return the solution of the graph, with the given scope change at both calls."""
    builder = GraphBuilder(constants)
    main = builder.procedure("main", "n1", "n9")
    main.edge("n1", "n2", constants.assign({"a": 5}))
    main.edge("n2", "n3", constants.assign({"y": 1}))
    main.call("n3", "f", "n4", bind, project=project)
    main.edge("n4", "n6")
    main.edge("n4", "n9")
    main.edge("n6", "n7", constants.assign({"a": 2}))
    main.call("n7", "f", "n8", bind, project=project)
    main.edge("n8", "n9")
    f = builder.procedure("f", "n10", "exit")
    f.edge("n10", "n11")
    f.edge("n10", "n12")
    f.edge("n11", "exit", constants.assign({"y": 2}))
    f.edge("n12", "exit", constants.assign({"y": "b"}))
    return builder.build("main").jovp()


start = constants.unknown()
print(f"with projection: {analyse(constants.projection(['y'])).at('n8').apply(start)}")
print(f"without:         {analyse(None).at('n8').apply(start)}")
