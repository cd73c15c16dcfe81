"""Runs of programs with memory for people: `entries`."""
