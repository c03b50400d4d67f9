"""The glossary says something about every number that the package computes."""

import pytest

from core.metrics import GLOSSARY, METRIC_KEYS


def test_every_metric_has_an_entry():
    """No metric is shown without its definition at hand."""
    assert set(METRIC_KEYS) <= set(GLOSSARY)


@pytest.mark.parametrize("key", sorted(GLOSSARY))
def test_an_entry_is_complete(key):
    """Each entry has its key, a name, whole sentences and a source, and says so in its help text."""
    entry = GLOSSARY[key]
    assert entry.key == key
    assert entry.name
    assert entry.definition.endswith(".")
    assert not entry.ties or entry.ties.endswith(".")
    assert entry.source in entry.help()


def test_the_arrow_points_the_better_way():
    """Only errors point down."""
    assert [GLOSSARY[key].arrow for key in METRIC_KEYS] == ["↑", "↑", "↑", "↑", "↓", "↑"]
