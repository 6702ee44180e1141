// SPDX-License-Identifier: Apache-2.0
// Update of a connection's snd_una, snd_nxt and snd_max: nothing else changes them. At most one of
//   opens   all begin at iss
//   back    what was sent is to be sent again, from snd_una
//   begins  the connection is established: all that was sent, its SYN, is acknowledged
//   acks    ack is taken, which must have been one that `fits`: of what was sent and is not acknowledged
//   sends   a segment is sent whose octets, SYN and FIN are `length` numbers from `base` on, which is snd_una or snd_nxt. With `stays` they
//           probe a window of 0, and snd_nxt waits for their acknowledgement
module tcp_numbers #(
  parameter W = 32
) (
  input  [W-1:0]     una,
  input  [W-1:0]     nxt,
  input  [W-1:0]     max,
  input              opens,
  input  [W-1:0]     iss,
  input              back,
  input              begins,
  input              acks,
  input  [W-1:0]     ack,
  output             fits,
  input              sends,
  input  [W-1:0]     base,
  input  [W-1:0]     length,
  input              stays,
  output reg [W-1:0] next_una,
  output reg [W-1:0] next_nxt,
  output reg [W-1:0] next_max
);
  // Modulo 2^W, a precedes b if a - b is negative.
  wire [W-1:0] sent_end = base + length;
  wire [W-1:0] nxt_from_ack = nxt - ack, nxt_from_end = nxt - sent_end, max_from_end = max - sent_end;
  wire         unused = &{1'b0, nxt_from_ack[W-2:0], nxt_from_end[W-2:0], max_from_end[W-2:0]};
  assign fits = ack - una <= max - una;
  always @* begin
    {next_una, next_nxt, next_max} = {una, nxt, max};
    if (opens) {next_una, next_nxt, next_max} = {iss, iss, iss};
    if (back) next_nxt = una;
    if (begins) {next_una, next_nxt} = {max, max};
    if (acks) begin
      next_una = ack;
      if (nxt_from_ack[W-1]) next_nxt = ack;
    end
    if (sends) begin
      if (nxt_from_end[W-1] && !stays) next_nxt = sent_end;
      if (max_from_end[W-1]) next_max = sent_end;
    end
  end
endmodule
