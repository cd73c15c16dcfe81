"""Which equation holds between the indices of a queue that two threads share?  Figure 6.1 of Lal's thesis (2009).

Producers do `tl, cnt := tl + 1, cnt + 1`, consumers `hd, cnt := hd + 1, cnt - 1`, all modulo SIZE = 8, each in an
atomic block inside a loop.  Affine relations have no conditions, so the tests of `cnt` are left out; the equation
holds without them.  (The thesis prints hd - tl - cnt, which one `enq` refutes.)

Prints:
    1 round, by tensor products:  hd + 7·tl + cnt = 0 (mod 2^3)
    2 rounds, by tensor products: hd + 7·tl + cnt = 0 (mod 2^3)
    1 switch, by transducers:     hd + 7·tl + cnt = 0 (mod 2^3)
    two producers:                hd = 0 (mod 2^3), tl + 7·cnt = 0 (mod 2^3)
"""

from knaster.pushdown import PushdownSystem, Rule
from knaster.pushdown.domains import AffineRelations, ModularIntegers
from knaster.pushdown.domains.affine import AffineSpace
from knaster.pushdown.transducers.contexts import Joint, weight_within
from knaster.pushdown.transducers.rounds import in_rounds

numbers = AffineRelations(["hd", "tl", "cnt"], ModularIntegers(3))
enq = numbers.assign({"tl": (1, {"tl": 1}), "cnt": (1, {"cnt": 1})})
deq = numbers.assign({"hd": (1, {"hd": 1}), "cnt": (-1, {"cnt": 1})})
at_first = [(0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)]  # hd = 0, tl = 0, cnt = 0


def thread(loop: str, step: AffineSpace) -> PushdownSystem[AffineSpace]:
    """Return a thread that does one step again and again."""
    return PushdownSystem.of(numbers, [Rule("p", loop, "p", (loop,), step)])


def equations(weight: AffineSpace) -> str:
    """Return what holds after all runs of a weight."""
    return ", ".join(map(numbers.describe, numbers.relations(weight, at_first)))


both = [thread("producer", enq), thread("consumer", deq)]
loops = Joint("p", (("producer",), ("consumer",)))
for rounds, text in [(1, "1 round, by tensor products: "), (2, "2 rounds, by tensor products:")]:
    print(text, equations(in_rounds(both, loops, rounds).weight_of(loops)))
print("1 switch, by transducers:    ", equations(weight_within(both, loops, loops, 1)))
producers = [thread("producer", enq), thread("other", enq)]
start = Joint("p", (("producer",), ("other",)))
print("two producers:               ", equations(in_rounds(producers, start, 2).weight_of(start)))
