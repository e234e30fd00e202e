# SPDX-License-Identifier: Apache-2.0
"""Reads a file of VTK and writes what is in it to standard output, for geometry/readers/vtk.cpp.

    read_vtk.py header FILE    of an image: a line of its sizes, spacings, axes and type of numbers
    read_vtk.py voxels FILE    the numbers themselves, as this machine keeps them
    read_vtk.py surface FILE   parts: length and text of a name, number and values of the corners' coordinates

Ends with 3 if Python has no VTK, with 4 and a message if the file cannot be read.
"""

import sys

sys.path[:] = [folder for folder in sys.path if folder not in ("", ".")]  # no module of the folder at hand

import array
import re
import struct

REGIONS = ("CellEntityIds", "ModelFaceID", "RegionId", "PatchIds")  # arrays that number the parts of a surface
MOST_REGIONS = 1000


def fail(text):
    sys.stderr.write(text.replace("\n", " "))
    sys.exit(4)


try:
    from vtkmodules.util.misc import calldata_type
    from vtkmodules.util.vtkConstants import VTK_STRING
    from vtkmodules.vtkFiltersCore import vtkTriangleFilter
    from vtkmodules.vtkFiltersGeometry import vtkGeometryFilter
    from vtkmodules.vtkIOLegacy import vtkGenericDataObjectReader
    from vtkmodules.vtkIOXML import vtkXMLImageDataReader, vtkXMLPolyDataReader
except ImportError as error:
    sys.stderr.write(str(error))
    sys.exit(3)


def update(reader):
    """Reads, and ends with VTK's own message where it has one."""
    said = []

    @calldata_type(VTK_STRING)
    def note(_object, _event, text):
        said.append(text)

    for event in ("ErrorEvent", "WarningEvent"):
        reader.AddObserver(event, note)
        parser = getattr(reader, "GetXMLParser", lambda: None)()
        if parser:
            parser.AddObserver(event, note)
    reader.Update()
    lines = [line for text in said for line in text.splitlines() if line and not line.startswith(("ERROR:", "Warning:"))]
    if said or reader.GetErrorCode():
        fail(lines[0].split("): ", 1)[-1] if lines else "damaged")


def numbers_of(image):
    """The array that the image is: its active scalars, or the only one with a number for each point or cell."""
    found = []
    for data in (image.GetPointData(), image.GetCellData()):
        if data.GetScalars() is not None:
            return data.GetScalars(), data is image.GetCellData()
        for index in range(data.GetNumberOfArrays()):
            values = data.GetArray(index)
            if values is not None and values.GetNumberOfComponents() == 1:
                found.append((values, data is image.GetCellData()))
    if len(found) == 1:
        return found[0]
    names = ", ".join(str(values.GetName()) for values, _ in found)
    fail(f"it has several arrays ({names}) and says of none that it is the image" if found else "it holds no numbers")


def check_pieces(path, image):
    """Ends unless the pieces of the file are the whole image: VTK leaves what no piece has as memory had it."""

    def cells(extent):
        count = 1
        for axis in range(3):
            count *= max(1, int(extent[2 * axis + 1]) - int(extent[2 * axis]))
        return count

    with open(path, "rb") as file:
        text = file.read().split(b"<AppendedData", 1)[0]
    pieces = [extent.split() for extent in re.findall(rb'<Piece[^>]*\bExtent\s*=\s*["\']([^"\']*)["\']', text)]
    if sum(cells(extent) for extent in pieces if len(extent) == 6) != cells(image.GetExtent()):
        fail("its pieces are not the whole image")


def image_of(path):
    reader = vtkXMLImageDataReader()
    reader.SetFileName(path)
    update(reader)
    image = reader.GetOutput()
    check_pieces(path, image)
    values, of_cells = numbers_of(image)
    if values.GetNumberOfComponents() != 1:
        fail(f"its array '{values.GetName()}' has {values.GetNumberOfComponents()} numbers for each voxel; one is read")
    kinds = {"char": "int", "signed char": "int", "short": "int", "int": "int", "long": "int", "long long": "int",
             "float": "float", "double": "float"}
    name = values.GetDataTypeAsString()
    kind = kinds.get(name) or ("uint" if name.startswith("unsigned") else None)
    if kind is None:
        fail(f"its array '{values.GetName()}' has values of type {name}, which are no numbers")
    sizes = [max(1, size - of_cells) for size in image.GetDimensions()]
    if values.GetNumberOfTuples() != sizes[0] * sizes[1] * sizes[2]:
        fail(f"its array '{values.GetName()}' has {values.GetNumberOfTuples()} numbers for {sizes} voxels")
    turn = image.GetDirectionMatrix()
    axes = [turn.GetElement(row, column) for row in range(3) for column in range(3)]
    return values, [*sizes, *image.GetSpacing(), *axes, kind, values.GetDataTypeSize()]


def surface_of(path):
    reader = vtkGenericDataObjectReader() if path.lower().endswith(".vtk") else vtkXMLPolyDataReader()
    reader.SetFileName(path)
    update(reader)
    data = reader.GetOutput()
    if data is None:
        fail("it is no file of VTK")
    if data.IsA("vtkUnstructuredGrid"):
        skin = vtkGeometryFilter()
        skin.SetInputData(data)
        skin.Update()
        data = skin.GetOutput()
    if not data.IsA("vtkPolyData"):
        fail(f"it holds {data.GetClassName()}, which is no surface; save it as PolyData, an image as .vti")
    divide = vtkTriangleFilter()
    divide.SetInputData(data)
    divide.PassVertsOff()
    divide.PassLinesOff()
    divide.Update()
    return divide.GetOutput()


def regions_of(surface):
    """The number of the part that each triangle belongs to, as text; none if the file numbers no parts."""
    for name in REGIONS:
        values = surface.GetCellData().GetArray(name)
        if values is not None and values.GetNumberOfComponents() == 1:
            numbers = [int(values.GetTuple1(cell)) for cell in range(surface.GetNumberOfCells())]
            if len(set(numbers)) <= MOST_REGIONS:
                return [str(number) for number in numbers]
    return None


def write_surface(surface):
    regions = regions_of(surface)
    parts = {}
    for cell in range(surface.GetNumberOfCells()):
        corners = surface.GetCell(cell).GetPoints()
        if corners.GetNumberOfPoints() != 3:
            continue
        part = parts.setdefault(regions[cell] if regions else "", array.array("d"))
        for corner in range(3):
            part.extend(corners.GetPoint(corner))
    out = sys.stdout.buffer
    for name, values in parts.items():
        text = name.encode()
        out.write(struct.pack("=Q", len(text)) + text + struct.pack("=Q", len(values)))
        values.tofile(out)


def main():
    what, path = sys.argv[1:]
    if what == "surface":
        write_surface(surface_of(path))
        return
    values, header = image_of(path)
    if what == "header":
        print(*header)
    else:
        sys.stdout.buffer.write(memoryview(values))


main()
