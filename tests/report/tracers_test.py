# SPDX-License-Identifier: Apache-2.0
"""What pages show of points that go with the flow."""
import json

from conftest import CASES, must


def test_results_show_residence_times(tmp_path):
    out = tmp_path / "tank"
    must("run", CASES / "tank.toml", "--steps", 3, "--output", out, "--set", "monitor.every=1")
    must("report", out)
    assert "Residence times" not in (out / "report.html").read_text()
    summary = json.loads((out / "summary.json").read_text())
    assert summary["results"]["tracers"] == {"dye": {"appeared": 0, "left": {}, "moving": 0}}
    found = {"points": 7, "mean_age": 12.5, "distribution": {"edges": [0, 10, 20], "density": [0.04, 0.06]}}
    summary["results"]["tracers"] = {"none": {"left": {}}, "dye": {"left": {"x_max": found}}}
    (out / "summary.json").write_text(json.dumps(summary))
    must("report", out)
    page = (out / "report.html").read_text()
    assert "Residence times of &#x27;dye&#x27;" in page or "Residence times of 'dye'" in page
    assert "mean ages 12.5 s at x_max" in page
