"""Exact solver for Hanabi with all cards known."""
