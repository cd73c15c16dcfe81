"""Inputs as terms inside the meaning of memory.

`symbols` are the terms and where runs part, `symbolic_steps` what operators do with them, `symbolic_cells` offsets
that are terms, `float_symbols` floating-point inputs as their bits, `float_functions` functions of math.h on them,
`line_values` what all that is for given inputs.
"""
