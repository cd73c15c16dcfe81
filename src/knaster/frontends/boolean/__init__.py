"""Boolean programs: every dialect, sequential and threaded.

The language is described in docs/language.md.  Sources: Ball and Rajamani, Bebop: A Symbolic Model Checker for Boolean
Programs (SPIN 2000), section 2; La Torre, Madhusudan and Parlato, Analyzing Recursive Programs using a Fixed-point
Calculus (PLDI 2009), sections 2 and 5; the files that Boppo, Getafix, WALi, Duet and ijit read.

The text is split into tokens (`lexer`), a first pass finds the declarations (`declarations`), and one pass over the
tokens builds the control-flow graphs of the model directly (`programs`, `bodies`, `statements`, `expressions`,
`graph`); labels, callees, result counts and threads are resolved at the end (`resolve`); what is wrong goes to
`mistakes`.  Nothing recurses over the text.  A long text that is plainly right is read in C (`columns`).

The way back: `notation` writes names, expressions and statements, `structure` finds `if` and `while` in a graph,
`printer` writes whole programs; `spelling` is what `frontends/languages.py` is given.

Also here: `numbering` (numbers locations in the order that front ends give them).
"""

from knaster.frontends.boolean.expressions import DIALECTS
from knaster.frontends.boolean.programs import parse

__all__ = ["DIALECTS", "parse"]
