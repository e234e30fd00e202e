# SPDX-License-Identifier: Apache-2.0
"""Reads a VTKHDF file with VTK and prints what the C++ test compares, one `name value...` a line.

Usage: read_vtk.py FILE. Nodes are the points of an image and the cells of an unstructured grid; "deviation" is the
largest difference, over visible nodes, of the arrays "linear" from x + 2 y + 3 z and "position" from (x, y, z).
"""
import sys

import vtk


def centre_of(data, i, image):
    if image:
        return data.GetPoint(i)
    b = data.GetCell(i).GetBounds()
    return (b[0] + b[1]) / 2, (b[2] + b[3]) / 2, (b[4] + b[5]) / 2


def describe_nodes(data, attributes, image):
    ghosts = attributes.GetArray("vtkGhostType")
    linear, vector = attributes.GetArray("linear"), attributes.GetArray("position")
    count = data.GetNumberOfPoints() if image else data.GetNumberOfCells()
    every = max(1, count // 20000)  # of many nodes only some are looked at closely
    visible, deviation = 0, 0.0
    for i in range(count):
        if ghosts is not None and ghosts.GetValue(i) & 2:
            continue
        visible += 1
        if i % every == 0:
            x, y, z = centre_of(data, i, image)
            differences = [linear.GetValue(i) - x - 2 * y - 3 * z]
            differences += [v - c for v, c in zip(vector.GetTuple3(i), (x, y, z))]
            deviation = max([deviation] + [abs(d) for d in differences])
    print("nodes", count)
    print("visible", visible)
    print("deviation", deviation)


def describe(path):
    reader = vtk.vtkHDFReader()
    if not reader.CanReadFile(path):
        print("unreadable")
        return
    reader.SetFileName(path)
    reader.Update()
    data = reader.GetOutputDataObject(0)
    image = bool(data.IsA("vtkImageData"))
    print("vtk", vtk.vtkVersion.GetVTKVersion())
    print("class", "image" if image else "unstructured" if data.IsA("vtkUnstructuredGrid") else "?")
    print("cells", data.GetNumberOfCells())
    print("points", data.GetNumberOfPoints())
    print("bounds", *data.GetBounds())
    attributes = data.GetPointData() if image else data.GetCellData()
    names = sorted(attributes.GetArrayName(i) for i in range(attributes.GetNumberOfArrays()))
    print("arrays", *names)
    for name in names:
        print("components", name, attributes.GetArray(name).GetNumberOfComponents())
    describe_nodes(data, attributes, image)
    print("kinds", *sorted({data.GetCellType(i) for i in range(data.GetNumberOfCells())}))
    if image:
        # Cells without a hidden corner: what ParaView shows.
        print("visible_cells", sum(bool(data.IsCellVisible(i)) for i in range(data.GetNumberOfCells())))
    surface = vtk.vtkDataSetSurfaceFilter()
    surface.SetInputData(data)
    surface.Update()
    print("surface_cells", surface.GetOutput().GetNumberOfCells())
    time = data.GetFieldData().GetArray("TimeValue")
    print("time", time.GetValue(0) if time is not None else "none")


describe(sys.argv[1])
