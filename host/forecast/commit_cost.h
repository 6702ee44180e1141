/* SPDX-License-Identifier: Apache-2.0 */
/* What it takes to put a trial into a run file, so that it is on the disk. */
#ifndef FPGAUGE_FORECAST_COMMIT_COST_H
#define FPGAUGE_FORECAST_COMMIT_COST_H

/* Wall seconds, measured on a run file of its own in the folder for temporary files, which is then removed; 0
 * if there can be none. The run's own file may lie on another disk. */
struct commit_cost {
	double trial_s;
	double file_s; /* to make a run file, and to close it */
};

struct commit_cost commit_cost(void);

#endif
