// SPDX-License-Identifier: Apache-2.0
/* fpgauge-sim-card: one process that emulates a card, with the RTL or the twin behind every register access. */
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cards/front.h"

enum { MAX_SETTINGS = 64 };

static const struct front *const fronts[] = {
        &front_bar,
        &front_qemu,
#ifdef FPGAUGE_HAS_XRT
        &front_xrt,
#endif
};

struct arguments {
	const struct front *front;
	struct front_arguments to_front;
	struct sim_card_config card;
	struct fpgauge_sim_option settings[MAX_SETTINGS];
};

enum option_key {
	KEY_CLOCK_RATIO = 0x100,
	KEY_FAULT,
	KEY_FAULT_FILE,
	KEY_FD,
	KEY_FRONT,
	KEY_LIBRARY,
	KEY_SET,
	KEY_SOCKET
};

static const struct argp_option options[] = {
        {"front", KEY_FRONT, "NAME", 0, "where accesses come from: bar, qemu, xrt", 0},
        {"socket", KEY_SOCKET, "PATH", 0,
         "bar: the UNIX socket to listen on; xrt: to connect to, in place of XRT's own", 0},
        {"fd", KEY_FD, "N", 0, "qemu: the descriptor of an open socket", 0},
        {"library", KEY_LIBRARY, "NAME", 0, "what to simulate: rtl (default), twin, or the path of a library", 0},
        {"set", KEY_SET, "NAME=VALUE", 0, "a setting of the library, such as dut.model=fifo; may be repeated", 0},
        {"clock-ratio", KEY_CLOCK_RATIO, "R", 0, "device time runs at most R times as fast as the wall clock (1)", 0},
        {"fault-file", KEY_FAULT_FILE, "PATH", 0, "an empty file to create when the fault occurs", 0},
        {"fault", KEY_FAULT, "NAME[,starts=M][,at=N]", 0,
         "from access N (0) on, after M (0) trial starts: gone, stuck-busy, stopped-clock, wrong-id, "
         "wrong-version, wrong-hash, plain-mac, die, hang",
         0},
        {0},
};

static const struct front *find_front(const char *name)
{
	for (size_t i = 0; i < sizeof(fronts) / sizeof(fronts[0]); i++)
		if (strcmp(fronts[i]->name, name) == 0)
			return fronts[i];
	return NULL;
}

static void add_setting(struct arguments *arguments, char *text, const struct argp_state *state)
{
	char *equals = strchr(text, '=');

	if (equals == NULL || equals == text)
		argp_error(state, "--set %s: must be NAME=VALUE", text);
	if (arguments->card.option_count == MAX_SETTINGS)
		argp_error(state, "--set: at most %d", MAX_SETTINGS);
	*equals = '\0';
	arguments->settings[arguments->card.option_count++] = (struct fpgauge_sim_option){text, equals + 1};
}

static double ratio_of(const char *text, const struct argp_state *state)
{
	char *end;
	double ratio = strtod(text, &end);

	if (end == text || *end != '\0' || !isfinite(ratio) || ratio < 1e-6 || ratio > 1e6)
		argp_error(state, "--clock-ratio %s: must be 1e-6 to 1e6", text);
	return ratio;
}

static int descriptor_of(const char *text, const struct argp_state *state)
{
	char *end;
	long fd = strtol(text, &end, 10);

	if (end == text || *end != '\0' || fd < 0 || fd > 65535)
		argp_error(state, "--fd %s: must be 0 to 65535", text);
	return (int)fd;
}

static error_t take(int key, char *text, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	char error[256];

	switch (key) {
	case KEY_FRONT:
		arguments->front = find_front(text);
		if (arguments->front == NULL)
			argp_error(state, "--front %s: no such front", text);
		return 0;
	case KEY_SOCKET:
		arguments->to_front.socket = text;
		return 0;
	case KEY_FD:
		arguments->to_front.fd = descriptor_of(text, state);
		return 0;
	case KEY_LIBRARY:
		arguments->card.library = text;
		return 0;
	case KEY_SET:
		add_setting(arguments, text, state);
		return 0;
	case KEY_CLOCK_RATIO:
		arguments->card.clock_ratio = ratio_of(text, state);
		return 0;
	case KEY_FAULT_FILE:
		arguments->card.fault_file = text;
		return 0;
	case KEY_FAULT:
		if (sim_card_parse_fault(text, &arguments->card.fault, error, sizeof(error)) != 0)
			argp_error(state, "--fault %s", error);
		return 0;
	case ARGP_KEY_END:
		if (arguments->front == NULL)
			argp_error(state, "--front must be given");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
	        .options = options, .parser = take, .doc = "Emulates a card: a simulation behind a register bus."};
	struct arguments arguments = {.to_front = {.fd = -1}, .card = {.library = "rtl", .clock_ratio = 1}};
	struct sim_card *card;
	char error[512] = "";
	int status;

	arguments.card.options = arguments.settings;
	argp_parse(&argp, argc, argv, 0, NULL, &arguments);
	card = sim_card_open(&arguments.card, error, sizeof(error));
	status = card == NULL ? -1 : arguments.front->serve(card, &arguments.to_front, error, sizeof(error));
	if (status != 0)
		fprintf(stderr, "%s: %s\n", program_invocation_short_name, error);
	else if (sim_card_error(card)[0] != '\0')
		fprintf(stderr, "%s: %s\n", program_invocation_short_name, sim_card_error(card));
	if (card == NULL && arguments.front->turn_away != NULL)
		arguments.front->turn_away(&arguments.to_front);
	sim_card_close(card);
	return status != 0;
}
