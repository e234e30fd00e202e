# SPDX-License-Identifier: Apache-2.0
"""How fluvia.Simulation and fluvia.run step: callbacks, threads, processes, what ends them."""
import copy
import multiprocessing
import os
import pickle
import signal
import threading
import time

import fluvia
import numpy as np
import pytest
from flows import cavity


def test_calls_back():
    with fluvia.Simulation(cavity()) as flow:
        seen = []
        flow.every(30, lambda flow: seen.append(flow.time_step))
        flow.step(50)
        flow.step(50)
        assert seen == [30, 60, 90] and flow.time_step == 100
        assert [step for step, _ in flow.history(25, 10)] == [110, 120, 125]


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda flow: flow.step("3"), "step: '3'"),
        (lambda flow: flow.step(1.5), "whole number"),
        (lambda flow: flow.step(-1), "0 or more"),
        (lambda flow: flow.every(1.5, print), "every: 1.5"),
        (lambda flow: flow.every(5, 3), "callback"),
        (lambda flow: flow.field(3), "pressure, density"),
        (lambda flow: list(flow.history(10, 0)), "history: 0"),
        (copy.copy, "save"),
        (copy.deepcopy, "save"),
        (pickle.dumps, "checkpoint"),
        (lambda _: fluvia.Simulation("case.toml"), "expected a Case"),
    ],
)
def test_arguments_that_mean_nothing_are_refused(call, words):
    flow = fluvia.Simulation(cavity())
    with pytest.raises(fluvia.InputError, match=words):
        call(flow)
    flow.step(np.int64(2))
    assert flow.time_step == 2


def test_a_flow_that_diverges_is_said_to():
    case = cavity(units={"system": "lattice", "tau": 0.5001}, numerics={"device": "cpu", "collision": "bgk"},
                  boundary=[{"surface": "y_max", "type": "moving_wall", "velocity": [0.3, 0, 0]}])
    with fluvia.Simulation(case) as flow, pytest.raises(fluvia.UnstableError, match="step") as caught:
        flow.step(20000)
    assert caught.value.code == 5


def test_a_callback_that_goes_back_does_not_step_for_ever(tmp_path):
    with fluvia.Simulation(cavity()) as flow:
        flow.save(tmp_path / "begin.fluvia")
        flow.every(5, lambda flow: flow.restore(tmp_path / "begin.fluvia"))
        flow.step(12)
        assert flow.time_step == 2


def test_a_callback_does_not_step():
    flow = fluvia.Simulation(cavity())
    flow.every(2, lambda flow: flow.step(1))
    with pytest.raises(fluvia.InputError, match="callback"):
        flow.step(4)
    assert flow.time_step == 2
    flow.step(1)
    assert flow.time_step == 3


def test_threads_lose_no_step():
    with fluvia.Simulation(cavity()) as flow:
        threads = [threading.Thread(target=lambda: [flow.step() for _ in range(25)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert flow.time_step == 100
        with fluvia.Simulation(cavity()) as alone:
            alone.step(100)
            assert np.array_equal(alone.field("velocity"), flow.field("velocity"), equal_nan=True)


def step_in_another_process(case, steps):
    with fluvia.Simulation(case) as flow:
        flow.step(steps)
        return float(np.nansum(flow.field("velocity")))


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_other_processes_step(method):
    case = cavity()
    with fluvia.Simulation(case) as flow:
        flow.step(10)  # from now on threads of OpenMP wait, which a forked process does not have
        expected = float(np.nansum(flow.field("velocity")))
        with multiprocessing.get_context(method).Pool(2) as pool:
            found = pool.starmap_async(step_in_another_process, [(case, 10)] * 3).get(timeout=120)
        assert found == [expected] * 3


def test_a_forked_process_goes_on_with_its_copy():
    with fluvia.Simulation(cavity()) as flow:
        flow.step(10)
        process = os.fork()
        if process == 0:
            flow.step(10)
            os._exit(0 if flow.time_step == 20 else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
        assert flow.time_step == 10


def test_ctrl_c_ends_stepping_and_other_threads_run_on():
    with fluvia.Simulation(cavity(nodes=(200, 200))) as flow:
        started = threading.Event()

        def interrupt():
            started.wait()
            time.sleep(0.3)
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        started.set()
        with pytest.raises(KeyboardInterrupt):
            flow.step(100_000_000)
        thread.join()
        reached = flow.time_step
        assert 0 < reached < 100_000_000
        flow.step(3)
        assert flow.time_step == reached + 3


def test_a_run_tells_how_far_it_is_and_ends_where_its_caller_fails(tmp_path):
    class Enough(Exception):
        pass

    def stop(progress):
        assert progress["last_step"] == 100_000_000
        raise Enough

    with pytest.raises(Enough):
        fluvia.run(cavity().changed("run.steps=100000000"), tmp_path, on_progress=stop)
    assert list(tmp_path.glob("*.fluvia"))  # it can be resumed


def test_a_run_ends_where_its_caller_says_false(tmp_path):
    result = fluvia.run(cavity().changed("run.steps=100000000"), tmp_path, on_progress=lambda progress: False)
    assert result.stopped and 0 < result.steps < 100_000_000
    assert result.checkpoint is not None and result.checkpoint.exists()
    on = fluvia.run(cavity().changed(f"run.steps={result.steps + 10}"), tmp_path, resume=True, on_progress=lambda progress: None)
    assert not on.stopped and on.steps == result.steps + 10
