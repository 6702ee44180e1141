// files: rx/rx_mail_ring.v
// mode: induction depth=1 base=7 cover=16 mutants=13
// size: 4 entries of 2 bits, 2 frames
// mutant written_over_when_full: s/!lost_reg \&\& at_reg != low_reg + ENTRIES;/!lost_reg;/
// mutant begins_over_what_is_kept: s/fits_apart   = empty || base_reg != low_reg + ENTRIES/fits_apart = 1'b1/
// mutant a_frame_too_many: s/fits \&\& held != FRAMES/fits/
// mutant last_place_not_used: s/held != FRAMES/held < FRAMES - 1'b1/
// mutant lost_word_forgotten: s/lost_reg <= !fits;/lost_reg <= 1'b0;/
// mutant next_frame_behind_one_not_kept: s/first_reg <= base_reg;/first_reg <= at_reg;/
// mutant last_word_not_at_its_place: s/write_at     = goes_on || kept ?/write_at = goes_on ?/
// mutant shared_entry_left_out: s/first_reg  <= at_reg;/first_reg <= at_reg + 1'b1;/
// mutant base_stays: s/base_reg   <= at_reg + 1'b1;/base_reg <= base_reg + 1'b1;/
// mutant group_of_the_next: s/{first_reg, group_reg, about}/{first_reg, word_live_group, about}/
// mutant clear_keeps_all: s/popped_reg <= pushed_reg;/popped_reg <= popped_reg;/
// mutant given_back_unseen: s/taken = next \&\& there/taken = next/
// mutant open_frame_not_protected: s/open_reg ? first_reg : base_reg/base_reg/
// slow room_of_an_empty_box_forgotten: s/if (begins_apart \&\& empty) low_reg <= base_reg;//
// mutant never_shown: s/(kept \&\& empty)/1'b0/
// mutant next_one_not_fetched: s/clear || taken || (kept/clear || (kept/
// mutant shown_while_it_is_fetched: s/if (rst || clear || taken) there/if (rst || clear) there/
// mutant kept_without_being_asked: s/word_end \&\& keep \&\& !clear/word_end \&\& !clear/g
// mutant reads_the_word_before: s/low_reg\[ENTRIES_LOG2-1:0\] + read_word/low_reg[ENTRIES_LOG2-1:0] + read_word - 1'b1/
// SPDX-License-Identifier: Apache-2.0
// rx_mail_ring, small, against any words, verdicts and reads. The proven properties are in rx_mail_ring_properties.vh.
module rx_mail_ring_formal (
  input       clk,
  input       rst,
  input       clear,
  input       word_valid,
  input [1:0] word,
  input       word_owned,
  input       word_end,
  input       word_live,
  input       word_live_group,
  input       keep,
  input [1:0] about,
  input       next,
  input       read,
  input [1:0] read_word
);
  rx_mail_ring #(.WIDTH(2), .ABOUT_W(2), .GROUP_W(1), .ENTRIES_LOG2(2), .FRAMES_LOG2(1)) dut (
    .clk(clk), .rst(rst), .clear(clear), .word_valid(word_valid), .word(word), .word_owned(word_owned),
    .word_end(word_end), .word_live(word_live), .word_live_group(word_live_group), .keep(keep), .about(about), .kept(),
    .overflow(), .there(), .there_about(), .there_group(), .next(next), .read(read), .read_word(read_word),
    .read_value());
endmodule
