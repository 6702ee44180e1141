# SPDX-License-Identifier: Apache-2.0
# Timing of the clock crossings, which docs/boards.md lists. There are no clock groups on purpose: a crossing that nobody has
# thought of is then timed, fails, and is seen.

# sync_bit: a level that stays; how late it comes does not matter.
set_false_path -to [get_pins -hierarchical -filter {NAME =~ *u_*/first_reg_reg/D}]

# sync_reset and the stretched reset of fpgauge_ports: asserted without a clock.
set_false_path -to [get_pins -hierarchical -filter {NAME =~ *u_*reset/stage_reg_reg[*]/PRE || NAME =~ *u_init_rst/stage_reg_reg[*]/PRE}]
set_false_path -to [get_pins -hierarchical -filter {NAME =~ *u_ports/stretch_reg_reg[*]/CLR || NAME =~ *u_ports/rst_reg/PRE}]

# async_fifo: the bits of a Gray code must come within a clock of the side that changes them.
foreach {from to} {wr_gray_reg wr_gray_first_reg rd_gray_reg rd_gray_first_reg} {
  set_max_delay -datapath_only 3.1 \
    -from [get_cells -hierarchical -filter "NAME =~ *_descriptors/${from}_reg\[*\]"] \
    -to   [get_cells -hierarchical -filter "NAME =~ *_descriptors/${to}_reg\[*\]"]
  foreach fifo [get_cells -hierarchical -filter {NAME =~ *_descriptors}] {
    set_bus_skew 3.1 -from [get_cells $fifo/${from}_reg[*]] -to [get_cells $fifo/${to}_reg[*]]
  }
}

# axil_crossing: what stands still while a toggle crosses has two clocks of the other side; one is asked for.
foreach held {address_reg wdata_reg wstrb_reg write_reg rdata_reg resp_reg} {
  set_max_delay -datapath_only 3.3 -from [get_cells -hierarchical -filter "NAME =~ *u_axil/${held}_reg*"]
}

# The rings and the FIFOs' memories (dual_clock_ram) have no path from one clock to the other inside a block RAM.
