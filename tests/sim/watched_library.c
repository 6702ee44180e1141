// SPDX-License-Identifier: Apache-2.0
/* A simulation library that is another one, named by FPGAUGE_WATCHED_LIBRARY. It keeps the time of every start and
 * counts writes, all and those before the last start: so a test knows when frames left, of trials and of what comes
 * before them, and what was written for that. */
#include <dlfcn.h>
#include <stdlib.h>

#include "drivers/sim_abi.h"
#include "hw/regs/fpgauge_regs.h"

enum { MOST_STARTS = 64 };

uint64_t watched_starts[MOST_STARTS];
unsigned watched_start_count;
uint64_t watched_writes, watched_writes_to_start;

static struct fpgauge_sim_api api;
static const struct fpgauge_sim_api *watched;

static int write32(struct fpgauge_sim *sim, uint32_t address, uint32_t value)
{
	const int status = watched->write32(sim, address, value);
	uint32_t low = 0, high = 0;

	watched_writes++;
	if (status != 0 || address != FPGAUGE_GLOBAL_CONTROL || !(value & FPGAUGE_GLOBAL_CONTROL_START))
		return status;
	watched_writes_to_start = watched_writes;
	if (watched_start_count == MOST_STARTS)
		return status;
	watched->wait(sim, 64);
	watched->read32(sim, FPGAUGE_GLOBAL_START_TIME, &low);
	watched->read32(sim, FPGAUGE_GLOBAL_START_TIME + 4, &high);
	watched_starts[watched_start_count++] = (uint64_t)high << 32 | low;
	return status;
}

const struct fpgauge_sim_api *fpgauge_sim_entry(void)
{
	const char *path = getenv("FPGAUGE_WATCHED_LIBRARY");
	void *library = path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	const struct fpgauge_sim_api *(*entry)(void);

	if (library == NULL)
		return NULL;
	*(void **)&entry = dlsym(library, "fpgauge_sim_entry");
	if (entry == NULL)
		return NULL;
	watched = entry();
	api = *watched;
	api.write32 = write32;
	return &api;
}
