"""Profiles of hypothesis: the same examples every time in CI, new ones elsewhere; and Ctrl-C."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

settings.register_profile("dev", deadline=None, max_examples=50)
settings.register_profile("ci", deadline=None, max_examples=100, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

# A shell starts what it puts into the background with Ctrl-C ignored, and programs inherit that:
# the tests that send it would wait for nothing.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
