# SPDX-License-Identifier: Apache-2.0
"""Reads a VTKHDF file with VTK and prints what the C++ test compares, one `name value...` a line.

Usage: read_vtk.py FILE. "deviation" is the largest difference, over visible cells, of the arrays "linear" from
x + 2 y + 3 z and "position" from (x, y, z) at the cell centre.
"""
import sys

import vtk


def describe(path):
    reader = vtk.vtkHDFReader()
    if not reader.CanReadFile(path):
        print("unreadable")
        return
    reader.SetFileName(path)
    reader.Update()
    data = reader.GetOutputDataObject(0)
    print("vtk", vtk.vtkVersion.GetVTKVersion())
    print("class", "image" if data.IsA("vtkImageData") else "unstructured" if data.IsA("vtkUnstructuredGrid") else "?")
    print("cells", data.GetNumberOfCells())
    print("points", data.GetNumberOfPoints())
    print("bounds", *data.GetBounds())
    cell_data = data.GetCellData()
    names = sorted(cell_data.GetArrayName(i) for i in range(cell_data.GetNumberOfArrays()))
    print("arrays", *names)
    for name in names:
        print("components", name, cell_data.GetArray(name).GetNumberOfComponents())
    ghosts = cell_data.GetArray("vtkGhostType")
    linear, vector = cell_data.GetArray("linear"), cell_data.GetArray("position")
    visible, deviation, kinds, volume = 0, 0.0, set(), 0.0
    every = max(1, data.GetNumberOfCells() // 20000)  # of many cells only some are looked at closely
    for i in range(data.GetNumberOfCells()):
        if ghosts is not None and ghosts.GetValue(i) & 32:
            continue
        visible += 1
        if i % every != 0:
            continue
        cell = data.GetCell(i)
        kinds.add(cell.GetCellType())
        b = cell.GetBounds()
        centre = [(b[0] + b[1]) / 2, (b[2] + b[3]) / 2, (b[4] + b[5]) / 2]
        volume += (b[1] - b[0]) * (b[3] - b[2]) * ((b[5] - b[4]) or 1.0)
        if linear is not None:
            deviation = max(deviation, abs(linear.GetValue(i) - centre[0] - 2 * centre[1] - 3 * centre[2]))
        if vector is not None:
            deviation = max([deviation] + [abs(v - c) for v, c in zip(vector.GetTuple3(i), centre)])
    print("visible", visible)
    print("deviation", deviation)
    print("kinds", *sorted(kinds))
    print("volume", volume)
    # What a user sees: the outer surface must leave out hidden cells.
    surface = vtk.vtkDataSetSurfaceFilter()
    surface.SetInputData(data)
    surface.Update()
    print("surface_cells", surface.GetOutput().GetNumberOfCells())
    threshold = vtk.vtkThreshold()
    threshold.SetInputData(data)
    threshold.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_CELLS, "linear")
    threshold.SetLowerThreshold(-1e30)
    threshold.SetUpperThreshold(1e30)
    threshold.SetThresholdFunction(vtk.vtkThreshold.THRESHOLD_BETWEEN)
    threshold.Update()
    print("threshold_cells", threshold.GetOutput().GetNumberOfCells())
    time = data.GetFieldData().GetArray("TimeValue")
    print("time", time.GetValue(0) if time is not None else "none")


describe(sys.argv[1])
