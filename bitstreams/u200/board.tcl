# SPDX-License-Identifier: Apache-2.0
# Alveo U200: two QSFP28. Nobody has checked that their reference clocks come from one oscillator, so port 1 has the smaller gap.
# Part, sites and clocks are those of AMD's xup_vitis_network_example (Ethernet/bd_cmac.tcl).
set part xcu200-fsgd2104-2-e
set top  fpgauge_u200
set ports {
  {core CMACE4_X0Y8 group X1Y48~X1Y51 refclk_mhz 156.25 ipg 11}
  {core CMACE4_X0Y6 group X1Y44~X1Y47 refclk_mhz 156.25 ipg 10}
}
