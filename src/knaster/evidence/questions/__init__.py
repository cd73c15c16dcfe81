"""What can be asked of a program.

To be read in this order:

    question          targets, bounds, and the two questions: reachability and termination
    targets           from the names that users give to targets
    properties        THE TABLE of properties: what `--property` takes, and what SV-COMP calls it
    undefined_steps   the steps that C may leave undefined, as targets with conditions
"""
