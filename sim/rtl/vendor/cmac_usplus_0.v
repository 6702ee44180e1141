// SPDX-License-Identifier: Apache-2.0
// The CMAC of port 0: cmac_usplus.vh by its name.
`define FPGAUGE_CMAC_NAME cmac_usplus_0
/* verilator lint_off DECLFILENAME */
`include "cmac_usplus.vh"
/* verilator lint_on DECLFILENAME */
`undef FPGAUGE_CMAC_NAME
