/* SPDX-License-Identifier: Apache-2.0 */
#include "host/bench/rfc8239/buffer_places.h"

/* The load without oversubscription, 99.98% of line rate (RFC 8239 sections 2.2 and 3.2). */
enum { LOAD_PART = 9998, LOAD_OF = 10000 };

static unsigned of_positions(unsigned ports, unsigned positions)
{
	return positions && positions < ports ? positions : ports;
}

static void add_queue(struct buffer_place *place, struct buffer_queue queue)
{
	port_plan_add(&place->plan, queue.extra, queue.egress);
	place->sharing |= 1u << queue.extra;
	place->queue[place->queues++] = queue;
}

static struct buffer_share of_one(const struct quantity *oversubscription, unsigned ports)
{
	(void)ports;
	return (struct buffer_share){oversubscription->numerator, oversubscription->denominator};
}

static struct buffer_place one_egress_port(unsigned ports, unsigned number)
{
	const struct buffer_queue queue = {
	        .ingress = number, .egress = (number + 1) % ports, .extra = (number + 2) % ports};
	struct buffer_place place = {.plan = {.ports = ports}};

	port_plan_add(&place.plan, queue.ingress, queue.egress);
	add_queue(&place, queue);
	return place;
}

const struct buffer_procedure ONE_EGRESS_PORT = {.places = of_positions, .place = one_egress_port, .share = of_one};

/* Pairs that are next to each other. */
static unsigned neighbours(unsigned ports)
{
	return (ports - 2) / 2 - 1;
}

static unsigned pair_places(unsigned ports, unsigned positions)
{
	return neighbours(ports) * of_positions(ports, positions);
}

static struct buffer_place port_pairs(unsigned ports, unsigned number)
{
	const unsigned first = number % neighbours(ports), by = number / neighbours(ports);
	struct buffer_place place = {.plan = {.ports = ports}};

	for (unsigned pair = 0; pair < (ports - 2) / 2; pair++)
		port_plan_add(&place.plan, 2 * pair, 2 * pair + 1);
	for (unsigned i = 0; i < MOST_QUEUES; i++)
		add_queue(&place, (struct buffer_queue){.ingress = 2 * (first + i),
		                                        .egress = 2 * (first + i) + 1,
		                                        .extra = ports - 2 + i});
	place.plan = port_plan_shifted(&place.plan, by);
	place.sharing = 0;
	for (unsigned i = 0; i < MOST_QUEUES; i++) {
		struct buffer_queue *queue = &place.queue[i];

		*queue = (struct buffer_queue){.ingress = (queue->ingress + by) % ports,
		                               .extra = (queue->extra + by) % ports,
		                               .egress = (queue->egress + by) % ports};
		place.sharing |= 1u << queue->extra;
	}
	return place;
}

const struct buffer_procedure PORT_PAIRS = {.places = pair_places, .place = port_pairs, .share = of_one};

/* [(1/[N-1])*99.98]+[1/[N-1]] % of line rate, with 1% of oversubscription. */
static struct buffer_share of_many(const struct quantity *oversubscription, unsigned ports)
{
	const uint64_t part = oversubscription->numerator, of = oversubscription->denominator;

	return (struct buffer_share){LOAD_PART * of + LOAD_OF * part, LOAD_OF * of * (ports - 1)};
}

double many_to_one_excess(const struct quantity *oversubscription)
{
	return (double)LOAD_PART / LOAD_OF + quantity_number(oversubscription) - 1;
}

/* Queues have one ingress and one more port: any two of many equal ones. */
static struct buffer_place many_to_one(unsigned ports, unsigned number)
{
	const unsigned egress = (ports - 1 + number) % ports;
	struct buffer_place place = {
	        .plan = {.ports = ports},
	        .queues = 1,
	        .queue = {{.ingress = (egress + 1) % ports, .extra = (egress + 2) % ports, .egress = egress}}};

	for (unsigned from = 0; from < ports; from++)
		if (from != egress) {
			port_plan_add(&place.plan, from, egress);
			place.sharing |= 1u << from;
		}
	return place;
}

const struct buffer_procedure MANY_TO_ONE = {
        .places = of_positions, .place = many_to_one, .share = of_many, .all_send = true};
