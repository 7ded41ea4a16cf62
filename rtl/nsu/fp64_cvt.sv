// SPDX-License-Identifier: Apache-2.0
//
// fp64_cvt -- conversions between binary32 and binary64.
//
// Combinational: y_o belongs to op_i and b_i of the same cycle. The clock serves assertions only.
// An op of another unit gives 0. A binary32 number stands in the low half of a word.
//
//   CVT_F64_F32   exact: a subnormal number is normalised
//   CVT_F32_F64   rounded once to nearest, ties to even; overflow gives infinity
//   .ftz          a subnormal binary32 number, as operand or after rounding, is zero of its sign
//   NaN results   all ones but the sign

`default_nettype none

module fp64_cvt (
  input  wire logic        clk_i,  // clock, for assertions only
  input  wire logic        rst_ni, // reset, for assertions only
  // From the lane
  input  wire logic [7:0]  op_i,   // opcode, nsu_isa.def
  input  wire logic [63:0] b_i,    // operand; binary32 in the low half
  // To the lane, same cycle
  output      logic [63:0] y_o     // result; binary32 in the low half, the high half 0
);

  localparam logic [10:0] REBIAS = 11'd896;                 // 1023 - 127
  localparam logic [63:0] NAN64  = 64'h7fffffffffffffff;
  localparam logic [31:0] NAN32  = 32'h7fffffff;

  // To binary64. The exponent is rebiased; a subnormal number is shifted until its first one leads.
  // Later lines override earlier ones: subnormal, flushed, infinity or NaN.
  logic        w_sign;
  logic [7:0]  w_exp;
  logic [22:0] w_frac, w_norm;
  logic [4:0]  w_zeros;
  logic [63:0] wide;

  assign {w_sign, w_exp, w_frac} = b_i[31:0];

  always_comb begin
    w_zeros = 5'd0;
    for (int i = 0; i < 23; i++) if (w_frac[i]) w_zeros = 5'(22 - i);
    w_norm = w_frac << w_zeros;
    wide   = {w_sign, {3'd0, w_exp} + REBIAS, w_frac, 29'd0};
    if (w_exp == 8'd0)   wide = {w_sign, w_frac == 23'd0 ? 11'd0 : REBIAS - {6'd0, w_zeros}, w_norm[21:0], 30'd0};
    if (w_exp == 8'd0 && op_i == nsu_pkg::OP_CVT_F64_F32_FTZ) wide = {w_sign, 63'd0};
    if (w_exp == 8'd255) wide = w_frac == 23'd0 ? {w_sign, 11'h7ff, 52'd0} : NAN64;
  end

  // To binary32. The significand is shifted to the place of the result: 24 bits, the one behind
  // them, and 53 bits that only say whether something is left. A subnormal result lies up to 25
  // places further right; behind those nothing counts.
  logic        n_sign, n_normal, n_up;
  logic [10:0] n_exp, n_below;                              // n_below: places below the least normal number
  logic [51:0] n_frac;
  logic [77:0] n_shifted;
  logic [30:0] n_cut;
  logic [31:0] narrow;

  assign {n_sign, n_exp, n_frac} = b_i;

  always_comb begin
    n_normal  = n_exp > REBIAS;
    n_below   = n_normal ? 11'd0 : REBIAS + 11'd1 - n_exp;
    n_shifted = {1'b1, n_frac, 25'd0} >> (n_below > 11'd25 ? 5'd25 : n_below[4:0]);
    n_up      = n_shifted[53] && (n_shifted[54] || n_shifted[52:0] != 53'd0);
    n_cut     = {n_normal ? 8'(n_exp - REBIAS) : 8'd0, n_shifted[76:54]};
    narrow    = {n_sign, n_cut + {30'd0, n_up}};            // a carry makes the next exponent, also infinity
    if (n_exp > REBIAS + 11'd254) narrow = {n_sign, 8'hff, 23'd0};
    if (n_exp == 11'h7ff && n_frac != 52'd0) narrow = NAN32;
  end

  // Selection without an always_comb: with a third one Icarus 11 does not settle.
  logic is_wide, is_narrow, is_kept;
  assign is_wide   = op_i == nsu_pkg::OP_CVT_F64_F32 || op_i == nsu_pkg::OP_CVT_F64_F32_FTZ;
  assign is_narrow = op_i == nsu_pkg::OP_CVT_F32_F64 || op_i == nsu_pkg::OP_CVT_F32_F64_FTZ;
  assign is_kept   = op_i == nsu_pkg::OP_CVT_F32_F64 || narrow[30:23] != 8'd0;
  assign y_o       = ({64{is_wide}} & wide) | ({64{is_narrow}} & {32'd0, narrow[31:23], narrow[22:0] & {23{is_kept}}});

  logic unused_norm;
  assign unused_norm = &{1'b0, w_norm[22], n_shifted[77]};  // the leading one

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (w_exp != 8'd0 || w_frac == 23'd0 || w_norm[22]);             // normalised: the leading one is at the top
    assert (n_shifted[77] == (n_below == 11'd0));
  end
`endif
endmodule

`default_nettype wire
