// SPDX-License-Identifier: Apache-2.0
// How wide times are. The host reads octet times of 64 bits, which last 46 years at 100 Gb/s. Inside, a time counts
// groups of 8 octets or words of GROUPS groups, and has the bits that are left: so no time wraps before the host's does.
`ifndef FPGAUGE_TIME_VH
`define FPGAUGE_TIME_VH
`define FPGAUGE_OCTET_TIME_W         64
`define FPGAUGE_GROUP_TIME_W         (`FPGAUGE_OCTET_TIME_W - 3)
`define FPGAUGE_WORD_TIME_W(groups)  (`FPGAUGE_GROUP_TIME_W - $clog2(groups))
`endif
