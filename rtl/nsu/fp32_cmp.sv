// SPDX-License-Identifier: Apache-2.0
//
// fp32_cmp -- compares, minimum, maximum, absolute value and negation of binary32 numbers.
//
// Combinational: y_o belongs to op_i, a_i and b_i of the same cycle. The clock serves assertions
// only. An op of another unit gives 0.
//
//   FSET_EQ .. GE     1 if the relation holds and no operand is a NaN (ordered)
//   FSET_EQU .. GEU   1 if the relation holds or an operand is a NaN (unordered)
//   FMIN, FMAX        prefer a number to a NaN; -0 is below +0
//   FABS, FNEG        change the sign of b
//   NaN results       0x7fffffff
//
// The highest bit of an op of this unit says .ftz (nsu_isa.def): subnormal operands count as zeros.

`default_nettype none

module fp32_cmp (
  input  wire logic        clk_i,  // clock, for assertions only
  input  wire logic        rst_ni, // reset, for assertions only
  // From the lane
  input  wire logic [7:0]  op_i,   // opcode, nsu_isa.def
  input  wire logic [31:0] a_i,    // first operand; not read by FABS, FNEG
  input  wire logic [31:0] b_i,    // second operand
  // To the lane, same cycle
  output      logic [31:0] y_o     // result; 1 or 0 of a compare
);

  localparam logic [31:0] NAN = 32'h7fffffff;

  logic [7:0]  op;                           // without .ftz
  logic [31:0] a, b;
  logic        a_nan, b_nan, nan, eq, lt, below;
  logic        set;                          // the compare's truth
  logic [31:0] least, most;

  // Flush first: all that follows sees operands without subnormals if the op says .ftz.
  // A NaN is any pattern above infinity, its sign left out.
  assign op    = {1'b0, op_i[6:0]};
  assign a     = flushed(op_i[7], a_i);
  assign b     = flushed(op_i[7], b_i);
  assign a_nan = a[30:0] > 31'h7f800000;
  assign b_nan = b[30:0] > 31'h7f800000;
  assign nan   = a_nan | b_nan;

  // Order of the bit patterns as sign and magnitude, with -0 below +0; no meaning for NaNs.
  // The two zeros are equal in compares, so lt leaves them out.
  assign below = a[31] != b[31] ? a[31] : a[31] ? a[30:0] > b[30:0] : a[30:0] < b[30:0];
  assign eq    = a == b || (a[30:0] | b[30:0]) == 31'd0;
  assign lt    = below & ~eq;

  // A NaN never wins against a number.
  assign least = a_nan & b_nan ? NAN : a_nan ? b : b_nan | below ? a : b;
  assign most  = a_nan & b_nan ? NAN : a_nan ? b : b_nan | ~below ? a : b;

  // Compares: the ordered ones need two numbers; the unordered ones are true for any NaN.
  always_comb begin
    set = 1'b0;
    case (op)
      nsu_pkg::OP_FSET_EQ:  set = ~nan & eq;
      nsu_pkg::OP_FSET_NE:  set = ~nan & ~eq;
      nsu_pkg::OP_FSET_LT:  set = ~nan & lt;
      nsu_pkg::OP_FSET_LE:  set = ~nan & (lt | eq);
      nsu_pkg::OP_FSET_GT:  set = ~nan & ~(lt | eq);
      nsu_pkg::OP_FSET_GE:  set = ~nan & ~lt;
      nsu_pkg::OP_FSET_EQU: set = nan | eq;
      nsu_pkg::OP_FSET_NEU: set = nan | ~eq;
      nsu_pkg::OP_FSET_LTU: set = nan | lt;
      nsu_pkg::OP_FSET_LEU: set = nan | lt | eq;
      nsu_pkg::OP_FSET_GTU: set = nan | ~(lt | eq);
      nsu_pkg::OP_FSET_GEU: set = nan | ~lt;
      nsu_pkg::OP_FSET_NUM: set = ~nan;
      nsu_pkg::OP_FSET_NAN: set = nan;
      default:              set = 1'b0;
    endcase
  end

  // The other ops; set is 0 for them and for every op of another unit.
  always_comb begin
    case (op)
      nsu_pkg::OP_FMIN: y_o = least;
      nsu_pkg::OP_FMAX: y_o = most;
      nsu_pkg::OP_FABS: y_o = b_nan ? NAN : {1'b0, b[30:0]};
      nsu_pkg::OP_FNEG: y_o = b_nan ? NAN : {~b[31], b[30:0]};
      default:          y_o = {31'd0, set};
    endcase
  end

  // A subnormal number loses its fraction and keeps its sign.
  function automatic logic [31:0] flushed(input logic ftz, input logic [31:0] x);
    flushed = {x[31:23], x[22:0] & {23{!ftz || x[30:23] != 8'd0}}};
  endfunction

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (!set || y_o == 32'd1);                                                    // a compare gives 1 or 0
    assert (y_o[30:0] <= 31'h7f800000 || y_o == NAN);                                 // NaNs are canonical
  end
`endif
endmodule

`default_nettype wire
