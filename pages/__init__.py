"""A screen each: read widgets, call one function of `core.views`, draw; nothing is computed here."""
