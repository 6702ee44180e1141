// SPDX-License-Identifier: Apache-2.0
/* Counters read while frames are running, and the rates between two reads. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>

#include "host/trial/device/live_counters.h"
#include "tests/sim/traffic.h"

enum { INTERVAL_OT = 1250000, LATENCY_NS = 800 }; /* 100 us at 100G */

static const double LINE_BPS = 100e9;
static struct live_snapshot before, after;
static struct error error;

static struct device *start(const struct sent_traffic *traffic)
{
	struct device *device =
	        traffic_open(TWIN_LIBRARY, (const char *const[]){"dut.model=wire", "dut.latency_ns=800", NULL});

	traffic_prepare(device, traffic);
	traffic_start(device);
	traffic_wait(device, INTERVAL_OT);
	return device;
}

static void look(struct device *device, struct live_snapshot *snapshot)
{
	cr_assert(live_read(device, snapshot, &error) == 0, "%s", error.text);
}

static bool near(double value, double expected, double ratio)
{
	return fabs(value - expected) <= ratio * expected;
}

Test(live_counters, line_rate_is_seen_as_line_rate)
{
	struct device *device = start(&(struct sent_traffic){.frame_octets = 64});

	look(device, &before);
	traffic_wait(device, INTERVAL_OT);
	look(device, &after);
	for (unsigned port = 0; port < 2; port++) {
		struct live_rates rates = live_rates(&before, &after, port, (uint64_t)LINE_BPS);

		/* One frame more or less at either end, out of 14880. */
		cr_expect(near(rates.tx_fps, LINE_BPS / 8 / 84, 1e-3), "%f", rates.tx_fps);
		cr_expect(near(rates.rx_fps, LINE_BPS / 8 / 84, 1e-3), "%f", rates.rx_fps);
		cr_expect(near(rates.tx_line_bps, LINE_BPS, 1e-3) && near(rates.rx_line_bps, LINE_BPS, 1e-3));
		cr_expect(near(rates.interval_s, 100e-6, 0.1), "%g", rates.interval_s);
		cr_expect(fabs(rates.latency_mean_ns - LATENCY_NS) < 1e-9, "%f", rates.latency_mean_ns);
	}
	device_close(device);
}

Test(live_counters, a_port_that_is_quiet_has_rates_of_0_and_no_latency)
{
	struct device *device = start(&(struct sent_traffic){.frame_octets = 64, .one_way = true});
	struct live_rates rates;

	look(device, &before);
	traffic_wait(device, INTERVAL_OT);
	look(device, &after);
	rates = live_rates(&before, &after, 0, (uint64_t)LINE_BPS);
	cr_expect(rates.tx_fps > 0 && rates.rx_fps <= 0 && isnan(rates.latency_mean_ns));
	rates = live_rates(&before, &after, 1, (uint64_t)LINE_BPS);
	cr_expect(rates.tx_fps <= 0 && rates.rx_fps > 0 && !isnan(rates.latency_mean_ns));
	device_close(device);
}

Test(live_counters, rates_over_a_clear_are_not_known)
{
	const struct sent_traffic traffic = {.frame_octets = 64};
	struct device *device = start(&traffic);

	look(device, &before);
	traffic_stop(device);
	traffic_wait(device, INTERVAL_OT);
	traffic_prepare(device, &traffic); /* clears */
	traffic_start(device);
	traffic_wait(device, 10 * INTERVAL_OT); /* more frames than before */
	look(device, &after);
	cr_expect(after.port[0].tx_frames > before.port[0].tx_frames);
	cr_expect(isnan(live_rates(&before, &after, 0, (uint64_t)LINE_BPS).tx_fps));
	cr_expect(isnan(live_rates(&after, &after, 0, (uint64_t)LINE_BPS).tx_fps), "no time has passed");
	device_close(device);
}

Test(live_counters, counters_go_by_the_names_of_the_map)
{
	struct port_counters counters = {.tx_frames = 11, .mac_counted_frames = 22};

	cr_expect_str_eq(live_counter_name(0), "tx_frames");
	cr_expect(live_counter(&counters, 0) == 11);
	cr_expect_str_eq(live_counter_name(FPGAUGE_COUNTER_COUNT - 1), "mac_counted_frames");
	cr_expect(live_counter(&counters, FPGAUGE_COUNTER_COUNT - 1) == 22);
}
