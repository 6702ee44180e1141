// SPDX-License-Identifier: Apache-2.0
// The fields that vary from frame to frame: four for each flow. For each frame, what is to be OR'ed into which octets of it.
//
// Tables, by flow x 4 + field: kind (bits 1:0; the octet where the field begins, 14:8; in checksum1, 16; in checksum2, 17),
// start, step, mask, count. k: number of the flow's frame in this trial, modulo count (0 acts as 2^24). The value is
//   kind 1: start + k x step, modulo 2^32     2: entry (start + k) modulo 4096 of the table of values
//   kind 3: start + (((x >> 8) x count >> 24) << step[4:0]), x drawn (tx_field), only if a field of that number draws.
// Then the mask. load begins anew: draws and positions; frames in its clock or on their way are dropped. A write to a
// table counts for a frame if it precedes its clock 0. Kinds are 0 when the device is loaded; the kind of a field is
// written before the first frame of its flow in a trial, because the position of one of kind 0 is not kept.
//
// LATENCY 6: everything comes out 6 clocks after frame_valid, one frame per clock, also of one flow. In clocks after
// frame_valid:
//   0 kinds are read   1 count is read   2 draw; positions, start and step are read   3 position and the next one; product
//   4 entry of the table of values is read; shift   5 sum and mask   6 `any`, if the flow has a field, and the values
// Without `any` the other outputs hold what they were; with it the value of a field that there is not is 0.
module tx_fields #(
  parameter FLOW_LOG2 = 8
) (
  input                   clk,
  input                   rst,
  input                   load,
  input [31:0]            cfg_field_seed,
  // table writes
  input [FLOW_LOG2+1:0]   field_index,
  input                   field_start_we,
  input                   field_step_we,
  input                   field_mask_we,
  input                   field_count_we,
  input                   field_kind_we,
  input [31:0]            field_data,
  input [11:0]            value_index,
  input                   value_we,
  input [31:0]            value_data,
  // frames
  input                   frame_valid,
  input [FLOW_LOG2-1:0]   frame_flow,
  // 6 clocks later; field n is [32n +: 32], [7n +: 7], [n]
  output                  any,
  output [127:0]          values,            // most significant octet first in the frame
  output reg [27:0]       octets,            // where its first octet stands, 0 to 124
  output reg [3:0]        in_checksum1,
  output reg [3:0]        in_checksum2
);
  localparam [31:0] SEED_STEP = 32'h9e37_79b9;

  wire [FLOW_LOG2-1:0] write_flow = field_index[FLOW_LOG2+1:2];
  wire [1:0]           write_field = field_index[1:0];

  // ---------------------------------------------------------------- clock 0: the kinds
  // An entry: four times {in checksum2, in checksum1, octet, kind}. The write is blocking and after the read, so it is not
  // seen by it, as in tx_flows.
  localparam KIND_W = 11;
  (* ram_style = "block" *) reg [4*KIND_W-1:0] kind_ram [0:(1<<FLOW_LOG2)-1];
  reg [4*KIND_W-1:0] kinds1_reg;
  integer            i;
  initial
    for (i = 0; i < 1 << FLOW_LOG2; i = i + 1) kind_ram[i] = {4*KIND_W{1'b0}};
  integer w;
  /* verilator lint_off BLKSEQ */
  always @(posedge clk) begin
    if (frame_valid) kinds1_reg <= kind_ram[frame_flow];
    if (field_kind_we)
      for (w = 0; w < 4; w = w + 1)
        if (write_field == w[1:0])
          kind_ram[write_flow][KIND_W*w +: KIND_W] = {field_data[17:16], field_data[14:8], field_data[1:0]};
  end
  /* verilator lint_on BLKSEQ */

  // ---------------------------------------------------------------- the pipe
  reg                   valid1_reg;
  reg [6:2]             any_reg;
  reg [FLOW_LOG2-1:0]   flow1_reg, flow2_reg, flow3_reg, flow4_reg;
  reg [4*KIND_W-1:0]    kinds2_reg, kinds3_reg, kinds4_reg, kinds5_reg;
  wire                  any1 = valid1_reg && {kinds1_reg[3*KIND_W +: 2], kinds1_reg[2*KIND_W +: 2],
                                              kinds1_reg[KIND_W +: 2], kinds1_reg[0 +: 2]} != 8'd0;
  wire                  active = load || any1 || any_reg[5:2] != 4'd0;
  always @(posedge clk) begin
    valid1_reg <= frame_valid && !load && !rst;
    any_reg    <= load || rst ? 5'd0 : {any_reg[5:2], any1};
    if (frame_valid) flow1_reg <= frame_flow;
  end
  assign any = any_reg[6];

  // used: which flows have been used in this trial; clock 2 asks, clock 3 sets.
  reg [(1<<FLOW_LOG2)-1:0] used_reg;
  reg                      used3_reg, again3_reg;
  integer                  f;
  always @(posedge clk) begin
    if (active) begin
      if (any_reg[5])
        for (f = 0; f < 4; f = f + 1)
          {in_checksum2[f], in_checksum1[f], octets[7*f +: 7]} <= kinds5_reg[KIND_W*f + 2 +: KIND_W - 2];
      if (any_reg[4]) kinds5_reg <= kinds4_reg;
      if (any_reg[3]) begin
        flow4_reg  <= flow3_reg;
        kinds4_reg <= kinds3_reg;
      end
      if (any_reg[2]) begin
        used3_reg  <= used_reg[flow2_reg];
        again3_reg <= any_reg[3] && flow3_reg == flow2_reg;
      end
      if (any_reg[3]) used_reg[flow3_reg] <= 1'b1;
      if (any_reg[2]) begin
        flow3_reg  <= flow2_reg;
        kinds3_reg <= kinds2_reg;
      end
      if (any1) begin
        flow2_reg  <= flow1_reg;
        kinds2_reg <= kinds1_reg;
      end
      if (load) used_reg <= {(1<<FLOW_LOG2){1'b0}};
    end
  end

  // ---------------------------------------------------------------- the fields
  wire table_we = field_start_we || field_step_we || field_mask_we || field_count_we;
  genvar n;
  generate
    for (n = 0; n < 4; n = n + 1) begin : g_field
      localparam [31:0] N = n;
      wire        mine = write_field == N[1:0];
      tx_field #(.FLOW_LOG2(FLOW_LOG2)) u_field (
        .clk(clk), .load(load), .active(active), .seed(cfg_field_seed ^ N * SEED_STEP), .write_flow(write_flow),
        .table_we(table_we), .start_we(field_start_we && mine), .step_we(field_step_we && mine),
        .mask_we(field_mask_we && mine), .count_we(field_count_we && mine), .data(field_data),
        .value_we(value_we), .value_index(value_index), .value_data(value_data),
        .any({any_reg[5:2], any1}), .flow1(flow1_reg),
        .flow2(flow2_reg), .flow3(flow3_reg), .flow4(flow4_reg), .kind1(kinds1_reg[KIND_W*n +: 2]),
        .kind2(kinds2_reg[KIND_W*n +: 2]), .kind3(kinds3_reg[KIND_W*n +: 2]), .kind4(kinds4_reg[KIND_W*n +: 2]),
        .kind5(kinds5_reg[KIND_W*n +: 2]), .used3(used3_reg), .again3(again3_reg),
        .value(values[32*n +: 32]));
    end
  endgenerate
endmodule
