/* SPDX-License-Identifier: Apache-2.0 */
/* The error conditions of RFC 2889 5.9.3, in its order. Dribble bits and alignment errors are not among them: above 100
 * Mb/s frames are whole octets by their coding (IEEE 802.3 clauses 36, 49 and 82), so they cannot be sent. Frames
 * that end with an error character, which the clause does not have, are what breaks a frame on such a line. */
#include "host/bench/rfc2889/errored_conditions.h"

#include "host/bench/rfc2889/errored_frames_keys.h"
#include "host/traffic/modifier.h"

enum { PRIORITY_TAG = 0 };

static const struct {
	const char *name;
	enum errored_rule rule;
} KINDS[] = {
        [ERRORED_OVERSIZE] = {"oversize", ERRORED_SHOULD_FILTER}, [ERRORED_TAGGED] = {"tagged", ERRORED_MAY_FORWARD},
        [ERRORED_UNDERSIZE] = {"undersize", ERRORED_MUST_FILTER}, [ERRORED_FCS] = {"fcs", ERRORED_MUST_FILTER},
        [ERRORED_CODE] = {"code", ERRORED_MUST_FILTER},
};

const char *errored_name(enum errored_kind kind)
{
	return KINDS[kind].name;
}

enum errored_rule errored_rule(enum errored_kind kind)
{
	return KINDS[kind].rule;
}

bool errored_condition(const struct plan_test *test, uint32_t frame_octets, unsigned index,
                       struct errored_condition *condition)
{
	const struct errored_frames_settings *settings = errored_frames_settings(test);

	if (index < settings->oversize.count) {
		*condition = (struct errored_condition){ERRORED_OVERSIZE, settings->oversize.value[index]};
		return true;
	}
	index -= settings->oversize.count;
	if (settings->tagged && index-- == 0) {
		*condition = (struct errored_condition){ERRORED_TAGGED, settings->max_frame_octets + TAG_OCTETS};
		return true;
	}
	if (index < settings->undersize.count) {
		*condition = (struct errored_condition){ERRORED_UNDERSIZE, settings->undersize.value[index]};
		return true;
	}
	index -= settings->undersize.count;
	if (settings->fcs && index-- == 0) {
		*condition = (struct errored_condition){ERRORED_FCS, frame_octets};
		return true;
	}
	*condition = (struct errored_condition){ERRORED_CODE, frame_octets};
	return settings->code && index == 0;
}

void errored_make(struct traffic *traffic, const struct errored_condition *condition)
{
	switch (condition->kind) {
	case ERRORED_TAGGED:
		traffic_make_length(traffic, condition->frame_octets, true);
		traffic_add_tag(traffic, TYPE_VLAN, PRIORITY_TAG);
		return;
	case ERRORED_OVERSIZE:
	case ERRORED_UNDERSIZE:
		traffic_make_length(traffic, condition->frame_octets, false);
		return;
	case ERRORED_FCS:
		traffic_make_wrong(traffic, TRAFFIC_WRONG_FCS);
		return;
	case ERRORED_CODE:
		traffic_make_wrong(traffic, TRAFFIC_WRONG_CODE);
		return;
	}
}
