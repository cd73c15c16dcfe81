"""Engines against oracles on random programs by number: `python tests/fuzz.py c|threads|zing`."""
