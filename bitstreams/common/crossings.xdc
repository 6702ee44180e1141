# SPDX-License-Identifier: Apache-2.0
# Timing of the clock crossings, which docs/boards.md lists. There are no clock groups on purpose: a crossing that nobody has
# thought of is then timed, fails, and is seen. (XDC has no loops; register x of the Verilog is cell x_reg.)
# Each row names both ends, and registers of crossings only: tools/check-crossings matches the names with those of the whole card.

# sync_bit: a level that stays; how late it comes does not matter.
set_false_path -to [get_pins -hierarchical -filter {NAME =~ */u_ports/*/sync_first_reg_reg/D}]

# sync_reset and the stretched reset of fpgauge_ports: asserted without a clock.
set_false_path -to [get_pins -hierarchical -filter {NAME =~ *u_*reset/stage_reg_reg[*]/PRE}]
set_false_path -to [get_pins -hierarchical -filter {NAME =~ *u_init_rst/stage_reg_reg[*]/PRE}]
set_false_path -to [get_pins -hierarchical -filter {NAME =~ *u_ports/stretch_reg_reg[*]/CLR}]
set_false_path -to [get_pins -hierarchical -filter {NAME =~ *u_ports/rst_reg/PRE}]

# async_fifo: the bits of a Gray code within a clock of the CMAC, so that no two changes are ever on their way at once.
set_max_delay -datapath_only 3.1 -from [get_cells -hierarchical -filter {NAME =~ *_descriptors/wr_gray_reg_reg[*]}] -to [get_cells -hierarchical -filter {NAME =~ *_descriptors/wr_gray_first_reg_reg[*]}]
set_max_delay -datapath_only 3.1 -from [get_cells -hierarchical -filter {NAME =~ *_descriptors/rd_gray_reg_reg[*]}] -to [get_cells -hierarchical -filter {NAME =~ *_descriptors/rd_gray_first_reg_reg[*]}]

# event_crossing: the same.
set_max_delay -datapath_only 3.1 -from [get_cells -hierarchical -filter {NAME =~ *u_events/wr_gray_reg_reg[*]}] -to [get_cells -hierarchical -filter {NAME =~ *u_events/wr_gray_first_reg_reg[*]}]

# axil_crossing: what stands still while a toggle crosses has two clocks of the other side; one of the host's is asked for.
set_max_delay -datapath_only 3.3 -from [get_cells -hierarchical -filter {NAME =~ */u_ports/u_axil/address_reg_reg[*]}] -to [get_cells -hierarchical -filter {NAME =~ */u_ports/u_core/u_control/u_axil/awaddr_reg_reg[*]}]
set_max_delay -datapath_only 3.3 -from [get_cells -hierarchical -filter {NAME =~ */u_ports/u_axil/address_reg_reg[*]}] -to [get_cells -hierarchical -filter {NAME =~ */u_ports/u_core/u_control/u_axil/araddr_reg_reg[*]}]
set_max_delay -datapath_only 3.3 -from [get_cells -hierarchical -filter {NAME =~ */u_ports/u_axil/wdata_reg_reg[*]}] -to [get_cells -hierarchical -filter {NAME =~ */u_ports/u_core/u_control/u_axil/wdata_reg_reg[*]}]
set_max_delay -datapath_only 3.3 -from [get_cells -hierarchical -filter {NAME =~ */u_ports/u_axil/wstrb_reg_reg[*]}] -to [get_cells -hierarchical -filter {NAME =~ */u_ports/u_core/u_control/u_axil/partial_reg_reg}]
set_max_delay -datapath_only 3.3 -from [get_cells -hierarchical -filter {NAME =~ */u_ports/u_axil/write_reg_reg}] -to [get_cells -hierarchical -filter {NAME =~ */u_ports/u_axil/m_axil_awvalid_reg}]
set_max_delay -datapath_only 3.3 -from [get_cells -hierarchical -filter {NAME =~ */u_ports/u_axil/write_reg_reg}] -to [get_cells -hierarchical -filter {NAME =~ */u_ports/u_axil/m_axil_wvalid_reg}]
set_max_delay -datapath_only 3.3 -from [get_cells -hierarchical -filter {NAME =~ */u_ports/u_axil/write_reg_reg}] -to [get_cells -hierarchical -filter {NAME =~ */u_ports/u_axil/m_axil_arvalid_reg}]
set_max_delay -datapath_only 3.3 -from [get_cells -hierarchical -filter {NAME =~ */u_ports/u_axil/rdata_reg_reg[*]}] -to [get_cells -hierarchical -filter {NAME =~ */u_ports/u_axil/s_axil_rdata_reg[*]}]
set_max_delay -datapath_only 3.3 -from [get_cells -hierarchical -filter {NAME =~ */u_ports/u_axil/resp_reg_reg[*]}] -to [get_cells -hierarchical -filter {NAME =~ */u_ports/u_axil/s_axil_*resp_reg[*]}]

# The rings and the FIFOs' memories (dual_clock_ram) have no path from one clock to the other inside a block RAM.
