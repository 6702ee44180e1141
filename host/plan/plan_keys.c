/* SPDX-License-Identifier: Apache-2.0 */
/* The table itself, and what is read off it: the reference of keys and the search for the nearest name. */
#include "host/plan/plan_keys.h"

#include <stdint.h>
#include <string.h>

#define FIELD(type, member) offsetof(struct type, member), sizeof(((struct type *)NULL)->member)
#define NO_FIELD 0, 0

/* The largest time is a week, the largest count a trillion: far above any use, far below what 64 bits hold in octet
 * times of 400G. */
const struct plan_key PLAN_KEYS[] = {
        {SECTION_DEVICE,
         "backend",
         0,
         KEY_CHOICE,
         NULL,
         {{0}},
         {"sim"},
         NULL,
         NO_FIELD,
         "What drives the device: \"sim\" is a simulation library. Required."},
        {SECTION_DEVICE,
         "library",
         0,
         KEY_TEXT,
         "rtl",
         {{0}},
         {0},
         NULL,
         NO_FIELD,
         "sim: \"rtl\" (the Verilated logic), \"twin\", or the path of a shared library."},
        {SECTION_DEVICE,
         "ports",
         0,
         KEY_COUNT,
         NULL,
         {{"1", "16"}},
         {0},
         "",
         NO_FIELD,
         "Ports that the plan needs; default: whatever the device has."},

        {SECTION_LINK,
         "speed",
         0,
         KEY_WHOLE,
         NULL,
         {{"10M", "800G"}},
         {0},
         "bits a second",
         FIELD(plan, link_bps),
         "Speed of every link, \"100G\"; default: whatever the device has."},

        {SECTION_TEST,
         "test",
         TEST_ALL,
         KEY_CHOICE,
         NULL,
         {{0}},
         {"throughput", "back_to_back"},
         NULL,
         FIELD(plan_test, kind),
         "The benchmark: RFC 2544 section 26.1, or RFC 9004. Required."},
        {SECTION_TEST,
         "frame_sizes",
         TEST_ALL,
         KEY_SIZES,
         "64 128 256 512 1024 1280 1518",
         {{"64", "9216"}},
         {0},
         "octets",
         NO_FIELD,
         "From destination MAC to FCS; the default is RFC 2544 section 9.1."},
        {SECTION_TEST,
         "search",
         TEST_ALL,
         KEY_CHOICE,
         "binary",
         {{0}},
         {"binary", "loss_verification"},
         NULL,
         FIELD(plan_test, search),
         "Binary Search, plain or with Loss Verification (ETSI GS NFV-TST 009 12.3)."},
        {SECTION_TEST,
         "max_trials",
         TEST_ALL,
         KEY_COUNT,
         "2",
         {{"1", "100"}},
         {0},
         "trials",
         FIELD(plan_test, max_trials),
         "loss_verification: most trials at one point, max(r); the first one counts."},
        {SECTION_TEST,
         "loss_verification_z",
         TEST_ALL,
         KEY_QUANTITY,
         "10%",
         {{"1 frame", "1T frames"}, {"0.0001%", "100%"}},
         {0},
         "frames",
         FIELD(plan_test, loss_verification_z),
         "loss_verification: a loss of at least this needs no second trial; frames, or percent of those offered."},
        {SECTION_TEST,
         "direction",
         TEST_ALL,
         KEY_CHOICE,
         "bidirectional",
         {{0}},
         {"unidirectional", "bidirectional"},
         NULL,
         FIELD(plan_test, bidirectional),
         "Every port sends (RFC 2544 section 14), or each even port to the next."},
        {SECTION_TEST,
         "destinations",
         TEST_ALL,
         KEY_COUNT,
         "1",
         {{"1", "65536"}},
         {0},
         "streams a sending port",
         FIELD(plan_test, destinations),
         "Destination addresses a sending port, each a stream of its own."},
        {SECTION_TEST,
         "settle",
         TEST_ALL,
         KEY_TIME,
         "2s",
         {{"0s", "604800s"}},
         {0},
         NULL,
         FIELD(plan_test, settle_ns),
         "Wait after each trial for the device to empty (RFC 9004 section 6.2: at least 2 s)."},
        {SECTION_TEST,
         "drain",
         TEST_ALL,
         KEY_TIME,
         "2s",
         {{"1us", "604800s"}},
         {0},
         NULL,
         FIELD(plan_test, drain_ns),
         "Longest wait for the last frame of a trial (RFC 2544 section 23)."},
        {SECTION_TEST,
         "require",
         TEST_ALL,
         KEY_REQUIRE,
         NULL,
         {{0}},
         {0},
         NULL,
         NO_FIELD,
         "Limits that the results are held against: { throughput_fps = \"148M\"; }."},

        {SECTION_TEST,
         "trial_duration",
         TEST_THROUGHPUT,
         KEY_TIME,
         "60s",
         {{"1us", "604800s"}},
         {0},
         NULL,
         FIELD(plan_test, trial_duration_ns),
         "Length of the trials that settle the result (RFC 2544 section 24)."},
        {SECTION_TEST,
         "search_trial_duration",
         TEST_THROUGHPUT,
         KEY_TIME,
         NULL,
         {{"1us", "604800s"}},
         {0},
         NULL,
         FIELD(plan_test, search_trial_duration_ns),
         "Length of the trials while searching; default: trial_duration."},
        {SECTION_TEST,
         "resolution",
         TEST_THROUGHPUT,
         KEY_QUANTITY,
         "0.1%",
         {{"0.0001%", "50%"}, {"1", "1T"}},
         {0},
         "frames a second",
         FIELD(plan_test, resolution),
         "Step of the search; percent of line rate, or a rate."},

        {SECTION_TEST,
         "repetitions",
         TEST_BACK_TO_BACK,
         KEY_COUNT,
         "50",
         {{"1", "100000"}},
         {0},
         "searches",
         FIELD(plan_test, repetitions),
         "N, independent searches at each size (RFC 9004 section 6.3)."},
        {SECTION_TEST,
         "resolution",
         TEST_BACK_TO_BACK,
         KEY_QUANTITY,
         "1 frame",
         {{"1 frame", "1G frames"}},
         {0},
         "frames",
         FIELD(plan_test, resolution),
         "Minimum step size of the burst length (RFC 9004 section 6.2)."},
        {SECTION_TEST,
         "max_burst",
         TEST_BACK_TO_BACK,
         KEY_QUANTITY,
         "30s",
         {{"1us", "3600s"}, {"1 frame", "1T frames"}},
         {0},
         "frames",
         FIELD(plan_test, max_burst),
         "Longest burst, by time or frames (RFC 9004 section 6.2)."},
        {SECTION_TEST,
         "first_burst",
         TEST_BACK_TO_BACK,
         KEY_WHOLE,
         "1024 frames",
         {{"0 frames", "1T frames"}},
         {0},
         "frames",
         FIELD(plan_test, first_burst_frames),
         "Length from which bursts double until one fails, before bisection; 0: begin at max_burst, as TST 009 does."},
        {SECTION_TEST,
         "test_all_sizes",
         TEST_BACK_TO_BACK,
         KEY_BOOL,
         "false",
         {{0}},
         {0},
         NULL,
         FIELD(plan_test, test_all_sizes),
         "Also test sizes without loss at line rate, marked invalid (RFC 9004 section 6.1)."},
        {SECTION_TEST,
         "actual_rate",
         TEST_BACK_TO_BACK,
         KEY_QUANTITY,
         NULL,
         {{"0.0001%", "100%"}, {"1", "1T"}},
         {0},
         "frames a second",
         FIELD(plan_test, actual_rate),
         "Rate of interest for the actual buffer time (RFC 9004 section 7); percent of line rate, or a rate; default: "
         "none."},
};
const size_t PLAN_KEY_COUNT = sizeof(PLAN_KEYS) / sizeof(PLAN_KEYS[0]);

const char *plan_test_name(enum plan_test_kind kind)
{
	return kind == PLAN_THROUGHPUT ? "throughput" : "back_to_back";
}

static int applies(const struct plan_key *key, enum plan_section section, enum plan_test_kind kind)
{
	return key->section == section && (section != SECTION_TEST || (key->tests & 1u << kind));
}

const struct plan_key *plan_key_find(enum plan_section section, enum plan_test_kind kind, const char *name)
{
	for (size_t i = 0; i < PLAN_KEY_COUNT; i++) {
		if (applies(&PLAN_KEYS[i], section, kind) && !strcmp(PLAN_KEYS[i].name, name))
			return &PLAN_KEYS[i];
	}
	return NULL;
}

/* Levenshtein distance, a row at a time; names longer than the row are far from everything. */
static size_t distance(const char *a, const char *b)
{
	size_t row[64];
	size_t length = strlen(b);

	if (length >= sizeof(row) / sizeof(row[0]))
		return SIZE_MAX;
	for (size_t k = 0; k <= length; k++)
		row[k] = k;
	for (size_t i = 0; a[i]; i++) {
		size_t diagonal = row[0]++;

		for (size_t k = 0; k < length; k++) {
			size_t cost = diagonal + (a[i] != b[k]);

			diagonal = row[k + 1];
			if (diagonal + 1 < cost)
				cost = diagonal + 1;
			if (row[k] + 1 < cost)
				cost = row[k] + 1;
			row[k + 1] = cost;
		}
	}
	return row[length];
}

int plan_key_unknown(enum plan_section section, enum plan_test_kind kind, const char *shown, const struct node *node,
                     struct error *error)
{
	const struct plan_key *nearest = NULL;
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < PLAN_KEY_COUNT; i++) {
		size_t here = distance(node->name, PLAN_KEYS[i].name);

		if (section == SECTION_TEST && PLAN_KEYS[i].section == section && !here)
			return plan_complain(error, node, shown, "is not a key of %s, only of %s", plan_test_name(kind),
			                     plan_test_name((enum plan_test_kind)(1 - (int)kind)));
		if (applies(&PLAN_KEYS[i], section, kind) && here < best) {
			best = here;
			nearest = &PLAN_KEYS[i];
		}
	}
	/* More than a third of the letters wrong is another word, not a slip. */
	if (nearest && best <= 1 + strlen(nearest->name) / 3)
		return plan_complain(error, node, shown, "unknown key; did you mean \"%s\"?", nearest->name);
	return plan_complain(error, node, shown, "unknown key; `fpgauge help plan` lists all");
}
