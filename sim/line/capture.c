// SPDX-License-Identifier: Apache-2.0
/* Captures both directions of every port as pcapng. */
#include "sim/line/capture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/base/uint128.h"
#include "sim/line/line_decoder.h"
#include "sim/line/pcapng.h"

enum { INTERFACES_A_PORT = 2, NAME_OCTETS = 24 };

struct capture_line {
	struct capture *capture;
	uint32_t interface;
	struct line_decoder decoder;
	uint8_t octets[LINE_MAX_FRAME_OCTETS + LINE_OCTETS];
};

struct capture {
	struct pcapng *file;
	uint64_t link_bps;
	int error; /* errno of the first failure */
	struct capture_line lines[];
};

static uint8_t *begin(void *context)
{
	return ((struct capture_line *)context)->octets;
}

static void end(void *context, const struct line_frame *frame)
{
	struct capture_line *line = context;
	struct capture *capture = line->capture;
	const uint128 scaled = (uint128)frame->start_ot * 80000000000u + capture->link_bps / 2;
	const uint64_t tenths_ns = (uint64_t)(scaled / capture->link_bps); /* the nearest */

	if (frame->broken)
		return;
	if (pcapng_write(capture->file, line->interface, tenths_ns, frame->octets, frame->length) != 0)
		capture->error = errno;
}

struct capture *capture_create(const char *path, unsigned ports, uint64_t link_bps)
{
	char names[CAPTURE_MAX_PORTS * INTERFACES_A_PORT][NAME_OCTETS];
	const char *pointers[CAPTURE_MAX_PORTS * INTERFACES_A_PORT];
	const unsigned lines = ports * INTERFACES_A_PORT;
	struct capture *capture;

	if (ports > CAPTURE_MAX_PORTS) {
		errno = EINVAL;
		return NULL;
	}
	capture = calloc(1, sizeof(*capture) + lines * sizeof(capture->lines[0]));
	if (capture == NULL)
		return NULL;
	capture->link_bps = link_bps;
	for (unsigned i = 0; i < lines; i++) {
		const struct line_sink sink = {.begin = begin, .end = end, .context = &capture->lines[i]};

		snprintf(names[i], NAME_OCTETS, "port%u-%s", i / INTERFACES_A_PORT,
		         i % INTERFACES_A_PORT ? "rx" : "tx");
		pointers[i] = names[i];
		capture->lines[i].capture = capture;
		capture->lines[i].interface = i;
		line_decoder_init(&capture->lines[i].decoder, &sink);
	}
	capture->file = pcapng_create(path, pointers, lines, link_bps);
	if (capture->file == NULL) {
		int error = errno;

		free(capture);
		errno = error;
		return NULL;
	}
	return capture;
}

int capture_word(struct capture *capture, unsigned port, bool received, uint64_t word_number,
                 const struct line_word *word)
{
	line_decode(&capture->lines[port * INTERFACES_A_PORT + received].decoder, word_number, word);
	errno = capture->error;
	return capture->error == 0 ? 0 : -1;
}

int capture_close(struct capture *capture)
{
	int error;

	if (capture == NULL)
		return 0;
	error = capture->error;
	if (pcapng_close(capture->file) != 0 && error == 0)
		error = errno;
	free(capture);
	errno = error;
	return error == 0 ? 0 : -1;
}
