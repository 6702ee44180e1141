#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Address caching capacity, learning rate and ageing time (RFC 2889 sections 5.7 and 5.8) of switches whose table is known: the
number of addresses to one, the rate to a step, the ageing time to 1%."""

import contextlib
import random
import signal
import sqlite3
import subprocess

from fpgauge_system import DONE, FPGAUGE, INVALID, IN_VAIN_S, LONG, SEED, WRONG_PLAN, SystemCase, main, plan_text, wait_until

CACHING, RATE = "rfc2889.address_caching", "rfc2889.learning_rate"
GROUP_S = 8 * 8e-11  # a group of 8 octet times, on which frames begin
SHORT_WAITS = 'settle = "5us"; drain = "5us";'


TPORT_ADDRESS, FIRST_ADDRESS = 0x024647010000, 0x02464C000000


class Buckets:
    """The table of docs/dut-models.md with `bucket_addresses`."""

    def __init__(self, table, most):
        self.table, self.most, self.known = table, most, {}
        self.bits = 1
        while (most << self.bits) < table:
            self.bits += 1

    def learn(self, address):
        bucket = (address * 0x9E3779B97F4A7C15 & (1 << 64) - 1) >> 64 - self.bits
        room = sum(self.known.values()) < self.table and self.known.get(bucket, 0) < self.most
        self.known[bucket] = self.known.get(bucket, 0) + room
        return room

    @classmethod
    def learned(cls, table, most, addresses):
        """Of each of so many addresses of the learning port, one after another, whether it is learned."""
        buckets = cls(table, most)
        buckets.learn(TPORT_ADDRESS)
        return [buckets.learn(FIRST_ADDRESS + number) for number in range(addresses)]


def switch(**settings):
    return 'model = "switch"; ' + " ".join(f"{key} = {value};" for key, value in settings.items())


class AddressTable(SystemCase):
    def setUp(self):
        super().setUp()
        self.drawn = random.Random(SEED)

    def measure(self, test, dut, device="ports = 3;", library="twin", expect=DONE):
        report, _ = self.run_plan(plan_text([test], dut=dut, device=device, library=library), expect=expect)
        return report["results"][0]

    def check_ageing(self, result, true_s):
        self.assertLess(result["ageing_above_s"], true_s)
        self.assertLessEqual(true_s, result["ageing_s"] * (1 + 1e-12))
        self.assertLess(result["ageing_s"], true_s * 1.01)

    def check_iterations(self, result, held):
        """The table of each iteration; `held(row)`: how many addresses the device knows in the end."""
        for row in result["iterations"]:
            offered, known = row["addresses"], min(row["addresses"], held(row))
            self.assertEqual((row["learning_frames"], row["test_frames"], row["received_frames"]), (offered,) * 3)
            self.assertEqual(row["mport_flood_frames"], offered - known)
            self.assertEqual((row["learning_flood_frames"], row["tport_flood_frames"], row["lport_flood_frames"]), (0, 0, 0))
            self.assertEqual(row["verdict"], "pass" if known == offered else "fail")

    def check_capacity(self, table, library, device, most, order):
        ageing_us = self.drawn.randrange(2000, 9000)
        result = self.measure(
            f'test = "{CACHING}"; ageing = "{ageing_us}us"; learning_rate = 1000000; test_rate = {self.drawn.randrange(2, 9)}000000; '
            f'initial_addresses = {self.drawn.randrange(1, most)}; max_addresses = {most}; address_order = "{order}"; {SHORT_WAITS}',
            switch(table_addresses=table, ageing=f'"{ageing_us}us"', latency_ns=self.drawn.randrange(200, 3000)), device, library)
        self.assertTrue(result["valid"], result["why_invalid"])
        self.assertEqual((result["addresses"], result["learning_port_addresses"]), (table, table - 1))
        self.assertEqual(result["flags"], [])
        self.assertEqual(result["flood_frames"], 1)
        self.check_ageing(result, ageing_us * 1e-6)
        self.check_iterations(result, lambda row: table - 1)

    def test_the_capacity_is_that_of_the_table_to_one_address(self):
        for _ in range(40 if LONG else 5):
            table, ports = self.drawn.randrange(2, 1000), self.drawn.randrange(3, 9)
            with self.subTest(table=table, ports=ports):
                self.check_capacity(table, "twin", f"ports = {ports};", 1009, self.drawn.choice(("sequential", "scattered")))

    def test_the_core_itself_finds_the_same(self):
        table = self.drawn.randrange(2, 100)
        with self.subTest(table=table):
            self.check_capacity(table, "rtl4", "", 101, "scattered")

    def check_collisions(self, library, device, most_addresses):
        """The capacity ends at the first address whose bucket is full, though there is room elsewhere; each iteration floods just those."""
        while True:
            table, most = self.drawn.randrange(8, most_addresses), self.drawn.randrange(1, 5)
            learned = Buckets.learned(table, most, most_addresses)
            if False in learned and learned.index(False) > 1:
                break
        with self.subTest(library=library, table=table, bucket_addresses=most):
            result = self.measure(
                f'test = "{CACHING}"; ageing = "3ms"; learning_rate = 1000000; test_rate = 5000000; initial_addresses = 2; '
                f'max_addresses = {most_addresses}; {SHORT_WAITS}',
                switch(table_addresses=table, bucket_addresses=most, ageing='"3ms"'), device, library)
            self.assertTrue(result["valid"], result["why_invalid"])
            self.assertEqual(result["learning_port_addresses"], learned.index(False))
            self.check_iterations(result, lambda row: sum(learned[:row["addresses"]]))

    def test_a_table_whose_buckets_collide_ends_at_the_first_address_that_floods(self):
        for _ in range(30 if LONG else 5):
            self.check_collisions("twin", f"ports = {self.drawn.randrange(3, 9)};", 1009)
        self.check_collisions("rtl4", "", 101)

    def test_full_length_with_the_default_ageing_time_is_quick_in_simulation(self):
        """Hours of device time: 300 s before each iteration."""
        table = self.drawn.randrange(1000, 2000)
        with self.subTest(table=table):
            result = self.measure(f'test = "{CACHING}"; max_addresses = 2048;', switch(table_addresses=table))
            self.assertEqual(result["addresses"], table)
            self.check_ageing(result, 300)

    def test_a_table_that_holds_all_says_so_and_one_that_holds_none(self):
        plan = f'test = "{CACHING}"; ageing = "4ms"; learning_rate = 1000000; test_rate = 5000000; initial_addresses = 5; ' \
               f'max_addresses = 37; {SHORT_WAITS}'
        result = self.measure(plan, switch(table_addresses=38, ageing='"4ms"'))
        self.assertEqual((result["addresses"], result["flood_frames"]), (38, None))
        self.assertIn("all of max_addresses = 37", result["flags"][0])
        result = self.measure(plan, switch(table_addresses=1, ageing='"4ms"'), expect=INVALID)
        self.assertIn("a single address of the learning port was not known", result["why_invalid"])
        result = self.measure(plan + " measure_ageing = false;", switch(table_addresses=1, ageing='"4ms"'))
        self.assertEqual((result["addresses"], result["learning_port_addresses"]), (1, 0))
        self.assertIn("not even one", result["flags"][0])

    def check_rate(self, library, device, addresses):
        true_fps, step = self.drawn.randrange(300_000, 3_000_000), self.drawn.choice((997, 1000, 5003))
        result = self.measure(
            f'test = "{RATE}"; addresses = {addresses}; ageing = "3ms"; min_rate = 100000; max_rate = 4000000; '
            f'initial_rate = {self.drawn.randrange(100_000, 4_000_000)}; rate_step = {step}; test_rate = 8000000; {SHORT_WAITS}',
            switch(table_addresses=addresses + self.drawn.randrange(1, 100), ageing='"3ms"', learning_fps=true_fps), device, library)
        self.assertTrue(result["valid"], result["why_invalid"])
        found = result["learning_rate_fps"]
        # Frames begin on groups of 8 octets, so the last address may come that much earlier or later.
        off_fps = true_fps * true_fps * GROUP_S / (addresses - 1)
        self.assertLessEqual(found, true_fps + off_fps)
        self.assertGreater(found, true_fps - step - off_fps)
        self.assertEqual(result["failed_rate_fps"], found + step)
        self.check_ageing(result, 3e-3)
        for row in result["iterations"]:
            if abs(row["learning_load_fps"] - true_fps) > off_fps:
                self.assertEqual(row["verdict"], "pass" if row["learning_load_fps"] <= true_fps else "fail")

    def test_the_learning_rate_is_that_of_the_device_to_a_step(self):
        for _ in range(40 if LONG else 5):
            addresses = self.drawn.randrange(20, 150)
            with self.subTest(addresses=addresses):
                self.check_rate("twin", f"ports = {self.drawn.randrange(3, 9)};", addresses)
        with self.subTest("rtl4"):
            self.check_rate("rtl4", "", 31)

    def test_a_wrong_ageing_time_in_the_plan_is_found(self):
        plan = f'test = "{CACHING}"; ageing = "4ms"; learning_rate = 1000000; test_rate = 5000000; initial_addresses = 5; ' \
               f'max_addresses = 300; {SHORT_WAITS}'
        for ageing_us in (self.drawn.randrange(1000, 3900), self.drawn.randrange(4100, 7900)):
            with self.subTest(ageing_us=ageing_us):
                result = self.measure(plan, switch(table_addresses=99, ageing=f'"{ageing_us}us"'))
                self.check_ageing(result, ageing_us * 1e-6)
                self.assertEqual(result["addresses"], 99)
                self.assertIn("not 0.004 s as the plan says", result["flags"][0])
        result = self.measure(plan, switch(table_addresses=99, ageing='"9ms"'), expect=INVALID)
        self.assertIn("more than 2 times the 0.004 s of the plan", result["why_invalid"])
        result = self.measure(plan, switch(table_addresses=99, ageing='"100us"'), expect=INVALID)
        self.assertIn("the device forgets after", result["why_invalid"])
        self.assertEqual(len(result["iterations"]), sum(row["verdict"] == "pass" for row in result["iterations"]))

    def test_an_ageing_time_that_is_believed_and_too_short_is_not_the_capacity(self):
        """What measuring it is good for: the table is still full of the iteration before, in part."""
        plan = f'test = "{CACHING}"; ageing = "2ms"; learning_rate = 1000000; test_rate = 5000000; initial_addresses = 200; ' \
               f'max_addresses = 500; address_order = "sequential"; measure_ageing = %s; {SHORT_WAITS}'
        dut = switch(table_addresses=101, ageing='"3ms"')
        self.assertEqual(self.measure(plan % "true", dut)["addresses"], 101)
        result = self.measure(plan % "false", dut)
        self.assertIsNone(result["ageing_s"])

    def test_what_a_device_cannot_do_is_refused_before_the_first_trial(self):
        for setting, device, text in (
                ("", "", "needs 3 ports (RFC 2889 section 5.7.3), and sim twin has 2"),
                ("max_addresses = 1048577;", "ports = 3;", "must be a whole number, 1 to 1048576"),
                ('ageing = "60s";', "ports = 3;", "must be longer (RFC 2889 section 5.7.3)"),
                ("max_addresses = 100;", "ports = 3;", "initial_addresses = 1024: must be at most max_addresses = 100"),
                ('learning_rate = "1G"; max_addresses = 2000;', "ports = 3;", "learning_rate = 1000000000: must be at most line rate"),
                ('modifiers = ["broadcast"];', "ports = 3;", "other addresses would be learned"),
                ('search = "binary";', "ports = 3;", "its search is that of RFC 2889 section 5.7.3"),
                ("traffic = { addresses = 4; };", "ports = 3;", "the test itself says how many addresses there are")):
            with self.subTest(setting):
                plan = self.write("plan.cfg", plan_text([f'test = "{CACHING}"; {setting}'], dut='model = "switch"', device=device,
                                                        library="twin"))
                done = self.fpgauge("run", plan, "--db", self.path("refused.db"))
                self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
                self.assertIn(text, done.stderr)

    def test_a_run_that_was_killed_goes_on_with_an_iteration_as_a_whole(self):
        plan = self.write("plan.cfg", plan_text([f'test = "{CACHING}"; max_addresses = 1000; initial_addresses = 3;'],
                                                dut=switch(table_addresses=503), device="ports = 3;", library="twin"))
        database = self.path("killed.db")
        run = subprocess.Popen([FPGAUGE, "run", plan, "--db", database, "--quiet"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, env=self.environment)

        def some_trials():
            with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as file:
                return file.execute("SELECT COUNT(*) FROM trial").fetchone()[0] >= 6
            return False
        wait_until(some_trials, "no six trials", run)
        run.send_signal(signal.SIGKILL)
        run.wait(IN_VAIN_S)
        done = self.fpgauge("resume", database, "--json", self.path("resumed.json"), "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr)
        result = self.result("resumed.json")["results"][0]
        self.assertEqual(result["addresses"], 503)
        self.check_iterations(result, lambda row: 502)


if __name__ == "__main__":
    main()
