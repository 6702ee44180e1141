# SPDX-License-Identifier: Apache-2.0
# Packs the kernel of a card: vivado -mode batch -source package_kernel.tcl -tclargs ROOT BOARD OUTPUT.xo
# Sources come from common/sources.f, the CMACs from common/cmac.tcl with the sites of BOARD/board.tcl, registers from
# hw/regs/kernel.xml. Written for Vivado 2022.1 and later; nobody has run it yet (docs/boards.md).
lassign $argv root board output
set here $root/bitstreams
source $here/$board/board.tcl   ;# part, top, ports: a list of dicts {core group refclk_mhz ipg}

create_project -force -part $part pack ./pack

set list [open $here/common/sources.f]
while {[gets $list line] >= 0} {
  set file [string trim [regsub {#.*} $line {}]]
  if {$file ne ""} { add_files -norecurse $root/$file }
}
close $list
# Include files: constants of registers and signature, the widths of times, the matrix of the CRC, the types of TCP.
set_property include_dirs [list $root/hw/regs $root/hw/rtl/core $root/hw/rtl/mac $root/hw/rtl/tcp $root/hw/rtl/time] [current_fileset]
add_files -norecurse $root/hw/boards/$board/$top.v
# SystemVerilog, because of the structs of hw/regs/csr_types.svh.
set_property file_type SystemVerilog [get_files *.v]
add_files -fileset constrs_1 -norecurse [list $here/common/crossings.xdc $here/common/cmac.xdc]
# Both name cells that exist only when everything is there.
set_property USED_IN {implementation} [get_files {crossings.xdc cmac.xdc}]
set_property PROCESSING_ORDER LATE [get_files {crossings.xdc cmac.xdc}]

source $here/common/cmac.tcl
set index 0
foreach port $ports {
  make_cmac $index $port
  incr index
}
set_property top $top [current_fileset]
update_compile_order -fileset sources_1

# ------------------------------------------------------------------ IP
set ip_dir ./ip
ipx::package_project -root_dir $ip_dir -vendor fpgauge -library kernel -name fpgauge -version 1.0 -taxonomy /KernelIP \
  -import_files -set_current false
ipx::unload_core $ip_dir/component.xml
ipx::edit_ip_in_project -upgrade true -name edit -directory $ip_dir $ip_dir/component.xml
set core [ipx::current_core]
foreach parameter [ipx::get_user_parameters -of_objects $core] {
  ipx::remove_user_parameter [get_property NAME $parameter] $core
}
set_property sdx_kernel true $core
set_property sdx_kernel_type rtl $core
ipx::create_xgui_files $core

proc bus {core name vlnv mode pins} {
  if {[llength [ipx::get_bus_interfaces $name -of_objects $core]] == 0} { ipx::add_bus_interface $name $core }
  set interface [ipx::get_bus_interfaces $name -of_objects $core]
  set_property abstraction_type_vlnv ${vlnv}_rtl:1.0 $interface
  set_property bus_type_vlnv $vlnv:1.0 $interface
  set_property interface_mode $mode $interface
  foreach {logical physical} $pins {
    if {[llength [ipx::get_port_maps $logical -of_objects $interface]] == 0} { ipx::add_port_map $logical $interface }
    set_property physical_name $physical [ipx::get_port_maps $logical -of_objects $interface]
  }
}
bus $core ap_clk xilinx.com:signal:clock slave {CLK ap_clk}
bus $core clk_gt_freerun xilinx.com:signal:clock slave {CLK clk_gt_freerun}
ipx::associate_bus_interfaces -busif s_axil -clock ap_clk $core
for {set n 0} {$n < [llength $ports]} {incr n} {
  bus $core gt_refclk$n xilinx.com:interface:diff_clock slave [list CLK_P gt_refclk${n}_p CLK_N gt_refclk${n}_n]
  bus $core gt_serial_port$n xilinx.com:interface:gt master [list \
    GRX_P gt_serial_port${n}_grx_p GRX_N gt_serial_port${n}_grx_n \
    GTX_P gt_serial_port${n}_gtx_p GTX_N gt_serial_port${n}_gtx_n]
}
set_property supported_families {} $core
set_property auto_family_support_level level_2 $core
ipx::update_checksums $core
ipx::save_core $core
close_project -delete

file delete -force $output
package_xo -xo_path $output -kernel_name fpgauge -ip_directory $ip_dir -kernel_xml $root/hw/regs/kernel.xml
