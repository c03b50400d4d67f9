"""`python -m tests.bench` (`make bench`): measures the sandbox, then the pages.

`tests.bench.sandbox` and `tests.bench.pages` have the options of each; given here, they go to the sandbox.
"""

import sys

from tests.bench import pages, sandbox

if __name__ == "__main__":
    sandbox.main()
    sys.argv[1:] = []
    pages.main()
