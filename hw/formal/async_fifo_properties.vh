// SPDX-License-Identifier: Apache-2.0
// Properties of async_fifo, in its own scope. Both clocks are free: in every step of the proof each may or may not
// rise, which covers every ratio and phase, and every delay that metastability of the first register can add to the one
// changing bit of a Gray code.
// The pointers are compared in order: the value that one side has of the other's pointer lies between an old and the
// current value, so the FIFO never holds more than it can and never delivers what was not written.
function [POINTER_W-1:0] binary(input [POINTER_W-1:0] gray);
  integer b;
  begin
    binary = gray;
    for (b = POINTER_W - 2; b >= 0; b = b - 1) binary[b] = gray[b] ^ binary[b+1];
  end
endfunction
localparam [POINTER_W-1:0] DEPTH = 1 << DEPTH_LOG2;

wire [POINTER_W-1:0] wr_first_seen = binary(wr_gray_first_reg), wr_seen = binary(wr_gray_second_reg);
wire [POINTER_W-1:0] rd_first_seen = binary(rd_gray_first_reg), rd_seen = binary(rd_gray_second_reg);
wire [POINTER_W-1:0] held = wr_pointer_reg - rd_pointer_reg;

always @* begin
  begin
    assert (wr_gray_reg == (wr_pointer_reg ^ (wr_pointer_reg >> 1)));
    assert (rd_gray_reg == (rd_pointer_reg ^ (rd_pointer_reg >> 1)));
    assert (held <= DEPTH);
    // reader's pointer <= what it has seen <= what it will see <= the writer's pointer
    assert (wr_seen - rd_pointer_reg <= wr_first_seen - rd_pointer_reg);
    assert (wr_first_seen - rd_pointer_reg <= held);
    // and the other way round, counting back from the writer's pointer
    assert (held <= wr_pointer_reg - rd_first_seen);
    assert (wr_pointer_reg - rd_first_seen <= wr_pointer_reg - rd_seen);
    assert (wr_pointer_reg - rd_seen <= DEPTH);
    // hence a write finds room, and a fetch finds an entry
    if (write) assert (held < DEPTH);
    if (fetch) assert (held != {POINTER_W{1'b0}});
  end
end
