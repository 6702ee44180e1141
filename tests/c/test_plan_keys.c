/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of keys: what holds for every row, what their page says, and tables with made-up benchmarks. */
#include <string.h>

#include "host/bench/benchmark.h"
#include "host/commands/help/plan_page.h"
#include "host/plan/key_slices.h"
#include "tests/c/plan_files.h"

TestSuite(plan_keys, .init = enter_plan_directory, .fini = leave_plan_directory);

static void each_key(const struct key_set *set,
                     void (*visit)(const struct plan_key *key, const struct key_slice *slice))
{
	for (const struct key_slice *const *slice = set->slices; *slice; slice++) {
		for (size_t i = 0; i < (*slice)->count; i++)
			visit(&(*slice)->keys[i], *slice);
	}
}

static void visit_all(void (*visit)(const struct plan_key *key, const struct key_slice *slice))
{
	each_key(&PLAN_TOP_KEYS, visit);
	each_key(&PLAN_LINK_KEYS, visit);
	each_key(&PLAN_TRAFFIC_KEYS, visit);
	each_key(&PLAN_GOAL_KEYS, visit);
	for (size_t i = 0; PLAN_BACKENDS.set(i); i++)
		each_key(PLAN_BACKENDS.set(i), visit);
	for (size_t i = 0; i < BENCHMARK_COUNT; i++)
		each_key(&BENCHMARKS[i]->plan.keys, visit);
}

static void expect_right(const struct plan_key *key, const struct key_slice *slice)
{
	union {
		struct plan plan;
		struct plan_test test;
		struct traffic_shape shape;
		struct plan_goal goal;
	} settings;
	char own[512] __attribute__((aligned(16)));
	struct error error = {0};
	struct quantity quantity;
	const char *why;

	memset(&settings, 0, sizeof(settings));
	for (size_t k = 0; k < 2 && key->ranges[k].min; k++) {
		cr_expect_eq(quantity_parse(key->ranges[k].min, &quantity, &why), 0, "%s: %s", key->name, why);
		cr_expect_eq(quantity_parse(key->ranges[k].max, &quantity, &why), 0, "%s: %s", key->name, why);
	}
	cr_expect_eq(plan_key_store_default(key, slice->is_pointer ? own : (char *)&settings + slice->base, &error), 0,
	             "%s: %s", key->name, error.text);
	if (key->value.type == KEY_SIZES)
		free(settings.test.frame_sizes);
	cr_expect((key->doc && *key->doc) || key->picks_set, "%s has no doc", key->name);
	cr_expect((key->value.type == KEY_CHOICE) == (key->choices || key->picks_set), "%s: choices", key->name);
}

Test(plan_keys, every_limit_and_default_of_the_tables_is_a_quantity_within_itself)
{
	visit_all(expect_right);
}

Test(plan_keys, no_set_of_keys_has_a_name_twice)
{
	for (size_t row = 0; row < BENCHMARK_COUNT; row++) {
		const struct key_set *set = &BENCHMARKS[row]->plan.keys;

		for (const struct key_slice *const *at = set->slices; *at; at++) {
			for (size_t i = 0; i < (*at)->count; i++)
				cr_expect_eq(plan_key_find(set, (*at)->keys[i].name, NULL), &(*at)->keys[i], "%s: %s",
				             set->name, (*at)->keys[i].name);
		}
	}
}

Test(plan_keys, the_limits_of_frame_sizes_are_those_of_a_device)
{
	const struct plan_key *key = plan_key_find(&BENCHMARKS[0]->plan.keys, "frame_sizes", NULL);

	cr_assert_not_null(key);
	cr_expect_eq(strtoul(key->ranges[0].min, NULL, 10), MIN_FRAME_OCTETS);
	cr_expect_eq(strtoul(key->ranges[0].max, NULL, 10), MAX_FRAME_OCTETS);
}

/* -- made-up benchmarks ------------------------------------------------------------------------------------------- */

enum { MANY = 25 };

/* The struct into which a benchmark with its own settings struct would be read. */
struct house {
	unsigned common, which;
	struct {
		unsigned before, rooms;
		uint64_t built_ns;
	} own;
};

static const struct plan_key COMMON_KEYS[] = {
        {.name = "house",
         .value = {KEY_CHOICE, offsetof(struct house, which), sizeof(unsigned)},
         .picks_set = true,
         .doc = "Which."},
        {.name = "common",
         .value = {KEY_COUNT, offsetof(struct house, common), sizeof(unsigned)},
         .ranges = {{"1", "9"}},
         .default_text = "4",
         .doc = "Of all."},
};
static const struct plan_key OWN_KEYS[] = {
        {.name = "rooms", .value = {KEY_COUNT, 4, sizeof(unsigned)}, .ranges = {{"1", "9"}}, .doc = "Of one."},
        {.name = "built",
         .value = {KEY_TIME, 8, sizeof(uint64_t)},
         .ranges = {{"1s", "9s"}},
         .default_text = "3s",
         .doc = "Of one."},
};
static const struct key_slice COMMON_SLICE = {.keys = COMMON_KEYS, .count = 2};
static const struct key_slice OWN_SLICE = {.keys = OWN_KEYS, .count = 2, .base = offsetof(struct house, own)};
static const struct key_slice *const COMMON_SLICES[] = {&COMMON_SLICE, NULL};
static const struct key_slice *const ALL_SLICES[] = {&COMMON_SLICE, &OWN_SLICE, NULL};
static char names[MANY][24];
static struct key_set sets[MANY];

static const struct key_set *set_of_many(size_t index)
{
	return index < MANY ? &sets[index] : NULL;
}

static const struct key_family family = {.set = set_of_many, .of = "house ", .quote = ""};

/* Only the last one has a slice of its own. */
static void build_family(void)
{
	for (size_t i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof(names[i]), "a_rather_long_name_%zu", i);
		sets[i] = (struct key_set){names[i], i + 1 < MANY ? COMMON_SLICES : ALL_SLICES, &family};
	}
}

static int read_house(const char *name, const char *value, enum node_kind kind, const struct key_set *set,
                      struct house *house, struct error *error)
{
	struct node *group = node_new(NODE_GROUP, NULL, NULL, "here", 0);
	int result = node_append(group, node_new(kind, name, value, "lab.cfg:7", 7));

	cr_assert_eq(result, 0);
	result = plan_settings_read(set, "run.", group, house, error);
	node_free(group);
	return result;
}

Test(plan_keys, a_family_of_many_sets_gives_its_names_to_a_key_and_all_of_them_to_the_complaint)
{
	struct house house = {0};
	struct error error = {0};

	build_family();
	cr_expect_eq(read_house("house", names[MANY - 1], NODE_TEXT, &sets[0], &house, &error), 0, "%s", error.text);
	cr_expect_eq(house.which, MANY - 1);
	cr_expect_eq(read_house("house", "barn", NODE_TEXT, &sets[0], &house, &error), ERROR_PLAN);
	cr_expect(strstr(error.text, "lab.cfg:7: run.house = \"barn\": must be \"a_rather_long_name_0\" or ") ==
	          error.text);
	for (size_t i = 0; i < MANY; i++)
		cr_expect(strstr(error.text, names[i]), "%s is not in: %s", names[i], error.text);
}

Test(plan_keys, a_slice_is_read_into_its_own_settings_and_only_by_the_set_that_has_it)
{
	struct house house = {.own.before = 77};
	struct error error = {0};

	build_family();
	cr_expect_eq(read_house("rooms", "5", NODE_NUMBER, &sets[MANY - 1], &house, &error), 0, "%s", error.text);
	cr_expect_eq(house.own.rooms, 5);
	cr_expect_eq(house.own.built_ns, 3000000000u, "a default of its own");
	cr_expect_eq(house.common, 4, "a default that all have");
	cr_expect_eq(house.own.before, 77, "no key's");
	house = (struct house){0};
	cr_expect_eq(read_house("rooms", "5", NODE_NUMBER, &sets[0], &house, &error), ERROR_PLAN);
	cr_expect_str_eq(error.text, "lab.cfg:7: run.rooms = 5: is not a key of house a_rather_long_name_0, only of "
	                             "a_rather_long_name_24");
	cr_expect_eq(house.own.rooms, 0);
	cr_expect_eq(read_house("room", "5", NODE_NUMBER, &sets[MANY - 1], &house, &error), ERROR_PLAN);
	cr_expect_str_eq(error.text, "lab.cfg:7: run.room = 5: unknown key; did you mean \"rooms\"?");
}

/* docs/plan.md contains what `fpgauge help plan` prints, word for word, between two marks. */
Test(plan_keys, the_page_of_keys_is_the_table)
{
	char *table = NULL, *page, *begin, *end;
	size_t length = 0;
	FILE *out = open_memstream(&table, &length), *file = fopen(FPGAUGE_DOCS "/plan.md", "r");
	char text[131072] = {0};

	plan_page_print(out);
	fclose(out);
	cr_assert_not_null(file);
	cr_assert_lt(fread(text, 1, sizeof(text) - 1, file), sizeof(text) - 1);
	fclose(file);
	page = text;
	begin = strstr(page, "<!-- keys: fpgauge help plan -->\n");
	end = strstr(page, "<!-- end of keys -->");
	cr_assert(begin && end);
	begin = strchr(begin, '\n') + 1;
	cr_expect(strlen(table) == (size_t)(end - begin) && !strncmp(table, begin, strlen(table)),
	          "docs/plan.md is stale: put the output of `fpgauge help plan` between its marks");
	free(table);
}

/* -- keys of some searches ----------------------------------------------------------------------------------------- */

#define BISECTION "\"binary\" or \"loss_verification\"; MLRsearch has "

/* Keys from RFC 9971 and TST 009 12.3, each with a search that has no use for it, and those that do. */
static const struct {
	const char *search, *setting, *fits;
} MISFITS[] = {
        {"binary", "max_trials = 3", "\"loss_verification\""},
        {"mlrsearch", "max_trials = 3", "\"loss_verification\""},
        {"mlrsearch", "max_repeats = 3", "\"loss_verification\""},
        {"mlrsearch", "loss_verification_z = 3", "\"loss_verification\""},
        {"mlrsearch", "resolution = 3", BISECTION "width"},
        {"mlrsearch", "search_trial_duration = \"1s\"", BISECTION "initial_trial_duration"},
        {"binary", "preset = \"tst009\"", "\"mlrsearch\""},
        {"loss_verification", "preset = \"tst009\"", "\"mlrsearch\""},
        {"loss_verification", "goals = ({})", "\"mlrsearch\""},
        {"loss_verification", "width = \"1%\"", "\"mlrsearch\""},
        {"loss_verification", "initial_trial_duration = \"1s\"", "\"mlrsearch\""},
        {"loss_verification", "warm_up = \"1s\"", "\"mlrsearch\""},
};

Test(plan_keys, a_key_of_another_search_is_refused_with_the_searches_that_have_it)
{
	for (size_t i = 0; i < sizeof(MISFITS) / sizeof(MISFITS[0]); i++) {
		struct plan *plan = NULL;
		struct error error = {0};
		char text[300], fits[120];

		snprintf(text, sizeof(text),
		         "device = { backend = \"sim\"; };\nrun = ({ test = \"throughput\"; search = \"%s\"; %s; });",
		         MISFITS[i].search, MISFITS[i].setting);
		snprintf(fits, sizeof(fits), ": requires search = %s", MISFITS[i].fits);
		write_octets("lab.cfg", text, strlen(text));
		cr_expect_eq(plan_read("lab.cfg", &BENCHMARK_KEYS, NULL, 0, &plan, &error), ERROR_PLAN, "%s", text);
		cr_expect(strlen(error.text) > strlen(fits) &&
		                  !strcmp(error.text + strlen(error.text) - strlen(fits), fits),
		          "%s", error.text);
	}
}
