# SPDX-License-Identifier: Apache-2.0
# Alveo U250: two QSFP28. Nobody has checked that their reference clocks come from one oscillator, so port 1 has the smaller gap.
# Part, sites and clocks are those of AMD's xup_vitis_network_example (Ethernet/bd_cmac.tcl).
# The sites are the least certain of all recipes: other designs pair the same quads with other CMACs (X0Y8 for the first).
set part xcu250-figd2104-2L-e
set top  fpgauge_u250
set ports {
  {core CMACE4_X0Y7 group X1Y44~X1Y47 refclk_mhz 156.25 ipg 11}
  {core CMACE4_X0Y6 group X1Y40~X1Y43 refclk_mhz 156.25 ipg 10}
}
