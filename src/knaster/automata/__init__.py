"""Linear temporal logic and Büchi automata; knows no programs.

In reading order: `ltl` (formulas as trees, and their text), `ltl_parser` (text to tree, with carets), `words` (what a
formula says of an infinite word that repeats itself: the meaning of everything here), `core` (negations inside),
`tableau` (formula to generalised automaton), `trimming` and `simulation` (fewer states), `counting` (one acceptance
set), `automaton` (the result), `translate` (all of it), `drawing` (the picture in a notebook).

Also here: `containment` (a smaller formula of the same words), `formula_files` (files of formulas), `monitor`
(monitors: finite-state machines that watch the statements of a run and say when one of them is a mistake),
`monitor_files` (monitors as text).
"""

from knaster.automata.automaton import Automaton, Step
from knaster.automata.ltl import Formula, to_text
from knaster.automata.ltl_parser import parse_ltl
from knaster.automata.translate import ltl, translate
from knaster.automata.words import Word, holds

__all__ = ["Automaton", "Formula", "Step", "Word", "holds", "ltl", "parse_ltl", "to_text", "translate"]
