"""The generated data folders are whole runs with middling metrics."""

from __future__ import annotations

from pathlib import Path

from core.store import open_run
from core.views.catalog import read_catalog
from core.views.runs import summarise_run
from tests.bench.generate import SOLUTIONS, TESTS, generate


def test_a_generated_folder_has_two_whole_runs_of_one_benchmark(tmp_path: Path) -> None:
    """Both runs are finished, of the full size, and listed under the one benchmark with its file."""
    workspace = generate(tmp_path, 3)
    (entry,) = read_catalog(workspace).benchmarks
    assert entry.file is not None
    assert [run.manifest.n_cells for run in entry.runs] == [3 * SOLUTIONS * TESTS] * 2
    for run in entry.runs:
        assert open_run(run.folder).matrix("Generated/2").outcomes.shape == (SOLUTIONS, TESTS)


def test_generated_verifiers_are_neither_perfect_nor_blind(tmp_path: Path) -> None:
    """The careful one follows the reference better than the noisy one; neither is at an end of its scale."""
    workspace = generate(tmp_path, 20, benchmark_file=False)
    careful, noisy = (summarise_run(n, n, workspace.run_dir(f"{n}-1")) for n in ("careful", "noisy"))
    found = [run.evaluation.metrics["spearman"].value for run in (careful, noisy)]
    assert 1 > found[0] > found[1] > 0.5
    assert 0.2 < careful.evaluation.metrics["top1"].value < 1


def test_generated_folders_are_alike(tmp_path: Path) -> None:
    """The same size gives the same outcomes."""
    first, second = (
        open_run(generate(tmp_path / name, 2, benchmark_file=False).run_dir("noisy-1")) for name in "ab"
    )
    assert first.matrix("Generated/1").letters() == second.matrix("Generated/1").letters()
