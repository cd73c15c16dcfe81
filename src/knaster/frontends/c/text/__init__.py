"""frontends/c/text: see docs/architecture.md."""
