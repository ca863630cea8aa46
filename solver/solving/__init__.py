"""Engines by name and one after the other, every answer checked; certificates made."""
