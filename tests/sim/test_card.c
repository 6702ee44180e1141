// SPDX-License-Identifier: Apache-2.0
/* The simulated card: accesses, a clock that runs by itself, and faults on purpose. Behind it is the twin. */
#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hw/regs/fpgauge_regs.h"
#include "sim/cards/sim_card.h"

static const double OT_PER_S = 12.5e9; /* 100G */

static double wall_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static struct sim_card *open_card(double clock_ratio, const char *fault)
{
	const struct fpgauge_sim_option options[] = {{"dut.model", "wire"}};
	struct sim_card_config config = {
	        .library = TWIN_LIBRARY, .options = options, .option_count = 1, .clock_ratio = clock_ratio};
	char error[256];
	struct sim_card *card;

	cr_assert(fault == NULL || sim_card_parse_fault(fault, &config.fault, error, sizeof(error)) == 0, "%s", error);
	card = sim_card_open(&config, error, sizeof(error));
	cr_assert(card != NULL, "%s", error);
	return card;
}

static uint32_t read32(struct sim_card *card, uint32_t address)
{
	uint32_t value;

	cr_assert(sim_card_read32(card, address, &value) == 0, "%s", sim_card_error(card));
	return value;
}

static uint64_t time_ot(struct sim_card *card)
{
	uint64_t low = read32(card, FPGAUGE_GLOBAL_TIME);

	return (uint64_t)read32(card, FPGAUGE_GLOBAL_TIME + 4) << 32 | low;
}

Test(card, answers_as_the_simulation_behind_it)
{
	struct sim_card *card = open_card(1, NULL);

	cr_expect_str_eq(sim_card_name(card), "twin");
	cr_expect(read32(card, FPGAUGE_GLOBAL_ID) == FPGAUGE_MAP_ID);
	cr_expect(read32(card, FPGAUGE_GLOBAL_MAP_HASH) == FPGAUGE_MAP_HASH);
	cr_expect(sim_card_write32(card, FPGAUGE_GLOBAL_SCRATCH, 0xdeadbeef) == 0);
	cr_expect(read32(card, FPGAUGE_GLOBAL_SCRATCH) == 0xdeadbeef);
	sim_card_close(card);
}

Test(card, a_register_that_is_not_there_reads_all_ones_and_says_why)
{
	struct sim_card *card = open_card(1, NULL);
	uint32_t value = 0;

	cr_expect(sim_card_read32(card, FPGAUGE_MAP_OCTETS, &value) == -1 && value == UINT32_MAX);
	cr_expect(strstr(sim_card_error(card), "0x20000") != NULL, "%s", sim_card_error(card));
	cr_expect(sim_card_write32(card, FPGAUGE_MAP_OCTETS, 1) == -1);
	cr_expect(read32(card, FPGAUGE_GLOBAL_ID) == FPGAUGE_MAP_ID); /* and life goes on */
	sim_card_close(card);
}

Test(card, its_clock_runs_by_itself_at_the_ratio_of_the_wall_clock)
{
	const double ratio = 50, asked_s = 0.02;
	double before_s = wall_s(), opened_s, end_s;
	struct sim_card *card = open_card(ratio, NULL);
	const struct timespec pause = {.tv_nsec = 1000000};
	uint64_t begin, passed;

	opened_s = wall_s();
	begin = time_ot(card);
	while (wall_s() < opened_s + asked_s)
		if (sim_card_idle(card) > 0)
			nanosleep(&pause, NULL);
	while (sim_card_idle(card) == 0)
		;
	end_s = wall_s();
	passed = time_ot(card) - begin;
	/* An access takes some device time too: a few clocks. */
	cr_expect((double)passed <= (end_s - before_s) * ratio * OT_PER_S + 1e5, "%g s", (double)passed / OT_PER_S);
	cr_expect((double)passed >= asked_s * ratio * OT_PER_S * 0.9, "%g s", (double)passed / OT_PER_S);
	sim_card_close(card);
}

Test(card, its_clock_runs_while_the_host_asks_without_pause)
{
	struct sim_card *card = open_card(100, NULL);
	uint64_t begin = time_ot(card);
	double give_up_s = wall_s() + 120;

	while (time_ot(card) - begin < (uint64_t)(OT_PER_S / 10))
		cr_assert(wall_s() < give_up_s, "the clock stands");
	sim_card_close(card);
}

Test(card, is_gone_from_the_access_that_the_fault_names)
{
	struct sim_card *card = open_card(1, "gone,at=2");

	cr_expect(read32(card, FPGAUGE_GLOBAL_ID) == FPGAUGE_MAP_ID);
	cr_expect(read32(card, FPGAUGE_GLOBAL_PORTS) == 2);
	cr_expect(read32(card, FPGAUGE_GLOBAL_ID) == UINT32_MAX);
	cr_expect(sim_card_write32(card, FPGAUGE_GLOBAL_SCRATCH, 1) == 0);
	cr_expect(read32(card, FPGAUGE_GLOBAL_SCRATCH) == UINT32_MAX);
	sim_card_close(card);
}

Test(card, a_fault_can_wait_for_the_start_of_a_trial)
{
	struct sim_card *card = open_card(1, "gone,starts=2,at=1");

	for (int start = 0; start < 2; start++) {
		cr_expect(read32(card, FPGAUGE_GLOBAL_ID) == FPGAUGE_MAP_ID);
		cr_assert(sim_card_write32(card, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START) == 0);
	}
	cr_expect(read32(card, FPGAUGE_GLOBAL_ID) == FPGAUGE_MAP_ID);
	cr_expect(read32(card, FPGAUGE_GLOBAL_ID) == UINT32_MAX);
	sim_card_close(card);
}

Test(card, lies_about_the_one_register_that_the_fault_is_of)
{
	static const struct {
		const char *fault;
		uint32_t address, mask, truth;
	} rows[] = {
	        {"stuck-busy", FPGAUGE_GLOBAL_STATUS, FPGAUGE_GLOBAL_STATUS_SENDING, 0},
	        {"wrong-id", FPGAUGE_GLOBAL_ID, UINT32_MAX, FPGAUGE_MAP_ID},
	        {"wrong-version", FPGAUGE_GLOBAL_MAP_VERSION, UINT32_MAX, FPGAUGE_MAP_VERSION},
	        {"wrong-hash", FPGAUGE_GLOBAL_MAP_HASH, UINT32_MAX, FPGAUGE_MAP_HASH},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sim_card *card = open_card(1, rows[i].fault);

		cr_expect((read32(card, rows[i].address) & rows[i].mask) != rows[i].truth, "%s", rows[i].fault);
		for (size_t other = 0; other < sizeof(rows) / sizeof(rows[0]); other++)
			if (other != i)
				cr_expect((read32(card, rows[other].address) & rows[other].mask) == rows[other].truth,
				          "%s", rows[i].fault);
		sim_card_close(card);
	}
}

Test(card, a_stopped_clock_stands_still)
{
	struct sim_card *card = open_card(1000, "stopped-clock");
	uint64_t begin = time_ot(card);
	double end_s = wall_s() + 0.01;

	while (wall_s() < end_s)
		sim_card_idle(card);
	cr_expect(time_ot(card) == begin);
	sim_card_close(card);
}

Test(card, a_fault_can_kill_the_process, .signal = SIGKILL)
{
	struct sim_card *card = open_card(1, "die,at=1");

	read32(card, FPGAUGE_GLOBAL_ID);
	read32(card, FPGAUGE_GLOBAL_ID);
}

Test(card, a_fault_can_leave_the_host_without_an_answer, .signal = SIGALRM)
{
	struct sim_card *card = open_card(1, "hang");

	alarm(1);
	read32(card, FPGAUGE_GLOBAL_ID);
}

Test(card, refuses_what_is_no_fault)
{
	static const char *const wrong[] = {
	        "", "gon", "gone,", "gone,at=", "gone,at=1x", "gone,at", "gone at=1", "gone,start=1"};
	struct sim_card_fault fault;
	char error[256];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		error[0] = '\0';
		cr_expect(sim_card_parse_fault(wrong[i], &fault, error, sizeof(error)) == -1, "%s", wrong[i]);
		cr_expect(strstr(error, "must") != NULL, "%s: %s", wrong[i], error);
	}
}

Test(card, refuses_a_setting_in_the_words_of_the_simulation)
{
	const struct fpgauge_sim_option options[] = {{"dut.model", "wood"}};
	struct sim_card_config config = {
	        .library = TWIN_LIBRARY, .options = options, .option_count = 1, .clock_ratio = 1};
	char error[256];

	cr_expect(sim_card_open(&config, error, sizeof(error)) == NULL);
	cr_expect(strstr(error, "dut.model = wood") != NULL || strstr(error, "dut.model = \"wood\"") != NULL, "%s",
	          error);
	config.option_count = 0;
	config.library = "/nonexistent/library.so";
	cr_expect(sim_card_open(&config, error, sizeof(error)) == NULL);
	cr_expect(strstr(error, "/nonexistent/library.so") != NULL, "%s", error);
}
