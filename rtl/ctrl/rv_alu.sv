// SPDX-License-Identifier: Apache-2.0
//
// rv_alu -- results of the core's OP and OP_IMM instructions, and whether a branch is taken.
//
// Combinational: outputs belong to the inputs of the same cycle. The clock serves assertions only.
// One adder subtracts for every sub_i but ADD (0), so that its carry also serves all comparisons.
// One shifter moves right only: a left shift reverses the bits before and after it.
// The two outputs read sub_i by different tables; the core uses the one of its instruction.
//
//   sub_i   0    1    2    3     4    5    6    7     8    13
//   y_o     add  sll  slt  sltu  xor  srl  or   and   sub  sra
//   taken   beq  bne  -    -     blt  bge  bltu bgeu

`default_nettype none

module rv_alu (
  input  wire logic        clk_i,  // clock, for assertions only
  input  wire logic        rst_ni, // reset, for assertions only
  input  wire logic [3:0]  sub_i,  // operation, table above; rv_isa.def
  input  wire logic [31:0] a_i,    // first operand
  input  wire logic [31:0] b_i,    // second operand; of a shift amount the low five bits
  output      logic [31:0] y_o,    // result, modulo 2^32; a comparison gives 1 or 0
  output      logic        taken_o // the branch is taken
);

  logic        minus, less_u, less_s, equal, left;
  logic [32:0] sum;
  logic [31:0] in, shifted;

  // a - b has no carry out exactly if a < b, unsigned. Signs decide first if they differ.
  assign minus  = sub_i != 4'd0;
  assign sum    = {1'b0, a_i} + {1'b0, b_i ^ {32{minus}}} + 33'(minus);
  assign less_u = !sum[32];
  assign less_s = a_i[31] != b_i[31] ? a_i[31] : less_u;
  assign equal  = a_i == b_i;

  // The low three bits tell the shifts apart: 1 goes left, 5 right. Bit 3 brings in the sign.
  assign left    = !sub_i[2];
  assign in      = left ? turned(a_i) : a_i;
  assign shifted = 32'($signed({sub_i[3] && !left && a_i[31], in}) >>> b_i[4:0]);

  always_comb begin
    case (sub_i[2:0])
      3'd1:    y_o = turned(shifted);
      3'd2:    y_o = {31'd0, less_s};
      3'd3:    y_o = {31'd0, less_u};
      3'd4:    y_o = a_i ^ b_i;
      3'd5:    y_o = shifted;
      3'd6:    y_o = a_i | b_i;
      3'd7:    y_o = a_i & b_i;
      default: y_o = sum[31:0];
    endcase
  end

  // Of each pair of branches the odd one is the negation of the even one.
  assign taken_o = sub_i[0] ^ (!sub_i[2] ? equal : sub_i[1] ? less_u : less_s);

  function automatic logic [31:0] turned(input logic [31:0] x);
    for (int i = 0; i < 32; i++) turned[i] = x[31-i];
  endfunction

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (!equal || (sum == {minus, 32'd0} || !minus));                // a - a is 0, without a borrow
    assert (y_o[31:1] == '0 || sub_i[2:1] != 2'd1);                      // a comparison is one bit
  end
`endif
endmodule

`default_nettype wire
