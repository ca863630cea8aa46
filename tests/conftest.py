"""Profiles of hypothesis: the same examples every time in CI, new ones elsewhere."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("dev", deadline=None, max_examples=50)
settings.register_profile("ci", deadline=None, max_examples=100, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")
