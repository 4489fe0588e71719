"""``python -m manybleus`` is the command ``manybleus``."""

import sys

from manybleus.cli import main

if __name__ == "__main__":
    sys.exit(main())
