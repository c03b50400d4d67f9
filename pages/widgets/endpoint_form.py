"""Where to ask: address, model, key, how many at once, prices."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from core.llm import Prices
from core.views import generate
from pages.widgets import data
from pages.widgets.states import plain


@dataclass(frozen=True, slots=True)
class AskedEndpoint:
    """What the form says; the key lives in the visitor's session only."""

    base_url: str | None
    model: str
    key: str = field(repr=False)
    concurrency: int
    retries: int
    timeout: float
    prices: Prices


def endpoint_form() -> AskedEndpoint:
    """Draw the form."""
    address, model, key = st.columns([2, 2, 2])
    base_url = address.text_input(
        "Base URL",
        key="endpoint-url",
        placeholder="https://api.openai.com/v1",
        help="Up to and with /v1, as http://localhost:8000/v1 of a vLLM server. Empty: OpenAI's own.",
    ).strip()
    name = model.text_input("Model", key="endpoint-model", placeholder="the endpoint's name for it").strip()
    secret = key.text_input(
        "API key",
        type="password",
        key="endpoint-key",
        placeholder=_where_else(),
        help="Handed to the job in its environment; written to no file, log or run. Servers without keys "
        "need none.",
    ).strip()
    with st.expander("Requests at once, retries, prices"):
        one, two, three, four, five = st.columns(5)
        concurrency = one.number_input("Requests at once", 1, 512, 8, key="endpoint-concurrency")
        retries = two.number_input(
            "Retries", 0, 50, 6, key="endpoint-retries", help="Of 429, 5xx, time-outs and lost connections."
        )
        timeout = three.number_input("Seconds without an answer", 1.0, 7200.0, 600.0, key="endpoint-timeout")
        price_in = four.number_input(
            "Price in", 0.0, None, None, key="endpoint-price-in", help="Of a million tokens of prompts."
        )
        price_out = five.number_input(
            "Price out", 0.0, None, None, key="endpoint-price-out", help="Of a million tokens of answers."
        )
    return AskedEndpoint(
        base_url or None,
        name,
        secret,
        int(concurrency),
        int(retries),
        float(timeout),
        Prices(price_in, price_out),
    )


def _where_else() -> str:
    found = "" if data.served() else generate.key_in_environment()
    return f"{plain(found)} is set and used" if found else "none"
