// SPDX-License-Identifier: Apache-2.0
/* Tests what a switch learns, and what it passes without loss, against what its settings say: limits are approached
 * from both sides. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/dut/device.h"

enum { MAX_SETTINGS = 8 };

static const uint64_t LINK_BPS = UINT64_C(100000000000);
static const uint64_t NOBODY = 0xffff00;

static struct fpgauge_sim_option options[MAX_SETTINGS];
static char names[MAX_SETTINGS][40], values[MAX_SETTINGS][40], text[512];
static size_t option_count;
static uint64_t seed, next_id[DUT_MAX_PORTS];
static uint64_t taken[DUT_MAX_PORTS]; /* frames that left at each port */

static uint64_t draw(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

static void begin(void)
{
	option_count = 0;
	text[0] = '\0';
}

__attribute__((format(printf, 2, 3))) static void set(const char *name, const char *format, ...)
{
	const size_t i = option_count++;
	va_list arguments;

	snprintf(names[i], sizeof(names[i]), "dut.%s", name);
	va_start(arguments, format);
	vsnprintf(values[i], sizeof(values[i]), format, arguments);
	va_end(arguments);
	options[i] = (struct fpgauge_sim_option){names[i], values[i]};
	snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s=%s ", name, values[i]);
}

/* NULL, with the refusal in error. */
static struct dut_device *open_or_refuse(unsigned ports, char *error, size_t size)
{
	const char *bad = NULL;
	const struct sim_options given = {options, option_count, &bad, error, size};
	struct dut_device *device = NULL;

	memset(next_id, 0, sizeof(next_id));
	memset(taken, 0, sizeof(taken));
	if (dut_device_create(&given, NULL, 0, LINK_BPS, ports, &device) != 0)
		return NULL;
	return device;
}

static struct dut_device *open_switch(unsigned ports)
{
	char error[256] = "";
	struct dut_device *device = open_or_refuse(ports, error, sizeof(error));

	cr_assert(device != NULL, "%s: %s", text, error);
	return device;
}

static void put_address(uint8_t *octets, uint64_t address)
{
	memcpy(octets, (uint8_t[6]){2, 0, 0, (uint8_t)(address >> 16), (uint8_t)(address >> 8), (uint8_t)address}, 6);
}

static void put(struct dut_device *device, unsigned port, uint64_t start_ot, uint32_t octets, uint64_t source,
                uint64_t destination)
{
	const struct dut_frame frame = {.start_ot = start_ot, .id = next_id[port]++, .octets = octets};
	uint8_t header[12];

	put_address(header, destination);
	put_address(header + 6, source);
	dut_device_put(device, port, &frame, header);
}

static void take(struct dut_device *device, uint64_t known_ot)
{
	struct dut_frame out[256];
	size_t got;

	dut_device_known(device, known_ot);
	for (unsigned port = 0; port < device->ports; port++) {
		do {
			got = dut_device_take(device, port, out, 256);
			taken[port] += got;
		} while (got == 256);
	}
}

/* -- addresses ---------------------------------------------------------------------------------------------------- */

Test(switch_truth, unknown_addresses_are_flooded_to_all_other_ports_and_known_ones_are_not)
{
	struct dut_device *device;

	begin();
	set("model", "switch");
	device = open_switch(4);
	put(device, 2, 0, 64, 22, 11);
	take(device, 1000);
	cr_expect(taken[0] == 1 && taken[1] == 1 && taken[2] == 0 && taken[3] == 1);
	put(device, 1, 1000, 64, 11, 22);
	take(device, 2000);
	cr_expect(taken[0] == 1 && taken[1] == 1 && taken[2] == 1 && taken[3] == 1);
	put(device, 2, 2000, 64, 22, 11);
	take(device, 3000);
	cr_expect(taken[0] == 1 && taken[1] == 2 && taken[2] == 1 && taken[3] == 1);
	put(device, 2, 3000, 64, 23, 22); /* known at its own port */
	put(device, 3, 3000, 64, 33, 44);
	take(device, 4000);
	cr_expect(taken[0] == 2 && taken[1] == 3 && taken[2] == 2 && taken[3] == 1);
	dut_device_destroy(device);
}

Test(switch_truth, the_table_holds_as_many_addresses_as_it_says)
{
	static const uint64_t sizes[] = {1, 2, 3, 100, 8192};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const uint64_t offered = sizes[i] + 7;
		struct dut_device *device;

		begin();
		set("model", "switch");
		set("table_addresses", "%" PRIu64, sizes[i]);
		device = open_switch(3);
		for (uint64_t n = 0; n < offered; n++)
			put(device, 0, n * 88, 64, n, NOBODY);
		take(device, offered * 88);
		memset(taken, 0, sizeof(taken));
		for (uint64_t n = 0; n < offered; n++)
			put(device, 1, (offered + n) * 88, 64, NOBODY - 1, n);
		take(device, UINT64_MAX);
		cr_expect(taken[0] == offered && taken[2] == 7, "%s: %" PRIu64 " flooded, not 7", text, taken[2]);
		dut_device_destroy(device);
	}
}

Test(switch_truth, an_address_is_known_until_it_is_as_old_as_the_ageing_time)
{
	static const struct {
		const char *ageing;
		uint64_t last_ot; /* the address is known so long after it was taught, and 8 later no more */
	} cases[] = {
	        {"1us", 12496}, {"1000.32ns", 12496}, {"1000.4ns", 12504}, {"2ms", 24999992}, {"300s", 3749999999992}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (uint64_t late_ot = 0; late_ot <= 8; late_ot += 8) {
			struct dut_device *device;

			begin();
			set("model", "switch");
			set("ageing", "%s", cases[i].ageing);
			device = open_switch(3);
			put(device, 0, 8000, 64, 5, NOBODY);
			put(device, 0, 16000, 64, 5, NOBODY); /* refreshed */
			take(device, 17000);
			memset(taken, 0, sizeof(taken));
			put(device, 1, 16000 + cases[i].last_ot + late_ot, 64, 6, 5);
			take(device, UINT64_MAX);
			cr_expect(taken[0] == 1 && taken[2] == late_ot / 8, "%s", text);
			dut_device_destroy(device);
		}
	}
}

/* Sends addresses at numerator / denominator octet times from frame to frame; returns how many are not learned. */
static uint64_t not_learned(uint64_t frames, uint64_t numerator, uint64_t denominator)
{
	struct dut_device *device = open_switch(3);
	const uint64_t end_ot = frames * numerator / denominator + 100000;
	uint64_t flooded;

	for (uint64_t n = 0; n < frames; n++)
		put(device, 0, n * numerator / denominator / 8 * 8, 64, n, NOBODY);
	take(device, end_ot);
	memset(taken, 0, sizeof(taken));
	for (uint64_t n = 0; n < frames; n++)
		put(device, 1, end_ot + n * 88, 64, NOBODY - 1, n);
	take(device, UINT64_MAX);
	flooded = taken[2];
	dut_device_destroy(device);
	return flooded;
}

Test(switch_truth, all_addresses_are_learned_at_the_learning_rate_and_not_all_above_it)
{
	seed = 362436069;
	for (unsigned round = 0; round < 200; round++) {
		const uint64_t fps = 1000000 + draw(140000000);

		begin();
		set("model", "switch");
		set("learning_fps", "%" PRIu64, fps);
		set("latency_ns", "%" PRIu64, draw(100));
		cr_expect(not_learned(3000, 12500000000, fps) == 0, "%s", text);
		cr_expect(not_learned(3000, 12500000000 * 99 / 100, fps) > 0, "%s", text);
	}
}

/* -- loads and bursts --------------------------------------------------------------------------------------------- */

/* Lets every port teach its address, its number. */
static struct dut_device *open_taught(unsigned ports)
{
	struct dut_device *device = open_switch(ports);

	for (unsigned port = 0; port < ports; port++)
		put(device, port, UINT64_C(20000) * port, 64, port, NOBODY);
	take(device, 900000);
	memset(taken, 0, sizeof(taken));
	return device;
}

/* Frames lost when each sender sends so many, numerator / denominator octet times from start to start. */
static uint64_t lost_frames(const struct dut_load *load, uint64_t frames, uint64_t numerator, uint64_t denominator)
{
	const unsigned ports = load->receivers > 1 ? load->receivers : load->senders + 1;
	struct dut_device *device = open_taught(ports);
	uint64_t left = 0;

	for (uint64_t n = 0; n < frames; n++) {
		const uint64_t start_ot = 1000000 + n * numerator / denominator / 8 * 8;

		for (unsigned port = 0; port < ports; port++) {
			if (load->receivers > 1)
				put(device, port, start_ot, load->frame_octets, port, port ^ 1);
			else if (port < load->senders)
				put(device, port, start_ot, load->frame_octets, port, load->senders);
		}
		if (n % 256 == 0)
			take(device, start_ot);
	}
	take(device, UINT64_MAX);
	for (unsigned port = 0; port < ports; port++)
		left += taken[port];
	dut_device_destroy(device);
	return frames * load->senders * load->receivers - left;
}

static void make_settings(struct dut_load *load)
{
	const uint64_t buffer = draw(4) == 0 ? 1 : 1 + draw(draw(3) == 0 ? 4 : 60);

	begin();
	set("model", "switch");
	*load = (struct dut_load){
	        .frame_octets = draw(2) ? 64 : 64 + (uint32_t)draw(1455), .senders = 1, .receivers = 1};
	if (draw(2))
		load->senders = 1 + (unsigned)draw(6);
	else if (draw(2))
		load->receivers = 2 * (1 + (unsigned)draw(4));
	set("latency_ns", "%" PRIu64 ".%" PRIu64, draw(400), draw(10));
	set("gap_octets", "%" PRIu64, draw(2) ? 12 : 8 + draw(60));
	if (draw(3) == 0)
		set("cell_octets", "%" PRIu64, 32 + draw(800));
	if (draw(3) == 0)
		set("head_of_line_blocking", "true");
	if (draw(2)) {
		set("buffer_frames", "%" PRIu64, buffer);
		return;
	}
	set("shared_buffer_frames", "%" PRIu64, buffer);
	if (draw(2))
		set("alpha", "%" PRIu64 ".%" PRIu64, draw(4), 1 + draw(9));
}

/* The period of a rate that is stated as a number: a whole number of octet times. */
static uint64_t period_of(double throughput_fps)
{
	const double period = (double)LINK_BPS / 8 / throughput_fps;

	cr_assert(fabs(period - round(period)) < 1e-6 * period, "%s", text);
	return (uint64_t)llround(period);
}

struct stated {
	uint64_t loads, faster, bursts, never, none, nothing;
};

static void check_truth(const struct dut_load *load, struct stated *stated)
{
	const uint64_t minimum_ot = load->frame_octets + 20;
	struct dut_device *device = open_switch(load->receivers > 1 ? load->receivers : load->senders + 1);
	struct fpgauge_sim_truth truth;

	dut_device_truth(device, load, &truth);
	dut_device_destroy(device);
	cr_expect_str_eq(truth.model, "switch");
	if (truth.throughput_fps == 0) {
		stated->nothing++;
		cr_expect(lost_frames(load, 1, minimum_ot, 1) == (uint64_t)load->senders * load->receivers, "%s", text);
		cr_expect(truth.longest_burst_frames == 0 && truth.buffer_frames == 0, "%s", text);
		return;
	}
	if (isnan(truth.throughput_fps)) {
		cr_expect(truth.longest_burst_frames == FPGAUGE_SIM_TRUTH_NONE, "%s", text);
	} else {
		const uint64_t period_ot = period_of(truth.throughput_fps);

		stated->loads++;
		cr_expect(lost_frames(load, 2000, period_ot, 1) == 0, "%s%u to %u", text, load->senders,
		          load->receivers);
		if (period_ot * 199 / 200 > minimum_ot) {
			stated->faster++;
			cr_expect(lost_frames(load, 200 * 70, period_ot * 199, 200) > 0, "%s%u to %u", text,
			          load->senders, load->receivers);
		}
	}
	if (truth.longest_burst_frames == FPGAUGE_SIM_TRUTH_NONE) {
		stated->none++;
	} else if (truth.longest_burst_frames == UINT64_MAX) {
		stated->never++;
		cr_expect(lost_frames(load, 2000, minimum_ot, 1) == 0, "%s%u to %u", text, load->senders,
		          load->receivers);
	} else {
		stated->bursts++;
		cr_expect(lost_frames(load, truth.longest_burst_frames, minimum_ot, 1) == 0, "%s%u to %u", text,
		          load->senders, load->receivers);
		cr_expect(lost_frames(load, truth.longest_burst_frames + 1, minimum_ot, 1) > 0, "%s%u to %u", text,
		          load->senders, load->receivers);
	}
}

Test(switch_truth, what_it_states_passes_without_loss_and_a_little_more_does_not)
{
	struct stated stated = {0};

	seed = 521288629;
	for (unsigned round = 0; round < 1000; round++) {
		struct dut_load load;

		make_settings(&load);
		check_truth(&load, &stated);
	}
	cr_expect(stated.loads > 300 && stated.faster > 100 && stated.bursts > 100 && stated.never > 50 &&
	                  stated.none > 10 && stated.nothing > 10,
	          "%" PRIu64 " loads, %" PRIu64 " exceeded, %" PRIu64 " bursts, %" PRIu64 " without end, %" PRIu64
	          " without any, %" PRIu64 " of nothing: this proves little",
	          stated.loads, stated.faster, stated.bursts, stated.never, stated.none, stated.nothing);
}

Test(switch_truth, the_latency_it_states_is_that_of_a_lone_frame)
{
	seed = 88675123;
	for (unsigned round = 0; round < 200; round++) {
		struct dut_load load = {.frame_octets = 64 + (uint32_t)draw(9153), .senders = 1, .receivers = 1};
		const bool cut_through = draw(2);
		struct fpgauge_sim_truth truth;
		struct dut_frame out[2];
		struct dut_device *device;

		begin();
		set("model", "switch");
		set("latency_ns", "%" PRIu64, 733 + draw(1000));
		set("forwarding", "%s", cut_through ? "cut_through" : "store_and_forward");
		device = open_switch(2);
		dut_device_truth(device, &load, &truth);
		put(device, 0, 80000, load.frame_octets, 1, 2);
		dut_device_known(device, UINT64_MAX);
		cr_assert(dut_device_take(device, 1, out, 2) == 1);
		cr_expect(out[0].start_ot == 80000 + truth.latency_ot, "%s", text);
		cr_expect(!cut_through || truth.latency_ot < 733 * 25 / 2 + 12500 + 9216, "%s", text);
		dut_device_destroy(device);
	}
}

/* -- refusals ----------------------------------------------------------------------------------------------------- */

Test(switch_truth, what_is_not_built_or_makes_no_sense_is_refused_by_name)
{
	static const struct {
		const char *settings[3][2];
		const char *refusal;
	} cases[] = {
	        {{{"model", "switch"}, {"back_pressure", "true"}, {"alpha", "1"}},
	         "true: cannot be combined with dut.alpha: who is held depends on how much of the buffer is used, "
	         "whatever a queue may use of it"},
	        {{{"model", "switch, faults"}}, "\"switch, faults\": a switch cannot be combined with other models"},
	        {{{"model", "switches"}},
	         "\"switches\": must be \"wire\", \"fifo\", \"stall\", \"overload\", \"faults\" or \"reset\", or "
	         "several of "
	         "them with commas, or \"switch\", \"two_switches\", \"router\", \"tap\" or \"verilog\" alone"},
	        {{{"model", " switch "}, {"alpha", "1"}}, "1: has an effect only with dut.shared_buffer_frames"},
	        {{{"model", "switch"}, {"shared_buffer_frames", "9"}, {"alpha", "0"}}, "0: must be above 0"},
	        {{{"model", "switch"}, {"shared_buffer_frames", "9"}, {"buffer_frames", "5"}},
	         "9: cannot be combined with dut.buffer_frames: each queue has a buffer of its own, or all share one"},
	        {{{"model", "switch"}, {"ageing", "300"}},
	         "300: must be a time with its unit (\"2ms\"), 1000 to 1000000000000000 ns"},
	        {{{"model", "switch"}, {"forward_errors", "fcs, runt"}},
	         "\"runt\": must be \"fcs\", \"short\" or \"long\", or several of them with commas"},
	        {{{"model", "switch"}, {"forward_errors", "fcs, fcs"}}, "\"fcs, fcs\": names fcs twice"},
	        {{{"model", "switch"}, {"forwarding", "cut_through"}, {"latency_ns", "732"}},
	         "cut_through: with dut.latency_ns = 732, which must be 732.16 or more: no frame of up to 9216 octets "
	         "may "
	         "have to leave before it is whole"},
	        {{{"model", "switch"}, {"service_fps", "1M"}}, "1M: no such setting here"},
	        {{{"model", "fifo"}, {"gap_octets", "12"}}, "12: no such setting here"},
	        {{{"model", "switch"}, {"learning_fps", "10%"}}, "10%: must be 1 to 10000000000 fps"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char error[256] = "";

		begin();
		for (size_t k = 0; k < 3 && cases[i].settings[k][0] != NULL; k++)
			set(cases[i].settings[k][0], "%s", cases[i].settings[k][1]);
		cr_expect(open_or_refuse(4, error, sizeof(error)) == NULL, "%s", text);
		cr_expect_str_eq(error, cases[i].refusal);
	}
}
