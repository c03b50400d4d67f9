"""`python -m tests.bench` (`make bench`): measures the sandbox; see `tests.bench.sandbox` for the options."""

from tests.bench.sandbox import main

if __name__ == "__main__":
    main()
