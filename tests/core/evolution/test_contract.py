from typing import Any

import pytest

from core.evolution.contract import with_contract

PROGRAM = 'import math\n\ndef f(n):\n    """Root of n."""\n    return math.sqrt(abs(n))'
CONTRACT = '\n    assert isinstance(n, int), "invalid inputs"\n    assert n >= 0, "invalid inputs"\n'


def test_the_contract_is_checked_first() -> None:
    """The guarded program refuses what the contract forbids and returns as before for the rest."""
    scope: dict[str, Any] = {}
    exec(with_contract(PROGRAM, "f", CONTRACT), scope)
    assert scope["f"](9) == 3.0
    assert scope["f"].__doc__ == "Root of n."
    for wrong in (-1, "9"):
        with pytest.raises(AssertionError, match="invalid inputs"):
            scope["f"](wrong)


@pytest.mark.parametrize(
    ("program", "contract"),
    [(PROGRAM, ""), (PROGRAM, "assert ("), ("def f(n:", CONTRACT), ("f = abs", CONTRACT)],
)
def test_what_cannot_be_guarded_stays(program: str, contract: str) -> None:
    """Without a contract or a plain function to put it into, the program is left as it is."""
    assert with_contract(program, "f", contract) == program
