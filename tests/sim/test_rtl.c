// SPDX-License-Identifier: Apache-2.0
/* The simulated core with its DUT models, through the same driver as the host: what the counters say must be what the
 * models say, to the octet time. Libraries are found through FPGAUGE_LIBRARY_PATH. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/uint128.h"
#include "hw/regs/fpgauge_regs.h"
#include "sim/dut/fifo.h"
#include "tests/sim/traffic.h"

enum { MAX_PORTS = 16, US_OT = 12500 /* octet times per microsecond at 100G */ };

static const uint64_t LINK_BPS = UINT64_C(100000000000);

#define NAME_OF(upper, lower) #lower,
static const char *const NAMES[] = {FPGAUGE_COUNTERS(NAME_OF)};
enum { COUNTERS = FPGAUGE_COUNTER_COUNT };

struct counts {
	uint64_t port[MAX_PORTS][COUNTERS];
	uint64_t start_ot;
	unsigned ports;
};

static struct device *open_rtl(const char *const *options)
{
	const char *library = getenv("FPGAUGE_TEST_LIBRARY");

	return traffic_open(library != NULL ? library : "rtl", options);
}

#define OPTIONS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Runs one trial from a cleared device to the frozen counters, taken late enough for everything to have come out. */
static void run(struct device *device, const struct sent_traffic *traffic, uint64_t drain_ot, struct counts *counts)
{
	traffic_prepare(device, traffic);
	traffic_start(device);
	cr_assert(traffic_wait_sent(device, 10 * US_OT, 10000000 * (uint64_t)US_OT));
	traffic_wait(device, drain_ot);
	traffic_snapshot(device);
	counts->ports = device_identity(device)->ports;
	counts->start_ot = traffic_read64(device, FPGAUGE_GLOBAL_START_TIME);
	for (unsigned port = 0; port < counts->ports; port++)
		for (unsigned i = 0; i < COUNTERS; i++)
			counts->port[port][i] = traffic_read64(device, FPGAUGE_COUNTER(port, i));
}

#define EXPECT(counts, p, counter, value)                                                                              \
	cr_expect((counts)->port[p][FPGAUGE_COUNTER_##counter] == (uint64_t)(value),                                   \
	          "port %u " #counter " = %" PRIu64 ", not %" PRIu64 " (line %d)", p,                                  \
	          (counts)->port[p][FPGAUGE_COUNTER_##counter], (uint64_t)(value), __LINE__)

static void expect_clean(const struct counts *counts, unsigned p)
{
	EXPECT(counts, p, RX_BAD_FRAMES, 0);
	EXPECT(counts, p, RX_FOREIGN_FRAMES, 0);
	EXPECT(counts, p, RX_OTHER_RUN_FRAMES, 0);
	EXPECT(counts, p, RX_WRONG_LENGTH_FRAMES, 0);
	EXPECT(counts, p, RX_WRONG_PORT_FRAMES, 0);
	EXPECT(counts, p, RX_DUPLICATED_FRAMES, 0);
	EXPECT(counts, p, RX_REORDERED_FRAMES, 0);
	EXPECT(counts, p, RX_LATE_FRAMES, 0);
}

Test(rtl, a_wire_loses_nothing_at_line_rate_and_has_exactly_its_latency)
{
	static const uint32_t sizes[] = {64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 127, 128, 129, 511, 512, 1518, 9216};
	static const struct {
		const char *setting;
		uint64_t latency_ot;
	} wires[] = {{"dut.latency_ns=0", 0}, {"dut.latency_ns=0.64", 8}, {"dut.latency_ns=800.2", 10008}};

	for (size_t w = 0; w < 3; w++) {
		struct device *device = open_rtl(OPTIONS("dut.model=wire", wires[w].setting));

		for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
			const uint64_t period = sizes[s] + 20;
			const uint64_t frames = sizes[s] > 1000 ? 64 : 800; /* whole patterns of 8 */
			const struct sent_traffic traffic = {.frame_octets = sizes[s], .duration_ot = frames * period};
			struct counts counts;

			run(device, &traffic, 20 * US_OT, &counts);
			for (unsigned p = 0; p < counts.ports; p++) {
				EXPECT(&counts, p, TX_FRAMES, frames);
				EXPECT(&counts, p, TX_FIRST_TIME, counts.start_ot);
				EXPECT(&counts, p, TX_LAST_TIME, counts.start_ot + (frames - 1) * period / 8 * 8);
				EXPECT(&counts, p, TX_GAP_SUM_OCTETS,
				       (frames - 1) * period / 8 * 8 - (frames - 1) * (sizes[s] + 8));
				cr_expect(counts.port[p][FPGAUGE_COUNTER_TX_GAP_MIN_OCTETS] >= 5);
				EXPECT(&counts, p, RX_RECEIVED_FRAMES, frames);
				EXPECT(&counts, p, RX_OCTETS, frames * sizes[s]);
				EXPECT(&counts, p, RX_LOST_FRAMES, 0);
				EXPECT(&counts, p, RX_GAP_SUM_OCTETS,
				       counts.port[p][FPGAUGE_COUNTER_TX_GAP_SUM_OCTETS]);
				EXPECT(&counts, p, RX_LATENCY_FRAMES, frames);
				EXPECT(&counts, p, RX_LATENCY_MIN, wires[w].latency_ot);
				EXPECT(&counts, p, RX_LATENCY_MAX, wires[w].latency_ot);
				expect_clean(&counts, p);
			}
		}
		device_close(device);
	}
}

/* Counts that a FIFO model makes of the frames that the tester sends, played separately from the simulation. */
struct expected {
	uint64_t received, lost_before_last, last_ot, latency_min_ot, latency_max_ot, latency_sum_ot;
};

static void play(struct fifo *fifo, const struct counts *counts, uint32_t octets, uint64_t frames, uint64_t numerator,
                 uint64_t denominator, struct expected *expected)
{
	*expected = (struct expected){.latency_min_ot = UINT64_MAX};
	for (uint64_t n = 0; n < frames; n++) {
		const uint64_t start_ot = counts->start_ot + (uint64_t)((uint128)n * numerator / denominator) / 8 * 8;
		const struct dut_frame frame = {.start_ot = start_ot, .octets = octets};
		uint64_t departure_ot, latency_ot;

		if (!fifo_admit(fifo, &frame, &departure_ot))
			continue;
		latency_ot = departure_ot - start_ot;
		expected->lost_before_last = n - expected->received++;
		expected->last_ot = departure_ot;
		expected->latency_sum_ot += latency_ot;
		if (latency_ot < expected->latency_min_ot)
			expected->latency_min_ot = latency_ot;
		if (latency_ot > expected->latency_max_ot)
			expected->latency_max_ot = latency_ot;
	}
}

static void expect_played(const struct counts *counts, unsigned port, const struct expected *expected)
{
	EXPECT(counts, port, RX_RECEIVED_FRAMES, expected->received);
	EXPECT(counts, port, RX_LOST_FRAMES, expected->lost_before_last);
	EXPECT(counts, port, RX_LAST_TIME, expected->last_ot);
	EXPECT(counts, port, RX_LATENCY_MIN, expected->latency_min_ot);
	EXPECT(counts, port, RX_LATENCY_MAX, expected->latency_max_ot);
	EXPECT(counts, port, RX_LATENCY_SUM, expected->latency_sum_ot);
	expect_clean(counts, port);
}

static void compare_fifo(const char *rate, unsigned buffer_frames, uint32_t octets, uint64_t frames,
                         uint32_t load_permille)
{
	char buffer[64], service_text[64];
	struct fifo_service service;
	struct quantity quantity;
	struct expected expected;
	struct counts counts;
	const char *why;
	struct device *device;
	/* Period of the load as (octets + 20) x 1000 / load: a whole gap and a fraction. */
	const uint64_t period_numerator = (uint64_t)(octets + 20) * 1000;
	const struct sent_traffic traffic = {.frame_octets = octets,
	                                     .stop_frames = frames,
	                                     .gap_octets = period_numerator / load_permille - octets - 8,
	                                     .gap_numerator = (uint32_t)(period_numerator % load_permille),
	                                     .gap_denominator = load_permille};

	snprintf(buffer, sizeof(buffer), "dut.buffer_frames=%u", buffer_frames);
	snprintf(service_text, sizeof(service_text), "dut.service_fps=%s", rate);
	cr_assert(quantity_parse(rate, &quantity, &why) == 0 && fifo_service_from_fps(&quantity, LINK_BPS, &service));
	device = open_rtl(OPTIONS("dut.model=fifo", buffer, service_text, "dut.latency_ns=123"));
	for (unsigned round = 0; round < 2; round++) { /* the second round finds the model as the first left it */
		run(device, &traffic, 2000 * US_OT, &counts);
		for (unsigned p = 0; p < counts.ports; p++) {
			struct fifo fifo;
			const struct fifo_settings settings = {
			        .service = service, .latency_ot = (123 * 25 + 1) / 2, .buffer = buffer_frames};

			cr_assert(fifo_init(&fifo, &settings) == 0);
			play(&fifo, &counts, octets, frames, period_numerator, load_permille, &expected);
			expect_played(&counts, p, &expected);
			EXPECT(&counts, p, TX_FRAMES, frames);
			fifo_release(&fifo);
		}
	}
	device_close(device);
}

Test(rtl, a_fifo_between_the_ports_gives_the_counters_of_its_model_to_the_octet_time)
{
	static const char *const rates[] = {"50%", "67.2%", "90%", "100M", "33333333.3"};
	static const unsigned buffers[] = {1, 64, 500};
	static const uint32_t sizes[] = {64, 69, 128, 256};

	for (size_t r = 0; r < 5; r++)
		for (size_t b = 0; b < 3; b++)
			for (size_t s = 0; s < 4; s++)
				compare_fifo(rates[r], buffers[b], sizes[s], 1500, 1000);
	for (uint32_t load = 1; load < 1000; load += 111)
		compare_fifo("67.2%", 8, 64 + load % 9, 300, load);
}

Test(rtl, the_longest_burst_passes_and_one_frame_more_does_not)
{
	static const char *const buffers[] = {"dut.buffer_frames=1", "dut.buffer_frames=64", "dut.buffer_frames=500",
	                                      "dut.buffer_frames=2000"};
	static const char *const rates[] = {"dut.service_fps=50%", "dut.service_fps=67.2%", "dut.service_fps=90%"};

	for (size_t i = 0; i < 12; i++) {
		struct device *device = open_rtl(OPTIONS("dut.model=fifo", buffers[i % 4], rates[i / 4]));
		struct dut_truth truth;

		cr_assert(device_truth(device, 64, &truth) && truth.longest_burst_frames != UINT64_MAX);
		for (unsigned more = 0; more < 2; more++) {
			const uint64_t frames = truth.longest_burst_frames + more;
			const struct sent_traffic traffic = {.frame_octets = 64, .stop_frames = frames};
			struct counts counts;

			run(device, &traffic, 2000 * US_OT, &counts);
			for (unsigned p = 0; p < counts.ports; p++)
				EXPECT(&counts, p, RX_RECEIVED_FRAMES, truth.longest_burst_frames);
		}
		device_close(device);
	}
}

Test(rtl, skipping_empty_time_changes_no_counter)
{
	static const uint32_t loads_permille[] = {1, 3, 17, 90, 333, 700};
	static const char *const latencies[] = {"dut.latency_ns=0", "dut.latency_ns=5.12", "dut.latency_ns=3333"};
	static const char *const models[] = {"dut.model=wire", "dut.model=fifo"};

	for (unsigned i = 0; i < 36; i++) {
		const uint32_t octets = 64 + i * 7 % 600;
		const uint64_t period = (uint64_t)(octets + 20) * 1000;
		const uint32_t load = loads_permille[i % 6];
		const struct sent_traffic traffic = {.frame_octets = octets,
		                                     .stop_frames = 60,
		                                     .gap_octets = period / load - octets - 8,
		                                     .gap_numerator = (uint32_t)(period % load),
		                                     .gap_denominator = load,
		                                     .destinations = 3};
		struct counts counts[2];
		uint64_t now_ot[2];

		for (unsigned skip = 0; skip < 2; skip++) {
			struct device *device =
			        open_rtl(OPTIONS(models[i / 6 % 2], latencies[i / 12],
			                         skip ? "device.idle_skip=true" : "device.idle_skip=false"));
			struct error error;

			/* A single wait, so that register accesses take the same clocks in both runs. */
			traffic_prepare(device, &traffic);
			traffic_start(device);
			traffic_wait(device, 200 * period / load + 100 * US_OT);
			cr_assert(device_now(device, &now_ot[skip], &error) == 0);
			run(device, &traffic, 40 * US_OT, &counts[skip]);
			device_close(device);
		}
		cr_expect(now_ot[0] == now_ot[1], "case %u", i);
		for (unsigned p = 0; p < counts[0].ports; p++)
			for (unsigned c = 0; c < COUNTERS; c++)
				cr_expect(counts[0].port[p][c] == counts[1].port[p][c],
				          "case %u port %u %s: %" PRIu64 " clock by clock, %" PRIu64 " with skips", i,
				          p, NAMES[c], counts[0].port[p][c], counts[1].port[p][c]);
	}
}

Test(rtl, frames_with_a_bad_fcs_pass_the_fifo_unchanged_and_are_seen)
{
	const struct sent_traffic traffic = {.frame_octets = 100, .stop_frames = 500, .bad_fcs_every = 5};
	struct device *device = open_rtl(OPTIONS("dut.model=fifo"));
	struct counts counts;

	run(device, &traffic, 100 * US_OT, &counts);
	for (unsigned p = 0; p < counts.ports; p++) {
		EXPECT(&counts, p, TX_FRAMES, 500);
		EXPECT(&counts, p, TX_BAD_FCS_FRAMES, 100);
		EXPECT(&counts, p, RX_BAD_FCS_FRAMES, 100);
		EXPECT(&counts, p, RX_RECEIVED_FRAMES, 400);
	}
	device_close(device);
}

Test(rtl, many_streams_arrive_each_with_its_own_sequence)
{
	const struct sent_traffic traffic = {.frame_octets = 64, .stop_frames = 256 * 6 + 5, .destinations = 256};
	struct device *device = open_rtl(OPTIONS("dut.model=wire"));
	struct counts counts;

	run(device, &traffic, 20 * US_OT, &counts);
	for (unsigned p = 0; p < counts.ports; p++) {
		EXPECT(&counts, p, RX_RECEIVED_FRAMES, 256 * 6 + 5);
		EXPECT(&counts, p, RX_LOST_FRAMES, 0);
		expect_clean(&counts, p);
		for (unsigned d = 0; d < 256; d += 3) {
			const uint64_t frames = 6 + (d < 5);

			traffic_write32(device, FPGAUGE_PORT_TX_STREAM_INDEX(p ^ 1), d);
			traffic_write32(device, FPGAUGE_PORT_RX_STREAM_INDEX(p), (p ^ 1) * 256 + d);
			cr_expect(traffic_read64(device, FPGAUGE_PORT_TX_STREAM_FRAMES(p ^ 1)) == frames);
			cr_expect(traffic_read64(device, FPGAUGE_PORT_RX_STREAM_RECEIVED(p)) == frames, "stream %u", d);
			cr_expect(traffic_read64(device, FPGAUGE_PORT_RX_STREAM_NEXT(p)) == frames);
			cr_expect(traffic_read64(device, FPGAUGE_PORT_RX_STREAM_LOST(p)) == 0);
		}
	}
	device_close(device);
}

Test(rtl, a_long_wait_with_nothing_to_do_takes_no_time_and_ends_when_it_should)
{
	const uint64_t hour_ot = UINT64_C(3600) * 12500000000u;
	struct device *device = open_rtl(OPTIONS("dut.model=fifo"));
	uint64_t before, after;
	struct error error;

	cr_assert(device_now(device, &before, &error) == 0);
	traffic_wait(device, hour_ot);
	cr_assert(device_now(device, &after, &error) == 0);
	cr_expect(after - before == hour_ot);
	traffic_wait(device, 1); /* rounded up to a word */
	cr_assert(device_now(device, &before, &error) == 0);
	cr_expect(before - after == 64);
	device_close(device);
}

static int open_refused(const char *library, const char *name, const char *value, struct error *error)
{
	const struct device_option option = {name, value};
	const struct device_config config = {
	        .backend = "sim", .library = library, .options = &option, .option_count = 1};
	const char *bad_option;
	struct device *device;
	int result = device_open(&config, &device, &bad_option, error);

	cr_expect(result != ERROR_PLAN || bad_option == name);
	if (result == 0)
		device_close(device);
	return result;
}

/* The simulator keeps what it used last for each thread. */
Test(rtl, simulations_of_one_program_are_closed_in_any_order)
{
	static const unsigned ORDERS[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

	for (size_t i = 0; i < sizeof ORDERS / sizeof ORDERS[0]; i++) {
		struct device *devices[3];

		for (unsigned d = 0; d < 3; d++)
			devices[d] = open_rtl(OPTIONS("dut.model=wire"));
		for (unsigned d = 0; d < 3; d++) {
			device_close(devices[ORDERS[i][d]]);
			for (unsigned other = d + 1; other < 3; other++)
				traffic_wait(devices[ORDERS[i][other]], US_OT);
		}
	}
}

Test(rtl, wrong_settings_are_refused_by_name)
{
	static const struct {
		const char *name, *value, *says;
	} rows[] = {
	        {"dut.buffer_frames", "0", "dut.buffer_frames = 0: "}, /* and a wire has no buffer */
	        {"dut.latency_ns", "-1", "dut.latency_ns = -1: negative: must be 0 to 100000000 ns"},
	        {"device.idle_skip", "maybe", "device.idle_skip = \"maybe\": must be \"true\" or \"false\""},
	        {"device.captur", "x", "device.captur = x: no such setting here; did you mean device.capture?"},
	        {"device.capture", "/nonexistent/x", "device.capture = \"/nonexistent/x\": No such file or directory"},
	        {"device.capture", "", "device.capture = \"\": must not be empty"},
	        {"device.waveform", "/nonexistent/x.fst",
	         "device.waveform = \"/nonexistent/x.fst\": No such file or directory"},
	        {"device.waveform", "/tmp/x.vcd",
	         "device.waveform = \"/tmp/x.vcd\": the format is FST, so the name must end with .fst"},
	        {"device.waveform", ".fst",
	         "device.waveform = \".fst\": the format is FST, so the name must end with .fst"},
	};
	struct error error;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_expect(open_refused("rtl", rows[i].name, rows[i].value, &error) == ERROR_PLAN, "%s", rows[i].name);
		cr_expect(strncmp(error.text, rows[i].says, strlen(rows[i].says)) == 0, "%s", error.text);
	}
	cr_expect(open_refused(RTL_LIBRARY, "device.waveform", "/tmp/x.fst", &error) == ERROR_PLAN);
	cr_expect(strstr(error.text, "without waveforms") != NULL, "%s", error.text);
}

Test(rtl, a_waveform_is_an_fst_file_and_changes_nothing)
{
	char path[] = "/tmp/fpgauge-waveform-XXXXXX.fst";
	const struct sent_traffic traffic = {.frame_octets = 64, .stop_frames = 20};
	char setting[64];
	struct counts counts;
	struct device *device;
	uint8_t first = 0xff;
	FILE *file;
	int fd = mkstemps(path, 4);

	cr_assert(fd >= 0);
	close(fd);
	snprintf(setting, sizeof(setting), "device.waveform=%s", path);
	device = traffic_open("rtl", OPTIONS(setting));
	cr_expect_str_eq(device_identity(device)->name, "sim rtl-trace");
	run(device, &traffic, US_OT, &counts);
	device_close(device);
	EXPECT(&counts, 0u, RX_RECEIVED_FRAMES, 20);
	file = fopen(path, "rb");
	cr_assert(file != NULL && fread(&first, 1, 1, file) == 1);
	cr_expect(first == 0, "FST begins with a header block, type 0");
	cr_expect(fseek(file, 0, SEEK_END) == 0 && ftell(file) > 4096);
	fclose(file);
	unlink(path);
}

/* Captured frames as tshark decodes them; every line must match `expected` except for the time. */
Test(rtl, tshark_finds_good_echo_frames_in_a_capture)
{
	static const uint32_t sizes[] = {64, 65, 128, 1518, 9216};
	char path[] = "/tmp/fpgauge-capture-XXXXXX";
	char setting[64], command[512], line[256], expected[64];
	struct device *device;
	unsigned frames = 0;
	FILE *pipe;
	int fd = mkstemp(path);

	cr_assert(fd >= 0);
	close(fd);
	snprintf(setting, sizeof(setting), "device.capture=%s", path);
	device = open_rtl(OPTIONS("dut.model=fifo", setting));
	const unsigned frames_a_size = 10 * 2 * device_identity(device)->ports; /* frames in and out */
	for (size_t s = 0; s < 5; s++) {
		const struct sent_traffic traffic = {.frame_octets = sizes[s], .stop_frames = 10};
		struct counts counts;

		run(device, &traffic, 10 * US_OT, &counts);
	}
	device_close(device);
	snprintf(
	        command, sizeof(command),
	        "tshark -n -r %s -o eth.check_fcs:TRUE -o ip.check_checksum:TRUE -T fields -E separator=, -e frame.len "
	        "-e eth.fcs.status -e ip.checksum.status -e ip.len -e udp.dstport -e udp.length -e _ws.malformed "
	        "2>/dev/null",
	        path);
	pipe = popen(command, "r");
	cr_assert(pipe != NULL);
	for (; fgets(line, sizeof(line), pipe) != NULL; frames++) {
		const uint32_t octets = sizes[frames / frames_a_size % 5];

		snprintf(expected, sizeof(expected), "%u,1,1,%u,7,%u,\n", octets, octets - 18, octets - 38);
		cr_expect_str_eq(line, expected);
	}
	cr_assert(pclose(pipe) == 0 && frames == 5 * frames_a_size, "%u frames", frames);
	unlink(path);
}
