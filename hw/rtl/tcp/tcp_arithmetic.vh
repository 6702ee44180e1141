// SPDX-License-Identifier: Apache-2.0
// Sequence numbers and windows, as sim/tcp/work.h has them. Included inside the modules of TCP.
  localparam [31:0] MOST = 32'd1 << 30;          // TCP_MOST
  // a < b modulo 2^32 (RFC 9293 section 3.4)
  function precedes;
    input [31:0] a, b;
    precedes = a - b > 32'h7fffffff;
  endfunction
  function [31:0] least;
    input [31:0] a, b;
    least = a < b ? a : b;
  endfunction
  function [31:0] most;
    input [31:0] a, b;
    most = a > b ? a : b;
  endfunction
  function [31:0] grown;
    input [31:0] cwnd, by;
    grown = least(cwnd + by, MOST);
  endfunction
