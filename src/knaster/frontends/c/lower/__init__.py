"""frontends/c/lower: see docs/architecture.md."""
