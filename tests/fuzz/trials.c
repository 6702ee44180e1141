/* SPDX-License-Identifier: Apache-2.0 */
/* A run file with trials that a device could have produced, to draw charts from. */
#include <stdio.h>
#include <unistd.h>

#include "tests/fuzz/forms.h"
#include "tests/fuzz/fuzz.h"

enum { TESTS = 3, TRIALS_EACH = 3, FRAMES = 1000, PORTS = 2 };

static const uint64_t LINK_BPS = UINT64_C(100000000000);

static struct histogram histogram_of(uint64_t first)
{
	struct histogram histogram = {.first = first, .width = 8, .bins = 4};

	for (uint64_t i = 0; i < histogram.bins; i++)
		histogram.count[i] = FRAMES / 4;
	return histogram;
}

static struct trial_port port_of(uint64_t lost)
{
	return (struct trial_port){
	        .sent = true,
	        .offered_frames = FRAMES,
	        .received_frames = FRAMES - lost,
	        .tx_gap = {FRAMES - 1, 8, 16, 12 * (FRAMES - 1)},
	        .rx_gap = {FRAMES - 1 - lost, 8, 40, 13 * (FRAMES - 1 - lost)},
	        .rx_last_ot = 84 * FRAMES,
	        .latency = {FRAMES - lost, 100, 131, 115.5},
	        .latency_histogram = lost ? (struct histogram){0} : histogram_of(100),
	        .tx_gap_histogram = histogram_of(8),
	};
}

static struct store_trial trial_of(unsigned test, unsigned number)
{
	static const char *const NAMES[TESTS] = {"throughput", "back_to_back", "mlrsearch"};
	uint64_t lost = number % 2 ? 17 : 0;
	struct store_trial trial = {
	        .place = {.test_number = test + 1, .frame_octets = 64, .repetition = 1, .point = 1000, .high = 2000},
	        .request = {.kind = test == 1 ? TRIAL_BURST : TRIAL_LOAD,
	                    .shape = traffic_shape_plain(64),
	                    .gap_octets = 12,
	                    .load = {1000000 * (number + 1), 1},
	                    .duration_ot = 12500000,
	                    .burst_frames = test == 1 ? FRAMES : 0},
	        .result = {.valid = number != 2,
	                   .intended_frames = PORTS * FRAMES,
	                   .intended_fps = test == 1 ? 0 : 1e6 * (number + 1),
	                   .offered_frames = PORTS * FRAMES,
	                   .received_frames = PORTS * (FRAMES - lost),
	                   .lost_frames = PORTS * lost,
	                   .tx_gap = {PORTS * (FRAMES - 1), 8, 16, 12 * PORTS * (FRAMES - 1)},
	                   .latency = {PORTS * (FRAMES - lost), 100, 131, 115.5},
	                   .forwarding_rate_fps = 1e6,
	                   .duration_s = 1e-3,
	                   .ports = PORTS},
	        .wall_s = 0.25,
	};

	snprintf(trial.place.test, sizeof(trial.place.test), "%s", NAMES[test]);
	snprintf(trial.started, sizeof(trial.started), "2026-01-02T03:04:0%u.500Z", number);
	if (!trial.result.valid)
		snprintf(trial.result.why_invalid, sizeof(trial.result.why_invalid), "port 0: offered 1 frame");
	for (unsigned i = 0; i < PORTS; i++)
		trial.result.port[i] = port_of(lost);
	return trial;
}

struct store *forms_store(const char *path)
{
	const struct store_plan_file file = {"lab.cfg", "", "run = ();\n"};
	const struct store_run run = {
	        .tool = "fpgauge 0.1.0",
	        .plan_path = "lab.cfg",
	        .files = &file,
	        .file_count = 1,
	        .tester = "{\"backend\":\"sim\",\"name\":\"sim twin\",\"regmap\":\"1:0x00000000\",\"ports\":2}",
	        .has_device = true,
	        .device = {.name = "sim twin", .backend = "sim", .map_version = 1, .ports = PORTS, .groups = 8},
	        .link_bps = LINK_BPS,
	};
	struct error error = {0};
	struct store *store;

	FUZZ_EXPECT(store_create(path, &run, "", &store, &error) == 0, "%s", error.text);
	FUZZ_EXPECT(store_session_begin(store, "run", "fpgauge", "{}", &error) == 0, "%s", error.text);
	FUZZ_EXPECT(store_event(store, "result", "{\"position\":0}", &error) == 0, "%s", error.text);
	for (unsigned test = 0; test < TESTS; test++) {
		for (unsigned number = 0; number < TRIALS_EACH; number++) {
			struct store_trial trial = trial_of(test, number);

			FUZZ_EXPECT(store_trial_add(store, &trial, &error) == 0, "%s", error.text);
		}
	}
	return store;
}
