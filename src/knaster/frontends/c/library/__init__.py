"""Functions of the C library that are written in C, a file for each header: `sources` says which a text needs.

They are read with the program as one of its files.
"""
