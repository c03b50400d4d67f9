"""Texts as vectors whose products are similarities: offline by words, by an endpoint, or by a local model.

TF-IDF knows words and no meaning: two tellings of one problem are nearer to each other in the other two.
The paper takes all-mpnet-base-v2 (section 2.1).
"""

from __future__ import annotations

import enum
import importlib
import importlib.util
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from core.errors import InputError
from core.llm import Endpoint, embed
from core.progress import OnProgress

__all__ = ["PAPER_MODEL", "Embedding", "Vectors", "embedded"]

Vectors: TypeAlias = npt.NDArray[np.float32] | csr_matrix
PAPER_MODEL = "sentence-transformers/all-mpnet-base-v2"


class Embedding(enum.StrEnum):
    """Ways to make vectors; the value is how results are labelled."""

    TFIDF = "tfidf"
    ENDPOINT = "endpoint"
    LOCAL = "sentence-transformers"

    def label(self, model: str | None) -> str:
        """What the similarities are, for a person."""
        if self is Embedding.TFIDF:
            return "TF-IDF of words (offline; knows no meaning)"
        return f"{model or PAPER_MODEL} ({self.value})"


def embedded(
    texts: Sequence[str],
    embedding: Embedding,
    *,
    model: str | None = None,
    endpoint: Endpoint | None = None,
    on_progress: OnProgress | None = None,
) -> Vectors:
    """One row of length 1 a text; a row of zeros for a text that holds nothing.

    Args:
        texts: at least one.
        embedding: how.
        model: for the endpoint, or the name or folder of a sentence-transformers model.
        endpoint: where the embeddings endpoint is.
        on_progress: told how far it is.

    Raises:
        InputError: the model is missing, or what runs it is not installed.
        EndpointError, RefusedError: the endpoint gave no answer.
    """
    if embedding is Embedding.TFIDF:
        return _tfidf(texts)
    if embedding is Embedding.ENDPOINT:
        if not model:
            raise InputError("an embeddings endpoint needs the name of its model")
        return _unit(np.array(embed(texts, model, endpoint or Endpoint(), on_progress), dtype=np.float32))
    return _local(texts, model or PAPER_MODEL)


def _tfidf(texts: Sequence[str]) -> csr_matrix:
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(sublinear_tf=True, dtype=np.float32)
    try:
        return csr_matrix(vectorizer.fit_transform(texts))
    except ValueError:  # no word in any of them
        return csr_matrix(np.zeros((len(texts), 1), dtype=np.float32))


def _local(texts: Sequence[str], model: str) -> npt.NDArray[np.float32]:
    if importlib.util.find_spec("sentence_transformers") is None:
        raise InputError(
            "sentence-transformers is not installed: pip install -r requirements-embeddings.txt, "
            "or take tfidf or an endpoint"
        )
    library: Any = importlib.import_module("sentence_transformers")
    try:
        found = library.SentenceTransformer(model).encode(list(texts), convert_to_numpy=True)
    except (OSError, ValueError) as error:
        raise InputError(f"{model}: can't be loaded as a sentence-transformers model: {error}") from error
    return _unit(np.asarray(found, dtype=np.float32))


def _unit(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: npt.NDArray[np.float32] = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return unit
