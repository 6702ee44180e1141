// SPDX-License-Identifier: Apache-2.0
// Layout of the signature: the last 18 octets of a test frame before its FCS, as one 144-bit value, first octet highest.
localparam [15:0] SIGNATURE_MAGIC = 16'hF9A6;
localparam SIGNATURE_OCTETS = 18;
localparam SIG_MAGIC_LSB  = 128; // 16 bits
localparam SIG_RUN_LSB    = 120; // 8: run id
localparam SIG_SRC_LSB    = 116; // 4: source port
localparam SIG_DST_LSB    = 112; // 4: destination port
localparam SIG_STREAM_LSB = 104; // 8: destination entry at the source
localparam SIG_SEQ_LSB    = 56;  // 48: sequence number of the stream
localparam SIG_TIME_LSB   = 16;  // 40: transmit time in groups, modulo 2^40
localparam SIG_TAG_BIT    = 15;  // 1: tagged
localparam SIG_LEN_LSB    = 0;   // 14: length of the frame in octets
