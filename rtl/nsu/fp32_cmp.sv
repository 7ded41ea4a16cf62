// SPDX-License-Identifier: Apache-2.0
// fp32_cmp -- compares, minimum, maximum, absolute value and negation of binary32 numbers.
//
// Combinational: y_o belongs to op_i, a_i, b_i of the same cycle; an op that is not of this block gives 0. A compare
// gives 1 or 0; FSET_EQ .. GE are false and EQU .. GEU true if an operand is a NaN. FMIN and FMAX prefer a number to
// a NaN and order -0 below +0. FABS and FNEG take b. NaN results are 0x7fffffff. clk_i and rst_ni: assertions only.

`default_nettype none

module fp32_cmp (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  // From the lane
  input  wire logic [7:0]  op_i,
  input  wire logic [31:0] a_i,
  input  wire logic [31:0] b_i,
  // To the lane, same cycle
  output      logic [31:0] y_o
);

  localparam logic [31:0] NAN = 32'h7fffffff;

  logic        a_nan, b_nan, nan, eq, lt, below;
  logic        set;                          // the compare's truth
  logic [31:0] least, most;

  assign a_nan = a_i[30:0] > 31'h7f800000;
  assign b_nan = b_i[30:0] > 31'h7f800000;
  assign nan   = a_nan | b_nan;

  // below: order of the bit patterns as sign and magnitude, -0 below +0. Meaningless for NaNs.
  assign below = a_i[31] != b_i[31] ? a_i[31] : a_i[31] ? a_i[30:0] > b_i[30:0] : a_i[30:0] < b_i[30:0];
  assign eq    = a_i == b_i || (a_i[30:0] | b_i[30:0]) == 31'd0;
  assign lt    = below & ~eq;

  assign least = a_nan & b_nan ? NAN : a_nan ? b_i : b_nan | below ? a_i : b_i;
  assign most  = a_nan & b_nan ? NAN : a_nan ? b_i : b_nan | ~below ? a_i : b_i;

  always_comb begin
    set = 1'b0;
    case (op_i)
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

  always_comb begin
    case (op_i)
      nsu_pkg::OP_FMIN: y_o = least;
      nsu_pkg::OP_FMAX: y_o = most;
      nsu_pkg::OP_FABS: y_o = b_nan ? NAN : {1'b0, b_i[30:0]};
      nsu_pkg::OP_FNEG: y_o = b_nan ? NAN : {~b_i[31], b_i[30:0]};
      default:          y_o = {31'd0, set};
    endcase
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (!set || y_o == 32'd1);                                                    // a compare gives 1 or 0
    assert (y_o[30:0] <= 31'h7f800000 || y_o == NAN);                                 // NaNs are canonical
  end
`endif
endmodule

`default_nettype wire
