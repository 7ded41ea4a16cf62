// SPDX-License-Identifier: Apache-2.0
//
// rv_muldiv -- products and quotients of the controller's core, one bit a cycle (RISC-V "M").
//
// The unit works on magnitudes in one pair of registers, hi and lo:
//
//   product    hi:lo moves right: a's bits leave lo, the product's bits enter from hi
//   quotient   hi:lo moves left: the dividend leaves lo into the remainder hi,
//              the quotient's bits enter lo
//
// The sign comes at the end, in the cycle of done_o. A high word is negated without its low word:
// the carry from below is 1 only if the low word is 0.
// A division by zero needs no case of its own: no subtraction borrows, so that the quotient is all
// ones and the remainder is the dividend. Only the quotient's sign must stay positive.
//
//   cycle       t     t+1   ...   t+Width   t+Width+1   t+Width+2
//   start       1     .           .         .           1
//   ready       1     0           0         0           1
//   done        0     0           0         1           0

`default_nettype none

module rv_muldiv #(
  parameter int Width = 32 // bits of an operand, 2 .. 64
) (
  input  wire logic             clk_i,       // clock, rising edge
  input  wire logic             rst_ni,      // asynchronous reset, active low
  input  wire logic             start_i,     // take the operands; ignored without ready_o
  input  wire logic [2:0]       op_i,        // funct3: mul mulh mulhsu mulhu div divu rem remu
  input  wire logic [Width-1:0] a_i,         // first operand, the dividend; valid with start_i
  input  wire logic [Width-1:0] b_i,         // second operand, the divisor; valid with start_i
  output      logic             ready_o,     // no operation is under way
  output      logic             done_o,      // one cycle: y_o is valid, Width + 1 cycles after start
  output      logic [Width-1:0] y_o,         // result, valid with done_o
  output      logic [6:0]       probe_left_o // cycles until done_o, 0 .. Width
);

  localparam int LeftW = $clog2(Width + 1);

  // State: steps left, the pair hi and lo, the factor or divisor by_q, the kind of the result.
  logic             begins, goes, done_d, done_q;
  logic [LeftW-1:0] left_d, left_q;
  logic [Width-1:0] hi_d, hi_q, lo_d, lo_q, by_d, by_q;
  logic             div_d, div_q, high_d, high_q, neg_d, neg_q;

  // Start: operands become magnitudes. op_i says which of them are signed.
  // A remainder has the dividend's sign; a product or quotient is negative if the signs differ.
  logic a_neg, b_neg;

  assign begins = start_i && ready_o;
  assign a_neg  = a_i[Width-1] && (op_i[2] ? !op_i[0] : op_i[1] != op_i[0]);
  assign b_neg  = b_i[Width-1] && (op_i[2] ? !op_i[0] : op_i[1:0] == 2'd1);
  assign by_d   = !begins ? by_q : b_neg ? -b_i : b_i;
  assign div_d  = begins ? op_i[2] : div_q;
  assign high_d = begins ? (op_i[2] ? op_i[1] : op_i[1:0] != 2'd0) : high_q;
  assign neg_d  = !begins ? neg_q : op_i[1] ? a_neg : (a_neg != b_neg) && b_i != '0;

  // One step: add by_q if the product needs it, or subtract by_q from the remainder if it fits.
  // Before the last step hi has at most Width - 1 bits of the dividend, so no bit is lost.
  logic [Width-1:0] remainder;
  logic [Width:0]   product, difference;

  assign goes       = left_q != '0;
  assign product    = {1'b0, hi_q} + ({1'b0, by_q} & {(Width + 1){lo_q[0]}});
  assign remainder  = {hi_q[Width-2:0], lo_q[Width-1]};
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

  // The result: hi is the high word or the remainder, lo the low word or the quotient.
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
