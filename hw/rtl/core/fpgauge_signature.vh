// SPDX-License-Identifier: Apache-2.0
// The signature of a test frame: the last SIGNATURE_OCTETS octets before the FCS, big-endian on the wire. Offsets are
// bit positions in the 144-bit value whose first octet on the wire is in bits 143:136. The layout is defined only here.
//
//   octets 0-1 magic, 2 run id, 3 source port | 0, 4 stream (destination entry), 5-10 sequence,
//   11-15 transmit time in groups of 8 octet times (low 40 bits), 16-17 tag | 0 | frame octets
/* verilator lint_off UNUSED */ // not every module that includes this needs every field
localparam [15:0] SIGNATURE_MAGIC  = 16'hF9A6;
localparam [31:0] SIGNATURE_OCTETS = 18;
localparam        SIGNATURE_W      = 8*SIGNATURE_OCTETS;
localparam        SIG_MAGIC_LSB  = 128;  // 16 bits
localparam        SIG_RUN_LSB    = 120;  // 8
localparam        SIG_SRC_LSB    = 116;  // 4, then four zero bits
localparam        SIG_STREAM_LSB = 104;  // 8
localparam        SIG_SEQ_LSB    = 56;   // 48
localparam        SIG_TIME_LSB   = 16;   // 40
localparam        SIG_TAG_BIT    = 15;   // 1, then a zero bit
localparam        SIG_LEN_LSB    = 0;    // 14
/* verilator lint_on UNUSED */
