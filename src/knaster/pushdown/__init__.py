"""Weighted pushdown systems; knows no programs."""
