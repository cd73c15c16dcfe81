from __future__ import annotations

import sys

import pytest

from benchmarks.harness import growth_exponent, measure, run


def python(text: str) -> list[str]:
    return [sys.executable, "-I", "-c", text]


def test_a_run_reports_output_and_exit_code() -> None:
    done = run(python("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"), 60)
    assert (done.output, done.errors, done.exit_code, done.timed_out) == ("out\n", "err\n", 3, False)
    assert done.seconds > 0
    assert done.cpu_seconds > 0


def test_a_run_reports_the_peak_of_the_child() -> None:
    small, large = run(python("pass"), 60), run(python("len(bytearray(b'x') * (200 << 20))"), 60)
    assert small.megabytes < 50
    assert large.megabytes - small.megabytes > 150


def test_a_run_is_stopped_at_its_limit_with_its_children() -> None:
    nested = f"import subprocess; subprocess.run({python('import time; time.sleep(600)')!r})"
    done = run(python(nested), 0.3)
    assert done.timed_out
    assert done.exit_code < 0


def test_a_run_is_stopped_when_its_processor_time_is_spent() -> None:
    assert run(python("while True: pass"), 1, "cpu").timed_out


def test_a_command_that_does_not_exist_fails() -> None:
    assert run(["/nowhere/at/all"], 60).exit_code == 127


def test_a_command_that_timed_out_is_not_repeated() -> None:
    measurement = measure(python("import time; time.sleep(600)"), 0.2, repeats=5)
    assert measurement.timed_out
    assert len(measurement.runs) == 1


def test_best_and_median_are_taken_over_all_runs() -> None:
    measurement = measure(python("pass"), 60, repeats=3)
    assert len(measurement.runs) == 3
    assert measurement.best <= measurement.median
    assert measurement.cpu == min(each.cpu_seconds for each in measurement.runs)


@pytest.mark.parametrize("exponent", [0.5, 1.0, 2.0])
def test_the_exponent_of_a_power_is_found(exponent: float) -> None:
    points = [(float(x), 3 * x**exponent) for x in (50, 100, 400, 3200)]
    assert growth_exponent(points) == pytest.approx(exponent)


def test_one_point_has_no_exponent() -> None:
    assert growth_exponent([(50.0, 1.0)]) is None
    assert growth_exponent([(50.0, 1.0), (50.0, 2.0)]) is None
