"""`python -m knaster` is `knaster`."""

import sys

from knaster.cli import main

sys.exit(main())
