#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traffic of a plan that is not plain, through to the results: mixed lengths, other frames, many addresses."""

import ast
import random

from fpgauge_system import INVALID, LINK_BPS, SEED, SystemCase, fifo, main, plan_text

IMIX = [64] * 7 + [570] * 4 + [1518]
THROUGHPUT = ('test = "throughput"; search = "binary"; trial_duration = "10ms"; search_trial_duration = "10ms"; '
              'resolution = "0.1%";')
FRAME_LOSS_RATE = 'test = "frame_loss_rate"; trial_duration = "10ms"; step = "10%";'
WIRE = 'model = "wire"'


def rate_fps(lengths):
    """Frames per second of a mix at line rate."""
    return LINK_BPS / 8 / (sum(lengths) / len(lengths) + 20)


class Traffic(SystemCase):
    def throughput(self, traffic, dut=WIRE, sizes="", device=""):
        report, _ = self.run_plan(plan_text([f"{THROUGHPUT} {sizes} traffic = {{ {traffic} }};"], dut=dut, device=device,
                                            library="twin"))
        result = self.only(report, test="throughput")
        self.assertTrue(result["valid"], result["why_invalid"])
        return result

    def test_a_mix_goes_over_a_wire_at_the_rate_of_its_average_length(self):
        result = self.throughput('sizes = "imix";')
        self.assertEqual((result["sizes"], result["frame_octets"]), ("imix", None))
        self.assertAlmostEqual(result["throughput_fps"] / rate_fps(IMIX), 1, 6)

    def test_a_device_that_forwards_frames_at_a_rate_does_so_with_a_mix(self):
        """20 million a second, whatever their length; 4 frames of buffer hide at most 400 frames/s of overload."""
        result = self.throughput('sizes = [64, 128];', dut=fifo(4, 20_000_000))
        self.assertAlmostEqual(result["throughput_fps"] / 20e6, 1, 2)

    def test_ports_that_send_a_mix_to_one_port_share_its_line_exactly(self):
        """Port 0 has three flows and the others have one, so they send the list in another order, and another number of
        frames in a trial; yet each has the same load. Port 0 receives from three."""
        for sizes in ("[64, 1518]", "[64, 200, 1518, 70, 9000]"):
            result = self.throughput(f'pattern = "one_to_many"; sizes = {sizes};', device="ports = 4;",
                                     dut='model = "switch"; latency_ns = 300; buffer_frames = 20;')
            self.assertEqual(result["invalid_trials"], 0)
            line_fps = rate_fps(ast.literal_eval(sizes))
            self.assertAlmostEqual(result["max_theoretical_fps"] / line_fps, 1, 12)
            # The result is within a step below, and above by what the buffer of 20 frames hides in 10 ms.
            self.assertGreater(result["throughput_fps"], line_fps / 3 - line_fps / 1000)
            self.assertLess(result["throughput_fps"], line_fps / 3 + 20 / 10e-3 + 1)

    def test_every_frame_goes_over_a_wire_at_line_rate(self):
        for traffic, octets in (('frame = "ipv6_udp";', 84), ('frame = "ipv6_udp"; vlan = 100; addresses = 1024;', 128),
                                ('frame = "ethernet"; vlan = 0;', 64), ('frame = "ipv6_chain"; vlan = 7;', 128),
                                ('frame = "ipv6_routing"; addresses = 256;', 108), ('pattern = "snake"; addresses = 16;', 64)):
            result = self.throughput(traffic, sizes=f"frame_sizes = [{octets}];")
            self.assertAlmostEqual(result["throughput_fps"] / rate_fps([octets]), 1, 6, traffic)

    def test_frames_beyond_the_mtu_of_a_device_have_a_rate_of_zero_and_the_others_their_own(self):
        """RFC 2544 section 9.4. The device takes no frame of more octets than its buffer has, and the search ends all the same."""
        draw = random.Random(SEED)
        mtu = draw.randint(200, 1500)
        sizes = [mtu - draw.randint(0, 100), mtu + draw.randint(1, 18)]
        with self.subTest(sizes=sizes, mtu=mtu):
            report, _ = self.run_plan(plan_text([f"{test} frame_sizes = {sizes};" for test in (THROUGHPUT, FRAME_LOSS_RATE)], library="twin",
                                                dut=f'model = "fifo"; buffer_octets = {mtu}; service_bps = "200G"'))
            short, long, passes, lost = report["results"]
            for result, octets in ((short, sizes[0]), (long, sizes[1])):
                self.assertTrue(result["valid"], result["why_invalid"])
                self.assertEqual(result["frame_octets"], octets)
            self.assertGreater(short["throughput_fps"], 0.99 * rate_fps(sizes[:1]))
            self.assertEqual(long["throughput_fps"], 0)
            self.assertTrue(lost["valid"], lost["why_invalid"])
            self.assertEqual((passes["line_rate_loss_percent"], lost["line_rate_loss_percent"]), (0, 100))
            for result in (long, lost):
                self.assertIn("above the MTU of a device its rate is zero, and all frames are lost (RFC 2544 section 9.4)", " ".join(result["flags"]))
            # Alone, it could be a cable as well.
            report, _ = self.run_plan(plan_text([f"{THROUGHPUT} frame_sizes = {sizes[1:]};"], library="twin",
                                                dut=f'model = "fifo"; buffer_octets = {mtu}; service_bps = "200G"'), "--db", "alone.db",
                                      expect=INVALID)
            self.assertIsNone(report["results"][0]["throughput_fps"])
            self.assertIn("not known: no test frame arrived", report["results"][0]["why_invalid"])

    def test_what_a_device_cannot_send_is_refused_before_the_first_trial(self):
        for traffic, sizes, complaint in (
                ('frame = "ipv6_udp";', "frame_sizes = [128, 64];", "frames of 64 octets: at least 84"),
                ("addresses = 300;", "frame_sizes = [64];", "must be at most 256, as a port has 256 flows, or a power of two"),
                ('sizes = [64]; vlan = 1;', "", "at least 68")):
            text = plan_text([f"{THROUGHPUT} {sizes} traffic = {{ {traffic} }};"], dut=WIRE, library="twin")
            done = self.fpgauge("run", self.write("plan.cfg", text))
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(complaint, done.stderr)
            self.assertRegex(done.stderr, r"plan\.cfg:\d+: ")


if __name__ == "__main__":
    main()
