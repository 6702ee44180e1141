# SPDX-License-Identifier: Apache-2.0
# Alveo U280: two QSFP28. Nobody has checked that their reference clocks come from one oscillator, so port 1 has the smaller gap.
# Part, sites and clocks are those of AMD's xup_vitis_network_example (Ethernet/bd_cmac.tcl).
set part xcu280-fsvh2892-2L-e
set top  fpgauge_u280
set ports {
  {core CMACE4_X0Y5 group X0Y40~X0Y43 refclk_mhz 156.25 ipg 11 init_mhz 50}
  {core CMACE4_X0Y6 group X0Y44~X0Y47 refclk_mhz 156.25 ipg 10 init_mhz 50}
}
