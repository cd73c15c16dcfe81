"""Deliberate mistakes, one list for each kind of program: each has to break some test."""
