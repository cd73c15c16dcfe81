"""Text to Program; one module or folder per language.

Also here: `languages` (the languages that Knaster reads, one line for each, and how to tell which one a file is written
in).
"""
