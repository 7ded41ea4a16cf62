// SPDX-License-Identifier: Apache-2.0
//
// nsu_lanes_proof -- every start is written back in time and in order, in one row, or in two if its
// result is a pair. The rows have the start's tag and mask, and each thread's own result, 0 outside
// of the mask. A start is taken as soon as the one before has no pass left. Passes take one cycle,
// passes of pairs two.
//
// The wrapper watches any one thread. All other threads have the opposite operands, and are on or
// off together. parts/lane_mix.svh replaces the lanes; nsu_lane has a proof of its own.
// Instructions of words, of pairs, and of pairs with a word as the result take part. Nothing is
// assumed.

`default_nettype none

`include "parts/lane_mix.svh"

module nsu_lanes_proof #(
  parameter  int Lanes   = 16,
  parameter  int TagBits = 2,
  localparam int Passes  = 32 / Lanes,
  localparam int Line    = 2 * Passes + 6     // cycles from a start to its last write-back, and one
) (
  input  wire logic               clk_i,
  input  wire logic               start_i,
  input  wire logic [2:0]         op_i,
  input  wire logic               pairs_i,
  input  wire logic [2:0]         words_i,    // a, b, c of the watched thread
  input  wire logic [2:0]         highs_i,
  input  wire logic [1:0]         on_i,       // the watched thread, the others
  input  wire logic [TagBits-1:0] tag_i,
  input  wire logic [4:0]         thread_i    // in the cycle of reset: the thread that is watched
);

  localparam int CARRY = TagBits + 6;

  logic                  rst_n = 1'b0;        // low in the first cycle only
  logic                  ready, wb_valid, high, last, pass_valid, res_valid;
  logic [TagBits-1:0]    wb_tag, tag;
  logic [31:0]           wb_mask, mask;
  logic [1023:0]         wb_row, a, b, c, ah, bh, ch, row;
  logic [4:0]            pass, thread;
  logic [7:0]            pass_op, op;
  logic [32*Lanes-1:0]   res;
  logic [Line-1:0]       due;  // rows to come, this cycle's lowest
  logic [Line*CARRY-1:0] what;  // their place in the instruction, tag, threads on, results
  logic [1:0]            on, watched, others, result, place;  // place: of high words, the last row
  logic                  start, of_pairs, two;  // of_pairs: of the instruction with passes under way
  logic [6:0]            left, age;  // cycles of passes left after this one; cycles since the start

  localparam logic [1:0] LAST = 2'b01, HIGH_LAST = 2'b11;

  nsu_lanes #(.Lanes(Lanes), .TagBits(TagBits)) u_dut (
    .clk_i, .rst_ni (rst_n), .start_valid_i (start_i), .op_i (op), .a_i (a), .b_i (b), .c_i (c),
    .ah_i (ah), .bh_i (bh), .ch_i (ch), .wb_high_o (high), .wb_last_o (last), .tag_i, .mask_i (spread(on_i)),
    .start_ready_o (ready), .wb_valid_o (wb_valid), .wb_tag_o (wb_tag), .wb_mask_o (wb_mask), .wb_row_o (wb_row),
    .probe_pass_valid_o (pass_valid), .probe_pass_o (pass), .probe_op_o (pass_op), .probe_res_valid_o (res_valid),
    .probe_res_o (res)
  );

  // Bit 0 for the watched thread, bit 1 for all others.
  function automatic logic [31:0] spread(input logic [1:0] two);
    for (int i = 0; i < 32; i++) spread[i] = i == 32'(thread) ? two[0] : two[1];
  endfunction

  always_comb begin
    for (int i = 0; i < 32; i++) begin
      a[i*32 +: 32]   = {32{words_i[0] ^ (i != 32'(thread))}};
      b[i*32 +: 32]   = {32{words_i[1] ^ (i != 32'(thread))}};
      c[i*32 +: 32]   = {32{words_i[2] ^ (i != 32'(thread))}};
      ah[i*32 +: 32]  = {32{highs_i[0] ^ (i != 32'(thread))}};
      bh[i*32 +: 32]  = {32{highs_i[1] ^ (i != 32'(thread))}};
      ch[i*32 +: 32]  = {32{highs_i[2] ^ (i != 32'(thread))}};
      row[i*32 +: 32] = {32{i == 32'(thread) ? on[0] & result[0] : on[1] & result[1]}};
    end
  end
  assign op    = !pairs_i ? {5'b00010, op_i} : op_i[2] ? nsu_pkg::OP_CVT_F32_F64 : {6'b100000, op_i[1:0]};
  assign {watched, others} = {lane_mix_pkg::lane_mix(op, words_i, highs_i),
                              lane_mix_pkg::lane_mix(op, ~words_i, ~highs_i)};
  assign two   = pairs_i && !op_i[2];
  assign {place, tag, on, result} = what[0 +: CARRY];
  assign mask  = spread(on);
  assign start = start_i && left == '0;

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      thread <= thread_i;
      due    <= '0;
      left   <= '0;
      age    <= '1;
    end else begin
      due  <= due >> 1;
      left <= start ? 7'(pairs_i ? 2 * Passes - 1 : Passes - 1) : left != '0 ? left - 7'd1 : '0;
      age  <= start ? 7'd0 : left != '0 ? age + 7'd1 : '1;
    end
    what <= what >> CARRY;
    if (rst_n && start) begin
      of_pairs <= pairs_i;
      if (!pairs_i) begin
        due[Passes+4]                     <= 1'b1;
        what[(Passes+4)*CARRY +: CARRY]   <= {LAST, tag_i, on_i, others[0], watched[0]};
      end else begin
        due[2*Passes+3]                   <= 1'b1;
        what[(2*Passes+3)*CARRY +: CARRY] <= {two ? 2'b00 : LAST, tag_i, on_i, others[0], watched[0]};
        due[2*Passes+4]                   <= two;
        what[(2*Passes+4)*CARRY +: CARRY] <= {HIGH_LAST, tag_i, on_i, others[1], watched[1]};
      end
    end
  end

  always_comb if (rst_n) begin
    // Rules 3, 7 and 9: ready when no pass is left.
    takes:    assert (ready == (left == '0));
    // Rules 6, 8 and 9: rows in time.
    on_time:  assert (wb_valid == due[0]);
    // Rules 2 and 9: tag, mask and the row's place.
    its_own:  assert (!wb_valid || (wb_tag == tag && wb_mask == mask && {high, last} == place));
    // Rules 1, 6 and 9: the results.
    its_row:  assert (!wb_valid || wb_row == row);
    // Rules 4 and 9: the pass counter.
    passes:   assert (pass_valid == (age != '1 && !(of_pairs && age[0])) &&
                      (!pass_valid || 7'(pass) == (of_pairs ? age >> 1 : age)));
    // A row of high words comes out with the next instruction under way.
    in_a_row: cover (wb_valid && place == HIGH_LAST && due[Passes] && on == 2'b01 && result[0]);
  end
endmodule

`default_nettype wire
