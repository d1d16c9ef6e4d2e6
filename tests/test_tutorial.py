"""The tutorial notebook: run from its beginning to its end, it shows what is stored in it.

    MSAT_SNAPSHOTS=write .venv/bin/pytest tests/test_tutorial.py

runs it anew and stores what it shows now. Of a result that is shown as a picture or a table, just that is
stored and compared: the text beside it may tell times.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

NOTEBOOK = Path(__file__).parents[1] / "docs" / "tutorial.ipynb"
RICH = ("image/svg+xml", "text/html")
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def cleaned(outputs: list[Any]) -> list[Any]:
    """What is compared: no complaints of the machine on standard error, no text where there is a picture."""
    found: list[Any] = []
    for output in outputs:
        if output.get("name") == "stderr":
            continue
        data = output.get("data", {})
        if any(kind in data for kind in RICH):
            output["data"] = {kind: data[kind] for kind in RICH if kind in data}
        if found and "text" in output and found[-1].get("name") == output.get("name"):
            found[-1]["text"] += output["text"]  # one print may come in pieces
        else:
            found.append(output)
    return found


def test_the_tutorial_shows_what_is_stored_in_it() -> None:
    stored = nbformat.read(NOTEBOOK, as_version=4)
    fresh = nbformat.read(NOTEBOOK, as_version=4)
    where = {"metadata": {"path": str(NOTEBOOK.parents[1])}}
    nbclient.NotebookClient(fresh, timeout=600, kernel_name="python3", resources=where).execute()
    for cell in fresh.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = cleaned(cell.outputs)
    fresh.metadata = METADATA
    if os.environ.get("MSAT_SNAPSHOTS") == "write":
        nbformat.write(fresh, NOTEBOOK)
        return
    for before, now in zip(stored.cells, fresh.cells, strict=True):
        if now.cell_type == "code":
            assert now.outputs == before.outputs, now.source


def test_it_covers_what_it_promises() -> None:
    source = "\n".join(cell.source for cell in nbformat.read(NOTEBOOK, as_version=4).cells)
    for name in ("analyze", "explain", "solutions", "write_encoding", "simulate", "compare", "svg.board"):
        assert name in source
