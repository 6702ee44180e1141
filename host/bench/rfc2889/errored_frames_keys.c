/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the errored frames benchmark, RFC 2889 section 5.9, their checks, and how long it takes. */
#include "host/bench/rfc2889/errored_frames_keys.h"

#include "host/plan/key_slices.h"

#define SETTINGS struct errored_frames_settings

enum { MOST_OCTETS = 16383 };

static const struct plan_key KEYS[] = {
        {.name = "loads",
         .value = COUNTS(loads),
         .ranges = {{"1", "100"}},
         .unit = "percent of line rate",
         .default_text = "10 50 100",
         .doc = "Intended loads of each sending port, percent of line rate; every error is tried at each (RFC 2889 "
                "section 5.9.2: several)."},
        {.name = "max_frame",
         .value = COUNT(max_frame_octets),
         .ranges = {{"1518", "16379"}},
         .unit = "octets",
         .default_text = "1518",
         .doc = "The longest frame without a tag that the device is configured to forward, FCS included: longer ones "
                "are oversize (section 5.9.3: 1518; more where jumbo frames are on)."},
        {.name = "oversize",
         .value = COUNTS(oversize),
         .ranges = {{"1519", "16383"}},
         .unit = "octets",
         .doc = "Lengths of oversize frames, above max_frame. Default: max_frame + 1 and, up to 16383, twice "
                "max_frame."},
        {.name = "tagged",
         .value = BOOL(tagged),
         .default_text = "true",
         .doc = "Also frames with a tag, of max_frame + 4 octets, which a device may forward (section 5.9.3)."},
        {.name = "undersize",
         .value = COUNTS(undersize),
         .ranges = {{"54", "63"}},
         .unit = "octets",
         .default_text = "54 55 56 57 58 59 60 61 62 63",
         .may_be_empty = true,
         .doc = "Lengths of undersize frames, FCS included; [] for none. 54 octets is the shortest that the device "
                "sends; a card whose MAC sends none below 64 refuses them."},
        {.name = "fcs",
         .value = BOOL(fcs),
         .default_text = "true",
         .doc = "Also frames with a wrong FCS. False for a device that they cannot be sent to, as Linux behind a TAP "
                "(`dut.model = \"tap\"`)."},
        {.name = "code",
         .value = BOOL(code),
         .default_text = "true",
         .doc = "Also frames that end with an error character of the line. A card whose MAC cannot send them refuses "
                "them."},
};
const struct key_slice ERRORED_FRAMES_KEYS = {OWN_SLICE(KEYS)};

static int refuse_shape(const struct plan_test *test, const struct node *group, struct error *error)
{
	if (test->shape.routed || test->shape.vlan != TRAFFIC_NO_VLAN)
		return plan_complain(error, node_child(group, "test"), "test",
		                     "must not be \"%s\" with traffic.%s (RFC 2889 section 5.9.3 has bridges, and says "
		                     "itself which frames are tagged)",
		                     plan_test_name(test), test->shape.routed ? "routed" : "vlan");
	return 0;
}

static void default_oversize(struct errored_frames_settings *settings)
{
	const uint32_t more = settings->max_frame_octets + 1, twice = 2 * settings->max_frame_octets;

	settings->oversize = (struct plan_counts){.count = twice <= MOST_OCTETS ? 2 : 1, .value = {more, twice}};
}

static void take_smallest(struct plan_test *test)
{
	for (size_t i = 1; i < test->frame_size_count; i++)
		if (test->frame_sizes[i] < test->frame_sizes[0])
			test->frame_sizes[0] = test->frame_sizes[i];
	test->frame_size_count = 1;
}

int errored_frames_finish(const struct plan *plan, struct plan_test *test, const struct node *group,
                          struct error *error)
{
	struct errored_frames_settings *settings = test->settings;
	const struct node *sizes = node_child(group, "frame_sizes"), *oversize = node_child(group, "oversize");

	if (rfc2889_refuse_program(plan, test, group, error) || refuse_shape(test, group, error))
		return error->code;
	if (!oversize)
		default_oversize(settings);
	for (unsigned i = 0; i < settings->oversize.count; i++)
		if (settings->oversize.value[i] <= settings->max_frame_octets)
			return plan_complain(error, oversize, "oversize",
			                     "%u octets: must be above max_frame = %u (RFC 2889 section 5.9.3)",
			                     settings->oversize.value[i], settings->max_frame_octets);
	if (!sizes)
		take_smallest(test);
	for (size_t i = 0; i < test->frame_size_count; i++)
		if (test->frame_sizes[i] > settings->max_frame_octets)
			return plan_complain(error, sizes, "frame_sizes",
			                     "%u octets: must be at most max_frame = %u, to be right but for its error",
			                     test->frame_sizes[i], settings->max_frame_octets);
	return 0;
}

const char *errored_frames_cannot_send(const struct plan_test *test, uint32_t sends)
{
	const struct errored_frames_settings *settings = errored_frames_settings(test);

	if (settings->undersize.count && !(sends & DEVICE_SENDS_SHORT_FRAMES))
		return "frames below 64 octets (RFC 2889 section 5.9.3; undersize = [] leaves them out)";
	if (settings->code && !(sends & DEVICE_SENDS_WRONG_CODE))
		return "frames that end with an error character (code = false leaves them out)";
	return NULL;
}

static double trials(const struct plan_test *test)
{
	const struct errored_frames_settings *settings = test->settings;

	return (double)settings->loads.count * (settings->oversize.count + settings->undersize.count +
	                                        settings->tagged + settings->fcs + settings->code);
}

double errored_frames_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	(void)frame_octets;
	(void)link_bps;
	return extent_seconds(errored_frames_settings(test)->rfc2889.trial_duration_ns);
}

/* Each trial waits for frames that must not come for as long as it may, and so does the burst of right frames before
 * it, without which the test ends. */
struct extent errored_frames_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps)
{
	const double settle_s = extent_seconds(test->settle_ns);
	const double drain_s = extent_seconds(test->drain_ns);
	struct effort most =
	        effort_of(test, trials(test), errored_frames_trial_s(test, frame_octets, link_bps), drain_s);

	most.waiting_s += trials(test) * (settle_s + drain_s);
	return (struct extent){
	        .most = most, .expected = most, .least_remark = ", when the right frames before them do not arrive"};
}

void errored_frames_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings)
{
	shorter_add(settings, "trial_duration", shorter_time_s(errored_frames_trial_s(test, 0, link_bps), factor));
}
