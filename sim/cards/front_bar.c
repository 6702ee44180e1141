// SPDX-License-Identifier: Apache-2.0
/* The front of the trapped BAR: listens on a UNIX socket, and the programs that map the BAR are its clients, one after
 * the other. The card outlives them: what one program left running goes on, as on a card. Serves until it is killed. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "sim/cards/bar_protocol.h"
#include "sim/cards/front.h"

static int fail(char *error, size_t error_size, const char *what)
{
	snprintf(error, error_size, "%s: %s", what, strerror(errno));
	return -1;
}

static int listen_at(const char *path, char *error, size_t error_size)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int listener;

	if (strlen(path) >= sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		return fail(error, error_size, path);
	}
	strcpy(address.sun_path, path);
	listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (listener < 0)
		return fail(error, error_size, "socket");
	unlink(path); /* of a card that was killed */
	if (bind(listener, (const struct sockaddr *)&address, sizeof(address)) != 0 || listen(listener, 4) != 0) {
		fail(error, error_size, path);
		close(listener);
		return -1;
	}
	return listener;
}

/* One request of the client. False when the client is gone or does not speak the protocol. */
static bool answer(struct sim_card *card, int client)
{
	struct bar_request request;
	ssize_t length = recv(client, &request, sizeof(request), 0);

	if (length != (ssize_t)sizeof(request))
		return length < 0 && errno == EINTR;
	if (request.operation == BAR_READ32) {
		uint32_t value;

		sim_card_read32(card, request.offset, &value); /* refused: all ones, nothing else on this bus */
		return send(client, &value, sizeof(value), MSG_NOSIGNAL) == (ssize_t)sizeof(value);
	}
	if (request.operation != BAR_WRITE32)
		return false;
	sim_card_write32(card, request.offset, request.value);
	return true;
}

static int serve(struct sim_card *card, const struct front_arguments *arguments, char *error, size_t error_size)
{
	int listener, client = -1;

	if (arguments->socket == NULL) {
		snprintf(error, error_size, "--front=bar needs --socket=PATH");
		return -1;
	}
	listener = listen_at(arguments->socket, error, error_size);
	if (listener < 0)
		return -1;
	for (;;) {
		struct pollfd awaited = {.fd = client >= 0 ? client : listener, .events = POLLIN};
		int wait_ms = sim_card_idle(card), ready;

		if (wait_ms < 0)
			break;
		ready = poll(&awaited, 1, wait_ms);
		if (ready <= 0)
			continue;
		if (client < 0) {
			client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
		} else if (!answer(card, client)) {
			close(client);
			client = -1;
		}
	}
	snprintf(error, error_size, "%s", sim_card_error(card));
	close(listener);
	return -1;
}

const struct front front_bar = {.name = "bar", .serve = serve};
