import json
from pathlib import Path
from typing import Any

import pytest

from core.formats import load, report
from core.formats.harnessllm import IN_SCOPE
from core.formats.pairs import write_answers, write_pairs
from core.model import Pair, Problem, ProblemKind

PAIR = Pair(
    "a",
    "Sort.",
    ProblemKind.FUNCTION,
    "def f(x):\n    return x",
    "def g(x): 1",
    "f",
    "g",
    {"difficulty": "hard"},
)
READER = Pair("b", "", ProblemKind.STDIO, "print(1)", "print(", metadata={})


def read(*rows: dict[str, Any], **options: Any) -> Any:
    """The rows as a loaded file."""
    return load("\n".join(json.dumps(row) for row in rows).encode(), name="pairs.jsonl", **options)


def own(**changes: Any) -> dict[str, Any]:
    """A row of pairs, with changes; a key set to None is left out."""
    row = {
        "pair_id": "a",
        "description": "",
        "kind": "stdio",
        "good": "print(1)",
        "buggy": "print(2)",
    } | changes
    return {key: value for key, value in row.items() if value is not None}


def harnessllm(truth: Any, **more: Any) -> dict[str, Any]:
    """A row as the released data has it."""
    return {
        "uid": "u1",
        "description": "Add.",
        "reward_model": {"ground_truth": truth, "style": "rule"},
    } | more


FUNCTIONAL = {
    "good_code": {"code": "class Solution:\n    def add(self, a): return a", "entry_point": "Solution().add"},
    "bad_code": {"code": "class Solution:\n    def add(self, a): return 0", "entry_point": "Solution().add"},
    "code_type": "functional",
}


def test_pairs_read_back_as_they_were_written(tmp_path: Path) -> None:
    """Every field of a pair survives its file."""
    write_pairs([PAIR, READER], tmp_path / "pairs.jsonl")
    loaded = load(tmp_path / "pairs.jsonl")

    assert (loaded.format, loaded.kind, loaded.errors) == ("touchstone-pairs", "pairs", ())
    assert loaded.pairs == (PAIR, READER)


def test_answers_read_back_as_they_were_written(tmp_path: Path) -> None:
    """Raw answers keep every character."""
    answers = {"a": ("```python\n\u2028é\n```", ""), "b": ()}
    write_answers(answers, tmp_path / "answers.jsonl")

    assert load(tmp_path / "answers.jsonl", expect="answers").answers == answers


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"kind": "class"}, "kind", "expected function or stdio"),
        ({"kind": "function"}, "entry_point", "expected the function's name"),
        ({"good": "print("}, "good", "expected a Python program"),
        ({"buggy": ""}, "buggy", "expected text"),
        ({"pair_id": 3}, "pair_id", "expected text"),
        ({"metadata": []}, "metadata", "expected an object"),
    ],
)
def test_a_bad_pair_is_named_and_the_others_load(changes: dict[str, Any], field: str, words: str) -> None:
    """An error says its line, its field and what was expected; a good row beside it loads."""
    loaded = read(own(pair_id="z"), own(**changes))

    (error,) = loaded.errors
    assert (error.line, error.field) == (2, field)
    assert words in error.message
    assert [pair.pair_id for pair in loaded.pairs] == ["z"]


def test_each_pair_id_once() -> None:
    """The second pair of the same name is refused."""
    assert "came before" in read(own(), own()).errors[0].message


@pytest.mark.parametrize("as_text", [True, False])
def test_harnessllm_rows_are_pairs_with_answers(as_text: bool) -> None:
    """The ground truth may be an object or its JSON; sampled answers come with the pair."""
    truth: Any = {"good_code": "print(1)", "bad_code": "print(2)", "code_type": "input/output"}
    loaded = read(harnessllm(json.dumps(truth) if as_text else truth, testcase=["x", "y"], difficulty="easy"))

    assert loaded.format == "harnessllm"
    assert loaded.pairs == (
        Pair("u1", "Add.", ProblemKind.STDIO, "print(1)", "print(2)", metadata={"difficulty": "easy"}),
    )
    assert loaded.answers == {"u1": ("x", "y")}


def test_functional_rows_have_an_entry_point_and_imports_in_scope() -> None:
    """A method of Solution is known by its bare name, and its program may use List without an import."""
    (pair,) = read(harnessllm(FUNCTIONAL)).pairs

    assert (pair.kind, pair.entry_point, pair.buggy_entry_point) == (ProblemKind.FUNCTION, "add", None)
    assert pair.good == IN_SCOPE + FUNCTIONAL["good_code"]["code"]  # type: ignore[index]
    scope: dict[str, Any] = {}
    exec(pair.good + "\n\nx: List[int] = [gcd(4, 6), inf]\n", scope)


@pytest.mark.parametrize(
    ("truth", "field"),
    [
        ("{", "reward_model.ground_truth"),
        ([{"good_code": "", "bad_code": ""}], "reward_model.ground_truth"),
        ({"good_code": "print(1)"}, "reward_model.ground_truth.bad_code"),
        (
            {"good_code": "print(1)", "bad_code": "x", "code_type": "sql"},
            "reward_model.ground_truth.code_type",
        ),
        (FUNCTIONAL | {"bad_code": "def add(): 1"}, "reward_model.ground_truth.bad_code"),
        (FUNCTIONAL | {"bad_code": {"code": "x"}}, "reward_model.ground_truth.bad_code.entry_point"),
    ],
)
def test_a_bad_ground_truth_is_named(truth: Any, field: str) -> None:
    """What is wrong with a row of HarnessLLM is said with the whole path of its key."""
    assert [error.field for error in read(harnessllm(truth)).errors] == [field]


def test_answers_about_no_task_of_the_benchmark_are_errors() -> None:
    """A pair_id is a task_id, or one with a solution's id behind a colon; anything else is named."""
    ids = ["T:1", "T:1:drops", "T", "U:drops"]
    source = "\n".join(json.dumps({"pair_id": name, "answers": ["x"]}) for name in ids).encode()
    found = report(source, [Problem("T:1", "p"), Problem("V", "p")])
    assert [(error.line, error.field) for error in found.errors] == [(3, "pair_id"), (4, "pair_id")]
    assert "'T' is not in it" in found.errors[0].message
    assert [warning.message for warning in found.warnings] == ["nothing for 1 of 2 problems: V"]
