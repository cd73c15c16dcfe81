"""Weight domains, one per file; each is a semiring in the sense of `knaster.pushdown.semiring`."""
