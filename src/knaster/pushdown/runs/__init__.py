"""Runs that justify an answer: what is remembered while saturating, and the one search that finds them."""
