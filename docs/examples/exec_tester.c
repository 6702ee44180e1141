/* SPDX-License-Identifier: Apache-2.0 */
/* A tester for fpgauge in C: a device that forwards a number of frames a second and loses the rest, with no buffer.
 *
 *     cc -o exec_tester docs/examples/exec_tester.c $(pkg-config --cflags --libs jansson)
 *     device = { backend = "exec"; command = ["./exec_tester", "40000000"]; };
 *
 * Copy it, and put your generator in place of device(). What the lines mean: docs/exec-tester.md. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double LINE_OVERHEAD_OCTETS = 20; /* preamble 8, gap 12 */

/* Frames received of `offered` that arrive evenly at a device without a buffer. */
static double device(double offered, double arrival_fps, double service_fps)
{
	return arrival_fps <= service_fps ? offered : ceil(offered * (service_fps / arrival_fps));
}

static double number(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

static json_t *answer(const json_t *request, double service_fps)
{
	double line_fps = number(request, "link_bps") / 8 / (number(request, "frame_octets") + LINE_OVERHEAD_OCTETS);
	double arrival_fps, duration_s, offered;

	if (json_object_get(request, "burst_frames")) {
		arrival_fps = line_fps;
		offered = number(request, "burst_frames");
		duration_s = offered / line_fps;
	} else {
		arrival_fps = number(request, "load_fps");
		duration_s = number(request, "duration_s");
		offered = round(arrival_fps * duration_s);
	}
	return json_pack("{s:O, s:I, s:I, s:f}", "trial", json_object_get(request, "trial"), "offered_frames",
	                 (json_int_t)offered, "received_frames", (json_int_t)device(offered, arrival_fps, service_fps),
	                 "duration_s", duration_s);
}

int main(int argc, char **argv)
{
	double service_fps = argc > 1 ? strtod(argv[1], NULL) : 0;
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, stdin) > 0) { /* ends when fpgauge is done */
		json_error_t error;
		json_t *request = json_loads(line, 0, &error), *reply;

		if (!request) {
			fprintf(stderr, "exec_tester: %s: %s", error.text, line);
			return 1;
		}
		reply = answer(request, service_fps);
		json_dumpf(reply, stdout, JSON_COMPACT);
		putchar('\n');
		fflush(stdout); /* fpgauge waits for the line */
		json_decref(reply);
		json_decref(request);
	}
	free(line);
	return 0;
}
