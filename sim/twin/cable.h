/* SPDX-License-Identifier: Apache-2.0 */
/* A cable between two twins of one process, each with a clock of its own: port i of one leads to port i of the other.
 * Time is true time, in which each clock runs at its own pace from its own beginning; whenever one twin lets time pass,
 * the other's clock follows. docs/twin.md says what is simulated so. */
#ifndef FPGAUGE_SIM_TWIN_CABLE_H
#define FPGAUGE_SIM_TWIN_CABLE_H

#include "sim/twin/twin.h"

/* Makes this end of a cable and plugs it in, if a cable is among the settings of a new twin. False: refused. */
bool cable_open(struct twin *twin, const struct sim_options *options);
void cable_close(struct twin *twin);

/* The clock of the peer follows that of this twin. */
void cable_follow(const struct twin *twin);

#endif
