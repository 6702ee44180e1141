/* SPDX-License-Identifier: Apache-2.0 */
/* The traffic of a test: the group `traffic` at the top of the plan, key by key replaced by that of the test, and the
 * keys of a test that also say something about it: frame_sizes and direction. */
#include <stdio.h>
#include <string.h>

#include "host/plan/plan_benchmark.h"
#include "host/plan/plan_parts.h"
#include "host/traffic/modifiers.h"
#include "host/traffic/sizes.h"

static int read_group(const struct node *group, struct traffic_shape *shape, struct error *error)
{
	int status = plan_require_group(group, "traffic", error);

	for (size_t i = 0; !status && i < group->count; i++)
		status = plan_setting_read(&PLAN_TRAFFIC_KEYS, "traffic.", group->children[i], shape, error);
	return status;
}

int plan_read_traffic(const struct node *root, const struct node *group, struct traffic_shape *shape,
                      struct error *error)
{
	static const struct node NOTHING = {.kind = NODE_GROUP};
	const struct node *top = node_child(root, "traffic"), *own = node_child(group, "traffic");

	*shape = traffic_shape_plain(0);
	if (plan_settings_default(&PLAN_TRAFFIC_KEYS, &NOTHING, shape, error) ||
	    (top && read_group(top, shape, error)) || (own && read_group(own, shape, error)))
		return error->code;
	return 0;
}

/* The setting that counts for a test; NULL: neither place has it. *is_top: it is the one at the top. */
static const struct node *setting_of(const struct node *root, const struct node *group, const char *name, bool *is_top)
{
	const struct node *top = node_child(root, "traffic"), *own = node_child(group, "traffic");
	const struct node *setting = own ? node_child(own, name) : NULL;

	*is_top = !setting;
	return setting ? setting : top ? node_child(top, name) : NULL;
}

/* A test with a mix runs once: its only frame size is 0, which no frame has. */
static int take_sizes(struct plan_test *test, const struct node *root, const struct node *group, struct error *error)
{
	const struct node *frame_sizes = node_child(group, "frame_sizes");
	bool is_top;
	const struct node *sizes = setting_of(root, group, "sizes", &is_top);

	if (!sizes)
		return 0;
	if (test->benchmark->why_unmixed)
		return plan_complain(error, sizes, "traffic.sizes", "cannot be used with test = \"%s\": %s%s",
		                     plan_test_name(test), test->benchmark->why_unmixed,
		                     is_top ? "; write it into the tests that take it" : "");
	if (frame_sizes)
		return plan_complain(error, frame_sizes, "frame_sizes",
		                     "cannot be combined with traffic.sizes (%s), which mixes sizes within a trial: "
		                     "remove one of them%s",
		                     sizes->place,
		                     is_top ? ", or write traffic.sizes into the tests that take it" : "");
	test->frame_sizes[0] = 0;
	test->frame_size_count = 1;
	return 0;
}

/* Sizes of a preset, or of a mix that has a name, are not the choice of the user. */
static bool is_typed(const struct node *setting, bool by_name)
{
	return setting && !by_name && strncmp(setting->place, "--preset ", strlen("--preset ")) != 0;
}

static void drop_duplicates(struct plan_test *test, uint32_t octets)
{
	size_t kept = 0;
	bool has = false;

	for (size_t i = 0; i < test->frame_size_count; i++) {
		if (test->frame_sizes[i] != octets || !has)
			test->frame_sizes[kept++] = test->frame_sizes[i];
		has |= test->frame_sizes[i] == octets;
	}
	test->frame_size_count = kept;
}

/* Tags and headers of IPv6 make 64 octets too short. The user meant the shortest frames then; a size that he typed is
 * refused later, with its limit. */
static void raise_sizes(struct plan_test *test, const struct node *root, const struct node *group)
{
	const uint32_t least = traffic_least_octets(&test->shape);
	struct traffic_sizes *mix = &test->shape.sizes;
	bool is_top;
	const struct node *setting =
	        mix->count ? setting_of(root, group, "sizes", &is_top) : node_child(group, "frame_sizes");

	if (is_typed(setting, mix->count && setting->kind == NODE_TEXT && !strcmp(setting->text, "imix")))
		return;
	for (size_t i = 0; i < mix->count; i++)
		if (mix->octets[i] < least)
			mix->octets[i] = (uint16_t)(test->raised_octets = least);
	for (size_t i = 0; i < test->frame_size_count && !mix->count; i++)
		if (test->frame_sizes[i] < least)
			test->frame_sizes[i] = test->raised_octets = least;
	if (test->raised_octets)
		drop_duplicates(test, least);
}

/* A plan may repeat what the clause says. */
static int imply_pattern(struct plan_test *test, const struct node *root, const struct node *group, struct error *error)
{
	const struct plan_pattern *own = test->benchmark->pattern;
	const struct node *direction = node_child(group, "direction");
	bool is_top;
	const struct node *pattern = setting_of(root, group, "pattern", &is_top);

	if (!own)
		return 0;
	if (pattern && test->shape.pattern != own->pattern)
		return plan_complain(error, pattern, "traffic.pattern", "must be \"%s\" for test = \"%s\" (%s)%s",
		                     TRAFFIC_PATTERN_NAMES[own->pattern], plan_test_name(test), own->clause,
		                     is_top ? "; write it into the tests that take another" : "");
	if (direction && !own->either && test->shape.bidirectional != own->bidirectional)
		return plan_complain(error, direction, "direction", "must be \"%s\" for test = \"%s\" (%s)",
		                     own->bidirectional ? "bidirectional" : "unidirectional", plan_test_name(test),
		                     own->clause);
	test->shape.pattern = own->pattern;
	if (!direction)
		test->shape.bidirectional = own->bidirectional;
	return 0;
}

/* Decides the direction where the plan has no `direction`. A single sending port has no peer to send back to it; each
 * port of a mesh sends, whatever there is, and is refused below. */
static void derive_direction(const struct plan *plan, struct traffic_shape *shape)
{
	const bool one_sender = plan->exec.command && plan->exec.senders == 1;

	if (shape->pattern == TRAFFIC_UNIDIRECTIONAL_MESH || (one_sender && shape->pattern != TRAFFIC_MESH))
		shape->bidirectional = false;
}

/* setting: `direction`, or NULL. */
static int check_pattern(const struct plan *plan, const struct plan_test *test, const struct node *setting,
                         const struct node *pattern, struct error *error)
{
	const struct traffic_shape *shape = &test->shape;

	if (test->benchmark->pattern) /* imply_pattern() has checked it */
		return 0;
	if (shape->pattern == TRAFFIC_MESH && !shape->bidirectional)
		return plan_complain(
		        error, setting, "direction",
		        "must be \"bidirectional\" with traffic.pattern = \"mesh\", where every port sends "
		        "(RFC 2889 section 5.1)");
	if (shape->pattern == TRAFFIC_UNIDIRECTIONAL_MESH && shape->bidirectional)
		return plan_complain(
		        error, setting, "direction",
		        "must be \"unidirectional\" with traffic.pattern = \"unidirectional_mesh\" (RFC 2889 "
		        "section 5.4)");
	if (!plan->exec.command || plan->exec.senders > 1 || !shape->bidirectional)
		return 0;
	if (shape->pattern == TRAFFIC_MESH)
		return plan_complain(error, pattern, "traffic.pattern",
		                     "must have more than one sender; see device.senders");
	return plan_complain(error, setting, "direction",
	                     "must be \"unidirectional\" with one sender; see device.senders");
}

static int check_modifiers(const struct plan *plan, const struct plan_test *test, const struct node *group,
                           struct error *error)
{
	const struct plan_benchmark *benchmark = test->benchmark;
	const struct node *modifiers = node_child(group, "modifiers"), *alone = node_child(group, "each_alone");
	const uint32_t refused = test->shape.modifiers & benchmark->refused_modifiers;
	struct traffic_shape shape = test->shape;
	struct error why = {0};
	char names[TRAFFIC_MODIFIERS_TEXT];

	if (test->each_alone && !modifiers)
		return plan_complain(error, alone, "each_alone", "needs modifiers, which it takes one by one");
	if (refused)
		return plan_complain(error, modifiers, "modifiers", "%s cannot be used with test = \"%s\": %s",
		                     traffic_modifiers_text(refused, names, sizeof(names)), plan_test_name(test),
		                     benchmark->why_refused);
	if (plan->exec.command && modifiers)
		return plan_complain(error, modifiers, "modifiers",
		                     "cannot be used with backend = \"exec\": an external program is not asked for "
		                     "them, and cannot say what became of their frames");
	if (test->shape.addresses != 1 && traffic_has(&test->shape, TRAFFIC_RANDOM_DESTINATIONS))
		return plan_complain(error, modifiers, "modifiers",
		                     "random_destinations needs traffic.addresses = 1, not %u: it draws from 256 "
		                     "destinations (RFC 2544 section 12)",
		                     test->shape.addresses);
	/* Modifiers that cannot be had at once may stand there with each_alone. */
	for (unsigned run = 0; run < plan_runs(test); run++) {
		shape.modifiers = plan_modifiers(test, run);
		if (traffic_modifiers_check(&shape, &why))
			return plan_complain(error, modifiers, "modifiers", "%s", why.text);
	}
	return 0;
}

static int check_filters(const struct plan_test *test, const struct node *group, struct error *error)
{
	const uint32_t filters = traffic_filters(&test->shape);
	const struct node *command = node_child(group, "filters_command"),
	                  *interfaces = node_child(group, "filters_interfaces");

	if (command && !filters)
		return plan_complain(error, command, "filters_command", "needs modifiers with filters_1 or filters_25");
	if (interfaces && (!command || test->filters_format != PLAN_FILTERS_NFT))
		return plan_complain(error, interfaces, "filters_interfaces",
		                     "needs filters_command and filters_format = \"nft\"");
	return 0;
}

int plan_finish_traffic(const struct plan *plan, struct plan_test *test, const struct node *root,
                        const struct node *group, struct error *error)
{
	const struct node *direction = node_child(group, "direction");
	bool is_top;

	if (take_sizes(test, root, group, error) || imply_pattern(test, root, group, error) ||
	    check_modifiers(plan, test, group, error) || check_filters(test, group, error))
		return error->code;
	if (!direction)
		derive_direction(plan, &test->shape);
	raise_sizes(test, root, group);
	return check_pattern(plan, test, direction, setting_of(root, group, "pattern", &is_top), error);
}
