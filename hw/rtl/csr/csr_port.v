// SPDX-License-Identifier: Apache-2.0
// The registers of one port: configuration, destination writes, table windows, frozen counters.
//
// Configuration and tags answer in the clock after bus_req, counters in the second, table windows when the table does:
// the request is held until its ack, and the bus waits. Offset, data and direction are stable from bus_req to bus_ack.
// Frozen counters are in snapshot_bank, tables in tx and rx; this module only reads them. It does not check that values
// make sense together: the host does, and tx and rx must survive any values.
module csr_port #(
  parameter PORTS = 2
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

  // transmit configuration
  output reg        cfg_enable,
  output reg [13:0] cfg_frame_octets,
  output reg [39:0] cfg_gap_octets,
  output reg [31:0] cfg_gap_numerator,
  output reg [31:0] cfg_gap_denominator,
  output reg [31:0] cfg_burst_frames,
  output reg [39:0] cfg_burst_gap_octets,
  output reg [47:0] cfg_stop_frames,
  output reg [55:0] cfg_duration,
  output reg [8:0]  cfg_destinations,
  output reg        cfg_random,
  output reg [31:0] cfg_seed,
  output reg [7:0]  cfg_payload_offset,
  output reg        cfg_tag_enable,
  output reg [55:0] cfg_tag_first,
  output reg [55:0] cfg_tag_interval,
  output reg [31:0] cfg_bad_fcs_every,
  // destination table writes
  output reg        dest_we,
  output reg [7:0]  dest_index,
  output reg [3:0]  dest_port,
  output reg        header_we,
  output reg [3:0]  header_word,
  output reg [31:0] header_data,
  // receive configuration
  output reg [15:0] cfg_short_gap_octets,
  output reg [13:0] cfg_max_frame_octets,
  output reg [42:0] cfg_histogram_base,
  output reg [4:0]  cfg_histogram_width_log2,
  output reg        cfg_loopback,
  // frozen tables: request is held until ack
  output reg          tx_stream_req,
  output reg [7:0]    tx_stream_index,
  input               tx_stream_ack,
  input      [47:0]   tx_stream_frames,
  output reg          rx_stream_req,
  output reg [11:0]   rx_stream_index,
  input               rx_stream_ack,
  input      [7*48-1:0] rx_stream_count,
  output reg          histogram_req,
  output reg [9:0]    histogram_index,
  input               histogram_ack,
  input      [47:0]   histogram_count,
  output reg          gap_histogram_req,
  output reg [9:0]    gap_histogram_index,
  input               gap_histogram_ack,
  input      [47:0]   gap_histogram_count,
  // tagged frames: valid 2 clocks after the index; two bus accesses are further apart
  output reg [8:0]    tag_index,
  input      [11:0]   tag_stream,
  input      [42:0]   tag_latency,
  input      [53:0]   tag_time,
  // frozen counters: value in the clock after counter_read
  output              counter_read,
  output     [5:0]    counter_slot,
  input      [63:0]   counter_value
);
`include "fpgauge_regs.vh"
  localparam [11:0] HIGH = 12'd4;                        // offset of the high word of a wide register
  localparam STREAMS = PORTS << PORT_TX_DESTINATION_INDEX_BITS;

  wire write = bus_req && bus_write;
  wire read  = bus_req && !bus_write;

  // ---------------------------------------------------------------- configuration: writes
  // Nothing is decoded without a request: a simulation pays for every clock, and in most there is no register access.
  function is_header(input [11:0] offset);
    is_header = offset >= PORT_TX_HEADER && offset < PORT_TX_HEADER + 4 * PORT_TX_HEADER_COUNT && offset[1:0] == 2'd0;
  endfunction

  function is_writable(input [11:0] offset);
    case (offset)
      PORT_TX_ENABLE, PORT_TX_FRAME_OCTETS, PORT_TX_GAP_OCTETS, PORT_TX_GAP_OCTETS + HIGH, PORT_TX_GAP_NUMERATOR,
      PORT_TX_GAP_DENOMINATOR, PORT_TX_BURST_FRAMES, PORT_TX_BURST_GAP_OCTETS, PORT_TX_BURST_GAP_OCTETS + HIGH,
      PORT_TX_STOP_FRAMES, PORT_TX_STOP_FRAMES + HIGH, PORT_TX_DURATION, PORT_TX_DURATION + HIGH, PORT_TX_DESTINATIONS,
      PORT_TX_RANDOM, PORT_TX_SEED, PORT_TX_PAYLOAD_OFFSET, PORT_TX_TAG_ENABLE, PORT_TX_TAG_FIRST,
      PORT_TX_TAG_FIRST + HIGH, PORT_TX_TAG_INTERVAL, PORT_TX_TAG_INTERVAL + HIGH, PORT_TX_BAD_FCS_EVERY,
      PORT_TX_DESTINATION_INDEX, PORT_TX_DESTINATION_PORT, PORT_RX_SHORT_GAP_OCTETS, PORT_RX_MAX_FRAME_OCTETS,
      PORT_RX_HISTOGRAM_BASE, PORT_RX_HISTOGRAM_BASE + HIGH, PORT_RX_HISTOGRAM_WIDTH_LOG2, PORT_LOOPBACK,
      PORT_TX_STREAM_INDEX, PORT_RX_STREAM_INDEX, PORT_RX_HISTOGRAM_INDEX, PORT_TX_GAP_HISTOGRAM_INDEX,
      PORT_RX_TAG_INDEX: is_writable = 1'b1;
      default:           is_writable = is_header(offset);
    endcase
  endfunction

  always @(posedge clk) begin
    if (write)
      case (bus_offset)
        PORT_TX_ENABLE:                  cfg_enable                  <= bus_wdata[PORT_TX_ENABLE_BITS-1:0];
        PORT_TX_FRAME_OCTETS:            cfg_frame_octets            <= bus_wdata[PORT_TX_FRAME_OCTETS_BITS-1:0];
        PORT_TX_GAP_OCTETS:              cfg_gap_octets[31:0]        <= bus_wdata;
        PORT_TX_GAP_OCTETS + HIGH:       cfg_gap_octets[39:32]       <= bus_wdata[PORT_TX_GAP_OCTETS_BITS-33:0];
        PORT_TX_GAP_NUMERATOR:           cfg_gap_numerator           <= bus_wdata;
        PORT_TX_GAP_DENOMINATOR:         cfg_gap_denominator         <= bus_wdata;
        PORT_TX_BURST_FRAMES:            cfg_burst_frames            <= bus_wdata;
        PORT_TX_BURST_GAP_OCTETS:        cfg_burst_gap_octets[31:0]  <= bus_wdata;
        PORT_TX_BURST_GAP_OCTETS + HIGH: cfg_burst_gap_octets[39:32] <= bus_wdata[PORT_TX_BURST_GAP_OCTETS_BITS-33:0];
        PORT_TX_STOP_FRAMES:             cfg_stop_frames[31:0]       <= bus_wdata;
        PORT_TX_STOP_FRAMES + HIGH:      cfg_stop_frames[47:32]      <= bus_wdata[PORT_TX_STOP_FRAMES_BITS-33:0];
        PORT_TX_DURATION:                cfg_duration[31:0]          <= bus_wdata;
        PORT_TX_DURATION + HIGH:         cfg_duration[55:32]         <= bus_wdata[PORT_TX_DURATION_BITS-33:0];
        PORT_TX_DESTINATIONS:            cfg_destinations            <= bus_wdata[PORT_TX_DESTINATIONS_BITS-1:0];
        PORT_TX_RANDOM:                  cfg_random                  <= bus_wdata[PORT_TX_RANDOM_BITS-1:0];
        PORT_TX_SEED:                    cfg_seed                    <= bus_wdata;
        PORT_TX_PAYLOAD_OFFSET:          cfg_payload_offset          <= bus_wdata[PORT_TX_PAYLOAD_OFFSET_BITS-1:0];
        PORT_TX_TAG_ENABLE:              cfg_tag_enable              <= bus_wdata[PORT_TX_TAG_ENABLE_BITS-1:0];
        PORT_TX_TAG_FIRST:               cfg_tag_first[31:0]         <= bus_wdata;
        PORT_TX_TAG_FIRST + HIGH:        cfg_tag_first[55:32]        <= bus_wdata[PORT_TX_TAG_FIRST_BITS-33:0];
        PORT_TX_TAG_INTERVAL:            cfg_tag_interval[31:0]      <= bus_wdata;
        PORT_TX_TAG_INTERVAL + HIGH:     cfg_tag_interval[55:32]     <= bus_wdata[PORT_TX_TAG_INTERVAL_BITS-33:0];
        PORT_TX_BAD_FCS_EVERY:           cfg_bad_fcs_every           <= bus_wdata;
        PORT_TX_DESTINATION_INDEX:       dest_index                  <= bus_wdata[PORT_TX_DESTINATION_INDEX_BITS-1:0];
        PORT_RX_SHORT_GAP_OCTETS:        cfg_short_gap_octets        <= bus_wdata[PORT_RX_SHORT_GAP_OCTETS_BITS-1:0];
        PORT_RX_MAX_FRAME_OCTETS:        cfg_max_frame_octets        <= bus_wdata[PORT_RX_MAX_FRAME_OCTETS_BITS-1:0];
        PORT_RX_HISTOGRAM_BASE:          cfg_histogram_base[31:0]    <= bus_wdata;
        PORT_RX_HISTOGRAM_BASE + HIGH:   cfg_histogram_base[42:32]   <= bus_wdata[PORT_RX_HISTOGRAM_BASE_BITS-33:0];
        PORT_RX_HISTOGRAM_WIDTH_LOG2:    cfg_histogram_width_log2    <= bus_wdata[PORT_RX_HISTOGRAM_WIDTH_LOG2_BITS-1:0];
        PORT_LOOPBACK:                   cfg_loopback                <= bus_wdata[PORT_LOOPBACK_BITS-1:0];
        PORT_TX_STREAM_INDEX:            tx_stream_index             <= bus_wdata[PORT_TX_STREAM_INDEX_BITS-1:0];
        PORT_RX_STREAM_INDEX:            rx_stream_index             <= bus_wdata[PORT_RX_STREAM_INDEX_BITS-1:0];
        PORT_RX_HISTOGRAM_INDEX:         histogram_index             <= bus_wdata[PORT_RX_HISTOGRAM_INDEX_BITS-1:0];
        PORT_TX_GAP_HISTOGRAM_INDEX:     gap_histogram_index         <= bus_wdata[PORT_TX_GAP_HISTOGRAM_INDEX_BITS-1:0];
        PORT_RX_TAG_INDEX:               tag_index                   <= bus_wdata[PORT_RX_TAG_INDEX_BITS-1:0];
        default: ;
      endcase
    dest_we     <= !rst && write && bus_offset == PORT_TX_DESTINATION_PORT;
    header_we   <= !rst && write && is_header(bus_offset);
    if (write) begin
      dest_port   <= bus_wdata[PORT_TX_DESTINATION_PORT_BITS-1:0];
      header_word <= bus_offset[5:2] - PORT_TX_HEADER[5:2];
      header_data <= bus_wdata;
    end
    // After reset, everything that can be read is 0.
    if (rst) begin
      {cfg_enable, cfg_frame_octets, cfg_gap_octets, cfg_gap_numerator, cfg_gap_denominator} <= 119'd0;
      {cfg_burst_frames, cfg_burst_gap_octets, cfg_stop_frames, cfg_duration} <= 176'd0;
      {cfg_destinations, cfg_random, cfg_seed, cfg_payload_offset} <= 50'd0;
      {cfg_tag_enable, cfg_tag_first, cfg_tag_interval, cfg_bad_fcs_every} <= 145'd0;
      {cfg_short_gap_octets, cfg_max_frame_octets, cfg_histogram_base, cfg_histogram_width_log2} <= 78'd0;
      cfg_loopback <= 1'b0;
      {dest_index, tx_stream_index, rx_stream_index, histogram_index, gap_histogram_index, tag_index} <= 57'd0;
    end
  end

  // ---------------------------------------------------------------- plain reads
  reg [31:0] value;
  reg        readable;
  always @* begin
    value    = 32'd0;
    readable = 1'b1;
    if (read) case (bus_offset)
      PORT_TX_ENABLE:                  value = {{(32-PORT_TX_ENABLE_BITS){1'b0}}, cfg_enable};
      PORT_TX_FRAME_OCTETS:            value = {{(32-PORT_TX_FRAME_OCTETS_BITS){1'b0}}, cfg_frame_octets};
      PORT_TX_GAP_OCTETS:              value = cfg_gap_octets[31:0];
      PORT_TX_GAP_OCTETS + HIGH:       value = {{(64-PORT_TX_GAP_OCTETS_BITS){1'b0}}, cfg_gap_octets[39:32]};
      PORT_TX_GAP_NUMERATOR:           value = cfg_gap_numerator;
      PORT_TX_GAP_DENOMINATOR:         value = cfg_gap_denominator;
      PORT_TX_BURST_FRAMES:            value = cfg_burst_frames;
      PORT_TX_BURST_GAP_OCTETS:        value = cfg_burst_gap_octets[31:0];
      PORT_TX_BURST_GAP_OCTETS + HIGH: value = {{(64-PORT_TX_BURST_GAP_OCTETS_BITS){1'b0}}, cfg_burst_gap_octets[39:32]};
      PORT_TX_STOP_FRAMES:             value = cfg_stop_frames[31:0];
      PORT_TX_STOP_FRAMES + HIGH:      value = {{(64-PORT_TX_STOP_FRAMES_BITS){1'b0}}, cfg_stop_frames[47:32]};
      PORT_TX_DURATION:                value = cfg_duration[31:0];
      PORT_TX_DURATION + HIGH:         value = {{(64-PORT_TX_DURATION_BITS){1'b0}}, cfg_duration[55:32]};
      PORT_TX_DESTINATIONS:            value = {{(32-PORT_TX_DESTINATIONS_BITS){1'b0}}, cfg_destinations};
      PORT_TX_RANDOM:                  value = {{(32-PORT_TX_RANDOM_BITS){1'b0}}, cfg_random};
      PORT_TX_SEED:                    value = cfg_seed;
      PORT_TX_PAYLOAD_OFFSET:          value = {{(32-PORT_TX_PAYLOAD_OFFSET_BITS){1'b0}}, cfg_payload_offset};
      PORT_TX_TAG_ENABLE:              value = {{(32-PORT_TX_TAG_ENABLE_BITS){1'b0}}, cfg_tag_enable};
      PORT_TX_TAG_FIRST:               value = cfg_tag_first[31:0];
      PORT_TX_TAG_FIRST + HIGH:        value = {{(64-PORT_TX_TAG_FIRST_BITS){1'b0}}, cfg_tag_first[55:32]};
      PORT_TX_TAG_INTERVAL:            value = cfg_tag_interval[31:0];
      PORT_TX_TAG_INTERVAL + HIGH:     value = {{(64-PORT_TX_TAG_INTERVAL_BITS){1'b0}}, cfg_tag_interval[55:32]};
      PORT_TX_BAD_FCS_EVERY:           value = cfg_bad_fcs_every;
      PORT_TX_DESTINATION_INDEX:       value = {{(32-PORT_TX_DESTINATION_INDEX_BITS){1'b0}}, dest_index};
      PORT_TX_DESTINATION_PORT:        value = 32'd0;
      PORT_RX_SHORT_GAP_OCTETS:        value = {{(32-PORT_RX_SHORT_GAP_OCTETS_BITS){1'b0}}, cfg_short_gap_octets};
      PORT_RX_MAX_FRAME_OCTETS:        value = {{(32-PORT_RX_MAX_FRAME_OCTETS_BITS){1'b0}}, cfg_max_frame_octets};
      PORT_RX_HISTOGRAM_BASE:          value = cfg_histogram_base[31:0];
      PORT_RX_HISTOGRAM_BASE + HIGH:   value = {{(64-PORT_RX_HISTOGRAM_BASE_BITS){1'b0}}, cfg_histogram_base[42:32]};
      PORT_RX_HISTOGRAM_WIDTH_LOG2:    value = {{(32-PORT_RX_HISTOGRAM_WIDTH_LOG2_BITS){1'b0}}, cfg_histogram_width_log2};
      PORT_LOOPBACK:                   value = {{(32-PORT_LOOPBACK_BITS){1'b0}}, cfg_loopback};
      PORT_TX_STREAM_INDEX:            value = {{(32-PORT_TX_STREAM_INDEX_BITS){1'b0}}, tx_stream_index};
      PORT_RX_STREAM_INDEX:            value = {{(32-PORT_RX_STREAM_INDEX_BITS){1'b0}}, rx_stream_index};
      PORT_RX_HISTOGRAM_INDEX:         value = {{(32-PORT_RX_HISTOGRAM_INDEX_BITS){1'b0}}, histogram_index};
      PORT_TX_GAP_HISTOGRAM_INDEX:     value = {{(32-PORT_TX_GAP_HISTOGRAM_INDEX_BITS){1'b0}}, gap_histogram_index};
      PORT_RX_TAG_INDEX:               value = {{(32-PORT_RX_TAG_INDEX_BITS){1'b0}}, tag_index};
      PORT_RX_TAG_STREAM:              value = {{(32-PORT_RX_TAG_STREAM_BITS){1'b0}}, tag_stream};
      PORT_RX_TAG_LATENCY:             value = tag_latency[31:0];
      PORT_RX_TAG_LATENCY + HIGH:      value = {21'd0, tag_latency[42:32]};
      PORT_RX_TAG_TIME:                value = tag_time[31:0];
      PORT_RX_TAG_TIME + HIGH:         value = {10'd0, tag_time[53:32]};
      default:                         readable = is_header(bus_offset);
    endcase
  end

  // ---------------------------------------------------------------- reads that take longer
  wire [11:0] in_counters = bus_offset - MAP_COUNTER_BASE;
  wire [11:0] window      = {bus_offset[11:3], 3'd0};   // a wide register and its high word
  reg         slow, counter_read_now, tx_stream_read, rx_stream_read, histogram_read, gap_histogram_read;
  always @* begin
    counter_read_now   = 1'b0;
    tx_stream_read     = 1'b0;
    rx_stream_read     = 1'b0;
    histogram_read     = 1'b0;
    gap_histogram_read = 1'b0;
    slow               = 1'b0;
    if (read && bus_offset[1:0] == 2'd0) begin
      counter_read_now   = bus_offset >= MAP_COUNTER_BASE && in_counters < 8 * COUNTERS;
      tx_stream_read     = window == PORT_TX_STREAM_FRAMES;
      rx_stream_read     = window >= PORT_RX_STREAM_RECEIVED && window <= PORT_RX_STREAM_NEXT
                           && {20'd0, rx_stream_index} < STREAMS;
      histogram_read     = window == PORT_RX_HISTOGRAM_COUNT;
      gap_histogram_read = window == PORT_TX_GAP_HISTOGRAM_COUNT;
      slow = counter_read_now || tx_stream_read || rx_stream_read || histogram_read || gap_histogram_read;
    end
  end
  assign counter_read = counter_read_now;
  assign counter_slot = in_counters[8:3];

  // Which of the seven counts of a stream; rx gives them in the order of the map.
  wire [2:0] stream_word = bus_offset[5:3] - PORT_RX_STREAM_RECEIVED[5:3];
  reg        table_wait_reg;                    // a table has a request and has not answered
  reg        table_ack;
  reg [47:0] table_value;
  integer i;
  always @* begin
    table_ack   = 1'b0;
    table_value = 48'd0;
    if (table_wait_reg) begin
      table_ack = tx_stream_ack || rx_stream_ack || histogram_ack || gap_histogram_ack;
      if (tx_stream_ack)          table_value = tx_stream_frames;
      else if (histogram_ack)     table_value = histogram_count;
      else if (gap_histogram_ack) table_value = gap_histogram_count;
      else
        for (i = 0; i < 7; i = i + 1)
          if (stream_word == i[2:0]) table_value = rx_stream_count[48*i +: 48];
    end
  end

  reg  counter_wait_reg;
  wire answered = (bus_req && !slow) || counter_wait_reg || table_ack;

  always @(posedge clk)
    if (rst) begin
      bus_ack           <= 1'b0;
      counter_wait_reg  <= 1'b0;
      table_wait_reg    <= 1'b0;
      tx_stream_req     <= 1'b0;
      rx_stream_req     <= 1'b0;
      histogram_req     <= 1'b0;
      gap_histogram_req <= 1'b0;
    end else begin
      counter_wait_reg <= counter_read_now;
      bus_ack          <= answered;
      if (slow || table_ack) begin              // one access at a time, so one request
        table_wait_reg    <= slow && !counter_read_now;
        tx_stream_req     <= tx_stream_read;
        rx_stream_req     <= rx_stream_read;
        histogram_req     <= histogram_read;
        gap_histogram_req <= gap_histogram_read;
      end
    end
  // csr_bus ORs the answers of all blocks: 0 unless acknowledged.
  always @(posedge clk) begin
    bus_error <= 1'b0;
    bus_rdata <= 32'd0;
    if (answered) begin
      bus_error <= (write && !is_writable(bus_offset)) || (read && !slow && !readable);
      if (read && !slow)         bus_rdata <= value;
      else if (counter_wait_reg) bus_rdata <= bus_offset[2] ? counter_value[63:32] : counter_value[31:0];
      else if (table_ack)        bus_rdata <= bus_offset[2] ? {16'd0, table_value[47:32]} : table_value[31:0];
    end
  end
endmodule
