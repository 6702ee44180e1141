# SPDX-License-Identifier: Apache-2.0
# make_cmac INDEX PORT: the IP cmac_usplus_INDEX for a QSFP28 of 4 x 25G. PORT is a dict:
#   core, group    sites of CMAC and transceivers, as the card is wired
#   refclk_mhz     reference clock of the transceivers
#   init_mhz       the shell's free-running clock; 100 where it is not given
#   ipg            mean gap in octets that the CMAC keeps at least (PG203: 8 to 12). 11 where the core's clock is made of
#                  this CMAC's: 12 leaves no room for alignment markers; 10 where it is not: a CMAC whose crystal is slower
#                  must be able to catch up with the core, too
# The FCS is the core's, both ways: it is not inserted, not stripped. That a wrong one is no error to the CMAC stands in
# cmac.xdc. Received frames are passed from 64 to 16383 octets, so that the core can say what is too long.
proc make_cmac {index port} {
  set name cmac_usplus_$index
  set init_mhz [expr {[dict exists $port init_mhz] ? [dict get $port init_mhz] : 100}]
  create_ip -name cmac_usplus -vendor xilinx.com -library ip -module_name $name
  set_property -dict [list \
    CONFIG.CMAC_CAUI4_MODE {1} \
    CONFIG.NUM_LANES {4x25} \
    CONFIG.GT_REF_CLK_FREQ [dict get $port refclk_mhz] \
    CONFIG.GT_DRP_CLK $init_mhz \
    CONFIG.CMAC_CORE_SELECT [dict get $port core] \
    CONFIG.GT_GROUP_SELECT [dict get $port group] \
    CONFIG.USER_INTERFACE {AXIS} \
    CONFIG.INCLUDE_SHARED_LOGIC {2} \
    CONFIG.OPERATING_MODE {Duplex} \
    CONFIG.ENABLE_AXI_INTERFACE {0} \
    CONFIG.INCLUDE_STATISTICS_COUNTERS {0} \
    CONFIG.INCLUDE_RS_FEC {1} \
    CONFIG.ENABLE_PIPELINE_REG {1} \
    CONFIG.TX_FLOW_CONTROL {0} \
    CONFIG.RX_FLOW_CONTROL {0} \
    CONFIG.TX_FRAME_CRC_CHECKING {Disable FCS Insertion} \
    CONFIG.RX_FRAME_CRC_CHECKING {Disable FCS Stripping} \
    CONFIG.TX_IPG_VALUE [dict get $port ipg] \
    CONFIG.RX_MIN_PACKET_LEN {64} \
    CONFIG.RX_MAX_PACKET_LEN {16383} \
    CONFIG.ENABLE_TIME_STAMPING {0} \
  ] [get_ips $name]
  generate_target all [get_ips $name]
}
