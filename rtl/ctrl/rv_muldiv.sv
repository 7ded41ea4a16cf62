// SPDX-License-Identifier: Apache-2.0
//
// rv_muldiv -- products and quotients of the controller's core, a bit a cycle (RISC-V "M").
//
// Magnitudes go through one pair of registers, hi and lo: a product moves right, a's bits out of lo and the product's in from hi; a quotient moves
// left, the dividend out of lo into the remainder hi, the quotient's bits in. The sign comes at the end, in done's cycle: a high word of a product
// is turned without its low one but for the carry, which is there when that is 0. By zero no subtraction has a borrow, so that the quotient is
// all ones and the remainder the dividend by itself; a sign would spoil it.

`default_nettype none

module rv_muldiv #(
  parameter int Width = 32                       // bits of an operand, 2 to 64
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             start_i,
  input  wire logic [2:0]       op_i,            // funct3
  input  wire logic [Width-1:0] a_i,
  input  wire logic [Width-1:0] b_i,
  output      logic             ready_o,
  output      logic             done_o,
  output      logic [Width-1:0] y_o,
  output      logic [6:0]       probe_left_o
);

  localparam int LeftW = $clog2(Width + 1);

  logic             begins, goes, done_d, done_q;
  logic [LeftW-1:0] left_d, left_q;
  logic [Width-1:0] hi_d, hi_q, lo_d, lo_q, by_d, by_q;
  logic             div_d, div_q, high_d, high_q, neg_d, neg_q;

  // Operands as magnitudes
  logic a_neg, b_neg;

  assign begins = start_i && ready_o;
  assign a_neg  = a_i[Width-1] && (op_i[2] ? !op_i[0] : op_i[1] != op_i[0]);
  assign b_neg  = b_i[Width-1] && (op_i[2] ? !op_i[0] : op_i[1:0] == 2'd1);
  assign by_d   = !begins ? by_q : b_neg ? -b_i : b_i;
  assign div_d  = begins ? op_i[2] : div_q;
  assign high_d = begins ? (op_i[2] ? op_i[1] : op_i[1:0] != 2'd0) : high_q;
  assign neg_d  = !begins ? neg_q : op_i[1] ? a_neg : (a_neg != b_neg) && b_i != '0;

  // A step
  logic [Width-1:0] remainder;
  logic [Width:0]   product, difference;

  assign goes       = left_q != '0;
  assign product    = {1'b0, hi_q} + ({1'b0, by_q} & {(Width + 1){lo_q[0]}});
  assign remainder  = {hi_q[Width-2:0], lo_q[Width-1]};          // before the last step hi has at most Width - 1 bits of the dividend
  assign difference = {1'b0, remainder} - {1'b0, by_q};

  always_comb begin
    hi_d   = hi_q;
    lo_d   = lo_q;
    left_d = left_q;
    if (begins) begin
      hi_d   = '0;
      lo_d   = a_neg ? -a_i : a_i;
      left_d = LeftW'(Width);
    end else if (goes) begin
      {hi_d, lo_d} = {product, lo_q[Width-1:1]};
      if (div_q) begin
        hi_d = difference[Width] ? remainder : difference[Width-1:0];
        lo_d = {lo_q[Width-2:0], !difference[Width]};
      end
      left_d = left_q - 1'b1;
    end
  end

  assign done_d = left_q == LeftW'(1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q <= '0;
      done_q <= 1'b0;
      hi_q   <= '0;
      lo_q   <= '0;
      by_q   <= '0;
      div_q  <= 1'b0;
      high_q <= 1'b0;
      neg_q  <= 1'b0;
    end else begin
      left_q <= left_d;
      done_q <= done_d;
      hi_q   <= hi_d;
      lo_q   <= lo_d;
      by_q   <= by_d;
      div_q  <= div_d;
      high_q <= high_d;
      neg_q  <= neg_d;
    end
  end

  // The result
  logic [Width-1:0] word;

  assign word         = high_q ? hi_q : lo_q;
  assign y_o          = neg_q ? ~word + Width'(div_q || lo_q == '0) : word;
  assign ready_o      = !goes && !done_q;
  assign done_o       = done_q;
  assign probe_left_o = 7'(left_q);

  initial begin
    if (Width < 2 || Width > 64) $fatal(1, "rv_muldiv: Width must be 2 to 64");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (32'(left_q) <= Width);
    assert (!done_q || !goes);
  end
`endif
endmodule

`default_nettype wire
