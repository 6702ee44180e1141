// SPDX-License-Identifier: Apache-2.0
// A TCP connection, its settings and its segments, as sim/tcp/tcp.h has them: what each member means is said there, and
// tests/rtl/tcp_words.h reads them in this order. They are in a package, because yosys before 0.54 fails on members of a struct
// that is declared outside of one.
`ifndef TCP_TYPES_SVH
`define TCP_TYPES_SVH

// flags of a segment
`define TCP_FIN 0
`define TCP_SYN 1
`define TCP_RST 2
`define TCP_PSH 3
`define TCP_ACK 4

package tcp_types;

typedef struct packed {
  logic [15:0] mss;
  logic [31:0] window;
  logic        use_scale;
  logic [3:0]  scale;
  logic [3:0]  initial_segments;
  logic [1:0]  ack_every;
  logic [4:0]  retries;
  logic [31:0] ack_delay;
  logic [31:0] granularity;
  logic [31:0] rto_initial;
  logic [31:0] rto_min;
  logic [31:0] rto_max;
  logic [31:0] rto_after_syn;
  logic [31:0] time_wait;
} settings_t;

typedef struct packed {
  logic [31:0] seq;
  logic [31:0] ack;
  logic [4:0]  flags;
  logic [15:0] window;
  logic [15:0] octets;
  logic [15:0] mss;
  logic        scale_is_there;
  logic [3:0]  scale;
} segment_t;

typedef struct packed {
  logic [3:0]   state;
  logic         endless;
  logic         closing;
  logic [31:0]  snd_una;
  logic [31:0]  snd_nxt;
  logic [31:0]  snd_max;
  logic [31:0]  snd_end;
  logic [31:0]  snd_wnd;
  logic [31:0]  snd_wl1;
  logic [31:0]  snd_wl2;
  logic [31:0]  max_wnd;
  logic [15:0]  mss;
  logic         scale_ok;
  logic [3:0]   snd_scale;
  logic [31:0]  cwnd;
  logic [31:0]  ssthresh;
  logic [31:0]  counted;
  logic [31:0]  recover;
  logic [1:0]   dupacks;
  logic         recovery;
  logic         partial;
  logic         resend;
  logic         timed_out;
  logic         measured;
  logic         timing;
  logic [31:0]  timed_seq;
  logic [31:0]  timed_at;
  logic [31:0]  srtt8;
  logic [31:0]  rttvar4;
  logic [31:0]  rto;
  logic         timer_on;
  logic [31:0]  timer_at;
  logic [4:0]   retries;
  logic         syn_resent;
  logic         persist;
  logic         probe;
  logic [31:0]  rcv_nxt;
  logic [3:0]   range_used;
  logic [127:0] range_begin;                   // range 0 is the lowest 32 bits
  logic [127:0] range_end;
  logic         fin_known;
  logic [31:0]  fin_seq;
  logic [47:0]  delivered;
  logic         ack_now;
  logic [1:0]   owed;
  logic         ack_on;
  logic [31:0]  ack_at;
} connection_t;

endpackage

`ifdef __ICARUS__
// Icarus 11 finds types of a package only where they are imported by name.
import tcp_types::settings_t;
import tcp_types::segment_t;
import tcp_types::connection_t;
`endif

`endif
