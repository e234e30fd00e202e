# SPDX-License-Identifier: Apache-2.0
"""Where arrays of fields lie, on CPUs and GPUs, and those of levels of refinement."""
import ctypes
import importlib
import importlib.util

import fluvia
import numpy as np
import pytest
from flows import box, cavity, duct


def test_no_gpu_is_an_error_of_resources():
    try:
        fluvia.Simulation(cavity(), device="cuda").close()
    except fluvia.ResourceError as error:
        assert error.code == 4 and isinstance(error, OSError) and "cuda" in str(error).lower()
    else:
        pytest.skip("this machine has a GPU")


def test_a_flow_on_the_cpu_has_no_fields_on_a_gpu():
    with fluvia.Simulation(cavity(), device="cpu") as flow:
        with pytest.raises(fluvia.InputError, match="'velocity'.*on the CPU"):
            flow.device_field("velocity")
        with pytest.raises(fluvia.InputError, match="velocty"):
            flow.device_field("velocty")


def on_host(array):
    """A copy of what is in the memory of a GPU, by CUDA's array interface and the driver alone."""
    interface = array.__cuda_array_interface__
    values = np.empty(interface["shape"], dtype=interface["typestr"])
    copy = ctypes.CDLL("libcuda.so.1").cuMemcpyDtoH_v2
    copy.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_size_t]
    assert copy(values.ctypes.data, interface["data"][0], values.nbytes) == 0
    return values


@pytest.mark.parametrize("case", [cavity, duct])
def test_fields_stay_on_the_gpu(case):
    try:
        flow = fluvia.Simulation(case(), device="cuda")
    except fluvia.ResourceError as error:
        pytest.skip(str(error))
    arrays = {}
    with flow:
        flow.step(21)
        for name in fluvia.field_names:
            arrays[name] = flow.field(name), flow.device_field(name)
        flow.step(1)  # arrays stay as they are
    for name, (host, device) in arrays.items():
        assert device.shape == host.shape and device.__dlpack_device__() == (2, device.device)
        assert np.array_equal(on_host(device), host, equal_nan=True), name
        for library in ["torch", "cupy"]:  # where they are installed
            if importlib.util.find_spec(library) is not None:
                taken = importlib.import_module(library).from_dlpack(device)
                assert np.array_equal(taken.cpu().numpy() if library == "torch" else taken.get(), host, equal_nan=True)
                if library == "torch":
                    assert taken.data_ptr() == device.__cuda_array_interface__["data"][0]  # no copy


def test_fields_are_taken_without_copies():
    with fluvia.Simulation(duct()) as flow:
        flow.step(20)
        velocity = flow.field("velocity")
        assert velocity.flags.c_contiguous and velocity.flags.writeable and not velocity.flags.owndata
        assert np.shares_memory(np.from_dlpack(velocity), velocity)  # as any library with DLPack does
        before = velocity.copy()
        again = np.empty_like(velocity)
        flow.step(20)
        assert flow.field("velocity", out=again) is again
        assert np.array_equal(again, flow.field("velocity")) and not np.array_equal(again, velocity)
        assert np.array_equal(velocity, before)  # an array stays as it is
        double = flow.field("velocity", out=np.empty(velocity.shape))
        assert double.dtype == np.float64 and np.array_equal(double.astype(np.float32), again)
        for wrong, words in [
            (np.empty(velocity.shape, dtype=np.int64), "int64"),
            (np.empty((9, 7, 12), dtype=np.float32), "shape|expected"),
            (np.empty((9, 7, 12, 6), dtype=np.float32)[..., ::2], "C-ordered"),
            ([1.0], "list"),
        ]:
            with pytest.raises(fluvia.InputError, match=words):
                flow.field("velocity", out=wrong)
        with pytest.raises(fluvia.InputError, match="velocity"):
            flow.field("velocty")


def test_populations_of_levels_make_another_flow_the_same():
    case = box(refine=[{"level": 1, "box": [[8, 8], [16, 16]]}], physics={"initial_velocity_formula": ["0.05*sin(x)", "0.02*cos(y)"]})
    with fluvia.Simulation(case) as flow, fluvia.Simulation(case) as other:
        flow.step(7)
        other.step(4)
        for level in (0, 1):
            f = flow.populations(level=level, deviations=True)
            own = flow.field_of_level("pressure", level, own=True)
            assert f.shape == (*own.shape, 9) and np.array_equal(np.isnan(f[..., 0]), np.isnan(own))
            other.set_populations(f if level == 0 else flow.populations(level=1), level=level, deviations=level == 0)
        flow.step(5)
        other.step(5)
        for level in (0, 1):
            np.testing.assert_allclose(
                flow.populations(level=level), other.populations(level=level), rtol=0, atol=1e-15, equal_nan=True
            )
        for wrong, words in [(f[1:], "shape"), (np.where(f == f[20, 20, 1], np.nan, f), r"populations\[\d+, \d+, \d+, 1\].*finite")]:
            with pytest.raises(fluvia.InputError, match=f"{words}"):
                other.set_populations(wrong, level=1, deviations=True)
        for act in (lambda: other.populations(level=2), lambda: other.set_populations(f, level=-1)):
            with pytest.raises(fluvia.InputError, match="populations: there is no level -?[12]; the flow has levels 0 to 1"):
                act()


def test_states_begin_on_all_levels(tmp_path):
    with fluvia.Simulation(box(refine=[{"level": 1, "box": [[8, 8], [16, 16]]}])) as flow:
        x, y = flow.positions()
        velocity = np.zeros((*flow.shape, 3))
        velocity[..., 0] = 0.02 + 0.001 * np.broadcast_to(y[:, None], flow.shape)
        flow.step(3)
        flow.set_state(pressure=0.001, velocity=velocity)
        assert flow.time_step == 0
        fine = flow.field_of_level("velocity", 1, own=True)[..., 0]
        inside = np.isfinite(fine)
        expected = np.broadcast_to(0.02 + 0.001 * 0.5 * (np.arange(fine.shape[0]) + 0.5)[:, None], fine.shape)
        np.testing.assert_allclose(fine[inside], expected[inside], rtol=1e-6)
        np.testing.assert_allclose(flow.field("pressure"), 0.001, rtol=1e-6)
        np.testing.assert_allclose(flow.field("velocity")[:4, :, 0], velocity[:4, :, 0], rtol=1e-12)
        flow.step(6)
        flow.save(tmp_path / "state.fluvia")
        later = [flow.populations(level=level) for level in (0, 1)]
        flow.step(3)
        flow.restore(tmp_path / "state.fluvia")
        for level in (0, 1):
            assert np.array_equal(flow.populations(level=level), later[level], equal_nan=True)


def test_fields_of_levels_are_those_of_the_coarsest_nodes_and_of_finer_ones():
    regions = [{"level": 1, "box": [[8, 8], [16, 16]]}]
    with fluvia.Simulation(box(refine=regions, physics={"initial_velocity": [0.05, 0.03, 0]})) as flow:
        assert flow.levels == 2
        flow.step(5)
        for name in ("velocity", "pressure", "vorticity"):
            coarse, fine = flow.field_of_level(name, 0), flow.field_of_level(name, 1)
            own = [flow.field_of_level(name, level, own=True) for level in (0, 1)]
            assert coarse.shape[:2] == (24, 32) and fine.shape[:2] == (48, 64) and fine.dtype == np.float64
            assert np.isfinite(coarse).all() and np.isfinite(fine).all()
            np.testing.assert_array_equal(coarse, flow.field(name))
            if name == "velocity":
                np.testing.assert_allclose(fine[..., 0], 0.05, rtol=1e-12)
            refined = np.isnan(own[0]).reshape(24, 32, -1).any(axis=2)
            assert refined[8:16, 8:16].all() and refined.sum() == 64
            np.testing.assert_array_equal(
                np.repeat(np.repeat(refined, 2, axis=0), 2, axis=1), np.isfinite(own[1]).reshape(48, 64, -1).all(axis=2)
            )
        with pytest.raises(fluvia.InputError, match="there is no level 2; the flow has levels 0 to 1"):
            flow.field_of_level("velocity", 2)
    with fluvia.Simulation(box()) as flow:
        assert flow.levels == 1 and np.array_equal(flow.populations(level=0), flow.populations())
        np.testing.assert_array_equal(flow.field_of_level("pressure", 0), flow.field("pressure"))
