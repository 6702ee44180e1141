// SPDX-License-Identifier: Apache-2.0
// Shows the proof of async_fifo one entry of dual_clock_ram. Included inside the module, by hw/formal only.
  (* keep *) wire [DEPTH_LOG2-1:0] f_address;
  (* keep *) wire [WIDTH-1:0]      f_entry = memory[f_address];
