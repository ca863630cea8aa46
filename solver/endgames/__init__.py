"""Endgames with the draw order known, unknown, or one's own hand hidden too: exact values."""
