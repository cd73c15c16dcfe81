"""Answers by enumeration, with which the tests compare what engines say."""
