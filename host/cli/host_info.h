/* SPDX-License-Identifier: Apache-2.0 */
/* What the run file says about the machine that the tester's program ran on. */
#ifndef FPGAUGE_CLI_HOST_INFO_H
#define FPGAUGE_CLI_HOST_INFO_H

/* JSON: name, system, machine, processors, and how far its clock can be trusted. The caller frees; NULL when out of
 * memory. */
char *host_info(void);

#endif
