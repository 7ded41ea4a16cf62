// SPDX-License-Identifier: Apache-2.0
//
// fp64_cvt_proof -- widening changes no number, and narrowing gives the nearest one: rule 3 of the
// port file.
//
// To binary64, the two significands are compared as integers at the same place. To binary32, the
// operand must not be beyond the middle between the result and its neighbour on either side. At the
// middle the result is even.
//
// A middle of two numbers of binary32 is a number of binary64. Both neighbours lie in one range of
// equally spaced numbers of binary64, or at its end. So the middle's bits are the mean of theirs.
// For zero the middle is half of the least number, and infinity counts as 2^128.
//
// With .ftz a subnormal operand counts as zero. A result below the middle between the greatest
// subnormal and the least normal number is zero. For all operands; nothing is assumed.

`default_nettype none

module fp64_cvt_proof (
  input  wire logic        clk_i,
  input  wire logic [7:0]  op_i,
  input  wire logic [63:0] b_i
);

  localparam logic [7:0] WIDEN = nsu_pkg::OP_CVT_F64_F32, NARROW = nsu_pkg::OP_CVT_F32_F64;

  logic        rst_n = 1'b0;                  // low in the first cycle only
  logic [63:0] y, at, above, below;

  fp64_cvt u_dut (.clk_i, .rst_ni (rst_n), .op_i, .b_i, .y_o (y));
  fp64_cvt u_at (.clk_i, .rst_ni (rst_n), .op_i (WIDEN), .b_i ({33'd0, y[30:0]}), .y_o (at));
  fp64_cvt u_above (.clk_i, .rst_ni (rst_n), .op_i (WIDEN), .b_i ({33'd0, y[30:0] + 31'd1}), .y_o (above));
  fp64_cvt u_below (.clk_i, .rst_ni (rst_n), .op_i (WIDEN), .b_i ({33'd0, y[30:0] - 31'd1}), .y_o (below));

  always @(posedge clk_i) rst_n <= 1'b1;

  // To binary64
  logic [7:0]  exp;
  logic [22:0] frac;
  logic        widens, nan32, same, ftz;

  assign ftz    = op_i[7:6] == 2'b11;
  assign widens = op_i == WIDEN || op_i == nsu_pkg::OP_CVT_F64_F32_FTZ;
  assign {exp, frac} = ftz && b_i[30:0] < 31'h00800000 ? 31'd0 : b_i[30:0];
  assign nan32  = exp == 8'd255 && frac != 23'd0;

  always_comb begin
    if (exp == 8'd0 && frac != 23'd0)
      same = y[62:52] >= 11'd874 && y[62:52] <= 11'd896 && {1'b1, y[51:0]} == {30'd0, frac} << (11'd926 - y[62:52]);
    else
      same = y[51:0] == {frac, 29'd0} && y[62:52] == (exp == 8'd0 ? 11'd0 : exp == 8'd255 ? 11'd2047
                                                      : 11'd896 + {3'd0, exp});
  end

  // To binary32
  logic        narrows, nan64, nearest;
  logic [63:0] here, next, mid_above, mid_below;            // magnitudes

  assign narrows = op_i == NARROW || op_i == nsu_pkg::OP_CVT_F32_F64_FTZ;
  assign nan64   = b_i[62:52] == 11'd2047 && b_i[51:0] != 52'd0;

  always_comb begin
    here      = y[30:0] == 31'h7f800000 ? {12'd1151, 52'd0} : at;
    next      = y[30:0] == 31'h7f7fffff ? {12'd1151, 52'd0} : above;
    mid_above = y[30:0] == 31'd0 ? {12'd873, 52'd0} : (here + next) >> 1;
    mid_below = y[30:0] == 31'd1 ? {12'd873, 52'd0} : (here + below) >> 1;
    nearest   = y[30:0] <= 31'h7f800000;
    if (y[30:0] < 31'h7f800000 && (y[0] ? {1'b0, b_i[62:0]} >= mid_above : {1'b0, b_i[62:0]} > mid_above))
      nearest = 1'b0;
    if (y[30:0] != 31'd0 && (y[0] ? {1'b0, b_i[62:0]} <= mid_below : {1'b0, b_i[62:0]} < mid_below))
      nearest = 1'b0;
    if (ftz && y[30:0] < 31'h00800000) nearest = y[30:0] == 31'd0 && b_i[62:0] < 63'h380fffffe0000000;
  end

  always_comb if (rst_n) begin
    // CVT_F64_F32 is exact.
    exact:      assert (!widens || nan32 || (same && y[63] == b_i[31]));
    // A NaN becomes the canonical one of binary64.
    nan_wide:   assert (!widens || !nan32 || y == 64'h7fffffffffffffff);
    // CVT_F32_F64 rounds to nearest, ties to even, and keeps the sign.
    is_nearest: assert (!narrows || nan64 || (nearest && y[31] == b_i[63]));
    // A NaN becomes the canonical one of binary32.
    nan_narrow: assert (!narrows || !nan64 || y == 64'h7fffffff);
    // A binary32 result has a high half of 0.
    high_zero:  assert (!narrows || y[63:32] == 32'd0);
    // Any other opcode gives 0.
    no_other:   assert (widens || narrows || y == 64'd0);
    carries:    cover (narrows && y == 64'h00800000 && b_i[62:52] == 11'd896);
    overflows:  cover (narrows && y == 64'hff800000 && b_i[62:52] == 11'd1150);
    flushes:    cover (narrows && y == 64'h80000000 && b_i[62:0] == 63'h380fffffdfffffff);
    least:      cover (widens && y == 64'hb6a0000000000000);
  end
endmodule

`default_nettype wire
