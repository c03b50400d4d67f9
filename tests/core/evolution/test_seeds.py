"""Problems of several sources without those that are nearly the same."""

import importlib.util
import json
import string
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from core.errors import InputError
from core.evolution.embedding import Embedding, embedded
from core.evolution.gathering import deduplicated, gather
from core.evolution.seeds import deduplicate
from core.llm import Endpoint, EndpointError
from tests.core.llm.server import Server


def unit(*rows: tuple[float, ...]) -> np.ndarray:
    """Rows of length 1."""
    vectors = np.array(rows, dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@given(st.integers(0, 50), st.integers(2, 25), st.floats(0.2, 0.99), st.booleans())
def test_no_kept_pair_is_similar_and_each_dropped_one_has_a_kept_twin(
    seed: int, n: int, threshold: float, sparse: bool
) -> None:
    """What is kept is as different as asked, and nothing is dropped without a reason."""
    vectors = unit(*np.abs(np.random.default_rng(seed).normal(size=(n, 3))))
    products = vectors @ vectors.T
    found = deduplicate(["a"] * n, csr_matrix(vectors) if sparse else vectors, threshold=threshold, seed=seed)
    kept = list(found.kept)
    among = products[np.ix_(kept, kept)][~np.eye(len(kept), dtype=bool)]
    assert (among <= threshold + 1e-6).all()
    assert set(found.twin_of) == set(range(n)) - set(kept)
    for place, twin in found.twin_of.items():
        assert twin in kept
        assert products[place, twin] > threshold - 1e-6
        assert found.similarity[place] == pytest.approx(products[place, twin], abs=1e-5)


def test_the_seed_decides_who_is_kept() -> None:
    """Of two alike each is kept by some seed, and the same seed keeps the same one."""
    vectors = unit((1, 0), (1, 0.01), (0, 1))
    kept = {deduplicate(["a", "b", "b"], vectors, seed=seed).kept for seed in range(10)}
    assert kept == {(0, 2), (1, 2)}
    assert (
        deduplicate(["a", "b", "b"], vectors, seed=3).kept
        == deduplicate(["a", "b", "b"], vectors, seed=3).kept
    )


def test_overlap_and_neighbours_by_hand() -> None:
    """Half of the one source is in the other; neighbours are more distant after."""
    vectors = unit((1, 0), (0, 1), (1, 0))
    found = deduplicate(["a", "a", "b"], vectors)
    assert found.sources == ("a", "b")
    assert found.overlap.tolist() == [[1.0, 0.5], [1.0, 1.0]]
    assert found.before == {"a": 2, "b": 1}
    assert sum(found.after.values()) == 2
    assert found.neighbours_before == pytest.approx([0.5, 0, 0.5])
    assert found.neighbours_after == pytest.approx([0, 0], abs=1e-6)


def test_one_problem_alone_has_no_neighbours() -> None:
    """The mean similarity to nobody is not a number."""
    assert np.isnan(deduplicate(["a"], unit((1, 0))).neighbours_before).all()


def test_tfidf_finds_copies_and_takes_empty_texts() -> None:
    """The same words are similarity 1, no common word is 0, and a text without words is like nothing."""
    vectors = embedded(["sum two numbers", "sum  TWO numbers.", "reverse a list", ""], Embedding.TFIDF)
    products = (vectors @ vectors.T).toarray()
    assert products[0, 1] == pytest.approx(1, abs=1e-6)
    assert products[0, 2] == 0
    assert products[3].tolist() == [0, 0, 0, 0]
    assert "knows no meaning" in Embedding.TFIDF.label(None)


def test_an_endpoint_gives_vectors_in_order() -> None:
    """Vectors come in the order of the texts whatever the answer's, and have length 1."""

    def reply(path: str, body: dict[str, object]) -> dict[str, object]:
        texts = body["input"]
        assert isinstance(texts, list)
        rows = [{"index": i, "embedding": [float(len(text)), 1.0]} for i, text in enumerate(texts)]
        return {"data": rows[::-1]}

    with Server() as server:
        server.reply = reply
        endpoint = Endpoint(server.base_url, retries=0)
        texts = ["x" * n for n in range(1, 101)]
        vectors = embedded(texts, Embedding.ENDPOINT, model="e", endpoint=endpoint)
        assert vectors == pytest.approx(unit(*((n, 1.0) for n in range(1, 101))), abs=1e-6)
        assert {path for path, _, _ in server.seen} == {"/v1/embeddings"}
        server.reply = lambda path, body: {"data": []}
        with pytest.raises(EndpointError, match="0 vectors for 1 texts"):
            embedded(["x"], Embedding.ENDPOINT, model="e", endpoint=endpoint)
        server.reply = lambda path, body: {"error": "no"}
        with pytest.raises(EndpointError, match="sent no vectors"):
            embedded(["x"], Embedding.ENDPOINT, model="e", endpoint=endpoint)


def test_an_endpoint_needs_a_model() -> None:
    """Without the name of a model nothing is asked."""
    with pytest.raises(InputError, match="name of its model"):
        embedded(["x"], Embedding.ENDPOINT)


def write(path: Path, *rows: dict[str, object]) -> Path:
    """A file of EvolveCoder's released layout."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def row(name: str, question: str) -> dict[str, object]:
    """One of its rows."""
    return {"id": name, "question": question, "tests": ["assert f(1) == 1"]}


def test_files_are_gathered_by_source(tmp_path: Path) -> None:
    """A source is its file, ids stay unique, and what is left is a benchmark that says where from."""
    first = write(tmp_path / "taco.jsonl", row("1", "add two numbers"), row("2", "sort a list of words"))
    second = write(tmp_path / "apps.jsonl", row("1", "add two numbers!"), row("7", "parse a date"))
    gathered = gather([first, second], lambda loaded: None)
    assert [problem.task_id for problem in gathered.problems] == ["1", "2", "apps/1", "7"]
    found = deduplicated(gathered, Embedding.TFIDF, 0.9, seed=1)
    kept = found.benchmark("seeds").problems
    assert len(kept) == 3
    assert {problem.metadata["source"] for problem in kept} <= {"taco", "apps"}
    described = found.described()
    assert (described["problems_before"], described["problems_after"]) == (4, 3)
    assert described["before"] == {"taco": 2, "apps": 2}
    assert described["overlap"]["taco"] == {"taco": 1.0, "apps": 0.5}


def tiny_model(folder: Path) -> Path:
    """A sentence-transformers model with random weights that knows letters, on disk."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from tokenizers import Tokenizer, pre_tokenizers
    from tokenizers.models import WordLevel
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    letters = ["<pad>", "<unknown>", *string.printable]
    tokenizer = Tokenizer(WordLevel({letter: i for i, letter in enumerate(letters)}, unk_token="<unknown>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    bert = folder / "bert"
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", unk_token="<unknown>"
    ).save_pretrained(bert)
    config = BertConfig(
        vocab_size=len(letters),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    BertModel(config).save_pretrained(bert)
    words = Transformer(str(bert), max_seq_length=64)
    found = folder / "model"
    SentenceTransformer(modules=[words, Pooling(words.get_embedding_dimension())], device="cpu").save(
        str(found)
    )
    return found


def test_a_local_model_gives_vectors(tmp_path: Path) -> None:
    """A sentence-transformers model on disk makes unit vectors, alike for like texts, in the texts' order."""
    if importlib.util.find_spec("sentence_transformers") is None:
        pytest.skip("sentence-transformers is not installed: pip install -r requirements-embeddings.txt")
    model = tiny_model(tmp_path)
    texts = ["sort a list", "the sum of two numbers", "sort a list"]
    vectors = embedded(texts, Embedding.LOCAL, model=str(model))
    assert isinstance(vectors, np.ndarray)
    assert vectors.shape == (3, 16)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)
    np.testing.assert_allclose(vectors[0], vectors[2], rtol=1e-4)
    assert not np.allclose(vectors[0], vectors[1], rtol=1e-3)
    with pytest.raises(InputError, match="can't be loaded as a sentence-transformers model"):
        embedded(texts, Embedding.LOCAL, model=str(tmp_path / "nowhere"))
