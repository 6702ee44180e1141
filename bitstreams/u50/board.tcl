# SPDX-License-Identifier: Apache-2.0
# Alveo U50: one QSFP28.
set part xcu50-fsvh2104-2-e
set top  fpgauge_u50
set ports {
  {core CMACE4_X0Y4 group X0Y28~X0Y31 refclk_mhz 161.1328125 ipg 11}
}
