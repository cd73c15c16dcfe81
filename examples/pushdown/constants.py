"""Which variables are constant where?  Figure 2.1 of Lal's thesis (2009): two calls of one procedure.

Prints:
    n4: {'a': 5, 'b': 5, 'y': ⊤}
    n8: {'a': 2, 'b': 2, 'y': 2}
    n8, calls and returns mixed up: {'a': ⊤, 'b': ⊤, 'y': ⊤}
    n11, called from n3: {'a': 5, 'b': 5, 'y': 1}
    n11, called from n7: {'a': 2, 'b': 2, 'y': ⊤}
"""

from knaster.pushdown import GraphBuilder
from knaster.pushdown.domains import CopyConstants

constants = CopyConstants(["a", "b", "y"])
builder = GraphBuilder(constants)

main = builder.procedure("main", "n1", "n9")
main.edge("n1", "n2", constants.assign({"a": 5}))
main.edge("n2", "n3", constants.assign({"y": 1}))
main.call("n3", "f", "n4")
main.edge("n4", "n6")
main.edge("n4", "n9")
main.edge("n6", "n7", constants.assign({"a": 2}))
main.call("n7", "f", "n8")
main.edge("n8", "n9")

f = builder.procedure("f", "n10", "exit")
f.edge("n10", "n11", constants.assign({"b": "a"}))
f.edge("n11", "n12")
f.edge("n11", "n13")
f.edge("n12", "exit", constants.assign({"y": 2}))
f.edge("n13", "exit", constants.assign({"y": "b"}))

graph = builder.build("main")
solution = graph.jovp()
start = constants.unknown()
for node in ("n4", "n8"):
    print(f"{node}: {solution.at(node).apply(start)}")
print(f"n8, calls and returns mixed up: {graph.jop()['n8'].apply(start)}")
for site, call in (("n4", "n3"), ("n8", "n7")):
    print(f"n11, called from {call}: {solution.at('n11', [site]).apply(start)}")
