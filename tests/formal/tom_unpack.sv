// SPDX-License-Identifier: Apache-2.0
//
// tom_unpack_proof -- every row of a message is written once, unchanged, to its register. Every
// line of a list is told once, in order. The warp goes on after all of it, once and in time, if the
// message says so. Faults are flagged.
//
// Three bits of a row are compared, and any one line of a list.

`default_nettype none

module tom_unpack_proof #(
  parameter int Warps    = 4,
  parameter int LineBits = 2,
  localparam int WarpW   = $clog2(Warps)
) (
  input wire logic          clk_i,
  input wire logic          ack_valid_i,
  input wire logic [1023:0] ack_beat_i,
  input wire logic          ack_last_i,
  input wire logic          inv_ready_i,
  input wire logic [4:0]    which_i
);

  logic                rst_n = 1'b0;             // low in the first cycle only
  logic                ack_ready, wr_valid, inv_valid, done_valid, err;
  logic [WarpW-1:0]    wr_warp, done_warp;
  logic [5:0]          wr_reg;
  logic [31:0]         wr_mask;
  logic [1023:0]       wr_row;
  logic [LineBits-1:0] inv_line;
  logic [1:0]          state;
  logic [63:0]         left;

  tom_unpack #(.Warps(Warps), .LineBits(LineBits)) u_dut (
    .clk_i, .rst_ni (rst_n), .ack_valid_i, .ack_beat_i, .ack_last_i, .ack_ready_o (ack_ready), .wr_valid_o (wr_valid),
    .wr_warp_o (wr_warp), .wr_reg_o (wr_reg), .wr_mask_o (wr_mask), .wr_row_o (wr_row), .inv_valid_o (inv_valid),
    .inv_line_o (inv_line), .inv_ready_i, .done_valid_o (done_valid), .done_warp_o (done_warp), .err_o (err),
    .probe_state_o (state), .probe_left_o (left)
  );

  logic                take, head, row, list, first, says, wrong, row_q;
  logic                ends;  // the message has ended and is being worked off; its last cycle is done's
  logic [63:0]         rest, lower;  // registers with rows to come; those below the one just written
  logic [63:0]         rest_q;  // before the last row
  logic [WarpW-1:0]    warp;
  logic [1:0]          mask;  // two bits of it
  logic [2:0]          data;  // three bits of the last row
  logic [4:0]          which, number, told;  // the line to watch; lines of the list; lines told
  logic [23:0]         mark;  // where that line is among the lines left
  logic [LineBits-1:0] line;

  assign take   = ack_valid_i && ack_ready;
  assign head   = take && first;
  assign row    = take && !first && rest != '0;
  assign list   = take && !first && rest == '0;
  assign number = ack_beat_i[4:0] > 5'd24 ? 5'd24 : ack_beat_i[4:0];
  assign lower  = rest_q & ~({64{1'b1}} << wr_reg);

  logic [4:0] count;  // lines of the list in work

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    row_q <= row;
    if (!rst_n) begin
      which <= which_i;
      first <= 1'b1;
      {rest, rest_q, ends, says, wrong, row_q, told, count, mark} <= '0;
    end else begin
      if (head) begin
        warp <= ack_beat_i[WarpW-1:0];
        says <= ack_beat_i[8];
        mask <= {ack_beat_i[63], ack_beat_i[32]};
      end
      rest <= take && ack_last_i ? '0 : head ? ack_beat_i[127:64] : row ? rest & (rest - 64'd1) : rest;
      if (row) rest_q <= rest;
      if (row) data <= {ack_beat_i[1023], ack_beat_i[777], ack_beat_i[0]};
      if (take) first <= ack_last_i;
      if (list) begin
        count <= number;
        told  <= '0;
        line  <= ack_beat_i[5 + which*LineBits +: LineBits];
        mark  <= which < number ? 24'd1 << which : '0;
      end else if (inv_valid && inv_ready_i) begin
        told <= told + 5'd1;
        mark <= mark >> 1;
      end
      ends  <= (take && ack_last_i) || (ends && (inv_valid || wr_valid));
      wrong <= wrong || (list && ack_beat_i[4:0] > 5'd24) || (head && ack_last_i && ack_beat_i[127:64] != '0) ||
               (row && ack_last_i && (rest & (rest - 64'd1)) != '0);
    end
  end

  always_comb if (rst_n) begin
    // A choice of the proof: any place of a list.
    assume (which < 5'd24);
    // Rule 2: the row in its cycle, to the lowest register left.
    each_row:   assert (wr_valid == row_q);
    its_row:    assert (!wr_valid || (rest_q[wr_reg] && lower == '0 && {wr_row[1023], wr_row[777], wr_row[0]} == data));
    // Rules 1 and 2: the header's warp and threads.
    its_warp:   assert ((!wr_valid || (wr_warp == warp && {wr_mask[31], wr_mask[0]} == mask)) &&
                        (!done_valid || done_warp == warp));
    // Lines are told one after the other, in order.
    each_line:  assert (inv_valid == (told != count));
    its_line:   assert (!mark[0] || (inv_valid && inv_line == line));
    // A done comes after all rows and lines, once and at once.
    after_all:  assert (!done_valid || (ends && says && !wr_valid && !inv_valid));
    in_time:    assert (!ends || !says || wr_valid || inv_valid || done_valid);
    // The next beat waits for the lines; the next message for the end.
    waits:      assert (!ack_ready || (!inv_valid && !ends));
    goes_on:    assert (ack_ready || ends || inv_valid);
    // Messages that end early, and lists that are too long.
    flagged:    assert (err == wrong);
    // The longest list; a single register and line.
    all_lines:  cover (done_valid && count == 5'd24 && told == 5'd24);
    both:       cover (done_valid && count == 5'd1 && rest_q == 64'h8000000000000000);
  end
endmodule

`default_nettype wire
