/* SPDX-License-Identifier: Apache-2.0 */
/* The ports of a Verilog module, as Verilator's XML lists them. */
#ifndef FPGAUGE_COMMANDS_SIM_BUILD_VERILOG_PORTS_H
#define FPGAUGE_COMMANDS_SIM_BUILD_VERILOG_PORTS_H

#include <stdbool.h>
#include <stddef.h>

#include "host/base/error.h"

struct verilog_port {
	char *name;
	char *place;   /* "switch.v:12" */
	bool output;   /* else an input */
	unsigned bits; /* 0: of a type that is no vector */
	bool used;     /* mark for whoever maps them */
};

struct verilog_module {
	char *name, *place;
	struct verilog_port *ports;
	size_t count;
};

/* Reads the top module of an XML file. Free the module in any case. */
int verilog_ports_read(const char *path, struct verilog_module *module, struct error *error);
void verilog_ports_free(struct verilog_module *module);

/* NULL: there is none. */
struct verilog_port *verilog_ports_find(const struct verilog_module *module, const char *name);

#endif
