"""Several pushdown systems and any number of context switches: sets of stacks as canonical automata."""
