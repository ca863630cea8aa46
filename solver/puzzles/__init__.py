"""Puzzles: judged, measured, generated, written and drawn."""
