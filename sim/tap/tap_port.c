// SPDX-License-Identifier: Apache-2.0
/* One port: words to frames to the TAP, and back. */
#include "sim/tap/tap_port.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/rate.h"
#include "sim/line/fcs.h"

enum {
	MIN_OCTETS = MIN_FRAME_OCTETS - FCS_OCTETS,
	HEADER_OCTETS = 14, /* Linux takes no frame that is shorter */
};

static uint8_t *begin(void *context)
{
	return ((struct tap_port *)context)->leaving;
}

static int write_frame(int fd, const uint8_t *octets, size_t length)
{
	ssize_t written;

	do
		written = write(fd, octets, length);
	while (written < 0 && errno == EINTR);
	if (written < 0)
		return errno;
	return (size_t)written == length ? 0 : EMSGSIZE;
}

static int pass_frame(const struct tap_port *port, const struct line_frame *frame)
{
	if (frame->broken || frame->length < HEADER_OCTETS + FCS_OCTETS)
		return TAP_BROKEN;
	if (!line_has_right_fcs(frame->octets, frame->length))
		return TAP_WRONG_FCS;
	return write_frame(port->fd, frame->octets, frame->length - FCS_OCTETS);
}

static void end(void *context, const struct line_frame *frame)
{
	const struct tap_port *port = context;

	port->written(port->context, port->number, frame->start_ot + DUT_PREAMBLE_OCTETS + frame->length,
	              pass_frame(port, frame));
}

/* Completes a frame of Linux in the room of the store, and lets it leave. 0, or -1 with errno set. */
static int enter(struct tap_port *port, uint8_t *octets, uint32_t length, uint64_t ready_ot)
{
	if (length < MIN_OCTETS) {
		memset(octets + length, 0, MIN_OCTETS - length);
		length = MIN_OCTETS;
	}
	line_put_fcs(octets, length);
	length += FCS_OCTETS;
	if (frame_store_put(&port->store, length, line_out_take(&port->line_out, ready_ot, length)) == 0)
		return 0;
	errno = ENOMEM;
	return -1;
}

int tap_port_read(struct tap_port *port, uint64_t ready_ot, uint64_t ahead_ot)
{
	int count = 0;

	for (; tap_port_has_room(port, ready_ot, ahead_ot); count++) {
		uint8_t *room = frame_store_reserve(&port->store);
		ssize_t length;

		if (room == NULL) {
			errno = ENOMEM;
			return -1;
		}
		length = read(port->fd, room, LINE_MAX_FRAME_OCTETS - FCS_OCTETS);
		if (length < 0 && (errno == EAGAIN || errno == EINTR))
			break;
		if (length == 0) /* no TAP does this */
			errno = ENODEV;
		if (length <= 0 || enter(port, room, (uint32_t)length, ready_ot) != 0)
			return -1;
	}
	return count;
}

int tap_port_init(struct tap_port *port, int fd, unsigned number, tap_written *written, void *context)
{
	const struct line_sink sink = {.begin = begin, .end = end, .context = port};

	*port = (struct tap_port){.fd = fd, .number = number, .written = written, .context = context};
	port->leaving = malloc(LINE_MAX_FRAME_OCTETS + LINE_OCTETS);
	if (port->leaving != NULL && frame_store_init(&port->store) == 0) {
		line_decoder_init(&port->decoder, &sink);
		line_encoder_init(&port->encoder, &port->store);
		return 0;
	}
	free(port->leaving);
	close(fd);
	return -1;
}

void tap_port_release(struct tap_port *port)
{
	close(port->fd);
	free(port->leaving);
	frame_store_release(&port->store);
}
