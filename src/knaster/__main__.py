"""The command `knaster`, also as `python -m knaster`: a process of our own, which ends at once when all is said."""

import gc
import os
import sys
from typing import NoReturn


def run() -> NoReturn:
    """Run one command and end the process with its exit code.

    Nothing is left to tidy up, and taking apart all that was made takes longer than making it in a short check; only
    whoever measures, and other processes that wait for us, get the usual end.
    """
    gc.disable()
    from knaster.cli import main

    code = main()
    if "multiprocessing" in sys.modules or sys.getprofile() is not None or sys.gettrace() is not None:
        sys.exit(code)
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):  # the usual end knows what to do
        sys.exit(code)
    os._exit(code)


if __name__ == "__main__":
    run()
