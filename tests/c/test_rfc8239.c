/* SPDX-License-Identifier: Apache-2.0 */
/* RFC 8239: percentage of variation and relative standard deviation, by cases worked out by hand, and which of them are
 * flagged in section 6; which ports send to which in sections 3 and 5. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "host/bench/rfc8239/buffer_places.h"
#include "host/bench/rfc8239/head_of_line_blocking.h"
#include "host/bench/rfc8239/incast.h"
#include "host/bench/rfc8239/rfc8239_common.h"

#define ABOUT(value, true_value) cr_assert_float_eq(value, true_value, 1e-9, "%.12g", value)

Test(rfc8239, percentage_of_variation_is_that_of_3_3)
{
	/* 100 to 110: +10%; 110 to 99: -10%; 99 to 99: 0. */
	static const double VALUES[] = {100, 110, 99, 99};
	const struct variation variation = variation_of(VALUES, 4);

	ABOUT(variation.min, -10);
	ABOUT(variation.mean, 0);
	ABOUT(variation.max, 10);
	/* mean 102; squares of 2, 8, 3, 3 sum up to 86; sqrt(86 / 3) / 102 */
	ABOUT(variation.relative_stddev, 100 * sqrt(86.0 / 3) / 102);
}

Test(rfc8239, one_repetition_does_not_vary)
{
	static const double VALUE[] = {7};
	const struct variation variation = variation_of(VALUE, 1);

	cr_assert(isnan(variation.min) && isnan(variation.mean) && isnan(variation.max));
	cr_assert(isnan(variation.relative_stddev));
}

Test(rfc8239, nothing_twice_is_no_variation_and_from_nothing_there_is_no_percentage)
{
	static const double NOTHING[] = {0, 0, 0}, FROM_NOTHING[] = {0, 5, 10};
	struct variation variation = variation_of(NOTHING, 3);

	ABOUT(variation.min, 0);
	ABOUT(variation.max, 0);
	ABOUT(variation.relative_stddev, 0);
	variation = variation_of(FROM_NOTHING, 3);
	ABOUT(variation.min, 100);
	ABOUT(variation.mean, 100);
	ABOUT(variation.relative_stddev, 100);
}

static size_t flags_with(double relative_stddev)
{
	const struct variation variation = {.relative_stddev = relative_stddev};
	json_t *result = json_object();
	size_t flags;

	json_object_set_new(result, "flags", json_array());
	variation_flag(&variation, "the burst", result);
	flags = json_array_size(json_object_get(result, "flags"));
	json_decref(result);
	return flags;
}

Test(rfc8239, ten_percent_and_more_is_flagged)
{
	cr_assert_eq(flags_with(9.999), 0);
	cr_assert_eq(flags_with(10), 1);
	cr_assert_eq(flags_with(NAN), 0);
}

/* Sections 2.3, 3.3, 4.3 and 5.3, and RFC 8238 section 4.3, of which each report has the accuracy of the tester. */
Test(rfc8239, every_test_reports_how_far_it_varies_and_how_accurate_the_tester_is)
{
	static const char *const KEYS[] = {"variation_percent.min", "variation_percent.mean", "variation_percent.max",
	                                   "relative_stddev_percent"};
	unsigned tests = 0;

	for (size_t i = 0; i < BENCHMARK_COUNT; i++) {
		const char *name = benchmark_name(BENCHMARKS[i]);
		const struct result_description *const *description = BENCHMARKS[i]->plan.results;

		if (strncmp(name, "rfc8239.", 8) != 0)
			continue;
		tests++;
		for (; *description; description++) {
			const struct result_line *line = (*description)->parameters;
			bool accuracy = false, physical_layer = false;

			for (size_t k = 0; k < sizeof(KEYS) / sizeof(KEYS[0]); k++)
				cr_expect_not_null(description_metric(*description, KEYS[k]), "%s: %s", name, KEYS[k]);
			for (; line->text; line++) {
				accuracy |= strstr(line->text, "{timestamp_step_ns}") != NULL;
				physical_layer |= strstr(line->text, "{physical_layer}") != NULL;
			}
			cr_expect(accuracy && physical_layer, "%s", name);
		}
	}
	cr_expect_geq(tests, 7);
}

/* -- ports -------------------------------------------------------------------------------------------------------- */

static bool sends(const struct port_plan *plan, unsigned from, unsigned to)
{
	for (unsigned i = 0; i < plan->sends[from].count; i++)
		if (plan->sends[from].to[i] == to)
			return true;
	return false;
}

static unsigned flows_of(const struct port_plan *plan)
{
	unsigned flows = 0;

	for (unsigned from = 0; from < plan->ports; from++)
		flows += plan->sends[from].count;
	return flows;
}

static void check_queue(const struct buffer_place *place, unsigned number, struct buffer_queue wanted)
{
	const struct buffer_queue *queue = &place->queue[number];

	cr_expect(queue->ingress == wanted.ingress && queue->egress == wanted.egress && queue->extra == wanted.extra,
	          "queue %u: %u and %u to %u", number, queue->ingress, queue->extra, queue->egress);
	cr_expect(sends(&place->plan, wanted.ingress, wanted.egress) &&
	          sends(&place->plan, wanted.extra, wanted.egress));
	cr_expect(place->sharing >> wanted.extra & 1 && !(place->sharing >> wanted.ingress & 1));
}

/* Numbers from 0: of 8 ports, 1 to 2, 3 to 4, 5 to 6; 7 and 8 oversubscribe 2 and 4, then 4 and 6. */
Test(rfc8239, port_pairs_of_eight_ports_are_those_of_procedure_3)
{
	struct buffer_place place = PORT_PAIRS.place(8, 0);

	cr_assert_eq(PORT_PAIRS.places(8, 1), 2);
	cr_assert_eq(PORT_PAIRS.places(8, 0), 16);
	cr_assert_eq(place.queues, 2);
	cr_expect_eq(flows_of(&place.plan), 5);
	cr_expect(sends(&place.plan, 4, 5));
	check_queue(&place, 0, (struct buffer_queue){.ingress = 0, .egress = 1, .extra = 6});
	check_queue(&place, 1, (struct buffer_queue){.ingress = 2, .egress = 3, .extra = 7});
	place = PORT_PAIRS.place(8, 1);
	check_queue(&place, 0, (struct buffer_queue){.ingress = 2, .egress = 3, .extra = 6});
	check_queue(&place, 1, (struct buffer_queue){.ingress = 4, .egress = 5, .extra = 7});
	place = PORT_PAIRS.place(8, 2 * 7 + 1); /* all moved on by 7 */
	check_queue(&place, 0, (struct buffer_queue){.ingress = 1, .egress = 2, .extra = 5});
	check_queue(&place, 1, (struct buffer_queue){.ingress = 3, .egress = 4, .extra = 6});
}

Test(rfc8239, with_nine_ports_the_one_before_the_last_two_is_idle)
{
	const struct buffer_place place = PORT_PAIRS.place(9, 1);

	cr_assert_eq(PORT_PAIRS.places(9, 1), 2);
	cr_expect_eq(flows_of(&place.plan), 5);
	cr_expect_eq(place.plan.sends[6].count, 0);
	cr_expect(!(port_plan_receivers(&place.plan) >> 6 & 1));
	check_queue(&place, 0, (struct buffer_queue){.ingress = 2, .egress = 3, .extra = 7});
	check_queue(&place, 1, (struct buffer_queue){.ingress = 4, .egress = 5, .extra = 8});
}

Test(rfc8239, many_ports_send_equal_parts_of_99_98_percent_and_the_oversubscription)
{
	const struct quantity one_percent = {.unit = QUANTITY_PERCENT, .numerator = 1, .denominator = 100};

	ABOUT(many_to_one_excess(&one_percent), 0.0098);
	for (unsigned ports = 3; ports <= TRAFFIC_MAX_PORTS; ports++) {
		const struct buffer_share share = MANY_TO_ONE.share(&one_percent, ports);

		ABOUT((double)share.part / (double)share.of, 1.0098 / (ports - 1));
		cr_expect_eq(MANY_TO_ONE.places(ports, 0), ports);
		for (unsigned number = 0; number < ports; number++) {
			const struct buffer_place place = MANY_TO_ONE.place(ports, number);
			const unsigned egress = (ports - 1 + number) % ports, all = (1u << ports) - 1;

			cr_expect_eq(place.queue[0].egress, egress);
			cr_expect_eq(place.sharing, all & ~(1u << egress));
			cr_expect_eq(port_plan_senders(&place.plan), all & ~(1u << egress));
			cr_expect_eq(port_plan_receivers(&place.plan), 1u << egress);
			cr_expect_eq(flows_of(&place.plan), ports - 1);
		}
	}
}

/* Section 5.2 with 8 ports, "last iteration": port N to egress port 2, 4 to 6; from 0, 7 to 1 and 3 to 5. */
Test(rfc8239, the_last_groups_of_eight_ports_are_those_of_procedure_1)
{
	const struct port_plan plan = holb_plan(8, 2, false, 7);

	cr_expect(sends(&plan, 7, 1) && sends(&plan, 7, 2) && sends(&plan, 0, 2));
	cr_expect(sends(&plan, 3, 5) && sends(&plan, 3, 6) && sends(&plan, 4, 6));
	cr_expect_eq(flows_of(&plan), 6);
}

/* "Ingress port 6 sending 50% of traffic to egress port 8 and ... 9" in the second iteration, so with 9 ports. */
Test(rfc8239, the_second_groups_of_nine_ports_are_those_of_procedure_1)
{
	const struct port_plan plan = holb_plan(9, 2, false, 1);

	cr_expect(sends(&plan, 1, 3) && sends(&plan, 1, 4) && sends(&plan, 2, 4));
	cr_expect(sends(&plan, 5, 7) && sends(&plan, 5, 8) && sends(&plan, 6, 8));
	cr_expect_eq(flows_of(&plan), 6);
	cr_expect_eq(plan.sends[0].count, 0);
}

/* Procedure 2: a quarter each to four egress ports, with as many groups as there are ports for, at every place. */
Test(rfc8239, all_groups_split_their_first_port_between_four_egress_ports)
{
	for (unsigned ports = 8; ports <= TRAFFIC_MAX_PORTS; ports++)
		for (unsigned by = 0; by < ports; by++) {
			const unsigned groups = ports / GROUP_PORTS;
			const struct port_plan plan = holb_plan(ports, groups, true, by);

			cr_expect_eq(flows_of(&plan), 5 * groups);
			for (unsigned group = 0; group < groups; group++) {
				const unsigned first = (GROUP_PORTS * group + by) % ports;

				cr_expect_eq(plan.sends[first].count, 4);
				cr_expect_eq(plan.sends[(first + 1) % ports].count, 1);
				cr_expect(sends(&plan, first, (first + 2) % ports) &&
				          sends(&plan, first, (first + 3) % ports) &&
				          sends(&plan, (first + 1) % ports, (first + 3) % ports));
			}
		}
}

/* -- section 6 ---------------------------------------------------------------------------------------------------- */

/* Two repetitions: a and b are sqrt(2) |a - b| / (a + b) apart, which is 10% at 100 and 86.78. */
static void add_iteration(struct incast *measured, unsigned number, double goodput[2], double latency[2])
{
	const struct incast_case found = {.ports = {1, 2, 2},
	                                  .number = number,
	                                  .count = 2,
	                                  .link_bps = UINT64_C(100000000000),
	                                  .goodput_gbps = goodput,
	                                  .latency_mean_ns = latency};

	incast_note_case(measured, &found);
}

static json_t *incast_of(double goodput[][2], double latency[][2], unsigned count)
{
	struct incast measured = {
	        .repetitions = 2, .max_goodput_gbps = 95, .iterations = json_array(), .latencies = json_array()};
	json_t *result = json_pack("{s:[]}", "flags");

	for (unsigned i = 0; i < count; i++)
		add_iteration(&measured, i + 1, goodput[i], latency[i]);
	incast_report(&measured, true, result);
	json_decref(measured.iterations);
	json_decref(measured.latencies);
	return result;
}

static void check_flag(const json_t *result, size_t index, const char *says)
{
	const char *flag = json_string_value(json_array_get(json_object_get(result, "flags"), index));

	cr_assert(flag && strstr(flag, says), "\"%s\" instead of \"%s\"", flag ? flag : "nothing", says);
}

Test(rfc8239, incast_flags_the_answer_and_the_worst_iteration_of_goodput_and_latency)
{
	double steady[][2] = {{100, 87}, {90, 90}, {80, 80}}, unsteady[][2] = {{100, 86}, {90, 60}, {50, 43}};
	double none[][2] = {{(double)NAN, (double)NAN}, {(double)NAN, 5}, {5, (double)NAN}};
	json_t *result = incast_of(steady, steady, 3);

	cr_expect_eq(json_array_size(json_object_get(result, "flags")), 0);
	json_decref(result);
	result = incast_of(unsteady, unsteady, 3);
	cr_expect_eq(json_array_size(json_object_get(result, "flags")), 3);
	check_flag(result, 0, "the goodput varies: its relative standard deviation is 10.6%");
	check_flag(result, 1, "the goodput of iteration 2 varies: its relative standard deviation is 28.3%");
	check_flag(result, 2, "the stateless latency of iteration 2 varies: its relative standard deviation is 28.3%");
	json_decref(result);
	result = incast_of(unsteady, none,
	                   2); /* the least goodput is that of the worst iteration; no latency is known */
	cr_expect_eq(json_array_size(json_object_get(result, "flags")), 1);
	check_flag(result, 0, "the goodput varies: its relative standard deviation is 28.3%");
	json_decref(result);
}
