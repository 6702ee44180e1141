/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of search, trial and observation; and which trials decided the bounds. */
#include "host/bench/search_loop.h"

#include <math.h>
#include <stdlib.h>

#include "host/search/mlrsearch.h"

/* Trials at one point. For every search the same one decides: the last of the longest, because it overrules shorter and
 * earlier ones. Points change class as trials come in, so trials are kept for all points. */
struct visited {
	uint64_t point;
	unsigned trials, lossy_trials;
	uint64_t longest_ns;                   /* longest requested, over all trials here */
	uint64_t longest_lossless_ns;          /* longest requested, over those without loss */
	struct measurement deciding, lossless; /* the last trial of each of these lengths */
	struct measurement *lossy; /* external tester: the one with loss at the least load offered; NULL: none */
};

struct visits {
	struct visited *list;
	size_t count, capacity;
	bool differ; /* a trial offered another load than was intended */
};

static struct visited *find(const struct visits *visits, uint64_t point)
{
	for (size_t i = 0; i < visits->count; i++)
		if (visits->list[i].point == point)
			return &visits->list[i];
	return NULL;
}

static struct visited *find_or_add(struct visits *visits, uint64_t point)
{
	struct visited *here = find(visits, point);

	if (here)
		return here;
	if (visits->count == visits->capacity) {
		size_t capacity = visits->capacity * 2 + 16;
		struct visited *grown = realloc(visits->list, capacity * sizeof(*grown));

		if (!grown)
			return NULL;
		visits->list = grown;
		visits->capacity = capacity;
	}
	here = &visits->list[visits->count++];
	*here = (struct visited){.point = point};
	return here;
}

static void set(struct measurement *measured, const struct trial_result *trial, const struct trial_load *load)
{
	measured->trial = *trial;
	measured->load = *load;
}

/* A trial with loss says nothing against one without at a load that was less. */
static int keep_lossy(struct visited *here, const struct trial_result *trial, const struct trial_load *load,
                      struct error *error)
{
	if (trial->lost_frames == 0 || !load->external)
		return 0;
	if (here->lossy && here->lossy->load.offered <= load->offered)
		return 0;
	if (!here->lossy)
		here->lossy = malloc(sizeof(*here->lossy));
	if (!here->lossy)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	set(here->lossy, trial, load);
	return 0;
}

static int keep(struct visits *visits, const struct search_request *wanted, const struct trial_result *trial,
                const struct trial_load *load, struct error *error)
{
	struct visited *here;

	if (wanted->warm_up)
		return 0;
	here = find_or_add(visits, wanted->point);
	if (!here)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	visits->differ |= load->differs;
	here->trials++;
	here->lossy_trials += trial->lost_frames != 0;
	if (wanted->duration_ns >= here->longest_ns) {
		here->longest_ns = wanted->duration_ns;
		set(&here->deciding, trial, load);
	}
	if (trial->lost_frames == 0 && wanted->duration_ns >= here->longest_lossless_ns) {
		here->longest_lossless_ns = wanted->duration_ns;
		set(&here->lossless, trial, load);
	}
	return keep_lossy(here, trial, load, error);
}

/* Such a goal is met by trials without loss, but may have had lossy ones at its lower bound too, if its exceed ratio or
 * loss verification lets them pass. */
static bool wants_no_loss(const struct search_config *config)
{
	return config->kind == SEARCH_MLRSEARCH ? config->mlrsearch->goals[0].loss_ppm == 0 : config->goal_frames == 0;
}

static const struct measurement *decided_by(const struct visited *here, bool without_loss)
{
	return without_loss && here->longest_lossless_ns ? &here->lossless : &here->deciding;
}

/* The trial by which a point failed: also of one that passed, if a higher load had loss there. NULL: it did not fail.
 */
static const struct measurement *failed_by(const struct visited *here)
{
	if (here->longest_lossless_ns == 0)
		return &here->deciding;
	return here->lossy && here->lossy->load.offered > here->lossless.load.offered ? here->lossy : NULL;
}

/* The point that failed at the least load that was offered; NULL: none did. */
static const struct visited *least_failed(const struct visits *visits)
{
	const struct visited *least = NULL;

	for (size_t i = 0; i < visits->count; i++) {
		const struct measurement *failed = failed_by(&visits->list[i]);

		if (failed && (!least || failed->load.offered < failed_by(least)->load.offered))
			least = &visits->list[i];
	}
	return least;
}

/* The point that passed at the highest load offered below that at which another failed; NULL: none did. */
static const struct visited *highest_passed(const struct visits *visits, const struct visited *failed)
{
	const double below = failed ? failed_by(failed)->load.offered : INFINITY;
	const struct visited *highest = NULL;

	for (size_t i = 0; i < visits->count; i++) {
		const struct visited *here = &visits->list[i];

		if (here->longest_lossless_ns && here->lossless.load.offered < below &&
		    (!highest || here->lossless.load.offered > highest->lossless.load.offered))
			highest = here;
	}
	return highest;
}

/* Bisection goes by what it asks for. Where other loads were offered, what passed and what failed may lie in another
 * order, and the bounds are those of what was offered. They are left where nothing passed below what failed. */
static void take_offered(const struct visits *visits, struct search_result *bounds)
{
	const struct visited *upper = least_failed(visits), *lower = highest_passed(visits, upper);

	if (!lower)
		return;
	bounds->lower = lower->point;
	bounds->has_upper = upper != NULL;
	if (upper)
		bounds->upper = upper->point;
}

static void settle(const struct visits *visits, const struct search_config *config, struct findings *findings)
{
	struct search_result *bounds = &findings->bounds;
	const struct visited *lower, *upper;

	if (visits->differ && (config->kind == SEARCH_BINARY || config->kind == SEARCH_LOSS_VERIFICATION))
		take_offered(visits, bounds);
	lower = bounds->has_lower ? find(visits, bounds->lower) : NULL;
	upper = bounds->has_upper ? find(visits, bounds->upper) : NULL;
	if (lower) {
		const struct measurement *by = decided_by(lower, wants_no_loss(config));

		findings->passed = &by->trial;
		findings->passed_load = by->load;
		findings->trials = lower->trials;
		findings->lossy_trials = lower->lossy_trials;
	}
	if (upper) {
		const struct measurement *by = failed_by(upper) ? failed_by(upper) : &upper->deciding;

		findings->failed = &by->trial;
		findings->failed_load = by->load;
	}
}

static int try_point(struct session *session, const struct search_config *config, struct search *search,
                     const struct search_request *wanted, struct visits *visits, struct error *error)
{
	const struct search_points *points = session->points;
	struct trial_request request = session_request(session);
	struct trial_result *const trial = session->trial;
	int status;

	points->request(points->user, session, wanted, &request);
	session->wanted = *wanted;
	status = session_trial(session, config, search, &request, error);
	if (status == 0) {
		const struct trial_load load = trial_load_of(session, &request, trial);

		if (points->lost)
			trial->lost_frames = points->lost(points->user, session, trial);
		status = keep(visits, wanted, trial, &load, error);
	}
	if (status)
		return status;
	if (points->note)
		points->note(points->user, trial);
	return session_observe(session, search, trial, error);
}

int search_loop(struct session *session, const struct search_config *config, const struct search_points *points,
                struct findings *findings, struct error *error)
{
	struct visits visits = {0};
	struct search_request wanted;
	int status = 0;

	*findings = (struct findings){.search = search_create(config, error)};
	if (!findings->search)
		return error->code;
	session->points = points;
	while (status == 0 && search_next(findings->search, &wanted))
		status = try_point(session, config, findings->search, &wanted, &visits, error);
	session->points = NULL;
	findings->bounds = search_result(findings->search);
	settle(&visits, config, findings);
	findings->visited = visits.list;
	findings->visited_count = visits.count;
	return status ? status : session_check_end(session, &findings->bounds);
}

const struct measurement *findings_trial(const struct findings *findings, uint64_t point, bool without_loss)
{
	const struct visits visits = {.list = findings->visited, .count = findings->visited_count};
	const struct visited *here = find(&visits, point);

	if (!here || (without_loss && here->longest_lossless_ns == 0))
		return NULL;
	return without_loss ? &here->lossless : &here->deciding;
}

void findings_free(struct findings *findings)
{
	for (size_t i = 0; i < findings->visited_count; i++)
		free(findings->visited[i].lossy);
	free(findings->visited);
	findings->visited = NULL;
	findings->visited_count = 0;
	search_free(findings->search);
	findings->search = NULL;
}
