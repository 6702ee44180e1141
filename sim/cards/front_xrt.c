// SPDX-License-Identifier: Apache-2.0
/* The front for XRT's software emulation: the process that XRT's own shim (libxrt_swemu) starts as "genericpciemodel"
 * and talks to over a UNIX socket on which XRT listens. A call is a header of 14 octets (0x09 and its size in 8
 * octets, 0x15 and which call in 4: field 1 fixed64 and field 2 fixed32 of a protobuf message) and a protobuf message;
 * the answer is a header of 9 octets (only the size) and a message. The call numbers are from XRT's xcl_macros.h.
 * Serves one host. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <xcl_macros.h>

#include "host/base/clock.h"
#include "hw/regs/fpgauge_regs.h"
#include "sim/cards/front.h"

enum {
	CALL_HEADER = 14,
	ANSWER_HEADER = 9,
	MAX_MESSAGE = 64 << 20, /* a bitstream comes in one message */
	MAX_FIELD = 8,          /* no call that matters has more */
	LOOK_NS = 10000000,
	CONNECT_LOOKS = 6000, /* XRT listens some time after starting us, on a busy machine a long time */
};

/* Protobuf wire types. */
enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_OCTETS = 2, WIRE_FIXED32 = 5 };

struct field {
	uint64_t value; /* number, or count of octets */
	const uint8_t *octets;
};

struct call {
	uint32_t number;
	struct field fields[MAX_FIELD + 1]; /* indexed by number; missing ones are 0 */
	uint8_t *message;
};

/* -- the socket --------------------------------------------------------------------------------------------------- */

static bool receive(int socket, void *to, size_t size)
{
	for (uint8_t *at = to; size > 0;) {
		ssize_t got = recv(socket, at, size, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		size -= (size_t)got;
	}
	return true;
}

static bool transmit(int socket, const void *from, size_t size)
{
	return send(socket, from, size, MSG_NOSIGNAL) == (ssize_t)size; /* a few octets are sent whole, or not at all */
}

/* The address at which XRT listens: /tmp/USER/EMULATION_SOCKETID; XRT sets that variable for its model. */
static bool socket_address(const struct front_arguments *arguments, struct sockaddr_un *address)
{
	const char *user = getenv("USER"), *id = getenv("EMULATION_SOCKETID");
	int length;

	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (arguments->socket != NULL)
		length = snprintf(address->sun_path, sizeof(address->sun_path), "%s", arguments->socket);
	else if (user != NULL)
		length = snprintf(address->sun_path, sizeof(address->sun_path), "/tmp/%s/%s", user,
		                  id != NULL ? id : "xcl_sock");
	else
		length = snprintf(address->sun_path, sizeof(address->sun_path), "/tmp/xcl_sock");
	return length > 0 && length < (int)sizeof(address->sun_path);
}

static int connect_to_xrt(const struct front_arguments *arguments, char *error, size_t error_size)
{
	struct sockaddr_un address;

	if (!socket_address(arguments, &address)) {
		snprintf(error, error_size, "the path of XRT's socket is too long");
		return -1;
	}
	for (int i = 0; i < CONNECT_LOOKS; i++) {
		int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

		if (connect(made, (const struct sockaddr *)&address, sizeof(address)) == 0)
			return made;
		close(made);
		clock_sleep_ns(LOOK_NS);
	}
	snprintf(error, error_size, "%s: XRT does not listen: %s", address.sun_path, strerror(errno));
	return -1;
}

/* -- messages ----------------------------------------------------------------------------------------------------- */

static bool take_varint(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
	*value = 0;
	for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
		uint8_t octet = *(*at)++;

		*value |= (uint64_t)(octet & 0x7f) << shift;
		if (!(octet & 0x80))
			return true;
	}
	return false;
}

static bool take_fixed(const uint8_t **at, const uint8_t *end, size_t size, uint64_t *value)
{
	if ((size_t)(end - *at) < size)
		return false;
	*value = 0;
	memcpy(value, *at, size); /* little-endian, like this machine */
	*at += size;
	return true;
}

static bool take_field(const uint8_t **at, const uint8_t *end, struct field *fields)
{
	struct field field = {0};
	uint64_t tag;
	bool whole;

	if (!take_varint(at, end, &tag))
		return false;
	switch (tag & 7) {
	case WIRE_VARINT:
		whole = take_varint(at, end, &field.value);
		break;
	case WIRE_FIXED64:
		whole = take_fixed(at, end, 8, &field.value);
		break;
	case WIRE_FIXED32:
		whole = take_fixed(at, end, 4, &field.value);
		break;
	case WIRE_OCTETS:
		whole = take_varint(at, end, &field.value) && field.value <= (uint64_t)(end - *at);
		field.octets = *at;
		if (whole)
			*at += field.value;
		break;
	default:
		return false;
	}
	if (whole && tag >> 3 <= MAX_FIELD)
		fields[tag >> 3] = field;
	return whole;
}

/* False at the end of the connection, or if the call cannot be understood. The caller frees call->message. */
static bool receive_call(int socket, struct call *call)
{
	uint8_t header[CALL_HEADER];
	const uint8_t *at, *end;
	uint64_t size;

	memset(call, 0, sizeof(*call));
	if (!receive(socket, header, sizeof(header)))
		return false;
	memcpy(&size, header + 1, sizeof(size));
	memcpy(&call->number, header + 10, sizeof(call->number));
	if (size > MAX_MESSAGE)
		return false;
	call->message = malloc(size + 1);
	if (call->message == NULL || !receive(socket, call->message, size))
		return false;
	at = call->message;
	end = at + size;
	while (at < end)
		if (!take_field(&at, end, call->fields))
			return false;
	return true;
}

/* Every answer has field 1 = 1, "valid"; the answer to a read also has field 2, the octets read. */
static bool answer(int socket, bool has_value, uint32_t value)
{
	uint8_t reply[ANSWER_HEADER + 8] = {0x09};
	uint64_t size = has_value ? 8 : 2;

	memcpy(reply + 1, &size, sizeof(size));
	reply[ANSWER_HEADER] = 1 << 3 | WIRE_VARINT;
	reply[ANSWER_HEADER + 1] = 1;
	reply[ANSWER_HEADER + 2] = 2 << 3 | WIRE_OCTETS;
	reply[ANSWER_HEADER + 3] = sizeof(value);
	memcpy(reply + ANSWER_HEADER + 4, &value, sizeof(value));
	return transmit(socket, reply, ANSWER_HEADER + size);
}

/* Addresses are absolute; the IP is at a multiple of the map's size (make_xclbin.c). */
static uint32_t register_address(const struct field *field)
{
	return (uint32_t)(field->value % FPGAUGE_MAP_OCTETS);
}

static uint32_t word(const struct field *field)
{
	uint32_t value = 0;

	if (field->octets != NULL && field->value >= sizeof(value))
		memcpy(&value, field->octets, sizeof(value));
	return value;
}

/* True while more calls may come. Calls that access no register (bitstream, memory) are answered, but do nothing. */
static bool serve_call(struct sim_card *card, int socket, const struct call *call)
{
	const struct field *fields = call->fields;
	bool is_read = call->number == xclReadAddrKernelCtrl_n || call->number == xclRegRead_n;
	uint32_t value = 0;

	if (is_read)
		sim_card_read32(card, register_address(&fields[2]), &value); /* if refused, all ones, as on a bus */
	else if (call->number == xclWriteAddrKernelCtrl_n)
		sim_card_write32(card, register_address(&fields[2]), word(&fields[4]));
	else if (call->number == xclRegWrite_n)
		sim_card_write32(card, register_address(&fields[2]), word(&fields[3]));
	return answer(socket, is_read, value) && !(call->number == xclClose_n && fields[3].value);
}

static int serve(struct sim_card *card, const struct front_arguments *arguments, char *error, size_t error_size)
{
	struct pollfd awaited = {.events = POLLIN};
	bool more = true;

	prctl(PR_SET_PDEATHSIG, SIGKILL); /* nothing else ends a card whose fault is to hang */
	awaited.fd = connect_to_xrt(arguments, error, error_size);
	if (awaited.fd < 0)
		return -1;
	while (more) {
		int wait_ms = sim_card_idle(card);
		struct call call;

		if (wait_ms < 0)
			break;
		if (poll(&awaited, 1, wait_ms) <= 0)
			continue;
		more = receive_call(awaited.fd, &call) && serve_call(card, awaited.fd, &call);
		free(call.message);
	}
	close(awaited.fd);
	return 0;
}

/* XRT waits 300 s for its model to connect, unless a SIGCHLD interrupts the wait; it takes no notice of a model that
 * ended before the wait began. So the model connects even if it has no card, and hangs up on the first call. That call
 * is left unread, which the socket reports to XRT as an error (ECONNRESET); after a mere end of file XRT would wait on.
 */
static void turn_away(const struct front_arguments *arguments)
{
	struct pollfd awaited = {.events = POLLIN};
	char error[256];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	awaited.fd = connect_to_xrt(arguments, error, sizeof(error));
	if (awaited.fd < 0)
		return;
	poll(&awaited, 1, -1);
	close(awaited.fd);
}

const struct front front_xrt = {.name = "xrt", .serve = serve, .turn_away = turn_away};
