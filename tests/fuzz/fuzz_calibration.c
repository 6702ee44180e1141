/* SPDX-License-Identifier: Apache-2.0 */
/* Calibration files: what a run takes from one, and one that a self-test adds to.
 *
 * Input: the file. "$REGMAP" in a text is the register map of the device here. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/bench/benchmark.h"
#include "host/console/calibration.h"
#include "host/console/calibration_ways.h"
#include "tests/fuzz/fuzz.h"

static const struct device_identity IDENTITY = {.name = "xrt 0000:3b:00.1",
                                                .backend = "xrt",
                                                .map_version = 1,
                                                .map_hash = 0x12345678,
                                                .ports = 4,
                                                .link_bps = UINT64_C(100000000000)};

static const char PLAN[] =
        "device = { backend = \"xrt\"; xclbin = \"a.xclbin\"; calibration = \"/proc/self/fd/100\"; };\n"
        "run = ( { test = \"throughput\"; frame_sizes = [64]; } );\n";

static struct plan *plan;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct error error = {0};

	(void)argc;
	(void)argv;
	fuzz_silence();
	FUZZ_EXPECT(plan_read(fuzz_file(1, PLAN, strlen(PLAN)), &BENCHMARK_KEYS, NULL, 0, &plan, &error) == 0, "%s",
	            error.text);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	return fuzz_mutate_json(data, size, max_size, seed);
}

/* A latency that is subtracted is a number that was measured: each path of the record has one, and no port stays at
 * 0.00 ns because its entry could not be read. */
static void check_record(const json_t *record)
{
	const json_t *ways = json_object_get(record, "ports"), *way;
	struct latency_ways latencies;
	struct error error = {0};
	size_t i;
	int status = calibration_ways(record, &latencies, &error);

	if (status)
		fuzz_expect_complaint(status, &error);
	FUZZ_EXPECT(json_array_size(ways) == IDENTITY.ports, "%zu ways", json_array_size(ways));
	json_array_foreach(ways, i, way)
	{
		const json_t *latency = json_object_get(way, "latency_ns"),
		             *measured = json_object_get(way, "measured");

		FUZZ_EXPECT(json_is_number(latency) && isfinite(json_number_value(latency)), "way %zu", i);
		FUZZ_EXPECT(json_is_string(measured), "way %zu was measured at no time", i);
	}
}

/* Each latency of an accepted entry is a number in the file, too. */
static void check_file(const char *path)
{
	json_t *file = json_load_file(path, 0, NULL);
	const json_t *entries = json_object_get(file, "calibrations"), *entry;
	size_t i;

	json_array_foreach(entries, i, entry)
	{
		const char *device = json_string_value(json_object_get(entry, "device"));
		const json_t *mean = json_object_get(entry, "latency_mean_ns");

		if (device && !strcmp(device, IDENTITY.name))
			FUZZ_EXPECT(json_is_number(mean) && json_number_value(mean) >= 0,
			            "entry %zu has no latency, and the file is taken", i);
	}
	json_decref(file);
}

static void choose(const char *path)
{
	struct error error = {0};
	json_t *record = NULL;
	int status = calibration_choose(plan, &IDENTITY, &record, &error);

	if (status) {
		FUZZ_EXPECT(!record, "refused, and there");
		fuzz_expect_complaint(status, &error);
	} else {
		FUZZ_EXPECT(record, "a file that is named, and no calibration");
		check_record(record);
		check_file(path);
	}
	json_decref(record);
}

static void add(const void *octets, size_t size)
{
	const char *path = fuzz_path("calibration.json");
	const struct calibration_cable cable = {
	        .from = 1, .frames = 1000, .min_ot = 100, .max_ot = 140, .mean_ot = 120};
	struct error error = {0};
	FILE *file = fopen(path, "we");
	int status;

	FUZZ_EXPECT(file && fwrite(octets, 1, size, file) == size, "%s", path);
	fclose(file);
	status = calibration_store(path, &IDENTITY, &cable, 1, &error);
	if (status)
		fuzz_expect_complaint(status, &error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char regmap[32];
	const struct fuzz_name name = {"$REGMAP", regmap};
	const struct fuzz_piece whole = {data, size};
	size_t length;
	char *text;

	snprintf(regmap, sizeof(regmap), "%u:0x%08x", IDENTITY.map_version, IDENTITY.map_hash);
	text = fuzz_replace(&whole, &name, 1, &length);
	choose(fuzz_file(0, text, length));
	add(text, length);
	free(text);
	return 0;
}
