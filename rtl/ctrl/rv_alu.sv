// SPDX-License-Identifier: Apache-2.0
//
// rv_alu -- what the controller's core computes in a cycle: results of OP and OP_IMM, and whether a branch is taken. Combinational.
//
// One adder, which subtracts for all but ADD: what subtracts for XOR, OR, AND is for the branches of the same number. One shifter, to the
// right; a shift to the left goes through it the other way round. The clock is for the assertions only.

`default_nettype none

module rv_alu (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic [3:0]  sub_i,
  input  wire logic [31:0] a_i,
  input  wire logic [31:0] b_i,
  output      logic [31:0] y_o,
  output      logic        taken_o
);

  logic        minus, less_u, less_s, equal, left;
  logic [32:0] sum;
  logic [31:0] in, shifted;

  assign minus  = sub_i != 4'd0;
  assign sum    = {1'b0, a_i} + {1'b0, b_i ^ {32{minus}}} + 33'(minus);
  assign less_u = !sum[32];
  assign less_s = a_i[31] != b_i[31] ? a_i[31] : less_u;
  assign equal  = a_i == b_i;

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
