// SPDX-License-Identifier: Apache-2.0
//
// nsu_lanes_proof -- every start is written back once, after just its passes and five cycles, in order, with its tag, its mask and each
// thread's own result, 0 outside of the mask; a start is taken as soon as the one before has no pass left.
//
// One thread, any, is watched: all others' operands are its operands' opposite, and they are on or off together. The lanes are replaced
// (parts/lane_mix.svh); nsu_lane has a proof of its own. Instructions of words only.

`default_nettype none

`include "parts/lane_mix.svh"

module nsu_lanes_proof #(
  parameter  int Lanes   = 16,
  parameter  int TagBits = 2,
  localparam int Passes  = 32 / Lanes,
  localparam int Line    = Passes + 5         // cycles from a start to its write-back
) (
  input  wire logic               clk_i,
  input  wire logic               start_i,
  input  wire logic [2:0]         op_i,
  input  wire logic [2:0]         words_i,    // a, b, c of the watched thread
  input  wire logic [1:0]         on_i,       // the watched thread, the others
  input  wire logic [TagBits-1:0] tag_i,
  input  wire logic [4:0]         thread_i    // in the cycle of reset: the thread that is watched
);

  localparam int CARRY = TagBits + 4;

  logic                  rst_n = 1'b0;        // low in the first cycle only
  logic                  ready, wb_valid, high, last, pass_valid, res_valid;
  logic [TagBits-1:0]    wb_tag, tag;
  logic [31:0]           wb_mask, mask;
  logic [1023:0]         wb_row, a, b, c, row;
  logic [4:0]            pass, thread;
  logic [7:0]            pass_op;
  logic [32*Lanes-1:0]   res;
  logic [Line-1:0]       due;                 // starts, the newest lowest
  logic [Line*CARRY-1:0] what;                // their tag, who is on, the results
  logic [1:0]            on, result;
  logic                  start;
  logic [5:0]            left;                // passes left after this cycle's

  nsu_lanes #(.Lanes(Lanes), .TagBits(TagBits)) u_dut (
    .clk_i, .rst_ni (rst_n), .start_valid_i (start_i), .op_i ({5'b00010, op_i}), .a_i (a), .b_i (b), .c_i (c),
    .ah_i ('0), .bh_i ('0), .ch_i ('0), .wb_high_o (high), .wb_last_o (last), .tag_i, .mask_i (spread(on_i)),
    .start_ready_o (ready), .wb_valid_o (wb_valid), .wb_tag_o (wb_tag), .wb_mask_o (wb_mask), .wb_row_o (wb_row),
    .probe_pass_valid_o (pass_valid), .probe_pass_o (pass), .probe_op_o (pass_op), .probe_res_valid_o (res_valid), .probe_res_o (res)
  );

  // Lowest: the watched thread; the other: all others
  function automatic logic [31:0] spread(input logic [1:0] two);
    for (int i = 0; i < 32; i++) spread[i] = i == 32'(thread) ? two[0] : two[1];
  endfunction
  function automatic logic mix(input logic [2:0] op, input logic [2:0] words);
    mix = words[0] ^ (op[0] & words[1]) ^ (op[1] & words[2]) ^ op[2];
  endfunction

  always_comb begin
    for (int i = 0; i < 32; i++) begin
      a[i*32 +: 32]   = {32{words_i[0] ^ (i != 32'(thread))}};
      b[i*32 +: 32]   = {32{words_i[1] ^ (i != 32'(thread))}};
      c[i*32 +: 32]   = {32{words_i[2] ^ (i != 32'(thread))}};
      row[i*32 +: 32] = {32{i == 32'(thread) ? on[0] & result[0] : on[1] & result[1]}};
    end
  end
  assign {tag, on, result} = what[(Line-1)*CARRY +: CARRY];
  assign mask  = spread(on);
  assign start = start_i && left == '0;

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      thread <= thread_i;
      due    <= '0;
      left   <= '0;
    end else begin
      due  <= {due[Line-2:0], start};
      left <= start ? 6'(Passes - 1) : left != '0 ? left - 6'd1 : '0;
    end
    what <= {what[(Line-1)*CARRY-1:0], tag_i, on_i, mix(op_i, ~words_i), mix(op_i, words_i)};
  end

  always_comb if (rst_n) begin
    takes:    assert (ready == (left == '0));
    on_time:  assert (wb_valid == due[Line-1]);
    its_own:  assert (!wb_valid || (wb_tag == tag && wb_mask == mask && !high && last));
    its_row:  assert (!wb_valid || wb_row == row);
    passes:   assert (pass_valid == (due[Passes-1:0] != '0) && (!pass_valid || ((due >> pass) & Line'(1)) != '0));
    in_a_row: cover (wb_valid && due[Passes-1] && due[Line-Passes-1] && on == 2'b01 && result[0]);
  end
endmodule

`default_nettype wire
