"""Inputs as terms inside the meaning of memory.

`symbols` are the terms and where runs part, `symbolic_steps` what operators do with them, `symbolic_cells` offsets
that are terms, `float_symbols` floating-point inputs as their bits.
"""
