// SPDX-License-Identifier: Apache-2.0
// The global registers: what this build is, the strobes that act on all ports, run id, time.
//
// A register access is answered in the clock after bus_req. Strobes are high in that same clock, for one clock, and
// come from registers, so that all ports see them together. The registers of a port are decoded by csr_port.
module csr_global #(
  parameter PORTS = 2,
  parameter GROUPS = 8,
  parameter CLOCK_HZ = 195312500
) (
  input             clk,
  input             rst,
  input             bus_req,
  input             bus_write,
  input      [11:0] bus_offset,
  input      [31:0] bus_wdata,
  output reg        bus_ack,
  output reg [31:0] bus_rdata,
  output reg        bus_error,

  input      [47:0] word_time,
  input      [47:0] start_word,
  input             sending,
  input             clearing,
  output reg        start,
  output reg        stop,
  output reg        clear,
  output reg        snapshot,
  output reg [7:0]  cfg_run_id
);
`include "fpgauge_regs.vh"
  localparam WORD_OCTETS_LOG2 = 3 + $clog2(GROUPS);
  localparam TIME_PAD = 64 - 48 - WORD_OCTETS_LOG2;
  localparam [11:0] HIGH = 12'd4;     // offset of the high word of a wide register

  function [63:0] octet_time;
    input [47:0] words;
    octet_time = {{TIME_PAD{1'b0}}, words, {WORD_OCTETS_LOG2{1'b0}}};
  endfunction
  wire [63:0] now        = octet_time(word_time);
  wire [63:0] start_time = octet_time(start_word);

  reg [31:0] scratch_reg;
  reg [63:0] snapshot_time_reg;
  reg [31:0] time_high_reg;           // high word of the time whose low word was last read

  // Reads.
  reg [31:0] value;
  reg        readable;
  always @* begin
    value    = 32'd0;
    readable = 1'b1;
    case (bus_offset)
      GLOBAL_ID:                   value = MAP_ID;
      GLOBAL_MAP_VERSION:          value = MAP_VERSION;
      GLOBAL_MAP_HASH:             value = MAP_HASH;
      GLOBAL_PORTS:                value = PORTS;
      GLOBAL_GROUPS:               value = GROUPS;
      GLOBAL_CLOCK_HZ:             value = CLOCK_HZ;
      GLOBAL_DESTINATIONS:         value = 32'd1 << PORT_TX_DESTINATION_INDEX_BITS;
      GLOBAL_HISTOGRAM_BINS:       value = 32'd1 << PORT_RX_HISTOGRAM_INDEX_BITS;
      GLOBAL_CONTROL:              value = 32'd0;
      GLOBAL_STATUS: begin
        value[GLOBAL_STATUS_SENDING_BIT]  = sending;
        value[GLOBAL_STATUS_CLEARING_BIT] = clearing;
      end
      GLOBAL_RUN_ID:               value = {{(32-GLOBAL_RUN_ID_BITS){1'b0}}, cfg_run_id};
      GLOBAL_SCRATCH:              value = scratch_reg;
      GLOBAL_SNAPSHOT_TIME:        value = snapshot_time_reg[31:0];
      GLOBAL_SNAPSHOT_TIME + HIGH: value = snapshot_time_reg[63:32];
      GLOBAL_TIME:                 value = now[31:0];
      GLOBAL_TIME + HIGH:          value = time_high_reg;
      GLOBAL_START_TIME:           value = start_time[31:0];
      GLOBAL_START_TIME + HIGH:    value = start_time[63:32];
      default:                     readable = 1'b0;
    endcase
  end

  wire writable = bus_offset == GLOBAL_CONTROL || bus_offset == GLOBAL_RUN_ID || bus_offset == GLOBAL_SCRATCH;
  wire write    = bus_req && bus_write;
  wire read     = bus_req && !bus_write;
  wire control  = write && bus_offset == GLOBAL_CONTROL;

  always @(posedge clk) begin
    bus_ack   <= bus_req && !rst;
    bus_error <= bus_req && !(bus_write ? writable : readable);
    bus_rdata <= read ? value : 32'd0;
    if (read && bus_offset == GLOBAL_TIME) time_high_reg <= now[63:32];
    if (snapshot) snapshot_time_reg <= now;
    if (rst) snapshot_time_reg <= 64'd0;
  end

  always @(posedge clk)
    if (rst) begin
      start       <= 1'b0;
      stop        <= 1'b0;
      clear       <= 1'b0;
      snapshot    <= 1'b0;
      cfg_run_id  <= {GLOBAL_RUN_ID_BITS{1'b0}};
      scratch_reg <= 32'd0;
    end else begin
      start    <= control && bus_wdata[GLOBAL_CONTROL_START_BIT];
      stop     <= control && bus_wdata[GLOBAL_CONTROL_STOP_BIT];
      clear    <= control && bus_wdata[GLOBAL_CONTROL_CLEAR_BIT];
      snapshot <= control && bus_wdata[GLOBAL_CONTROL_SNAPSHOT_BIT];
      if (write && bus_offset == GLOBAL_RUN_ID)  cfg_run_id  <= bus_wdata[GLOBAL_RUN_ID_BITS-1:0];
      if (write && bus_offset == GLOBAL_SCRATCH) scratch_reg <= bus_wdata;
    end
endmodule
