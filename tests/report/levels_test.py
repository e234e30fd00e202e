# SPDX-License-Identifier: Apache-2.0
"""The file that has all levels of refinement, as VTK reads it."""
import shutil

import numpy as np
import vtk
from conftest import CASES, must
from vtk.util.numpy_support import vtk_to_numpy


def test_one_file_has_the_cells_of_all_levels_once(tmp_path):
    must("run", CASES / "levels.toml", "--steps", 2, "--output", tmp_path / "run", "--device", "cpu",
         "--set", "output.vtk=auto", "--set", "output.fields=['velocity']")
    # Files refer to each other by name, so that all of them may be moved.
    shutil.move(tmp_path / "run", tmp_path / "elsewhere")
    reader = vtk.vtkHDFReader()
    reader.SetFileName(str(tmp_path / "elsewhere" / "levels-000000002.vtkhdf"))
    reader.Update()
    levels = reader.GetOutput()
    assert levels.IsA("vtkMultiBlockDataSet") and levels.GetNumberOfBlocks() == 3
    places, areas = [], []
    for k in range(3):
        assert levels.GetMetaData(k).Get(vtk.vtkCompositeDataSet.NAME()) == f"level_{k}"
        block = levels.GetBlock(k)
        assert np.isfinite(vtk_to_numpy(block.GetCellData().GetArray("velocity"))).all()
        centres, sizes = vtk.vtkCellCenters(), vtk.vtkCellSizeFilter()
        for each in (centres, sizes):
            each.SetInputData(block)
            each.Update()
        places.append(vtk_to_numpy(centres.GetOutput().GetPoints().GetData()))
        areas.append(vtk_to_numpy(sizes.GetOutput().GetCellData().GetArray("Area")))
        assert np.allclose(areas[k], 0.005**2 / 4**k), "a level has a half of the spacing of the next coarser one"
    places = np.concatenate(places)
    assert len(np.unique(places.round(9), axis=0)) == len(places), "no cell is there twice"
    fluid = 2.2 * 0.41 - np.pi * 0.05**2
    assert abs(np.concatenate(areas).sum() - fluid) < 5e-3 * fluid, "nor is one missing"
