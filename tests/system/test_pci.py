# SPDX-License-Identifier: Apache-2.0
"""The backend pci over a trapped BAR: the program is the real one, libpci finds the board, and the simulated card
answers each load and store. The results are those of the same plan on the simulation itself."""

import os
import unittest

import fpgauge_system
import sim_card
from fpgauge_system import WRONG_DEVICE, WRONG_PLAN, SystemCase

DUT = {"model": "fifo", "buffer_frames": 200, "service_fps": "40M", "latency_ns": 800}
TESTS = ['test = "throughput"; frame_sizes = [64, 512]; trial_duration = "60us"; search_trial_duration = "30us"; '
         'resolution = "1%"',
         'test = "back_to_back"; frame_sizes = [64]; repetitions = 3; first_burst = "64 frames"; max_burst = "20us"']


ERRORED = 'test = "rfc2889.errored_frames"; frame_sizes = [64]; trial_duration = "20us"'


class PciCase(SystemCase):
    """A sysfs tree in the scratch folder; a card may be at its socket."""

    def setUp(self):
        super().setUp()
        self.tree = sim_card.PciTree(self.path("sys"))
        self.socket = self.path("card")

    def card(self, **settings):
        card = sim_card.SimCard(self.socket, **{"library": "twin", "dut": DUT, **settings})
        self.addCleanup(card.close)
        return card

    def trap(self, resource):
        """From here on, programs that map `resource` get the card."""
        environment = sim_card.trapped(resource, self.socket)
        self.environment = dict(os.environ, **environment)

    def plan(self, device="", tests=None):
        return sim_card.plan_text(tests or TESTS, self.tree.sysfs, device)

    def refused(self, text, *says, expect=WRONG_DEVICE):
        """The plan ends with that exit code and one line that contains all of `says`."""
        done = self.fpgauge("run", self.write("plan.cfg", text), "--db", self.path("run.db"))
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for part in says:
            self.assertIn(part, done.stderr)


class SameResults(PciCase):
    def results_of_simulation(self, library):
        dut = " ".join(f'{name} = "{value}";' if isinstance(value, str) else f"{name} = {value};"
                       for name, value in DUT.items())
        report, _ = self.run_plan(fpgauge_system.plan_text(TESTS, dut=dut, library=library))
        for result in report["results"]:  # only a simulation knows these about its device
            self.assertEqual(result.pop("truth")["model"], "fifo")
        return report["results"]

    def results_of_board(self, library):
        self.card(library=library)
        self.trap(self.tree.add())
        report, _ = self.run_plan(self.plan())
        self.assertEqual(report["device"]["backend"], "pci")
        self.assertEqual(report["device"]["name"], "pci 0000:3b:00.0")
        for result in report["results"]:
            self.assertIsNone(result.pop("truth"))
        return report["results"]

    def compare(self, library):
        results = self.results_of_board(library)
        self.environment = None
        self.assertEqual(results, self.results_of_simulation(library))
        self.assertTrue(all(result["valid"] for result in results))

    def test_the_twin_behind_a_bar_gives_the_results_of_the_twin(self):
        self.compare("twin")

    def test_the_rtl_behind_a_bar_gives_the_results_of_the_rtl(self):
        self.compare("rtl")


class PlainMac(PciCase):
    """A card whose MAC sends whole frames with usual gaps only, and says so."""

    def says(self, test, *parts, expect=WRONG_PLAN):
        self.card(fault="plain-mac", dut={"model": "wire"})
        self.trap(self.tree.add())
        path = self.path("run.db")
        done = self.fpgauge("run", self.write("plan.cfg", self.plan(tests=[test])), "--db", path)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)
        if expect == WRONG_PLAN:
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertFalse(os.path.exists(path), "there is a run before its first trial")

    def test_errored_frames_with_short_ones_are_refused_before_the_first_trial(self):
        self.says(ERRORED, "plan.cfg:", "frames below 64 octets", "RFC 2889 section 5.9.3", "undersize = []",
                  "the MAC of pci 0000:3b:00.0 cannot")

    def test_errored_frames_with_error_characters_are_refused_before_the_first_trial(self):
        self.says(ERRORED + "; undersize = []", "end with an error character", "code = false")

    def test_forward_pressure_is_refused_before_the_first_trial(self):
        self.says('test = "rfc2889.forward_pressure"; frame_sizes = [64]', "gaps of 88 bits", "RFC 2889 section 5.6.3.2")

    def test_the_other_errors_are_measured(self):
        self.says(ERRORED + "; undersize = []; code = false; loads = [10]", expect=fpgauge_system.DONE)


class WhichBoard(PciCase):
    def setUp(self):
        super().setUp()
        self.card()

    def runs(self, device):
        report, _ = self.run_plan(self.plan(device, TESTS[:1]))
        return report["device"]["name"]

    def test_a_board_is_named_by_address_by_ids_or_by_class(self):
        self.tree.add("0000:01:00.0", device=0x9038)
        self.tree.add("0000:02:00.0", vendor=0x8086, device=0x1572, device_class=0x020000)
        self.trap(self.tree.add("0001:3b:00.0"))
        for card in ("0001:3b:00.0", "10ee:903f"):
            self.assertEqual(self.runs(f'card = "{card}";'), "pci 0001:3b:00.0")
        self.refused(self.plan('card = "::1200";'), "2 boards on the PCI bus", "0000:01:00.0, 0001:3b:00.0")
        self.refused(self.plan(), "2 boards on the PCI bus", "device.card must name one of")

    def test_a_board_whose_ids_are_not_listed_is_taken_when_it_is_named(self):
        self.trap(self.tree.add(vendor=0x1234, device=0x5678))
        self.refused(self.plan(), "no such board on the PCI bus: looked for 10ee:9034, ", "device.card")
        self.assertEqual(self.runs('card = "1234:5678";'), "pci 0000:3b:00.0")

    def test_no_board_and_another_one_are_named(self):
        self.tree.add("0000:02:00.0", vendor=0x8086, device=0x1572, device_class=0x020000)
        self.refused(self.plan(), "no such board on the PCI bus", "10ee:903f", self.tree.sysfs)
        self.refused(self.plan('card = "0000:03:00.0";'), "no such board", "looked for 0000:03:00.0")

    def test_a_card_that_cannot_be_a_name_is_wrong_in_the_plan(self):
        for card in ("x", "3b:zz.0", "10ee:903f:1200:0:7", "1" * 100):
            self.refused(self.plan(f'card = "{card}";'), "plan.cfg:1: ", "device.card = ", expect=WRONG_PLAN)

    def test_no_bus_is_an_error(self):
        self.refused(sim_card.plan_text(TESTS, self.path("nowhere")), "the PCI bus cannot be scanned", "nowhere")


def main():
    unittest.main(verbosity=2)


if __name__ == "__main__":
    main()
