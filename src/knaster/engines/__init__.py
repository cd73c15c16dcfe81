"""From a `Task` to `Findings`: an engine for each published method, in a folder with its card and a guide to its files.

Read `contract` (what an engine is given and what it returns), `card` and `requirements` (what is known about an engine
without running it), `table` (all of them), then the `__init__` of an engine.  The floors are the kinds of programs:
`boolean`, `threads` (Boolean programs with several), `integers` (C), `references` (Zing); `calculus` and `explicit`
span floors, and `auto` chooses. An engine imports no other; files and folders of a floor without a card are shared
there.

Also here: `accepting_places` (a product whose accepting steps are places), `thread_runs` (runs of threads as lassos),
`vacuous_formulas` (what never happens of a formula that holds), `violations` (the automaton of the words on which a
formula does not hold).
"""
