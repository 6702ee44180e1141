// SPDX-License-Identifier: Apache-2.0
// A port's knowledge of the MAC behind its line: whether there is one that reports, what has happened to the link, and what
// became of the frames of the line: sent, dropped, too late, and how many the MAC itself says that it has sent.
// 
// The line meter counts frames where they leave the core. Behind it, a card may still drop one; then a trial must not
// take it for lost by the device under test. So everything that may have cost a frame stays in `status` until clear.
// In a simulation without a MAC present is 0, and so are all others.
// How often the link went down is counted beside that, for as long as there is a MAC: no clear and no loopback, which hides
// the MAC from trials, touches it.
// step_*: frames since the last clock, 0 to 3. Latency: 1 clock.
module link_monitor #(
  parameter EVENTS = 11
) (
  input               clk,
  input               rst,
  input               clear,
  input               attached,              // there is a MAC
  input               present,               // and this port's line leads to it
  input               up,
  input  [4:0]        lanes,                 // now: bits 6 to 2 of the status
  input               fec_uncorrectable,     // has happened in this clock
  input  [EVENTS-1:0] events,
  input  [7:0]        steps,                 // {by the MAC's own count, late, dropped, sent}, 2 bits each
  output [31:0]       status,                // fields of the register link_status
  output [31:0]       flaps,                 // count since reset
  output [63:0]       mac_sent_frames,
  output [63:0]       mac_dropped_frames,
  output [63:0]       mac_late_frames,
  output [63:0]       mac_counted_frames
);
  reg              present_reg, up_reg, fec_reg;
  reg [4:0]        lanes_reg;
  reg [EVENTS-1:0] seen_reg;
  reg [47:0]       sent_reg, dropped_reg, late_reg, counted_reg;
  always @(posedge clk) begin
    present_reg <= present && !rst;
    up_reg      <= present && up && !rst;
    lanes_reg   <= present && !rst ? lanes : 5'd0;
    if (rst || clear || !present) begin
      fec_reg     <= 1'b0;
      seen_reg    <= {EVENTS{1'b0}};
      sent_reg    <= 48'd0;
      dropped_reg <= 48'd0;
      late_reg    <= 48'd0;
      counted_reg <= 48'd0;
    end else begin
      fec_reg     <= fec_reg || fec_uncorrectable;
      seen_reg    <= seen_reg | events | {{(EVENTS-1){1'b0}}, !up};   // event 0: the link is down
      sent_reg    <= sent_reg + {46'd0, steps[1:0]};
      dropped_reg <= dropped_reg + {46'd0, steps[3:2]};
      late_reg    <= late_reg + {46'd0, steps[5:4]};
      counted_reg <= counted_reg + {46'd0, steps[7:6]};
    end
  end
  // Counts by the event, not by `up`: it is there once however short the link was down, and not when a link never was up.
  reg [31:0] flaps_reg;
  always @(posedge clk) flaps_reg <= rst || !attached ? 32'd0 : flaps_reg + {31'd0, events[0]};
  assign flaps = flaps_reg;
  assign status = {{(24-EVENTS){1'b0}}, seen_reg, fec_reg, lanes_reg, up_reg, present_reg};
  assign mac_sent_frames    = {16'd0, sent_reg};
  assign mac_dropped_frames = {16'd0, dropped_reg};
  assign mac_late_frames    = {16'd0, late_reg};
  assign mac_counted_frames = {16'd0, counted_reg};
endmodule
