# SPDX-License-Identifier: Apache-2.0
"""What pages read of solids in which a scalar spreads."""
import numpy as np
from conftest import CASES, must


def test_temperatures_are_in_solids_and_flows_are_not(tmp_path):
    from fluvia_report.fields import read_fields

    for kind in ("image", "unstructured"):
        must("run", CASES / "heat-sink.toml", "--steps", 2, "--output", tmp_path / kind, "--set", "units.spacing=1e-3",
             "--set", f"output.vtk={kind}")
        fields = read_fields(next((tmp_path / kind).glob("fields-*.vtkhdf")), 3)
        assert set(fields.values) == {"temperature", "velocity"}
        assert len(fields.index) == np.prod(fields.size) == 60 * 20 * 4, "there is nothing else"
        speeds = fields.scalars("velocity", 3)
        of_metal = np.isnan(speeds)
        assert of_metal.sum() == 20 * 2 * 4 + 20 * 10 * 1
        assert np.isfinite(fields.values["temperature"]).all()
        assert fields.values["temperature"][of_metal].max() > fields.values["temperature"][~of_metal].max()
