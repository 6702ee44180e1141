# SPDX-License-Identifier: Apache-2.0
"""What the cases of failing cards share, whatever the way to the card."""

# Eight trials, of several hundred accesses each.
SMALL = ['test = "throughput"; frame_sizes = [64]; trial_duration = "60us"; search_trial_duration = "30us"; '
         'resolution = "10%"']


class WrongDeviceCases:
    """A card that answers, and is not the one. refused_with(fault, *says) is the case's own: a run on a card with the fault is
    refused in words."""

    def test_another_id(self):
        self.refused_with("wrong-id", "id is 0x46505741, not 0x46504741", "not an fpgauge")

    def test_another_version(self):
        self.refused_with("wrong-version", "version 4097", "needs version 1")

    def test_another_hash(self):
        self.refused_with("wrong-hash", "hash 0x", "this program needs")

    def test_nobody_there(self):
        self.refused_with("gone", "the device is gone", "0xffffffff")
