// SPDX-License-Identifier: Apache-2.0
/* The simulated card, whatever its front: the library, its clock and its faults. */
#include "sim/cards/sim_card.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drivers/sim_library.h"
#include "host/base/clock.h"
#include "hw/regs/fpgauge_regs.h"

enum {
	FIRST_SLICE_OT = 4096,
	NEXT_LOOK_MS = 1, /* how long a front may wait: resolution of the card's clock without requests */
};

static const double SHORT_SLICE_S = 0.0005, LONG_SLICE_S = 0.001;
/* A host that sends requests without pause must neither stop the card's clock nor see it leap. */
static const double LONGEST_WITHOUT_IDLE_S = 0.00005;

struct sim_card {
	struct sim_library library;
	struct fpgauge_sim *sim;
	double ot_per_wall_s; /* at most */
	double begin_s, idle_s;
	uint64_t begin_ot;
	uint64_t slice_ot;
	uint64_t starts;
	uint64_t accesses; /* accesses since the trial start after which the fault may occur */
	struct sim_card_fault fault;
	const char *fault_file;
	uint64_t stopped_ot; /* time that the register reads forever; 0: it runs */
	bool broken;         /* the simulation failed while time passed: no more answers */
	char error[512];
};

/* -- opening ----------------------------------------------------------------------------------------------------- */

static int start(struct sim_card *card, const struct sim_card_config *config, char *error, size_t error_size)
{
	const struct fpgauge_sim_api *api = card->library.api;
	const char *bad = NULL;
	char text[256] = "";
	uint32_t groups, clock_hz;

	card->sim = api->open(config->options, config->option_count, &bad, text, sizeof(text));
	if (card->sim == NULL) {
		snprintf(error, error_size, "%s%s%s", bad ? bad : api->name, bad ? " = " : ": ", text);
		return -1;
	}
	if (api->read32(card->sim, FPGAUGE_GLOBAL_GROUPS, &groups) != 0 ||
	    api->read32(card->sim, FPGAUGE_GLOBAL_CLOCK_HZ, &clock_hz) != 0) {
		snprintf(error, error_size, "%s: %s", api->name, api->error_text(card->sim));
		return -1;
	}
	/* A group is 8 octets. */
	card->ot_per_wall_s = config->clock_ratio * 8.0 * groups * clock_hz;
	card->begin_ot = api->now(card->sim);
	card->begin_s = card->idle_s = clock_s();
	card->slice_ot = FIRST_SLICE_OT;
	card->fault = config->fault;
	card->fault_file = config->fault_file;
	return 0;
}

struct sim_card *sim_card_open(const struct sim_card_config *config, char *error, size_t error_size)
{
	const struct device_config where = {.library = config->library};
	struct sim_card *card = calloc(1, sizeof(*card));
	char path[PATH_MAX];
	const char *option; /* would name the option of a number of ports, which is not asked for here */
	struct error why;

	if (card == NULL) {
		snprintf(error, error_size, "out of memory");
		return NULL;
	}
	if (sim_library_find(&where, path, &option, &why) != 0 || sim_library_load(path, &card->library, &why) != 0) {
		snprintf(error, error_size, "%s", why.text);
		sim_card_close(card);
		return NULL;
	}
	if (start(card, config, error, error_size) != 0) {
		sim_card_close(card);
		return NULL;
	}
	return card;
}

void sim_card_close(struct sim_card *card)
{
	if (card == NULL)
		return;
	if (card->sim != NULL)
		card->library.api->close(card->sim);
	sim_library_unload(&card->library);
	free(card);
}

const char *sim_card_name(const struct sim_card *card)
{
	return card->library.api->name;
}

const char *sim_card_error(const struct sim_card *card)
{
	return card->error;
}

/* -- faults ------------------------------------------------------------------------------------------------------ */

int sim_card_parse_fault(const char *text, struct sim_card_fault *fault, char *error, size_t error_size)
{
	static const char *const names[] = {
	        [SIM_CARD_FAULT_NONE] = "none",
	        [SIM_CARD_FAULT_GONE] = "gone",
	        [SIM_CARD_FAULT_STUCK_BUSY] = "stuck-busy",
	        [SIM_CARD_FAULT_STOPPED_CLOCK] = "stopped-clock",
	        [SIM_CARD_FAULT_WRONG_ID] = "wrong-id",
	        [SIM_CARD_FAULT_WRONG_VERSION] = "wrong-version",
	        [SIM_CARD_FAULT_WRONG_HASH] = "wrong-hash",
	        [SIM_CARD_FAULT_PLAIN_MAC] = "plain-mac",
	        [SIM_CARD_FAULT_DIE] = "die",
	        [SIM_CARD_FAULT_HANG] = "hang",
	};
	size_t length = strcspn(text, ",");

	*fault = (struct sim_card_fault){0};
	for (const char *rest = text + length; *rest != '\0';) {
		uint64_t number;
		int end = 0;

		if (sscanf(rest, ",at=%" SCNu64 "%n", &number, &end) == 1)
			fault->at_access = number;
		else if (sscanf(rest, ",starts=%" SCNu64 "%n", &number, &end) == 1)
			fault->after_starts = number;
		if (end == 0) {
			snprintf(error, error_size, "%s: a comma must be followed by at=NUMBER or starts=NUMBER", text);
			return -1;
		}
		rest += end;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i]) == length && strncmp(names[i], text, length) == 0) {
			fault->kind = (enum sim_card_fault_kind)i;
			return 0;
		}
	}
	snprintf(error, error_size,
	         "%.*s: must be gone, stuck-busy, stopped-clock, wrong-id, wrong-version, wrong-hash, plain-mac, die, "
	         "hang or none",
	         (int)length, text);
	return -1;
}

/* The value that a read returns with the fault. */
static uint32_t falsify(struct sim_card *card, enum sim_card_fault_kind fault, uint32_t address, uint32_t value)
{
	if (fault == SIM_CARD_FAULT_STUCK_BUSY && address == FPGAUGE_GLOBAL_STATUS)
		return value | FPGAUGE_GLOBAL_STATUS_SENDING;
	if ((fault == SIM_CARD_FAULT_WRONG_ID && address == FPGAUGE_GLOBAL_ID) ||
	    (fault == SIM_CARD_FAULT_WRONG_VERSION && address == FPGAUGE_GLOBAL_MAP_VERSION) ||
	    (fault == SIM_CARD_FAULT_WRONG_HASH && address == FPGAUGE_GLOBAL_MAP_HASH))
		return value ^ 0x1000;
	if (fault == SIM_CARD_FAULT_PLAIN_MAC && address == FPGAUGE_GLOBAL_SENDS)
		return 0;
	if (fault == SIM_CARD_FAULT_STOPPED_CLOCK &&
	    (address == FPGAUGE_GLOBAL_TIME || address == FPGAUGE_GLOBAL_TIME + 4)) {
		if (card->stopped_ot == 0)
			card->stopped_ot = card->library.api->now(card->sim);
		return (uint32_t)(address == FPGAUGE_GLOBAL_TIME ? card->stopped_ot : card->stopped_ot >> 32);
	}
	return value;
}

/* Creates the fault file, once. */
static void note_fault(struct sim_card *card)
{
	int fd = card->fault_file != NULL ? open(card->fault_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644) : -1;

	if (fd >= 0)
		close(fd);
	card->fault_file = NULL;
}

/* Counts an access and returns the fault that applies to it. */
static enum sim_card_fault_kind next_access(struct sim_card *card)
{
	bool faulty = card->starts >= card->fault.after_starts && card->accesses++ >= card->fault.at_access;
	enum sim_card_fault_kind fault = faulty ? card->fault.kind : SIM_CARD_FAULT_NONE;

	if (fault != SIM_CARD_FAULT_NONE)
		note_fault(card);
	if (fault == SIM_CARD_FAULT_DIE)
		raise(SIGKILL);
	while (fault == SIM_CARD_FAULT_HANG)
		pause();
	if (clock_s() - card->idle_s > LONGEST_WITHOUT_IDLE_S)
		sim_card_idle(card);
	return card->broken ? SIM_CARD_FAULT_GONE : fault;
}

/* -- accesses and time ------------------------------------------------------------------------------------------- */

static int failed(struct sim_card *card)
{
	snprintf(card->error, sizeof(card->error), "%s: %s", card->library.api->name,
	         card->library.api->error_text(card->sim));
	return -1;
}

int sim_card_read32(struct sim_card *card, uint32_t address, uint32_t *value)
{
	enum sim_card_fault_kind fault = next_access(card);

	*value = UINT32_MAX;
	if (fault == SIM_CARD_FAULT_GONE)
		return 0;
	if (card->library.api->read32(card->sim, address, value) != 0) {
		*value = UINT32_MAX;
		return failed(card);
	}
	*value = falsify(card, fault, address, *value);
	return 0;
}

int sim_card_write32(struct sim_card *card, uint32_t address, uint32_t value)
{
	if (next_access(card) == SIM_CARD_FAULT_GONE)
		return 0;
	card->starts += address == FPGAUGE_GLOBAL_CONTROL && value & FPGAUGE_GLOBAL_CONTROL_START;
	/* Simulating what a write starts may take far longer than the idle time before it, during which slices grew:
	 * RTL would not answer for seconds. */
	card->slice_ot = FIRST_SLICE_OT;
	return card->library.api->write32(card->sim, address, value) == 0 ? 0 : failed(card);
}

int sim_card_idle(struct sim_card *card)
{
	double begin_s = clock_s(), took_s;
	double due_ot = (begin_s - card->begin_s) * card->ot_per_wall_s;
	uint64_t passed_ot = card->library.api->now(card->sim) - card->begin_ot;
	uint64_t step_ot;
	bool behind;

	card->idle_s = begin_s;
	if (card->broken)
		return -1;
	if (due_ot < (double)passed_ot + 1)
		return NEXT_LOOK_MS;
	step_ot = (uint64_t)(due_ot - (double)passed_ot);
	behind = step_ot > card->slice_ot;
	if (behind)
		step_ot = card->slice_ot;
	if (card->library.api->wait(card->sim, step_ot) != 0) {
		card->broken = true;
		return failed(card);
	}
	card->idle_s = clock_s();
	took_s = card->idle_s - begin_s;
	if (took_s > LONG_SLICE_S && card->slice_ot > FIRST_SLICE_OT)
		card->slice_ot /= 2;
	else if (took_s < SHORT_SLICE_S && behind && card->slice_ot < UINT64_MAX / 4)
		card->slice_ot *= 2;
	return behind ? 0 : NEXT_LOOK_MS;
}
