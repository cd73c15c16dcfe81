"""Deliberate mistakes in the methods for programs with references: each has to break some test.

A mistake is a few replacements in the texts of modules.  `mistaken` runs the engines with it: the modules that the
methods are made of are made anew from their texts, and taken back afterwards.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from inspect import getsource
from types import ModuleType

MODULES = (  # each after what it imports
    "knaster.views.heap.sources",
    "knaster.views.heap.compiler",
    "knaster.views.heap.stepper",
    "knaster.views.heap.interning",
    "knaster.views.heap.turns",
    *(
        f"knaster.views.heap.reductions.{name}"
        for name in ("watched_memory", "thread_order", "texts", "footprints", "persistent_sets")
    ),
    "knaster.engines.explicit.renumbered_runs",
    "knaster.engines.explicit.heap",
    "knaster.views.heap.overlay",
    "knaster.views.heap.derivation",
    "knaster.views.heap.pattern_trie",
    "knaster.views.heap.walker",
    "knaster.views.heap.summary_tables",
    "knaster.views.heap.proof_tables",
    "knaster.engines.references.fixpoint",
    "knaster.engines.references.visible.engine",
    "knaster.engines.references.patterns.engine",
    *(
        f"knaster.engines.references.transactions.{name}"
        for name in (
            "lock_texts",
            "channel_texts",
            "discipline",
            "movers",
            "derivation",
            "renaming",
            "walk",
            "boundary_states",
            "summaries",
            "search",
            "runs",
            "engine",
        )
    ),
)
_OVERLAY, _PATTERNS, _SUMMARIES = (
    "knaster.views.heap.overlay",
    "knaster.views.heap.pattern_trie",
    "knaster.views.heap.summary_tables",
)
_SOURCES, _COMPILE, _TURNS = "knaster.views.heap.sources", "knaster.views.heap.compiler", "knaster.views.heap.turns"
_INTERLEAVINGS = "knaster.engines.explicit.heap"
_REDUCTIONS = "knaster.views.heap.reductions"
_ALONE, _FOOTPRINTS = f"{_REDUCTIONS}.persistent_sets", f"{_REDUCTIONS}.footprints"
_TRANSACTIONS = "knaster.engines.references.transactions"
_LOCKS = f"{_TRANSACTIONS}.lock_texts"
_WALK, _MOVERS, _DISCIPLINE = f"{_TRANSACTIONS}.walk", f"{_TRANSACTIONS}.movers", f"{_TRANSACTIONS}.discipline"
_INSIDE, _BETWEEN = f"{_TRANSACTIONS}.summaries", f"{_TRANSACTIONS}.search"
_VISIBLE, _SEARCH = "knaster.engines.references.visible.engine", "knaster.engines.references.patterns.engine"


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake: what is replaced in which module, and the engine that then errs, perhaps with a reduction."""

    engine: str
    changes: tuple[tuple[str, str, str], ...]


_NOW = "tuple(memory.statics()), tuple(memory[a] for a in range(1, memory.kept + 1))"  # what is, not what was written
_KEY = "        key = results, written, cells, stop.exception\n"
_PASS = "            pass\n"


def _mistake(engine: str, module: str, old: str, new: str) -> Mistake:
    return Mistake(engine, ((module, old, new),))


MISTAKES: Mapping[str, Mistake] = {
    "names of entry cells forgotten": _mistake(
        "visible",
        _SUMMARIES,
        _KEY,
        "        from knaster.views.heap.canonical_states import Naming\n"
        "        naming = Naming(self.layout, memory, 0)\n"
        "        statics = naming.values(memory.statics(), self.layout.static_shapes)\n"
        "        key = naming.values(stop.results, shapes), statics, naming.cells(), stop.exception\n",
    ),
    "changed cells not kept": _mistake(
        "visible",
        _OVERLAY,
        "for location, value in sorted(self.written.items())]\n",
        "for location, value in sorted(self.written.items()) if not location[0]]\n",
    ),
    "cells held from outside ignored": _mistake(
        "visible", _VISIBLE, "held = self.cells_held_outside(node, memory, naming)", "held = frozenset()"
    ),
    "cells held two calls up ignored": _mistake("visible", _VISIBLE, "        todo += node.root.held\n", ""),
    "cells held behind a cell of the caller ignored": _mistake(
        "visible",
        _VISIBLE,
        "for other in references_in(self.layout, memory[address]):\n                if other not in seen",
        "for other in ():\n                if other not in seen",
    ),
    "key without the written set": _mistake(
        "patterns",
        _SUMMARIES,
        "(stop.location, stop.inside, local, written, cells)",
        f"(stop.location, stop.inside, local, {_NOW}, cells)",
    ),
    "identity writes dropped": _mistake(
        "patterns",
        _SUMMARIES,
        _KEY,
        "        old = Overlay(self.layout, root.entry)\n"
        "        before = lambda place: old.field(*place) if place[0] else old.static(place[1])\n"
        "        written = tuple(each for each in written if each[1] != before(each[0]))\n" + _KEY,
    ),
    "reads of a callee not passed on": _mistake(
        "patterns", _SEARCH, "                self.touch(memory, location, names)\n", "    " + _PASS
    ),
    "growth not rescheduled": _mistake(
        "patterns",
        _SEARCH,
        "            self.tables.todo += dict.fromkeys(caller for caller, _ in root.callers)\n"
        "            root.callers = []\n",
        _PASS,
    ),
    "reads before a failing assume lost": _mistake(
        "patterns",
        _SEARCH,
        "        self.note(node.root, memory)\n        if stop is None:\n            return\n",
        "        if stop is None:\n            return\n        self.note(node.root, memory)\n",
    ),
    "matching not injective": _mistake(
        "patterns",
        _PATTERNS,
        "            return known\n        self.index[address] = len(self.order)\n",
        "            pass\n        self.index[address] = len(self.order)\n",
    ),
    "null matches": _mistake(
        "patterns",
        _PATTERNS,
        "                if token in ways:\n                    todo.append((depth + 1, ways[token], following))\n",
        "                for way in ways if token is None else [token] if token in ways else []:\n"
        "                    todo.append((depth + 1, ways[way], following))\n",
    ),
    "run on over an assume": Mistake(
        "explicit",
        ((_COMPILE, "free = local and len(edges) > 1 and edges[1]", "free = local and edges[-1]"),),
    ),
    "statics taken for locals": _mistake(
        "explicit", _SOURCES, "if isinstance(node, Var) and node.name not in self.frame.slots:", "if False:"
    ),
    "fields taken for locals": _mistake(
        "explicit", _SOURCES, "isinstance(node, Field | Index | SizeOf", "isinstance(node, Index | SizeOf"
    ),
    "results in statics not noticed": _mistake(
        "explicit", _TURNS, "if code.kind is Kind.RETURN and len(frames) > 1 and not", "if False and not"
    ),
    "the number of a new thread guessed": _mistake("explicit", _TURNS, "or (is_new and code.numbered)", "or False"),
    "steps that do not commute are not seen": _mistake(
        "transactions", _WALK, "mover in (Mover.NONE, Mover.RIGHT) or fails_next", "fails_next"
    ),
    "a choice that does not commute is not seen": _mistake(
        "transactions", _INSIDE, "if path.is_committed and mover in (Mover.NONE, Mover.RIGHT):", "if False:"
    ),
    "an assume is a mover": Mistake(
        "transactions",
        (
            (_WALK, " or (procedure, path.location) in self.assumes", ""),
            (_WALK, "if code.kind is Kind.START or point in self.assumes:", "if code.kind is Kind.START:"),
        ),
    ),
    "a region is a mover": _mistake("transactions", _WALK, "code.keeps or code.kind in (", "code.kind in ("),
    "committed for ever in a loop": _mistake(
        "transactions", _WALK, "(self.hear.cut if path.is_committed else self.hear.keep)(path)", "self.hear.keep(path)"
    ),
    "committed for ever in calls": _mistake("transactions", _INSIDE, " or callee in self.recursive", ""),
    "a failure hides others": _mistake(
        "transactions",
        _WALK,
        "        if path.is_committed:\n            self.hear.cut(self.rewind(path, before, local))\n\n    def mover",
        "\n    def mover",
    ),
    "an assertion hides others": _mistake("transactions", _WALK, " or fails_next or (code.kind", " or (code.kind"),
    "a lock is taken after another": _mistake(
        "transactions", _INSIDE, "node.phase is not Phase.CLEAN)", "node.phase is Phase.AFTER)"
    ),
    "results in statics are not seen": _mistake(
        "transactions", _WALK, " or (code.kind is Kind.RETURN and path.root.key.public)", ""
    ),
    "a callee begins anew": _mistake(
        "transactions", _INSIDE, "phase=next_phase(node.phase, mover),", "phase=Phase.CLEAN,"
    ),
    "cells of others are taken for own": _mistake(
        "transactions",
        _MOVERS,
        "heap, started, others or ())",
        "heap, started, ())",
    ),
    "cells of statics are taken for own": _mistake(
        "transactions",
        f"{_REDUCTIONS}.watched_memory",
        "        found.update(references(statics[slot], shape))\n",
        "        pass\n",
    ),
    "cells of new threads are taken for own": _mistake(
        "transactions",
        f"{_REDUCTIONS}.watched_memory",
        "        found.update(references_of_frame(layout, frame))\n",
        "        pass\n",
    ),
    "what was let go is not noted": _mistake(
        "transactions", _MOVERS, "if address > old and address not in shared:", "if address not in shared:"
    ),
    "finished threads are forgotten": _mistake(
        "transactions", f"{_TRANSACTIONS}.boundary_states", "if len(key) == 3:", "if not stacks:"
    ),
    "new threads are forgotten": _mistake(
        "transactions", _MOVERS, "if others is None and not started:", "if others is None:"
    ),
    "any lock protects": _mistake(
        "transactions", _DISCIPLINE, "self.held.get(kind, mine) & mine", "self.held.get(kind, mine) or mine"
    ),
    "an assumption that breaks is kept": _mistake(
        "transactions",
        _DISCIPLINE,
        "            self.racy.add(kind)\n            self._begin_again()\n",
        "            return True\n",
    ),
    "a lock that others release is kept": _mistake(
        "transactions", _WALK, "            discipline.drop(lock)\n", "            pass\n"
    ),
    "writes are not noticed": _mistake(
        "transactions", _DISCIPLINE, "            self.written.add(kind)\n", "            pass\n"
    ),
    "any number may send and receive": _mistake(
        "transactions",
        _DISCIPLINE,
        "if use is Use.LOOK or (use, channel) in self.crowded:",
        "if use is Use.LOOK:",
    ),
    "who looks at a channel is not noticed": _mistake(
        "transactions", _DISCIPLINE, " | self.users.get((Use.LOOK, channel), set())", ""
    ),
    "to rely on one sender is for ever": _mistake(
        "transactions",
        _DISCIPLINE,
        "                self.crowded.add((each, channel))\n"
        "                if (each, channel) in self.single:\n"
        "                    self._begin_again()\n",
        "                pass\n",
    ),
    "a send may wait": _mistake(
        "transactions", _MOVERS, "return Mover.LEFT if use is Use.SEND else Mover.RIGHT", "return Mover.RIGHT"
    ),
    "a message that is missing in a region is not noticed": _mistake(
        "transactions", _WALK, "Use.LOOK if path.inside and use is Use.RECEIVE else use", "use"
    ),
    "threads are not told apart": _mistake(
        "transactions", _BETWEEN, "bool(discipline.channels.uses) or asks_for_numbers", "asks_for_numbers"
    ),
    "a lock has another name": _mistake("transactions", _LOCKS, ' + self._fields["", field]', ""),
    "a static that changes names a lock": _mistake("transactions", _LOCKS, " and name not in self._changed", ""),
    "nobody waits in transactions": _mistake(
        "transactions", _BETWEEN, "if any(False in blocked[thread] for thread in live):", "if False:"
    ),
    "what waits is not passed on": _mistake(
        "transactions",
        _INSIDE,
        "self.block(waiter.node, may_end, Block(waiter.node, block, waiter.node.steps + 1 + block.steps))",
        "pass",
    ),
    "others are put off for ever": _mistake(
        "explicit persistent", _INTERLEAVINGS, "if len(self.keys) > before:", "if True:"
    ),
    "what others write is not looked for": _mistake(
        "explicit persistent", _ALONE, "if slot in text.writes or (write and slot in text.reads):", "if False:"
    ),
    "a write that others read is not noticed": _mistake(
        "explicit persistent", _ALONE, " or (write and slot in text.reads)", ""
    ),
    "cells of others are taken for own, alone": _mistake(
        "explicit persistent", _ALONE, "elif address in cells:", "elif 0:"
    ),
    "cells behind statics are taken for own": _mistake(
        "explicit persistent", _ALONE, "                if slot in text.reads:\n", "                if False:\n"
    ),
    "cells behind cells are taken for own": _mistake(
        "explicit persistent", _ALONE, "if address not in found:", "if False:"
    ),
    "what is called later is not looked at": _mistake(
        "explicit persistent",
        f"{_REDUCTIONS}.texts",
        "new = after[todo.pop()] - seen",
        "new = after[todo.pop()] & set()",
    ),
    "an alternative is not looked at": _mistake(
        "explicit persistent",
        _FOOTPRINTS,
        "(value,), steps) for value in values]",
        "(value,), steps) for value in values[:1]]",
    ),
    "sorted although numbers are asked for": _mistake(
        "explicit symmetry", _INTERLEAVINGS, " and not asks_for_numbers(task.program)", ""
    ),
    "threads are not found again": _mistake(
        "explicit symmetry",
        "knaster.engines.explicit.renumbered_runs",
        "names = [names[place - 1] for place in order.places]",
        "names = names[: len(order.places)]",
    ),
    "cells are forgotten in the order": _mistake(
        "explicit symmetry",
        f"{_REDUCTIONS}.thread_order",
        "sorted_stacks = [stacks[place - 1] for place in places]",
        "sorted_stacks = [self.outline(stacks[place - 1], common) for place in places]",
    ),
    "nobody waits": _mistake("explicit", _INTERLEAVINGS, "waiting = waiting or not moves.may_end", "waiting = False"),
}


@contextmanager
def mistaken(name: str) -> Iterator[None]:
    """Run the engines with a mistake."""
    real = {module: import_module(module) for module in MODULES}
    texts = {module: getsource(real[module]) for module in MODULES}
    for module, old, new in MISTAKES[name].changes:
        assert texts[module].count(old) == 1, f"{name}: {module} is another one now"
        texts[module] = texts[module].replace(old, new)
    try:
        for module in MODULES:
            made = ModuleType(module)
            sys.modules[module] = made
            exec(compile(texts[module], module, "exec"), made.__dict__)
        yield
    finally:
        sys.modules.update(real)
