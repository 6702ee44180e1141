/* SPDX-License-Identifier: Apache-2.0 */
#include "host/bench/arrivals.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/base/json_write.h"
#include "host/base/text.h"
#include "host/bench/result.h"
#include "host/result/common.h"

enum { PORTS_TEXT = 200, LONGEST_EVERYWHERE = 1522 /* octets of a frame that any device forwards */ };

static uint64_t known(uint64_t count)
{
	return count == COUNT_UNKNOWN ? 0 : count;
}

static void note_ports(struct arrivals *arrivals, const struct trial_result *trial)
{
	for (unsigned i = 0; i < trial->ports && i < TRIAL_MAX_PORTS; i++) {
		const struct trial_port *port = &trial->port[i];

		arrivals->right_frames += known(port->received_frames) + known(port->tcp_received_frames);
		arrivals->bad_frames += known(port->bad_frames) + known(port->bad_payload_frames);
		arrivals->strayed_to |= known(port->wrong_port_frames) ? 1u << i : 0;
		arrivals->reached |= known(port->received_frames) ? 1u << i : 0;
	}
}

static void note_late(struct arrivals *arrivals, const struct trial_result *trial)
{
	for (unsigned i = 0; i < trial->ports && i < TRIAL_MAX_PORTS; i++)
		arrivals->late |= known(trial->port[i].other_run_frames) != 0;
}

/* Flows that must arrive nowhere say nothing, and where not all flows were kept, nothing is known of a port. */
static void note_flows(struct arrivals *arrivals, const struct trial_result *trial)
{
	for (unsigned i = 0; trial->flow_count == trial->flows && i < trial->flows; i++) {
		const struct trial_flow *flow = &trial->flow[i];
		const uint32_t sender = 1u << flow->port;

		if (!flow->offered_frames || !flow->arrives)
			continue;
		arrivals->sent |= sender;
		arrivals->awaited |= flow->arrives;
		arrivals->sent_right |= flow->received_frames || flow->late_frames ? sender : 0;
		arrivals->sent_stray |= flow->wrong_port_frames ? sender : 0;
	}
}

void arrivals_note(struct arrivals *arrivals, const struct trial_request *request, const struct trial_result *trial)
{
	const bool expects = trial->received_frames + trial->lost_frames != 0 || trial->before.offered_frames != 0;

	note_late(arrivals, trial);
	/* A connection that does not open makes a trial INVALID, whoever is to blame. */
	if (!request->tcp.senders && !(trial->valid && expects))
		return;
	arrivals->trials++;
	arrivals->right_frames += known(trial->received_frames) + known(trial->late_frames);
	arrivals->right_frames += trial->before.received_frames;
	note_ports(arrivals, trial);
	note_flows(arrivals, trial);
}

static unsigned count_of(uint32_t ports)
{
	return (unsigned)__builtin_popcount(ports);
}

/* "port 3", "ports 0, 1 and 3". */
static const char *ports_text(uint32_t ports, char text[PORTS_TEXT])
{
	const unsigned count = count_of(ports);
	size_t length = text_add(text, PORTS_TEXT, 0, count == 1 ? "port" : "ports");
	unsigned named = 0;

	for (unsigned port = 0; port < TRIAL_MAX_PORTS; port++) {
		if (!(ports >> port & 1))
			continue;
		named++;
		length = text_add(text, PORTS_TEXT, length, "%s%u",
		                  named == 1       ? " "
		                  : named == count ? " and "
		                                   : ", ",
		                  port);
	}
	return text;
}

/* -- nothing ------------------------------------------------------------------------------------------------------- */

static bool is_list_of_numbers(enum metric_unit unit)
{
	return unit == METRIC_FRAMES_LIST || unit == METRIC_NS_LIST || unit == METRIC_S_LIST || unit == METRIC_NUMBERS;
}

static void forget(json_t *object, const struct metric *metric);

static void forget_items(json_t *list, const struct metric_slice *items)
{
	json_t *item;
	size_t i;

	json_array_foreach(list, i, item)
	{
		for (size_t j = 0; j < items->count; j++)
			forget(item, &items->metrics[j]);
	}
}

/* Texts say what was done, and what is always known was counted. */
static void forget(json_t *object, const struct metric *metric)
{
	const char *point = strchr(metric->key, '.'), *key = point ? point + 1 : metric->key;
	json_t *inner = point ? json_object_getn(object, metric->key, (size_t)(point - metric->key)) : object;
	json_t *value = json_object_get(inner, key);

	if (!value)
		return;
	if (metric->unit == METRIC_LIST && metric->items)
		forget_items(value, metric->items);
	else if (is_list_of_numbers(metric->unit))
		json_array_clear(value);
	else if (metric_may_be_null(metric))
		json_put(inner, key, json_null());
}

static void forget_measured(const struct session *session, json_t *result)
{
	for (const struct result_description *const *one = session->benchmark->plan.results; *one; one++) {
		for (const struct metric_slice *const *slice = (*one)->metrics; *slice; slice++) {
			if (*slice == &EVERY_RESULT || *slice == &COUNTER_METRICS)
				continue;
			for (size_t i = 0; i < (*slice)->count; i++)
				forget(result, &(*slice)->metrics[i]);
		}
	}
}

/* RFC 2544 section 9.4: for frames that a device is too narrow for, the forwarding rate "shall be reported as zero".
 * A shorter size of the same test with a valid result has shown that the device is up and in the right place. */
static bool is_above_mtu(const struct session *session, const json_t *wanted)
{
	const json_t *result;
	size_t i;

	if (!session->benchmark->measures_mtu || session->arrivals.sent_stray || session->arrivals.bad_frames)
		return false;
	json_array_foreach(session->context->results, i, result)
	{
		if (json_equal(json_object_get(result, "test_number"), json_object_get(wanted, "test_number")) &&
		    json_equal(json_object_get(result, "modifier"), json_object_get(wanted, "modifier")) &&
		    json_is_true(json_object_get(result, "valid")) &&
		    result_get(result, "frame_octets") < (double)session->frame_octets)
			return true;
	}
	return false;
}

static void say_why(const struct session *session, json_t *result)
{
	const struct arrivals *arrivals = &session->arrivals;
	char from[PORTS_TEXT], to[PORTS_TEXT], trials[24], size[80] = "";

	snprintf(trials, sizeof(trials), "%u trial%s", arrivals->trials, arrivals->trials == 1 ? "" : "s");
	if (session->frame_octets > LONGEST_EVERYWHERE)
		snprintf(size, sizeof(size), ", forwards frames of %" PRIu32 " octets", session->frame_octets);
	if (arrivals->sent_stray)
		result_invalid(result,
		               "not known: no test frame arrived where it had to in %s; all frames of %s came to other "
		               "ports, %s: look at which cable is in which port, and at the VLANs and routes of the "
		               "device",
		               trials, ports_text(arrivals->sent_stray, from), ports_text(arrivals->strayed_to, to));
	else if (arrivals->bad_frames)
		result_invalid(result,
		               "not known: no test frame arrived whole in %s; %" PRIu64
		               " arrived with a wrong FCS or another payload: look at the cables and transceivers, at "
		               "FEC, and at what the device does to frames",
		               trials, arrivals->bad_frames);
	else
		result_invalid(
		        result,
		        "not known: no test frame arrived in %s: look at the cables, at the VLANs and filters of "
		        "the device, and at whether it is up%s, or needs a reset",
		        trials, size);
}

/* -- a port -------------------------------------------------------------------------------------------------------- */

static void flag_ports(const struct arrivals *arrivals, json_t *result)
{
	const uint32_t mute = arrivals->sent & ~arrivals->sent_right, astray = mute & arrivals->sent_stray;
	const uint32_t unreached = arrivals->awaited & ~arrivals->reached;
	char from[PORTS_TEXT], to[PORTS_TEXT];

	if (astray)
		result_flag(
		        result,
		        "all test frames that arrived of those that %s sent came to other ports than they had to, to "
		        "%s: look at which cable is in which port",
		        ports_text(astray, from), ports_text(arrivals->strayed_to, to));
	if (mute & ~astray)
		result_flag(result, "no test frame that %s sent arrived: look at the cable there, and at the device",
		            ports_text(mute & ~astray, from));
	if (unreached)
		result_flag(result, "no test frame arrived at %s: look at the cable there, and at the device",
		            ports_text(unreached, to));
}

void arrivals_report(const struct session *session, json_t *result)
{
	const struct arrivals *arrivals = &session->arrivals;
	const bool by_tester = session->invalid_trials && session->why_invalid[0] && !session->asked.tcp.senders;

	if (arrivals->trials == 0 || arrivals->right_frames || by_tester) {
		if (!arrivals->late)
			flag_ports(arrivals, result);
	} else if (is_above_mtu(session, result)) {
		result_flag(result,
		            "no frame of %" PRIu32 " octets arrived, but shorter ones did: above the MTU of a device "
		            "its rate is zero, and all frames are lost (RFC 2544 section 9.4)",
		            session->frame_octets);
	} else {
		json_put(result, "valid", json_true()); /* any other reason follows from this one */
		say_why(session, result);
		forget_measured(session, result);
		json_array_clear(json_object_get(result, "flags")); /* they say what a measurement means */
	}
}
