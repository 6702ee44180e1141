// SPDX-License-Identifier: Apache-2.0
/* Waiting by the device's clock. The wall clock only decides how long to sleep between polls, and when to give up. */
#include "drivers/card_time.h"

#include <inttypes.h>

#include "host/base/clock.h"
#include "hw/regs/fpgauge_regs.h"

enum {
	SHORTEST_SLEEP_NS = 20000, /* the kernel's timer (50 us slack) costs more than a poll below this */
	LONGEST_SLEEP_NS = 5000000,
	/* A program that was stopped for a while (SIGSTOP, a debugger) sees much wall time between two polls, so only
	 * many polls with the same value mean that the clock has stopped. */
	STILL_LOOKS = 50,
	/* The high word changes every 0.34 s at 100G, and a poll is two accesses of a microsecond each. */
	MOST_CLOCK_LOOKS = 100,
};

struct waiting {
	uint64_t began_ot, last_ot;
	int64_t began_ns, moved_ns; /* moved: when last_ot was first seen */
	unsigned still_looks;
	int64_t sleep_ns; /* the next sleep, if there is that much left to wait for */
};

/* A read of the low word latches the high word for the next read (docs/registers.md), whichever program makes it. So
 * the high word that is read is as old as the last read of the low word by any program, and a low and a high word alone
 * may belong to different times. Hence high, low, high: the first high word is from before the low word, the second
 * from the same time or later. If they are equal, the high word did not change in between, and all three belong
 * together. */
int device_read_clock(struct device *device, struct device_clock *clock, struct error *error)
{
	uint32_t before, low = 0, high = 0;
	int status = device_read32(device, FPGAUGE_GLOBAL_TIME + 4, &high, error);

	for (unsigned looks = 0; status == 0; looks++) {
		before = high;
		clock->before_s = clock_raw_s();
		status = device_read32(device, FPGAUGE_GLOBAL_TIME, &low, error);
		clock->after_s = clock_raw_s();
		if (status == 0)
			status = device_read32(device, FPGAUGE_GLOBAL_TIME + 4, &high, error);
		/* A simulated card that runs a thousand times too fast changes its high word between any two polls.
		 * Nobody else reads it, so the high word that the low word latched is right. */
		if (high == before || looks == MOST_CLOCK_LOOKS)
			break;
	}
	clock->octet_times = (uint64_t)high << 32 | low;
	return status;
}

int card_now(struct device *device, uint64_t *octet_times, struct error *error)
{
	struct device_clock clock = {0};
	int status = device_read_clock(device, &clock, error);

	*octet_times = clock.octet_times;
	return status;
}

/* How long octet times take on a card that keeps up with its link; at most LONGEST_SLEEP_NS. */
static int64_t nominal_ns(const struct device *device, uint64_t octet_times)
{
	double link_bps = (double)device_identity(device)->link_bps;
	double ns = link_bps > 0 ? (double)octet_times * 8e9 / link_bps : 0;

	return ns < LONGEST_SLEEP_NS ? (int64_t)ns : LONGEST_SLEEP_NS;
}

static int look(struct device *device, struct waiting *waiting, struct error *error)
{
	const char *name = device_identity(device)->name;
	uint64_t now_ot;
	int64_t now_ns;
	int status = card_now(device, &now_ot, error);

	if (status != 0)
		return status;
	now_ns = clock_ns();
	if (now_ot < waiting->last_ot)
		return error_set(error, ERROR_DEVICE,
		                 "%s: its clock went back from %" PRIu64 " to %" PRIu64
		                 " octet times: the card was reset",
		                 name, waiting->last_ot, now_ot);
	if (now_ot > waiting->last_ot) {
		waiting->last_ot = now_ot;
		waiting->moved_ns = now_ns;
		waiting->still_looks = 0;
	} else if (++waiting->still_looks >= STILL_LOOKS && now_ns - waiting->moved_ns >= CARD_STILL_NS) {
		return error_set(error, ERROR_DEVICE,
		                 "%s: its clock stands still at %" PRIu64 " octet times, for %.1f s", name, now_ot,
		                 (double)(now_ns - waiting->moved_ns) * 1e-9);
	}
	return 0;
}

/* Sleeps grow, so that short waits are not overslept and long ones cost few polls. A card that keeps up with its link
 * is never overslept by more than the timer's slack; one that proved slower is polled less and less often. */
static void sleep_towards(const struct device *device, struct waiting *waiting, uint64_t octet_times)
{
	uint64_t left_ot = octet_times - (waiting->last_ot - waiting->began_ot);
	bool is_late = clock_ns() - waiting->began_ns > 2 * nominal_ns(device, octet_times) + SHORTEST_SLEEP_NS;
	int64_t left_ns = is_late ? LONGEST_SLEEP_NS : nominal_ns(device, left_ot);
	int64_t next_ns = left_ns < waiting->sleep_ns ? left_ns : waiting->sleep_ns;

	if (next_ns < SHORTEST_SLEEP_NS)
		return;
	clock_sleep_ns(next_ns); /* a signal ends it early, and the loop polls again */
	waiting->sleep_ns = 2 * waiting->sleep_ns < LONGEST_SLEEP_NS ? 2 * waiting->sleep_ns : LONGEST_SLEEP_NS;
}

int card_wait(struct device *device, uint64_t octet_times, struct error *error)
{
	struct waiting waiting = {.sleep_ns = SHORTEST_SLEEP_NS};
	int status;

	if (octet_times == 0)
		return 0;
	status = card_now(device, &waiting.began_ot, error);
	if (status != 0)
		return status;
	waiting.last_ot = waiting.began_ot;
	waiting.began_ns = waiting.moved_ns = clock_ns();
	while (waiting.last_ot - waiting.began_ot < octet_times) {
		sleep_towards(device, &waiting, octet_times);
		status = look(device, &waiting, error);
		if (status != 0)
			return status;
	}
	return 0;
}
