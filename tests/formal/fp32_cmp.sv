// SPDX-License-Identifier: Apache-2.0
//
// fp32_cmp_proof -- compares, minimum and maximum are those of the numbers' order; NaNs and zeros
// are as in rule 4 of the port file.
//
// A number that is not a NaN becomes a signed integer that orders as the numbers do. -0 and +0 are
// both 0. With .ftz everything holds for the operands with zeros in place of subnormal numbers. For
// all operands; nothing is assumed.

`default_nettype none

module fp32_cmp_proof (
  input  wire logic        clk_i,
  input  wire logic [7:0]  op_i,
  input  wire logic [31:0] a_i,
  input  wire logic [31:0] b_i
);

  logic               rst_n = 1'b0;           // low in the first cycle only
  logic [31:0]        y;
  logic signed [32:0] a, b, ny;               // the numbers' order
  logic               a_nan, b_nan, any, relation, ordered, unordered, set;
  logic [7:0]         which, op;  // op: the opcode without .ftz
  logic               ftz;
  logic [31:0]        x, w;  // the operands as they count (rule 2)

  fp32_cmp u_dut (.clk_i, .rst_ni (rst_n), .op_i, .a_i, .b_i, .y_o (y));

  always @(posedge clk_i) rst_n <= 1'b1;

  assign ftz   = op_i[7:6] == 2'b11;
  assign op    = ftz ? {2'b01, op_i[5:0]} : op_i;
  assign x     = ftz && a_i[30:0] < 31'h00800000 ? {a_i[31], 31'd0} : a_i;
  assign w     = ftz && b_i[30:0] < 31'h00800000 ? {b_i[31], 31'd0} : b_i;
  assign a     = x[31] ? 33'sd0 - $signed({2'd0, x[30:0]}) : $signed({2'd0, x[30:0]});
  assign b     = w[31] ? 33'sd0 - $signed({2'd0, w[30:0]}) : $signed({2'd0, w[30:0]});
  assign ny    = y[31] ? 33'sd0 - $signed({2'd0, y[30:0]}) : $signed({2'd0, y[30:0]});
  assign a_nan = &x[30:23] && x[22:0] != 23'd0;
  assign b_nan = &w[30:23] && w[22:0] != 23'd0;
  assign any   = a_nan || b_nan;

  // Six relations, each in an ordered and an unordered form.
  assign ordered   = op >= nsu_pkg::OP_FSET_EQ && op <= nsu_pkg::OP_FSET_GE;
  assign unordered = op >= nsu_pkg::OP_FSET_EQU && op <= nsu_pkg::OP_FSET_GEU;
  assign which     = op - (unordered ? nsu_pkg::OP_FSET_EQU : nsu_pkg::OP_FSET_EQ);

  always_comb begin
    case (which)
      8'd0:    relation = a == b;
      8'd1:    relation = a != b;
      8'd2:    relation = a < b;
      8'd3:    relation = a <= b;
      8'd4:    relation = a > b;
      default: relation = a >= b;
    endcase
    set = ordered ? !any && relation : any || relation;
  end

  logic fmin, fmax, extreme, other_one;
  assign fmin      = op == nsu_pkg::OP_FMIN;
  assign fmax      = op == nsu_pkg::OP_FMAX;
  assign extreme   = fmin || fmax;
  assign other_one = y == (a_nan ? w : x);

  always_comb if (rst_n) begin
    // FSET_*: an ordered compare is false with a NaN, an unordered one true.
    compares:  assert (!(ordered || unordered) || y == {31'd0, set});
    // FSET_NUM, FSET_NAN.
    nan_tests: assert ((op != nsu_pkg::OP_FSET_NUM || y == {31'd0, !any}) &&
                       (op != nsu_pkg::OP_FSET_NAN || y == {31'd0, any}));
    // FMIN, FMAX of two numbers: one of them, and no other is beyond it.
    extremes:  assert (!extreme || any || ((y == x || y == w) && (fmin ? ny <= a && ny <= b : ny >= a && ny >= b)));
    // -0 counts as less than +0.
    zeros:     assert (!extreme || any || a != b || y[31] == (fmin ? x[31] || w[31] : x[31] && w[31]));
    // A number beats a NaN; two NaNs give the canonical one.
    nan_loses: assert (!extreme || !any || (a_nan && b_nan ? y == 32'h7fffffff : other_one));
    // FABS, FNEG.
    signs:     assert ((op != nsu_pkg::OP_FABS && op != nsu_pkg::OP_FNEG) ||
                       y == (b_nan ? 32'h7fffffff : {op == nsu_pkg::OP_FNEG && !w[31], w[30:0]}));
    // Any other opcode gives 0.
    no_other:  assert (ordered || unordered || extreme || op == nsu_pkg::OP_FSET_NUM || op == nsu_pkg::OP_FSET_NAN ||
                       op == nsu_pkg::OP_FABS || op == nsu_pkg::OP_FNEG || y == 32'd0);
    both_zero: cover (fmax && x == 32'h80000000 && w == 32'd0 && y == 32'd0);
    subnormal: cover (op == nsu_pkg::OP_FSET_LTU && x[31] && x[30:23] == 8'd0 && w[30:23] == 8'd0 && y == 32'd1);
  end
endmodule

`default_nettype wire
