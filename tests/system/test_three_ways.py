# SPDX-License-Identifier: Apache-2.0
"""One benchmark, three ways to the same Verilated RTL: the demo plan through the simulation library, the BAR of a PCI
board and XRT. The results are the same to the last digit: no path adds to or takes from what the logic measured.

A way that is not built is skipped, with a message; in CI (CI=true) that is a failure.
"""

import os
import re

import fpgauge_system
import sim_card
from fpgauge_system import LONG, ROOT, SystemCase

try:
    import xrt_emulation
except ImportError:
    xrt_emulation = None

DEMO = os.path.join(ROOT, "docs", "examples", "rfc9004-demo.cfg")
# The demo takes a minute on Verilated RTL; this is all of it, with shorter and fewer trials. Without FPGAUGE_LONG it is a size
# that has a burst, and one that does not qualify for it.
SHORTER = ("run[0].search_trial_duration=50us", "run[0].trial_duration=200us", "run[0].resolution=1%", "run[0].settle=200us",
           "run[1].settle=200us", "run[1].repetitions=2")
SIZES = 4
if not LONG:
    SHORTER += ("run[0].frame_sizes=[64, 512]", "run[1].frame_sizes=[64, 512]")
    SIZES = 2
CLOCK_RATIO = 1000  # so that two seconds of settling take two milliseconds


def group(name, text):
    """The inside of `name = { ... };` in a plan."""
    return re.search(rf"^{name}\s*=\s*{{(.*)}};$", text, re.M).group(1)


def plan_by(device, text):
    """The plan with another device; then the plan does not determine what is behind its ports."""
    text = re.sub(r"^device\s*=.*$", f"device = {{ {device} }};", text, flags=re.M)
    return re.sub(r"^dut\s*=.*\n", "", text, flags=re.M)


class ThreeWays(SystemCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with open(DEMO, encoding="utf-8") as file:
            cls.demo = file.read()
        cls.dut = {name: value.strip('"') for name, value in re.findall(r"(\w+) = ([^;]+);", group("dut", cls.demo))}

    def run_shorter(self, text, backend):
        report, _ = self.run_plan(text, "--db", self.path(f"{backend}.db"),
                                  *(word for setting in SHORTER for word in ("--set", setting)))
        self.assertEqual(report["device"]["backend"], backend)
        for result in report["results"]:
            truth = result.pop("truth")  # known to a simulation, not measured
            self.assertEqual(truth is not None, backend == "sim")
        return report["results"]

    def by_simulation(self):
        results = self.run_shorter(self.demo, "sim")
        self.assertEqual(len(results), 2 * SIZES)
        self.assertTrue(all(result["valid"] or result["skipped"] for result in results))
        self.assertTrue(any(result.get("skipped") for result in results))
        return results

    def by_pci(self):
        tree = sim_card.PciTree(self.path("sys"))
        self.environment = dict(os.environ, **sim_card.trapped(tree.add(), self.path("card")))
        with sim_card.SimCard(self.path("card"), library="rtl", dut=self.dut, clock_ratio=CLOCK_RATIO):
            return self.run_shorter(plan_by(f'backend = "pci"; sysfs = "{tree.sysfs}";', self.demo), "pci")

    def by_xrt(self):
        folder = self.path("xrt")
        os.mkdir(folder)
        card = xrt_emulation.Emulation(folder, library="rtl", clock_ratio=CLOCK_RATIO,
                                       settings={f"dut.{name}": value for name, value in self.dut.items()})
        self.environment = card.environment
        return self.run_shorter(plan_by(f'backend = "xrt"; xclbin = "{card.xclbin}";', self.demo), "xrt")

    def need_xrt(self):
        if xrt_emulation is not None and xrt_emulation.is_built():
            return
        why = "built without XRT"
        if os.environ.get("CI") == "true":
            self.fail(why)
        self.skipTest(why)

    def test_simulation_pci_and_xrt_give_the_same_results(self):
        simulated = self.by_simulation()
        with self.subTest("pci"):
            self.assertEqual(self.by_pci(), simulated)
        with self.subTest("xrt"):
            self.need_xrt()
            self.assertEqual(self.by_xrt(), simulated)


if __name__ == "__main__":
    fpgauge_system.main()
