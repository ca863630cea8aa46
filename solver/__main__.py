"""``python -m solver`` is the command ``hanabi``."""

import sys

from solver.cli import main

sys.exit(main())
