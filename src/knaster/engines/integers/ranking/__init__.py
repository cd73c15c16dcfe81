"""engines/integers/ranking: see docs/architecture.md."""
