# SPDX-License-Identifier: Apache-2.0
"""What may go wrong, by the program's exit codes."""


class FpgaugeError(Exception):
    """The message is the program's own, as it printed it."""


class PlanError(FpgaugeError):
    """The plan or the arguments are wrong, or a file cannot be read or written (exit code 2)."""


class DeviceError(FpgaugeError):
    """The tester failed, or is not the one expected (exit code 3)."""


class ProgramError(FpgaugeError):
    """The program is not there, was killed, or wrote what is no report of a version that this package knows."""
