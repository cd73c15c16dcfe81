"""Programs with references: their meaning, their canonical states, their effects and patterns; knows no files."""
