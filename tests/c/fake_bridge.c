/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in for fpgauge-xrt-bridge and does what XRT may do to a process. FAKE_BRIDGE in the environment says what, and
 * after how many accesses: "abort 3"; or instead of loading: "load abort". Registers are words of memory; accesses to
 * those at 0xf... get bad answers. */
#include <inttypes.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "drivers/xrt_bridge.h"
#include "hw/regs/fpgauge_regs.h"

enum { WORDS = 0x1000 / 4 };

static void say(int failed, uint32_t value, const char *text)
{
	struct xrt_bridge_answer answer = {.failed = failed, .value = value};

	snprintf(answer.text, sizeof(answer.text), "%s", text);
	send(XRT_BRIDGE_FD, &answer, offsetof(struct xrt_bridge_answer, text) + strlen(answer.text) + 1, MSG_NOSIGNAL);
}

/* Long enough to be taken for a process that hangs. */
static void work(void)
{
	struct timespec now, began;

	clock_gettime(CLOCK_MONOTONIC, &began);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while (now.tv_sec - began.tv_sec < 4);
}

static void misbehave(const char *what)
{
	if (strncmp(what, "work", 4) == 0)
		work();
	if (strncmp(what, "child works", 11) == 0) {
		pid_t child = fork();

		if (child == 0) {
			work();
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	while (strncmp(what, "spin", 4) == 0)
		;
	if (strncmp(what, "exit", 4) == 0)
		exit(7);
	if (strncmp(what, "abort", 5) == 0)
		abort();
	if (strncmp(what, "group", 5) == 0)
		kill(0, SIGTERM);
	while (strncmp(what, "hang", 4) == 0)
		pause();
	if (strncmp(what, "short", 5) == 0)
		send(XRT_BRIDGE_FD, "x", 1, MSG_NOSIGNAL);
	if (strncmp(what, "throw", 5) == 0)
		say(-1, 0, "std::bad_alloc");
	if (strncmp(what, "print", 5) == 0) {
		printf("first line\nERROR: the card is on fire\n\n");
		fflush(stdout);
		raise(SIGKILL);
	}
}

/* Records that a bitstream was loaded, by creating the file that FAKE_BRIDGE_LOADED names. */
static void note_load(void)
{
	const char *path = getenv("FAKE_BRIDGE_LOADED");
	FILE *file = path != NULL ? fopen(path, "w") : NULL;

	if (file != NULL)
		fclose(file);
}

/* Three of them, one with a name that would spoil a terminal and a line of JSON; with "sensors ...", that text in the
 * place of the third. */
static void say_sensor(const char *what, uint32_t number)
{
	static const char *const sensors[] = {"C 41 FPGA", "C 36.5 PCB\033\377 Top", "W 23.25 power"};

	if (number == 2 && strncmp(what, "sensors ", 8) == 0)
		say(0, 1, what + 8);
	else
		say(0, number < 3, number < 3 ? sensors[number] : "");
}

static void serve(const char *what)
{
	static uint32_t registers[WORDS];
	const char *number = strpbrk(what, "0123456789");
	long left = number != NULL ? atol(number) : -1;
	struct xrt_bridge_request request;

	registers[FPGAUGE_GLOBAL_ID / 4] = FPGAUGE_MAP_ID;
	registers[FPGAUGE_GLOBAL_MAP_VERSION / 4] = FPGAUGE_MAP_VERSION;
	registers[FPGAUGE_GLOBAL_MAP_HASH / 4] = FPGAUGE_MAP_HASH;
	registers[FPGAUGE_GLOBAL_PORTS / 4] = 2;
	registers[FPGAUGE_GLOBAL_GROUPS / 4] = 8;
	registers[FPGAUGE_GLOBAL_CLOCK_HZ / 4] = 195312500;
	registers[FPGAUGE_GLOBAL_FLOWS / 4] = 256;
	registers[FPGAUGE_GLOBAL_HISTOGRAM_BINS / 4] = 1024;
	registers[FPGAUGE_GLOBAL_SENDS / 4] = 7;
	printf("what XRT always prints\n");
	fflush(stdout);
	say(0, 0, getenv("FAKE_BRIDGE_CARD") != NULL ? getenv("FAKE_BRIDGE_CARD") : "0000:3b:00.1");
	while (recv(XRT_BRIDGE_FD, &request, sizeof(request), 0) == (ssize_t)sizeof(request)) {
		uint32_t *word = &registers[request.address / 4 % WORDS];

		if (request.operation == XRT_BRIDGE_LOAD) {
			if (strncmp(what, "load ", 5) == 0)
				misbehave(what + 5);
			note_load();
			say(0, 0, "");
			continue;
		}
		if (left-- == 0)
			misbehave(what);
		if (request.operation == XRT_BRIDGE_SENSOR) {
			say_sensor(what, request.value);
			continue;
		}
		if (request.operation == XRT_BRIDGE_WRITE32)
			*word = request.value;
		say(0, strncmp(what, "asleep", 6) == 0 && left >= 0 ? UINT32_MAX : *word, "");
	}
}

int main(int argc, char **argv)
{
	const char *what = getenv("FAKE_BRIDGE");

	what = what != NULL ? what : "";
	if (argc == 2 && strcmp(argv[1], "list") == 0) {
		say(0, 1,
		    "0000:3b:00.1\nxilinx_u55c_gen3x16_xdma_base_3\n"
		    "12345678-9abc-def0-1234-56789abcdef0\nfpgauge:fpgauge_0");
		say(0, 1, "0000:5e:00.1\nxilinx_u30_gen3x4_base_2\n12345678-9abc-def0-1234-56789abcdef0\nvadd:vadd_1");
		say(0, 1, "0000:5f:00.1\nxilinx_u50_gen3x16_xdma_base_5\n00000000-0000-0000-0000-000000000000\n");
		say(0, 1, "1");
		if (strncmp(what, "exit", 4) == 0)
			return 7;
		say(0, 0, "");
		return 0;
	}
	if (argc != 5 || strcmp(argv[1], "open") != 0)
		return 2;
	if (strcmp(what, "refuse") == 0)
		say(-1, 0, "the card does not want to");
	else if (strcmp(what, "arguments") == 0)
		say(-1, 0, argv[2]);
	else
		serve(what);
	return 0;
}
