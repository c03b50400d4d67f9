"""`python -m tests.bench` (`make bench`): measures the sandbox, the pass matrix, then the pages.

`tests.bench.sandbox` and `tests.bench.pages` have the options of each; given here, they go to the sandbox.
"""

import sys

from tests.bench import matrix, pages, sandbox

if __name__ == "__main__":
    sandbox.main()
    matrix.main()
    sys.argv[1:] = []
    pages.main()
