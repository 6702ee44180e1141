// SPDX-License-Identifier: Apache-2.0
/* bench_access BACKEND LIBRARY COUNT [NAME=VALUE...]: opens a device, makes COUNT reads, COUNT writes and COUNT pairs
 * of both on its scratch register, and prints the seconds each part took. LIBRARY is - for a backend without one. Run
 * by tools/bench. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "drivers/device.h"
#include "hw/regs/fpgauge_regs.h"

enum { MAX_OPTIONS = 16 };

static struct error error;

static double wall_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int read_scratch(struct device *device, uint32_t *value)
{
	return device_read32(device, FPGAUGE_GLOBAL_SCRATCH, value, &error);
}

static int write_scratch(struct device *device, uint32_t value)
{
	return device_write32(device, FPGAUGE_GLOBAL_SCRATCH, value, &error);
}

/* Measures the seconds of reads, writes and pairs; each part ends with a read, so that no write is still in flight. */
static int measure(struct device *device, uint32_t count, double seconds[3])
{
	uint32_t value = 0;
	int result = write_scratch(device, 0);
	double begin = wall_s();

	for (uint32_t i = 0; i < count && result == 0; i++)
		result = read_scratch(device, &value);
	seconds[0] = wall_s() - begin;
	begin = wall_s();
	for (uint32_t i = 1; i <= count && result == 0; i++)
		result = write_scratch(device, i);
	if (result == 0)
		result = read_scratch(device, &value);
	seconds[1] = wall_s() - begin;
	if (result == 0 && value != count)
		return error_set(&error, ERROR_DEVICE, "scratch reads %" PRIu32 ", not %" PRIu32, value, count);
	begin = wall_s();
	for (uint32_t i = 0; i < count && result == 0; i++) {
		result = write_scratch(device, ~i);
		if (result == 0)
			result = read_scratch(device, &value);
		if (result == 0 && value != ~i)
			return error_set(&error, ERROR_DEVICE, "scratch reads %" PRIu32 ", not %" PRIu32, value, ~i);
	}
	seconds[2] = wall_s() - begin;
	return result;
}

int main(int argc, char **argv)
{
	struct device_option options[MAX_OPTIONS];
	struct device_config config = {.options = options};
	struct device *device = NULL;
	const char *bad_option;
	double seconds[3] = {0};
	int result;

	if (argc < 4 || argc - 4 > MAX_OPTIONS)
		return 2;
	config.backend = argv[1];
	config.library = strcmp(argv[2], "-") != 0 ? argv[2] : NULL;
	for (int i = 4; i < argc; i++) {
		char *equals = strchr(argv[i], '=');

		if (equals == NULL)
			return 2;
		*equals = '\0';
		options[config.option_count++] = (struct device_option){argv[i], equals + 1};
	}
	result = device_open(&config, &device, &bad_option, &error);
	if (result == 0)
		result = measure(device, (uint32_t)strtoul(argv[3], NULL, 10), seconds);
	device_close(device);
	if (result != 0) {
		fprintf(stderr, "bench_access: %s\n", error.text);
		return 1;
	}
	printf("%.9f %.9f %.9f\n", seconds[0], seconds[1], seconds[2]);
	return 0;
}
