/* SPDX-License-Identifier: Apache-2.0 */
/* Random trials on two simulation libraries, by hand and for tools/bench.
 *
 *   differential [--first LIBRARY] [--second LIBRARY] [--second-option NAME=VALUE] [--seed S] [--trials N] [--jobs J]
 *                [--scale K]                   trials K times as long
 *                [--switch | --router]         on one of these, instead of pairs of ports
 *                [--mail]                      with frames that are kept for the host
 *   differential ... --seed S --trial N        one trial, cut down when the sides differ
 *   differential --seed S --trial N --print [--ports P]    the whole script of that trial, without playing it
 *   differential ... --script FILE             a script as it was printed
 *
 * LIBRARY is a path. Prints one line of figures, name=value each; exit 1 when the sides differ, 2 for wrong arguments.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/campaign.h"
#include "tests/differential/generate.h"
#include "tests/differential/shrink.h"

enum { EXIT_DIFFERENT = 1, EXIT_USAGE = 2, MAX_JOBS = 16 };

struct arguments {
	const char *library[2];
	const char *own[2];
	const char *script;
	struct recipe recipe;
	uint64_t trials, trial;
	unsigned jobs;
	bool one, print;
};

static void usage(const char *why)
{
	fprintf(stderr, "differential: %s (the head of tests/differential/differential.c says how)\n", why);
	exit(EXIT_USAGE);
}

static void parse_arguments(int argc, char **argv, struct arguments *arguments)
{
	static const struct option options[] = {
	        {"first", required_argument, NULL, 'a'},
	        {"second", required_argument, NULL, 'b'},
	        {"first-option", required_argument, NULL, 'A'},
	        {"second-option", required_argument, NULL, 'B'},
	        {"seed", required_argument, NULL, 's'},
	        {"trials", required_argument, NULL, 'n'},
	        {"trial", required_argument, NULL, 't'},
	        {"jobs", required_argument, NULL, 'j'},
	        {"script", required_argument, NULL, 'f'},
	        {"print", no_argument, NULL, 'p'},
	        {"scale", required_argument, NULL, 'x'},
	        {"ports", required_argument, NULL, 'o'},
	        {"switch", no_argument, NULL, 'w'},
	        {"router", no_argument, NULL, 'r'},
	        {"mail", no_argument, NULL, 'm'},
	        {"tcp", no_argument, NULL, 'c'},
	        {NULL, 0, NULL, 0},
	};
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'a':
		case 'b':
			arguments->library[c - 'a'] = optarg;
			break;
		case 'A':
		case 'B':
			arguments->own[c - 'A'] = optarg;
			break;
		case 's':
			arguments->recipe.seed = strtoull(optarg, NULL, 0);
			break;
		case 'x':
			arguments->recipe.scale = (unsigned)strtoul(optarg, NULL, 0);
			break;
		case 'o':
			arguments->recipe.ports = (unsigned)strtoul(optarg, NULL, 0);
			break;
		case 'n':
			arguments->trials = strtoull(optarg, NULL, 0);
			break;
		case 't':
			arguments->trial = strtoull(optarg, NULL, 0);
			arguments->one = true;
			break;
		case 'j':
			arguments->jobs = (unsigned)strtoul(optarg, NULL, 0);
			break;
		case 'f':
			arguments->script = optarg;
			break;
		case 'w':
			arguments->recipe.switches = true;
			break;
		case 'r':
			arguments->recipe.routers = true;
			break;
		case 'm':
			arguments->recipe.mails = true;
			break;
		case 'c':
			arguments->recipe.tcp = true;
			break;
		case 'p':
			arguments->print = true;
			break;
		default:
			usage("unknown option");
		}
	}
	if (arguments->recipe.ports % 2 != 0 || arguments->recipe.ports < 2 ||
	    arguments->recipe.ports > GENERATE_MOST_PORTS)
		usage("--ports must be 2, 4 ... 16");
	if (optind < argc || arguments->jobs < 1 || arguments->jobs > MAX_JOBS)
		usage(optind < argc ? argv[optind] : "--jobs must be 1 to 16");
}

static int play_file(const struct pair *pair, const char *path)
{
	FILE *file = fopen(path, "r");
	struct script script;
	struct outcome outcome;
	unsigned line;

	if (file == NULL || !script_parse(file, &script, &line)) {
		fprintf(stderr, "differential: %s: %s %u\n", path, file == NULL ? "cannot be read" : "wrong line",
		        file == NULL ? 0 : line);
		return EXIT_USAGE;
	}
	fclose(file);
	play(pair, &script, &outcome);
	script_print(stdout, &script, outcome.different ? outcome.op : SIZE_MAX, outcome.what);
	printf("# %s\n", outcome.different ? outcome.what : "no difference");
	script_release(&script);
	return outcome.different ? EXIT_DIFFERENT : 0;
}

static int print_script(const struct arguments *arguments)
{
	struct script script;
	struct recipe recipe = arguments->recipe;

	recipe.seed += arguments->trial;
	generate_script(&recipe, &script);
	script_print(stdout, &script, SIZE_MAX, "");
	script_release(&script);
	return 0;
}

/* Runs each job in its own process, because libraries need not be thread-safe; figures come back through a pipe. */
static void run_jobs(const struct pair *pair, const struct arguments *arguments, struct campaign *campaign)
{
	int pipes[MAX_JOBS][2];

	for (unsigned job = 0; job < arguments->jobs; job++) {
		const uint64_t first = arguments->trials * job / arguments->jobs;
		const uint64_t end = arguments->trials * (job + 1) / arguments->jobs;

		if (pipe(pipes[job]) != 0)
			usage("no pipe");
		if (fork() == 0) {
			campaign_run(pair, &arguments->recipe, first, end - first, campaign);
			_exit(write(pipes[job][1], campaign, sizeof(*campaign)) != sizeof(*campaign));
		}
		close(pipes[job][1]);
	}
	*campaign = (struct campaign){0};
	for (unsigned job = 0; job < arguments->jobs; job++) {
		struct campaign part;

		if (read(pipes[job][0], &part, sizeof(part)) != sizeof(part)) {
			fprintf(stderr, "differential: job %u died\n", job);
			exit(EXIT_DIFFERENT);
		}
		campaign_add(campaign, &part);
		close(pipes[job][0]);
		wait(NULL);
	}
}

static int run(const struct pair *pair, const struct arguments *arguments)
{
	struct timespec begin, end;
	struct campaign campaign;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	run_jobs(pair, arguments, &campaign);
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("seed=%" PRIu64 " scale=%u trials=%" PRIu64 " different=%" PRIu64 " refused=%" PRIu64 " frames=%" PRIu64
	       " octet_times=%" PRIu64 " wall_s=%.3f\n",
	       arguments->recipe.seed, arguments->recipe.scale, campaign.trials, campaign.different, campaign.refused,
	       campaign.frames, campaign.end_ot,
	       (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec));
	for (unsigned i = 0; i < FPGAUGE_COUNTER_COUNT && (arguments->recipe.mails || arguments->recipe.tcp); i++)
		if (i == FPGAUGE_COUNTER_RX_FOREIGN_FRAMES || i == FPGAUGE_COUNTER_RX_MAIL_FRAMES ||
		    i == FPGAUGE_COUNTER_RX_MAIL_OVERFLOW_FRAMES)
			printf("counter %u in %" PRIu64 " trials\n", i, campaign.seen[i]);
	if (campaign.different == 0)
		return 0;
	campaign_explain(stdout, pair, &arguments->recipe, campaign.first_different);
	return EXIT_DIFFERENT;
}

int main(int argc, char **argv)
{
	struct arguments arguments = {.library = {FPGAUGE_FIRST, FPGAUGE_SECOND},
	                              .recipe = {.ports = 2, .scale = 1},
	                              .trials = 2000,
	                              .jobs = 1};
	struct pair pair;
	char why[512];
	int result;

	parse_arguments(argc, argv, &arguments);
	if (arguments.print)
		return print_script(&arguments);
	for (unsigned s = 0; s < 2; s++) {
		if (!side_load(&pair.side[s], arguments.library[s], arguments.own[s], why, sizeof(why))) {
			fprintf(stderr, "differential: %s\n", why);
			return EXIT_USAGE;
		}
	}
	arguments.recipe.ports = pair.side[0].api->ports;
	if (arguments.script != NULL)
		result = play_file(&pair, arguments.script);
	else if (arguments.one) {
		struct campaign campaign;

		campaign_run(&pair, &arguments.recipe, arguments.trial, 1, &campaign);
		campaign_explain(stdout, &pair, &arguments.recipe, arguments.trial);
		result = campaign.different != 0;
	} else
		result = run(&pair, &arguments);
	for (unsigned s = 0; s < 2; s++)
		side_unload(&pair.side[s]);
	return result;
}
