"""Datasets by name from a hub that this process serves, and local copies in the released layout."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core import hub
from core.benchmarks.sources import read_source, source_name
from core.commands.fetch import fetch
from core.errors import InputError
from core.hub import HubError
from core.progress import Progress

COMMIT = "a" * 40
CODE = "def double(n):\n    return 2 * n\n"
BAD = "    return n + 1\n"
MBPP_ROW = {
    "task_id": 2,
    "text": "Write a function to double a number.",
    "code": "def double(n):\n    return 2 * n",
    "test_list": ["assert double(1) == 2", "assert double(0) == 0"],
    "test_setup_code": "",
    "challenge_test_list": [],
}


@contextmanager
def served(name: str, files: dict[str, bytes]) -> Iterator[str]:
    """A hub with one dataset."""

    class Hub(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _send(self, status: int, body: bytes, **headers: str) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            for key, value in headers.items():
                self.send_header(key.replace("_", "-"), value)
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        def do_GET(self) -> None:
            path = self.path.partition("?")[0].replace("%2B", "+")
            if path == f"/api/datasets/{name}/revision/main":
                siblings = [{"rfilename": file} for file in files]
                about = {"id": name, "sha": COMMIT, "siblings": siblings, "private": False, "tags": []}
                self._send(200, json.dumps(about).encode(), Content_Type="application/json")
            elif path.startswith(f"/api/datasets/{name}/tree/"):
                tree = [
                    {"type": "file", "path": file, "size": len(body), "oid": hashlib.sha1(body).hexdigest()}
                    for file, body in files.items()
                ]
                self._send(200, json.dumps(tree).encode(), Content_Type="application/json")
            elif (file := path.removeprefix(f"/datasets/{name}/resolve/{COMMIT}/")) in files:
                tag = f'"{hashlib.sha1(files[file]).hexdigest()}"'
                self._send(200, files[file], ETag=tag, X_Repo_Commit=COMMIT)
            else:
                self._send(404, b"{}", X_Error_Code="RepoNotFound")

        do_HEAD = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of downloads."""
    folder = tmp_path / "hub-cache"
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(folder))
    monkeypatch.setattr("huggingface_hub._snapshot_download.constants.HF_HUB_CACHE", str(folder))
    return folder


def parquet(path: Path, *rows: dict[str, object]) -> Path:
    """A Parquet file of these rows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(list(rows)), path)
    return path


def test_a_dataset_comes_by_its_name_once(cache: Path, tmp_path: Path) -> None:
    """The part's files are downloaded with progress; with the hub gone they come from the cache."""
    body = parquet(tmp_path / "x.parquet", MBPP_ROW).read_bytes()
    files = {"full/train-00000-of-00001.parquet": body, "sanitized/test-00000-of-00001.parquet": b"no"}
    told: list[Progress] = []
    with served("google-research-datasets/mbpp", files) as endpoint:
        (path,) = hub.fetch(hub.find("google-research-datasets/mbpp"), told.append, endpoint=endpoint)
    assert path.read_bytes() == body
    assert path.is_relative_to(cache)
    assert told and told[-1].done == told[-1].total == len(body)
    assert hub.fetch(hub.find("google-research-datasets/mbpp:full"), endpoint=endpoint) == (path,)


@pytest.mark.usefixtures("cache")
def test_without_a_hub_the_message_says_what_to_do() -> None:
    """A hub that does not answer is named with the way around it."""
    with pytest.raises(HubError, match=r"evalplus/mbppplus: can't be fetched.*Download data/test-\*.parquet"):
        hub.fetch(hub.find("evalplus/mbppplus"), endpoint="http://127.0.0.1:9")


@pytest.mark.usefixtures("cache")
def test_an_unknown_dataset_is_bad_input() -> None:
    """What the hub does not know is the user's mistake, and said so."""
    with (
        served("some/dataset", {}) as endpoint,
        pytest.raises(InputError, match="there is no such dataset"),
    ):
        hub.fetch(hub.find("nobody/nothing"), endpoint=endpoint)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mbpp", "expected owner/name"),
        ("nvidia/Scoring-Verifiers:HE", r"no part 'HE'; expected one of HE-R\+, HE-R"),
    ],
)
def test_a_wrong_name_says_what_was_expected(text: str, said: str) -> None:
    """A name without owner, or an unknown part, is refused with what there is."""
    with pytest.raises(InputError, match=said):
        hub.find(text)


def test_parts_have_names_of_their_own() -> None:
    """A benchmark is called after what it is made of."""
    names = [
        "nvidia/Scoring-Verifiers:MBPP-R",
        "evalplus/mbppplus",
        "google-research-datasets/mbpp:sanitized",
    ]
    assert [source_name(f"hub:{name}") for name in names] == ["MBPP-R", "mbppplus", "mbpp-sanitized"]


def test_a_local_copy_is_read_like_the_original(tmp_path: Path) -> None:
    """A folder in the released layout, or the folder of its pieces, gives the problems of all pieces."""
    parquet(tmp_path / "full" / "train-00000-of-00001.parquet", MBPP_ROW)
    parquet(tmp_path / "full" / "test-00000-of-00001.parquet", MBPP_ROW | {"task_id": 3})
    for folder in (tmp_path, tmp_path / "full"):
        found = read_source(str(folder), lambda _: None)
        assert sorted(problem.task_id for problem in found.problems) == ["Mbpp/2", "Mbpp/3"]


def test_a_folder_of_several_parts_asks_which(tmp_path: Path) -> None:
    """Where a copy holds several benchmarks the message names them."""
    for name in ("HE-R.jsonl", "HE-R+.jsonl"):
        (tmp_path / name).write_text("{}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"several datasets or parts; expected one of .*HE-R\+.jsonl"):
        hub.local_files(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="without data files"):
        hub.local_files(tmp_path / "empty")


def test_a_scored_dataset_becomes_a_benchmark(
    cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`fetch` takes HE-R+ in its released layout into the data folder, ready for runs."""
    solutions = [
        {
            "rank": 1,
            "average_test_score": 1.0,
            "average_time_taken": 0.1,
            "solution": {"canonical_solution": CODE},
        },
        {
            "rank": 2,
            "average_test_score": 0.5,
            "average_time_taken": 0.1,
            "solution": {"canonical_solution": BAD},
        },
    ]
    row = {
        "task_id": "HumanEval/900",
        "prompt": "def double(n):\n",
        "entry_point": "double",
        "canonical_solution": "    return 2 * n\n",
        "test": "def check(candidate):\n    assert candidate(1) == 2\n",
        "base_input": [[1]],
        "plus_input": [[0]],
        "all_solutions": solutions,
    }
    with served("nvidia/Scoring-Verifiers", {"HE-R+.jsonl": json.dumps(row).encode()}) as endpoint:
        sheet = fetch("nvidia/Scoring-Verifiers:HE-R+", tmp_path / "data", endpoint)
    assert cache.exists()
    path = tmp_path / "data" / "benchmarks" / "HE-R+.jsonl"
    assert sheet["kept"] == [{"file": str(path), "kind": "benchmark", "rows": 1}]
    (many,) = read_source(str(path), lambda _: None).solutions.values()
    assert [one.reference_score for one in many] == [1.0, 0.5]
    assert "downloading nvidia/Scoring-Verifiers" in capsys.readouterr().err
