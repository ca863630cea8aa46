"""Surveys that are run as a person runs them, and what they leave behind."""

from __future__ import annotations

from pathlib import Path

from solver.command.cli import main

__all__ = ["Files", "ask", "files"]

Files = dict[str, bytes]


def files(path: Path) -> Files:
    """Give all that is reproducible in a survey's directory."""
    found = {str(p.relative_to(path)): p.read_bytes() for p in path.rglob("*") if p.is_file()}
    return {name: data for name, data in found.items() if not name.startswith("times/")}


def ask(path: Path, *words: str) -> int:
    """Run ``hanabi survey``."""
    return main(["survey", *words, "--out", str(path)])
