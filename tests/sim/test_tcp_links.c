// SPDX-License-Identifier: Apache-2.0
// Thousands of random links: whatever they lose, double and reorder, each stream is delivered once and in order, and
// the observer of tcp_link.c finds neither end to send what it may not.
#include "tests/seed.h"
#include "tests/sim/tcp_link.h"
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static struct tcp_link tcp_link;

static uint32_t draw(uint64_t *random, uint32_t low, uint32_t high)
{
	return low + (uint32_t)(splitmix64(random) % (high - low + 1));
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static void draw_settings(struct tcp_settings *settings, uint64_t *random)
{
	static const uint16_t most[] = {9, 1460, 1460, 9000};
	settings->mss = (uint16_t)draw(random, 1, most[draw(random, 0, 3)]);
	settings->scale = (uint8_t)draw(random, 0, 14);
	settings->use_scale = draw(random, 0, 3) != 0;
	settings->window = draw(random, 1, draw(random, 0, 1) ? 65535 : 300)
	                   << (settings->use_scale ? draw(random, 0, settings->scale) : 0);
	settings->window = (settings->window >> settings->scale ? settings->window >> settings->scale : 1)
	                   << settings->scale;
	settings->ack_every = (uint8_t)draw(random, 1, 3);
	settings->initial_segments = (uint8_t)draw(random, 0, 12);
	settings->rto_min = draw(random, 0, 1) ? 1000 : draw(random, 3, 200000);
	settings->rto_initial = draw(random, 1000, 1000000);
	settings->rto_max = draw(random, 2000, 2000000);
}

static void play(uint64_t seed)
{
	uint64_t random = seed;
	struct tcp_link *link = &tcp_link;
	tcp_link_init(link, seed ^ 0x5555);
	for (int i = 0; i < 2; i++)
		draw_settings(&link->settings[i], &random);
	link->delay = draw(&random, 1, 500);
	link->jitter = draw(&random, 0, 1) ? 0 : draw(&random, 1, 400);
	link->loss = draw(&random, 0, 3) ? draw(&random, 0, 60) : draw(&random, 60, 250);
	link->doubles = draw(&random, 0, 1) ? 0 : draw(&random, 1, 200);
	link->busy = draw(&random, 0, 1) ? 0 : draw(&random, 1, 500);
	uint32_t most = 100 * least(link->settings[0].mss, link->settings[1].mss);
	most = least(most,
	             100 * least(link->settings[0].window, link->settings[1].window)); // a window takes a round trip
	uint32_t iss = draw(&random, 0, 1) ? 0u - draw(&random, 1, most) : draw(&random, 0, UINT32_MAX - 1);
	tcp_link_open(link, iss, draw(&random, 0, most), draw(&random, 0, UINT32_MAX - 1),
	              draw(&random, 0, 1) ? 0 : draw(&random, 1, most));
	int first = (int)draw(&random, 0, 1);
	tcp_link_run(link, draw(&random, 0, 200000));
	if (link->end[0].state >= TCP_ESTABLISHED && link->end[1].state >= TCP_ESTABLISHED && draw(&random, 0, 1))
		tcp_link_close(link, first), first = !first;
	tcp_link_deliver(link, 2000000000);
	tcp_link_close(link, first);
	tcp_link_close(link, !first);
	link->loss = link->loss > 60 ? 60 : link->loss;
	if (tcp_link_run(link, 1000000000))
		cr_assert_fail("it is not over");
	for (int i = 0; i < 2; i++)
		cr_assert_eq(link->end[i].state, TCP_CLOSED, "end %d: state %u", i, link->end[i].state);
	tcp_link_free(link);
}

Test(tcp_links, every_octet_is_delivered_once_and_in_order)
{
	const uint64_t first = test_seed();

	for (uint64_t seed = first; seed < first + 20000; seed++)
		play(seed);
}
