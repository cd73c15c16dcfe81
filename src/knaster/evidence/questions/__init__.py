"""What can be asked of a program.

To be read in this order:

    question          targets, bounds, and the two questions: reachability and termination
    targets           from the names that users give to targets
    letters           what the atoms of a formula mean, and which of them hold just before a statement
    static_conditions, c_conditions   what `{e}` means in a Zing model, and in C
    product           a program beside the automaton of what its runs must not do
    safety            formulas that ask for reachability
    properties        THE TABLE of properties: what `--property` takes, and what SV-COMP calls it
    undefined_steps   the steps that C may leave undefined, as targets with conditions
    value_ranges      bounds of the values of expressions, as far as types tell

Also here: `heap_product` (a Zing model of one thread beside the automaton of what its runs must not do),
`lines` (the line that a user names), `memory_targets` (targets of programs with memory).
"""
