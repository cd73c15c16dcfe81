"""Weighted transducers of weighted pushdown systems, tensor products, and what both tell about several systems."""
