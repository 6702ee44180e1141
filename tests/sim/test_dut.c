// SPDX-License-Identifier: Apache-2.0
/* Settings of the models: limits, suggestions, defaults; and what a model says about itself. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "sim/dut/dut.h"

static const uint64_t LINK_BPS = UINT64_C(100000000000);

enum { MAX_SETTINGS = 8 };

static const char *bad_option;
static char error[256];

/* Settings as "name=value". */
static int create(const char *const *settings, struct dut **dut)
{
	static char names[MAX_SETTINGS][64];
	static struct fpgauge_sim_option given[MAX_SETTINGS];
	struct sim_options options = {given, 0, &bad_option, error, sizeof(error)};

	bad_option = NULL;
	error[0] = '\0';
	for (; settings[options.count] != NULL; options.count++) {
		const char *equals = strchr(settings[options.count], '=');

		snprintf(names[options.count], sizeof(names[0]), "%.*s", (int)(equals - settings[options.count]),
		         settings[options.count]);
		given[options.count] = (struct fpgauge_sim_option){names[options.count], equals + 1};
	}
	return dut_create(&options, NULL, 0, LINK_BPS, dut, 1);
}

Test(dut, refuses_what_is_beyond_a_limit_and_says_the_limit)
{
	static const struct {
		const char *setting, *says;
	} rows[] = {
	        {"dut.buffer_frames=0", "0: must be 1 to 65536"},
	        {"dut.buffer_frames=65537", "65537: must be 1 to 65536"},
	        {"dut.buffer_frames=-1", "-1: negative: must be 1 to 65536"},
	        {"dut.buffer_frames=1.5", "1.5: must be a whole number, 1 to 65536"},
	        {"dut.buffer_frames=10 ms", "10 ms: must be 1 to 65536"},
	        {"dut.buffer_frames=", ": not a number: must be 1 to 65536"},
	        {"dut.service_fps=0", "0: must be 1 to 10000000000 fps, or percent of the line rate"},
	        {"dut.service_fps=lots", "lots: not a number: must be 1 to 10000000000 fps"},
	        {"dut.service_fps=0%", "0%: must be 0.001% to 1000% of the line rate"},
	        {"dut.service_fps=1001%", "1001%: must be 0.001% to 1000% of the line rate"},
	        {"dut.service_fps=11G", "11G: must be 1 to 10000000000 fps, or percent of the line rate"},
	        {"dut.latency_ns=100000001", "100000001: must be 0 to 100000000 ns"},
	        {"dut.latency_ns=101ms", "101ms: must be 0 to 100000000 ns"},
	        {"dut.latency_ns=18446744073709551615s", "18446744073709551615s: must be 0 to 100000000 ns"},
	        {"dut.latency_ns=1%", "1%: must be 0 to 100000000 ns"},
	        {"dut.latency_ns=1 frame", "1 frame: must be 0 to 100000000 ns"},
	        {"dut.service_fps=1us", "1us: must be 1 to 10000000000 fps"},
	        {"dut.bufer_frames=20", "20: no such setting here; did you mean dut.buffer_frames?"},
	        {"dut.colour=20", "20: no such setting here"},
	        {"device.trace=x", "x: no such setting here"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *settings[] = {"dut.model=fifo", rows[i].setting, NULL};
		struct dut *dut = NULL;

		cr_expect(create(settings, &dut) == -1, "%s", rows[i].setting);
		cr_expect(strncmp(error, rows[i].says, strlen(rows[i].says)) == 0, "%s: %s", rows[i].setting, error);
		cr_expect(bad_option != NULL && strncmp(bad_option, rows[i].setting, strlen(bad_option)) == 0, "%s",
		          rows[i].setting);
	}
}

Test(dut, every_setting_in_nanoseconds_takes_a_time_with_its_unit)
{
	/* Each at its own limit, so that a wrong factor would exceed one. */
	static const struct {
		const char *settings[4];
	} good[] = {
	        {{"dut.model=wire", "dut.latency_ns=100ms"}},
	        {{"dut.model=fifo", "dut.latency_ns=100ms"}},
	        {{"dut.model=stall", "dut.stall_ns=1s", "dut.stall_every_ns=100s"}},
	        {{"dut.model=stall", "dut.stall_ns=1us", "dut.stall_mean_ns=100s"}},
	        {{"dut.model=faults", "dut.reorder_every=5", "dut.reorder_wait_ns=1ms"}},
	        {{"dut.model=faults", "dut.delay_every=5", "dut.delay_ns=100ms"}},
	        {{"dut.model=reset", "dut.dark_at_ns=1000000s", "dut.dark_for_ns=20us"}},
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		const char *settings[5] = {NULL};
		struct dut *dut = NULL;

		memcpy(settings, good[i].settings, sizeof(good[i].settings));
		cr_expect_eq(create(settings, &dut), 0, "%s: %s", good[i].settings[1], error);
		dut_destroy(dut);
	}
}

Test(dut, refuses_unknown_models_and_settings_of_another_model)
{
	struct dut *dut = NULL;

	cr_expect(create((const char *[]){"dut.model=fito", NULL}, &dut) == -1);
	cr_expect_str_eq(error, "\"fito\": must be \"wire\", \"fifo\", \"stall\", \"overload\", \"faults\" or "
	                        "\"reset\", or several of them with commas, or \"switch\", \"two_switches\", "
	                        "\"router\", \"tap\" or \"verilog\" alone");
	cr_expect_str_eq(bad_option, "dut.model");
	cr_expect(create((const char *[]){"dut.model=wire", "dut.buffer_frames=1", NULL}, &dut) == -1);
	cr_expect_str_eq(bad_option, "dut.buffer_frames");
}

Test(dut, refuses_what_no_device_can_be_and_says_why)
{
	static const struct {
		const char *settings[4], *bad_option, *says;
	} rows[] = {
	        {{"dut.model=fifo, fifo"}, "dut.model", "\"fifo, fifo\": names fifo twice"},
	        {{"dut.model=fifo,"}, "dut.model", "\"\": must be \"wire\", \"fifo\", "},
	        {{"dut.model=fifo faults"}, "dut.model", "\"fifo faults\": must be \"wire\", \"fifo\", "},
	        {{"dut.model=wire, stall"}, "dut.model", "\"wire, stall\": a wire cannot be combined with "},
	        {{"dut.model=faults"}, "dut.model", "faults: faults needs one: dut.drop_every or dut.drop_probability"},
	        {{"dut.model=fifo", "dut.buffer_frames=5", "dut.buffer_octets=500"},
	         "dut.buffer_octets",
	         "500: cannot be combined with dut.buffer_frames"},
	        {{"dut.model=fifo", "dut.buffer_octets=63"}, "dut.buffer_octets", "63: must be 64 to 67108864"},
	        {{"dut.model=fifo", "dut.buffer_octets=100", "dut.overhead_octets=37"},
	         "dut.buffer_octets",
	         "100: must be 101 or more with dut.overhead_octets = 37"},
	        {{"dut.model=fifo", "dut.overhead_octets=4"},
	         "dut.overhead_octets",
	         "4: has an effect only with dut.buffer_octets or dut.service_bps"},
	        {{"dut.model=fifo", "dut.service_fps=1M", "dut.service_bps=1G"},
	         "dut.service_bps",
	         "1G: cannot be combined with dut.service_fps"},
	        {{"dut.model=fifo", "dut.service_bps=999"},
	         "dut.service_bps",
	         "999: must be 1000 to 10000000000000 bit/s, or percent of the line rate"},
	        {{"dut.model=fifo", "dut.forwarding=cut"},
	         "dut.forwarding",
	         "\"cut\": must be \"store_and_forward\" or \"cut_through\""},
	        {{"dut.model=fifo", "dut.forwarding=cut_through", "dut.latency_ns=732.08"},
	         "dut.forwarding",
	         "cut_through: with dut.latency_ns = 732.08, which must be 732.16 or more"},
	        {{"dut.model=stall", "dut.stall_every_ns=5000", "dut.stall_ns=5000"},
	         "dut.stall_every_ns",
	         "5000: must be more than dut.stall_ns = 5000"},
	        {{"dut.model=stall", "dut.stall_every_ns=5000", "dut.stall_mean_ns=5000"},
	         "dut.stall_mean_ns",
	         "5000: cannot be combined with dut.stall_every_ns"},
	        {{"dut.model=stall", "dut.stall_mean_ns=999"},
	         "dut.stall_mean_ns",
	         "999: must be 1000 to 100000000000 ns"},
	        {{"dut.model=overload", "dut.overload_service=0%"},
	         "dut.overload_service",
	         "0%: must be above 0%, up to 100%"},
	        {{"dut.model=overload", "dut.overload_service=1.01"},
	         "dut.overload_service",
	         "1.01: must be above 0%, up to 100%"},
	        {{"dut.model=overload", "dut.service_fps=1234567.891011%", "dut.overload_service=1%"},
	         "dut.service_fps",
	         "1234567.891011%: must be 0.001% to 1000% of the line rate"},
	        {{"dut.model=overload", "dut.service_fps=98.7654321012345%", "dut.overload_service=98.76543210123%"},
	         "dut.overload_service",
	         "98.76543210123%: too many digits together with the service"},
	        {{"dut.model=faults", "dut.drop_every=0"}, "dut.drop_every", "0: must be 1 to 1000000000"},
	        {{"dut.model=faults", "dut.reorder_every=1"}, "dut.reorder_every", "1: must be 2 to 1000000000"},
	        {{"dut.model=faults", "dut.drop_probability=lots"},
	         "dut.drop_probability",
	         "lots: not a number: must be above 0%, up to 100%"},
	        {{"dut.model=faults", "dut.drop_every=9", "dut.drop_probability=1%"},
	         "dut.drop_probability",
	         "1%: cannot be combined with dut.drop_every"},
	        {{"dut.model=faults", "dut.drop_every=9", "dut.delay_ns=10"},
	         "dut.delay_ns",
	         "10: needs dut.delay_every or dut.delay_probability"},
	        {{"dut.model=faults", "dut.drop_every=9", "dut.reorder_frames=2"},
	         "dut.reorder_frames",
	         "2: needs dut.reorder_every or dut.reorder_probability"},
	        {{"dut.model=fifo, reset", "dut.dark_at_ns=1", "dut.dark_for_ns=19999"},
	         "dut.dark_for_ns",
	         "19999: must be 20000 to 100000000000 ns"},
	        {{"dut.model=fifo", "dut.seed=3"}, "dut.seed", "3: no such setting here"},
	        {{"dut.model=stall", "dut.seed=0.5"}, "dut.seed", "0.5: must be a whole number"},
	        {{"dut.model=overload", "dut.stall_ns=9"}, "dut.stall_ns", "9: no such setting here"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *settings[5] = {NULL};
		struct dut *dut = NULL;

		memcpy(settings, rows[i].settings, sizeof(rows[i].settings));
		cr_expect(create(settings, &dut) == -1, "row %zu: %s", i, rows[i].says);
		cr_expect(strncmp(error, rows[i].says, strlen(rows[i].says)) == 0, "%s: %s", rows[i].says, error);
		cr_expect(bad_option != NULL && strcmp(bad_option, rows[i].bad_option) == 0, "%s: %s", rows[i].says,
		          bad_option != NULL ? bad_option : "no option");
	}
}

Test(dut, a_wire_is_as_long_as_its_latency_rounded_up_to_a_group)
{
	static const struct {
		const char *setting;
		uint64_t latency_ot;
	} rows[] = {
	        {"dut.latency_ns=0", 0},
	        {"dut.latency_ns=0.0001", 8},
	        {"dut.latency_ns=0.64", 8},
	        {"dut.latency_ns=1", 16},
	        {"dut.latency_ns=800", 10000},
	        {"dut.latency_ns=0.65", 16},
	        {"dut.latency_ns=100000000", UINT64_C(1250000000)},
	        {"dut.latency_ns=1.2us", 15000},
	        {"dut.latency_ns=0.64ns", 8},
	        {"dut.latency_ns=0.65 ns", 16},
	        {"dut.latency_ns=0.0008ms", 10000},
	        {"dut.latency_ns=0.1s", UINT64_C(1250000000)},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct dut_frame frame = {.start_ot = 4096, .id = 7, .octets = 64};
		struct fpgauge_sim_truth truth;
		struct dut_frame out;
		size_t count = 1;
		struct dut *dut;

		cr_assert(create((const char *[]){rows[i].setting, NULL}, &dut) == 0, "%s", error);
		dut_truth(dut, 64, &truth);
		cr_expect(truth.latency_ot == rows[i].latency_ot, "%s", rows[i].setting);
		cr_expect(dut_pass(dut, &frame, &count, 4096, &out, 1) == 1 && count == 1);
		cr_expect(out.start_ot == 4096 + rows[i].latency_ot && out.octets == 64 && out.id == 7);
		cr_expect(truth.longest_burst_frames == UINT64_MAX && truth.buffer_frames == 0);
		cr_expect_float_eq(truth.throughput_fps, 100e9 / (84 * 8), 1e-3);
		dut_destroy(dut);
	}
}

Test(dut, a_fifo_says_its_truth)
{
	struct fpgauge_sim_truth truth;
	struct dut *dut;

	cr_assert(create((const char *[]){"dut.model=fifo", "dut.buffer_frames=500", "dut.service_fps=100M",
	                                  "dut.latency_ns=800", NULL},
	                 &dut) == 0,
	          "%s", error);
	dut_truth(dut, 64, &truth);
	cr_expect_str_eq(truth.model, "fifo");
	cr_expect(truth.buffer_frames == 500);
	cr_expect_float_eq(truth.throughput_fps, 100e6, 1e-3);
	cr_expect(truth.latency_ot == 10200); /* arrives in 8 + 64, service 125, delay 10000: 10197, next group */
	dut_truth(dut, 1518, &truth);
	cr_expect(truth.longest_burst_frames == UINT64_MAX, "the line is slower than the service");
	cr_expect_float_eq(truth.throughput_fps, 100e9 / (1538 * 8), 1e-3);
	dut_destroy(dut);
}
