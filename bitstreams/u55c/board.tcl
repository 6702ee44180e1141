# SPDX-License-Identifier: Apache-2.0
# Alveo U55C: two QSFP28. Their reference clocks come from one clock chip (docs/boards.md, Clocks), so both have the gap of port 0.
set part xcu55c-fsvh2892-2L-e
set top  fpgauge_u55c
set ports {
  {core CMACE4_X0Y3 group X0Y24~X0Y27 refclk_mhz 161.1328125 ipg 11}
  {core CMACE4_X0Y4 group X0Y28~X0Y31 refclk_mhz 161.1328125 ipg 11}
}
