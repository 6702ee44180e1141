/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of ports that send. */
#ifndef FPGAUGE_COMMANDS_SEND_PORTS_H
#define FPGAUGE_COMMANDS_SEND_PORTS_H

#include "host/commands/send/options.h"
#include "host/plan/plan.h"
#include "host/traffic/traffic.h"

/* Leaves the senders that --ports names. ERROR_PLAN: one is not there, or does not send in this traffic. */
int send_ports_choose(const struct send_options *options, const struct plan_counts *ports, struct traffic *traffic,
                      struct error *error);

#endif
