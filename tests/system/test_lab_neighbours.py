#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Linux asks the hosts that a port plays for their MAC address, by ARP and by neighbour discovery, while a trial runs: it is answered, and
its table of neighbours has what docs/traffic.md says."""

from fpgauge_system import FPGAUGE, main, wait_until
from lab import LabCase, tap_plan

# Host 0 of ports 0 and 1 (docs/traffic.md), and an address of Linux beside it.
NEIGHBOURS = (("fpg0", "198.18.1.1/24", "198.18.1.2", "02:46:47:00:00:00"),
              ("fpg1", "198.19.1.1/24", "198.19.1.2", "02:46:47:01:00:00"),
              ("fpg0", "2001:2:0:1::1/64", "2001:2:0:1::2", "02:46:47:00:00:00"),
              ("fpg1", "2001:2:0:8001::1/64", "2001:2:0:8001::2", "02:46:47:01:00:00"))


class Neighbours(LabCase):
    def in_lab(self, *command):
        done = self.lab_linux("exec", *command)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def ask(self, host):
        """Sends a datagram to it, for which Linux needs its MAC address, and says what Linux knows of it."""
        self.in_lab("bash", "-c", f"echo > /dev/udp/{host}/9")
        return self.in_lab("ip", "neigh", "show", "to", host)

    def test_arp_and_neighbour_requests_of_linux_are_answered_and_it_keeps_the_answers(self):
        self.up("--no-bridge")
        for interface, own, _, _ in NEIGHBOURS:
            self.in_lab("sh", "-c", f"echo 0 > /proc/sys/net/ipv6/conf/{interface}/disable_ipv6")
            self.in_lab("ip", "address", "add", own, "dev", interface, *(["nodad"] if ":" in own else []))
        # Linux forwards none of it, so there are trials at ever lower loads. The first one that has heard Linux makes the
        # tester listen.
        plan = tap_plan(['test = "throughput"; frame_sizes = [256]; trial_duration = "1s"; drain = "40ms"; settle = "5ms"; '
                         'resolution = "0.01%";'])
        self.write("plan.cfg", plan)
        self.tester = None
        for interface, _, host, mac in NEIGHBOURS:
            with self.subTest(host=host):
                wait_until(lambda: self.keep_testing() and f"dev {interface} lladdr {mac} " in self.ask(host),
                           f"the entry of {host}")

    def keep_testing(self):
        """A search ends some time, and early on a machine that is too busy for real time."""
        if self.tester is None or self.tester.poll() is not None:
            self.tester = self.start(FPGAUGE, "run", "plan.cfg")
        return True


if __name__ == "__main__":
    main()
