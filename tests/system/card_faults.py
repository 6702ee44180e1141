# SPDX-License-Identifier: Apache-2.0
"""What the cases of failing cards share, whatever the path to the card."""

from fpgauge_system import map_of_program

# Eight trials of several hundred accesses each.
SMALL = ['test = "throughput"; frame_sizes = [64]; trial_duration = "60us"; search_trial_duration = "30us"; '
         'resolution = "10%"']


class WrongDeviceCases:
    """A card that answers, but is not the expected one. Each case has its own refused_with(fault, *says): a run on a
    card with that fault is refused, with a reason."""

    def test_another_id(self):
        self.refused_with("wrong-id", "id is 0x46505741, not 0x46504741", "not an fpgauge")

    def test_another_version(self):
        version, _ = map_of_program()
        self.refused_with("wrong-version", f"version {version ^ 0x1000},", f"needs version {version},")

    def test_another_hash(self):
        self.refused_with("wrong-hash", "hash 0x", "this program needs")

    def test_nobody_there(self):
        self.refused_with("gone", "the device is gone", "0xffffffff")
