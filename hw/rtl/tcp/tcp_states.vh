// SPDX-License-Identifier: Apache-2.0
// enum tcp_state of sim/tcp/tcp.h. Included inside the modules of TCP; none uses all.
  /* verilator lint_off UNUSEDPARAM */
  localparam [3:0] CLOSED = 4'd0, LISTEN = 4'd1, SYN_SENT = 4'd2, SYN_RECEIVED = 4'd3, ESTABLISHED = 4'd4, FIN_WAIT_1 = 4'd5,
                   FIN_WAIT_2 = 4'd6, CLOSE_WAIT = 4'd7, CLOSING = 4'd8, LAST_ACK = 4'd9, TIME_WAIT = 4'd10;
  /* verilator lint_on UNUSEDPARAM */
