"""What a report says of the machine."""

from __future__ import annotations

from eval import machine


def test_versions_name_what_is_installed_and_leave_out_what_is_not() -> None:
    found = machine.versions(("numpy", "no-such-distribution"))
    assert found.startswith("numpy ")
    assert "no-such" not in found


def test_the_processor_is_named_with_the_number_that_may_be_used() -> None:
    assert machine.processor().endswith(f", {machine.processors()} usable")
    assert machine.processors() >= 1
