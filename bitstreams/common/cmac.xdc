# SPDX-License-Identifier: Apache-2.0
# Attributes of the CMACE4 primitive (PG203, attribute descriptions) that the IP's dialog does not have: a frame with a wrong
# FCS is sent and received like any other. The core makes such frames on purpose, and counts them itself.
set_property CTL_TX_IGNORE_FCS TRUE [get_cells -hierarchical -filter {REF_NAME == CMACE4}]
set_property CTL_RX_IGNORE_FCS TRUE [get_cells -hierarchical -filter {REF_NAME == CMACE4}]
