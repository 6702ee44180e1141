/* SPDX-License-Identifier: Apache-2.0 */
/* Searches how many frames can be sent to an egress port that is oversubscribed until the first is lost. */
#include <math.h>
#include <stdlib.h>

#include "host/bench/offered_load.h"
#include "host/bench/rfc8239/port_buffer.h"
#include "host/bench/search_loop.h"
#include "host/traffic/modifier.h"
#include "host/trial/judging/sum.h"

enum { FIRST_FRAMES = 16 /* first burst; bursts double until a frame is lost, then bisection begins */ };

/* The search of one egress port. */
struct queue_search {
	struct port_buffer_case *own;
	struct rate load;         /* load of ports that send a share of line rate */
	double excess;            /* frames that oversubscribe for each that such a port sends */
	uint64_t low_ot, high_ot; /* maximum latencies of trials with loss */
	bool any;                 /* there was one */
};

static uint64_t distinct_received(const struct trial_port *port)
{
	return trial_distinct_received(port->received_frames, port->duplicated_frames, port->late_frames);
}

/* Frames that must have arrived at the egress port, less those that did. */
static uint64_t lost_there(const void *user, const struct session *session, const struct trial_result *trial)
{
	const unsigned egress = ((const struct queue_search *)user)->own->queue.egress;
	uint64_t offered[TRAFFIC_MAX_PORTS] = {0}, expected[TRAFFIC_MAX_PORTS], received;

	for (unsigned port = 0; port < trial->ports && port < TRAFFIC_MAX_PORTS; port++)
		offered[port] = trial->port[port].offered_frames;
	traffic_expected(session->traffic, offered, expected);
	received = distinct_received(&trial->port[egress]);
	return expected[egress] > received ? expected[egress] - received : 0;
}

/* A trial ends before a port with a share would send one frame more. The queue is empty again after the time that its
 * frames take on the line. */
static void request_frames(void *user, const struct session *session, const struct search_request *wanted,
                           struct trial_request *request)
{
	const struct queue_search *search = user;
	const double queue_s = (double)wanted->point * search->excess / rate_fps(session->max_rate);

	request->kind = TRIAL_LOAD;
	request->load = session->max_rate;
	request->duration_ot = duration_of_frames(wanted->point, search->load, session->context->tester->info.link_bps);
	request->drain_ot += session_octet_times(session, (uint64_t)(queue_s * (double)NS_PER_S) + 1);
}

static void note_latency(void *user, const struct trial_result *trial)
{
	struct queue_search *search = user;
	const struct latency_stats *latency = &trial->port[search->own->queue.egress].latency;

	if (trial->lost_frames == 0 || latency->frames == 0)
		return;
	if (!search->any || latency->max_ot < search->low_ot)
		search->low_ot = latency->max_ot;
	if (!search->any || latency->max_ot > search->high_ot)
		search->high_ot = latency->max_ot;
	search->any = true;
}

/* The rate at which a port forwarded while it was congested. */
static double egress_rate(const struct session *session, const struct trial_port *egress)
{
	const uint64_t received = distinct_received(egress);

	if (received < 2 || egress->rx_last_ot <= egress->rx_first_ot)
		return NAN;
	return (double)(received - 1) / session_seconds(session, egress->rx_last_ot - egress->rx_first_ot);
}

static double by_latency(const struct session *session, const struct trial_result *lossy, unsigned egress,
                         double egress_fps)
{
	const struct latency_stats *latency = &lossy->port[egress].latency;

	return latency->frames ? session_seconds(session, latency->max_ot - latency->min_ot) * egress_fps : (double)NAN;
}

/* Counts the frames that wait when the last ones are sent, of those that arrived in the shortest trial with loss: one
 * is leaving, and before it as many have left as the egress port can forward from the first start to the last. */
static double left_behind(const struct session *session, const struct trial_result *lossy, unsigned egress,
                          double egress_fps)
{
	uint64_t first_ot = UINT64_MAX, last_ot = 0;

	for (unsigned port = 0; port < lossy->ports && port < TRIAL_MAX_PORTS; port++) {
		const struct trial_port *sender = &lossy->port[port];

		if (sender->offered_frames == 0)
			continue;
		first_ot = sender->tx_first_ot < first_ot ? sender->tx_first_ot : first_ot;
		last_ot = sender->tx_last_ot > last_ot ? sender->tx_last_ot : last_ot;
	}
	if (last_ot < first_ot)
		return NAN;
	return (double)distinct_received(&lossy->port[egress]) - 1 -
	       floor(session_seconds(session, last_ot - first_ot) * egress_fps);
}

/* NAN where no frame at all came out: what passes nothing has no buffer that can be measured. */
static double by_count(const struct session *session, const struct findings *found, const struct port_buffer_case *own,
                       double egress_fps)
{
	if (found->bounds.has_upper && !found->bounds.has_lower &&
	    distinct_received(&found->failed->port[own->queue.egress]) == 0)
		return NAN;
	if (!own->procedure->all_send)
		return found->bounds.has_lower ? (double)found->passed->port[own->queue.extra].offered_frames : 0;
	return found->bounds.has_upper ? left_behind(session, found->failed, own->queue.egress, egress_fps) : NAN;
}

static void keep(const struct session *session, const struct findings *found, const struct queue_search *search)
{
	struct port_buffer_case *own = search->own;
	const unsigned egress = own->queue.egress;
	const bool ends = found->bounds.has_upper;
	const double fps = ends ? egress_rate(session, &found->failed->port[egress]) : NAN;
	const double growing_ns = session_ns(session, search->high_ot - search->low_ot);

	own->frames[own->count] = by_count(session, found, own, fps);
	own->latency_frames[own->count] = ends ? by_latency(session, found->failed, egress, fps) : NAN;
	own->egress_fps = fps;
	own->growing_ns = fmax(own->growing_ns, growing_ns);
	own->limited += !ends;
	own->count++;
}

/* Frames that oversubscribe, for each that a port with a share sends. */
static double excess_of(const struct session *session, const struct buffer_procedure *procedure)
{
	const double part = many_to_one_excess(&port_buffer_settings(session->test)->oversubscription);
	const unsigned senders = session->context->tester->info.device->ports - 1;

	return procedure->all_send ? senders * part / (1 + part) : 1;
}

static int search_queue(struct session *session, struct port_buffer_case *own, struct rate load, struct error *error)
{
	struct queue_search search = {.own = own, .load = load, .excess = excess_of(session, own->procedure)};
	const double most = ceil((double)port_buffer_settings(session->test)->max_frames / search.excess);
	const struct search_points points = {
	        .request = request_frames, .lost = lost_there, .note = note_latency, .user = &search};
	struct search_config config = {.low = 1, .high = (uint64_t)most, .step = 1};
	struct findings found;
	int status;

	config.first = config.high < FIRST_FRAMES ? config.high : FIRST_FRAMES;
	session_search_limits(session, &config);
	status = search_loop(session, &config, &points, &found, error);
	if (status == 0)
		keep(session, &found, &search);
	findings_free(&found);
	return status;
}

/* All queues of a place, one after the other. values: room for two of each repetition. */
static int search_place(struct port_buffer *measured, struct session *session, unsigned number,
                        const struct buffer_place *place, struct rate load, double *values, struct error *error)
{
	const unsigned ports = session->context->tester->info.device->ports;
	const unsigned places = measured->procedure->places(ports, port_buffer_settings(session->test)->positions);
	int status = 0;

	for (unsigned i = 0; i < place->queues && status == 0; i++) {
		struct port_buffer_case own = {.procedure = measured->procedure,
		                               .place = number,
		                               .queue = place->queue[i],
		                               .frames = values,
		                               .latency_frames = values + measured->repetitions};

		session_next_case(session, places * place->queues);
		while (status == 0 && own.count < measured->repetitions) {
			session->progress.repetition = own.count + 1;
			status = search_queue(session, &own, load, error);
		}
		if (status == 0)
			port_buffer_note(measured, &own);
	}
	return status;
}

static int run_place(struct port_buffer *measured, struct session *session, unsigned number, double *values,
                     struct error *error)
{
	const struct port_buffer_settings *settings = port_buffer_settings(session->test);
	const unsigned ports = session->context->tester->info.device->ports;
	const struct buffer_place place = measured->procedure->place(ports, number);
	const struct buffer_share share = measured->procedure->share(&settings->oversubscription, ports);
	struct traffic traffic;
	int status = port_traffic_use(session, &place.plan, &traffic, error);

	if (status)
		return status;
	traffic_mark(&traffic, settings->dscp, settings->cos);
	for (unsigned port = 0; port < ports; port++)
		if (place.sharing >> port & 1) {
			traffic.port[port].share = (uint32_t)share.part;
			traffic.port[port].share_of = (uint32_t)share.of;
		}
	status = search_place(measured, session, number, &place, rate_scale(session->max_rate, share.part, share.of),
	                      values, error);
	session->traffic = NULL;
	traffic_free(&traffic);
	return status;
}

int buffer_search(struct port_buffer *measured, struct session *session, struct error *error)
{
	const unsigned ports = session->context->tester->info.device->ports;
	const unsigned places = measured->procedure->places(ports, port_buffer_settings(session->test)->positions);
	double *values = calloc(2 * (size_t)measured->repetitions, sizeof(*values));
	int status = 0;

	if (!values)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	for (unsigned number = 0; number < places && status == 0; number++)
		status = run_place(measured, session, number, values, error);
	free(values);
	return status;
}
