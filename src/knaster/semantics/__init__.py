"""What a step of a program does, on values: written for clarity, because runs are replayed by it.

To be read in this order:

    table             THE TABLE of kinds of programs: replay, targets, traces of each
    sequential        one step of one thread whose states are values of variables
    threads           threads that share the globals; `sections` says whether one can get out of an atomic section
    explore           the oracles: every state of a small program one by one; `explore_threads` every configuration
    python_code       the same steps as Python functions, fast; `tabulation` runs them, each call once, and
                      `candidate_inputs` says which inputs are worth trying
    heap/             programs with references
    memory/           C with addresses, and its threads

Also here: `bit_steps` (steps on states that are bits), `formulas` (compiles Boolean formulas without choice to Python
functions), `open_ways` (where a thread inside an atomic section can go on), `run_graph` (the graph of runs),
`schedule_costs` (what it costs to let another thread run), `thread_graph` (threads as a graph for questions about
infinite runs).
"""
