"""Error projections: what lies between a source and a target (chapter 5)."""
