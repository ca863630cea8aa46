"""``python -m solver`` is the command ``hanabi``."""

import sys

from solver.entry import main

sys.exit(main())
