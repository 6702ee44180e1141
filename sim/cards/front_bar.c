// SPDX-License-Identifier: Apache-2.0
/* The front for the trapped BAR: listens on a UNIX socket; its clients are the programs that map the BAR, several at a
 * time. The card outlives them: what one program left running goes on, as on a real card. Serves until it is killed. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "sim/cards/bar_protocol.h"
#include "sim/cards/front.h"

enum { MAX_CLIENTS = 8 };

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
	unlink(path); /* left behind by a card that was killed */
	if (bind(listener, (const struct sockaddr *)&address, sizeof(address)) != 0 || listen(listener, 4) != 0) {
		fail(error, error_size, path);
		close(listener);
		return -1;
	}
	return listener;
}

/* Serves one request of the client. False if the client is gone or does not follow the protocol. */
static bool answer(struct sim_card *card, int client)
{
	struct bar_request request;
	ssize_t length = recv(client, &request, sizeof(request), 0);

	if (length != (ssize_t)sizeof(request))
		return length < 0 && errno == EINTR;
	if (request.operation == BAR_READ32) {
		uint32_t value;

		sim_card_read32(card, request.offset, &value); /* if refused, all ones: this bus has no other error */
		return send(client, &value, sizeof(value), MSG_NOSIGNAL) == (ssize_t)sizeof(value);
	}
	if (request.operation != BAR_WRITE32)
		return false;
	sim_card_write32(card, request.offset, request.value);
	return true;
}

/* Puts a new program in the first free place; if there is none, it waits at the listener. */
static void take_client(int listener, struct pollfd *clients)
{
	for (size_t i = 0; i < MAX_CLIENTS; i++) {
		if (clients[i].fd < 0) {
			clients[i].fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
			return;
		}
	}
}

/* Serves one request from every program that has one, so that their accesses interleave as on a bus. */
static void answer_all(struct sim_card *card, struct pollfd *clients)
{
	for (size_t i = 0; i < MAX_CLIENTS; i++) {
		if (clients[i].fd >= 0 && clients[i].revents != 0 && !answer(card, clients[i].fd)) {
			close(clients[i].fd);
			clients[i].fd = -1;
		}
	}
}

static int serve(struct sim_card *card, const struct front_arguments *arguments, char *error, size_t error_size)
{
	struct pollfd awaited[1 + MAX_CLIENTS]; /* the listener first */

	if (arguments->socket == NULL) {
		snprintf(error, error_size, "--front=bar needs --socket=PATH");
		return -1;
	}
	for (size_t i = 0; i < 1 + MAX_CLIENTS; i++)
		awaited[i] = (struct pollfd){.fd = -1, .events = POLLIN};
	awaited[0].fd = listen_at(arguments->socket, error, error_size);
	if (awaited[0].fd < 0)
		return -1;
	for (;;) {
		int wait_ms = sim_card_idle(card);

		if (wait_ms < 0)
			break;
		if (poll(awaited, 1 + MAX_CLIENTS, wait_ms) <= 0)
			continue;
		answer_all(card, awaited + 1);
		if (awaited[0].revents != 0)
			take_client(awaited[0].fd, awaited + 1);
	}
	snprintf(error, error_size, "%s", sim_card_error(card));
	close(awaited[0].fd);
	return -1;
}

const struct front front_bar = {.name = "bar", .serve = serve};
