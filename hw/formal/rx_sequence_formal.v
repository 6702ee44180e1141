// files: rx/rx_sequence.v ../formal/snapshot_table_model.v
// mode: induction depth=1 base=6 cover=12 mutants=9
// deep: base=12 mutants=14
// size: as in the core; snapshot_table is assumed to be as proven
// mutant skipped_are_not_lost: s/lost_moves  = forward ||/lost_moves  = /
// mutant lost_one_more: s/forward ? ahead2_reg :/forward ? ahead2_reg + 48'd1 :/
// mutant duplicate_is_reordered: s/in_window \&\& !seen;/in_window;/
// mutant window_not_marked at=6: s/window_next\[behind\] = 1'b1;/window_next[behind] = 1'b0;/
// mutant window_shifted_one_less at=6: s/((window << ahead2_reg\[5:0\]) << 1)/(window << ahead2_reg[5:0])/
// mutant window_kept_over_a_long_gap at=7: s/beyond2_reg ? {{(WINDOW-1)/1'b0 ? {{(WINDOW-1)/
// mutant next_not_moved: s/forward ? after2_reg : next/forward ? after2_reg - 48'd1 : next/
// mutant next_moved_back: s/next_next   = forward ?/next_next = !too_old ?/
// mutant late_moves_next: s/ahead\[48:47\] == 2'd0/!ahead[48]/
// mutant duplicate_not_summed at=6: s/if (duplicate) duplicated_frames/if (duplicate \&\& gap) duplicated_frames/
// mutant found_again_stays_lost_in_sum at=7: s/{{16{lost_step\[47\]}}, lost_step}/{16'd0, lost_step \& ~{48{lost_step[47]}}}/
// mutant gap_for_every_frame: s/forward \&\& skips2_reg/forward/
// mutant sequence_of_the_next_frame: s/after2_reg     <= sequence1_reg/after2_reg <= u_sequence/
// mutant compared_with_next_of_the_frame_before: s/- {1'b0, next_early}/- {1'b0, next}/
// mutant window_of_128: s/\&ahead\[48:6\]/\&ahead[48:7]/
// SPDX-License-Identifier: Apache-2.0
// rx_sequence for one stream that the solver picks, against any frames of any streams.
module rx_sequence_formal (
  input        clk,
  input        clear,
  input        snapshot,
  input        u_valid,
  input [11:0] u_stream,
  input [47:0] u_sequence,
  input        stream_req,
  input [11:0] stream_index
);
  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;
  rx_sequence #(.PORTS(2)) dut (
    .clk(clk), .rst(rst), .clear(clear), .snapshot(snapshot), .busy(), .u_valid(u_valid), .u_stream(u_stream),
    .u_sequence(u_sequence), .hit_gap(), .lost_frames(), .duplicated_frames(), .reordered_frames(), .late_frames(),
    .sequence_gaps(), .stream_req(stream_req), .stream_index(stream_index), .stream_ack(), .stream_count());
endmodule
