"""Knaster: recursive programs, decided by fixed points of procedure summaries."""
