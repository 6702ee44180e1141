/* SPDX-License-Identifier: Apache-2.0 */
/* Random scripts: a device under test made of random models, and one to three random trials on it. */
#ifndef FPGAUGE_TESTS_DIFFERENTIAL_GENERATE_H
#define FPGAUGE_TESTS_DIFFERENTIAL_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/differential/random.h"
#include "tests/differential/script.h"

enum {
	GENERATE_MOST_PORTS = 16,
	GENERATE_STOPPED_OT = 20000, /* wait after a stop: the longest frame has left the transmitter */
};

/* The recipe of a script. The same recipe always gives the same script. */
struct recipe {
	uint64_t seed;
	unsigned ports; /* ports of the device; even */
	unsigned scale; /* 1 is cheap enough for thousands of trials in simulated RTL; n sends n times as much */
	bool switches;  /* the device under test is a switch; else pairs of ports go through models */
	bool routers;   /* it is a router */
	bool mails;     /* unexpected frames are kept for the host */
	bool tcp;       /* ports have TCP connections, on devices that do */
};

void generate_script(const struct recipe *recipe, struct script *script);

/* The part that makes the device: options dut.* */
void generate_dut(struct random *random, struct script *script);
void generate_switch(struct random *random, struct script *script);
void generate_router(struct random *random, struct script *script);

/* generate_script() of a recipe with tcp. */
void generate_tcp_script(const struct recipe *recipe, struct script *script);

/* Every address of the register space is read, written and read again, in random order. */
void generate_every_address(struct random *random, struct script *script);

#endif
