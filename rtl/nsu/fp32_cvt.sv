// SPDX-License-Identifier: Apache-2.0
//
// fp32_cvt -- conversions from and to binary32.
//
// Combinational: y_o belongs to op_i and b_i of the same cycle. The clock serves assertions only.
// An op of another unit gives 0.
//
//   to an integer     rounded by the op, then clamped to the type's range; NaN gives 0
//   from an integer   rounded to nearest, ties to even; 0 gives +0
//   to integral       rounded by the op; a zero keeps the sign; NaN gives 0x7fffffff
//   CVT_SAT_F32       clamped to [+0, 1]; NaN gives +0
//
// A number becomes a 32-bit magnitude with guard and sticky bits and is rounded. An integral result
// then goes through the normaliser of integers, which never rounds again: 24 bits at most.
// The highest bit of an op of this unit says .ftz (nsu_isa.def): a subnormal number counts as zero.

`default_nettype none

module fp32_cvt (
  input  wire logic        clk_i,  // clock, for assertions only
  input  wire logic        rst_ni, // reset, for assertions only
  // From the lane
  input  wire logic [7:0]  op_i,   // opcode, nsu_isa.def
  input  wire logic [31:0] b_i,    // operand: binary32, or an integer
  // To the lane, same cycle
  output      logic [31:0] y_o     // result: an integer, or binary32
);

  localparam logic [31:0] ONE = 32'h3f800000;
  localparam logic [31:0] NAN = 32'h7fffffff;

  // The op's kind, one of six, and its rounding: 0 RN, 1 RZ, 2 RM, 3 RP
  logic       to_s32, to_u32, from_s32, from_u32, integral, sat;
  logic [1:0] rounding;

  logic [7:0] op;                            // without .ftz
  assign op = {1'b0, op_i[6:0]};

  always_comb begin
    {to_s32, to_u32, from_s32, from_u32, integral, sat, rounding} = 8'd0;
    case (op)
      nsu_pkg::OP_CVT_S32_F32_RN: {to_s32, rounding} = {1'b1, 2'd0};
      nsu_pkg::OP_CVT_S32_F32_RZ: {to_s32, rounding} = {1'b1, 2'd1};
      nsu_pkg::OP_CVT_S32_F32_RM: {to_s32, rounding} = {1'b1, 2'd2};
      nsu_pkg::OP_CVT_S32_F32_RP: {to_s32, rounding} = {1'b1, 2'd3};
      nsu_pkg::OP_CVT_U32_F32_RN: {to_u32, rounding} = {1'b1, 2'd0};
      nsu_pkg::OP_CVT_U32_F32_RZ: {to_u32, rounding} = {1'b1, 2'd1};
      nsu_pkg::OP_CVT_U32_F32_RM: {to_u32, rounding} = {1'b1, 2'd2};
      nsu_pkg::OP_CVT_U32_F32_RP: {to_u32, rounding} = {1'b1, 2'd3};
      nsu_pkg::OP_CVT_F32_RN:     {integral, rounding} = {1'b1, 2'd0};
      nsu_pkg::OP_CVT_F32_RZ:     {integral, rounding} = {1'b1, 2'd1};
      nsu_pkg::OP_CVT_F32_RM:     {integral, rounding} = {1'b1, 2'd2};
      nsu_pkg::OP_CVT_F32_RP:     {integral, rounding} = {1'b1, 2'd3};
      nsu_pkg::OP_CVT_F32_S32:    from_s32 = 1'b1;
      nsu_pkg::OP_CVT_F32_U32:    from_u32 = 1'b1;
      nsu_pkg::OP_CVT_SAT_F32:    sat = 1'b1;
      default:                    rounding = 2'd0;
    endcase
  end

  // The number as fixed point: integer part [57:26], guard bit [25], rest [24:0].
  logic        nan, neg, big;                // big: 2^32 or more, or infinite
  logic [7:0]  exp;
  logic [22:0] frac;                         // flushed
  logic [5:0]  right;
  logic [57:0] fixed;
  logic        inexact, up;
  logic [31:0] mag;                          // rounded magnitude, unless big

  assign nan   = b_i[30:0] > 31'h7f800000;
  assign neg   = b_i[31];
  assign exp   = b_i[30:23];
  assign frac  = b_i[22:0] & {23{!op_i[7] || exp != 8'd0}};
  assign big   = exp > 8'd158;

  // Shift right until the integer part ends at bit 26, then round. A shift of 34 leaves only sticky
  // bits, and suffices for all numbers below 2^-2. The else branch is don't care, so that a
  // simulator skips the shifter.
  always_comb begin
    if (to_s32 | to_u32 | integral) begin
      right   = big ? 6'd0 : exp < 8'd124 ? 6'd34 : 6'(8'd158 - exp);
      fixed   = {exp != 8'd0, frac, 34'd0} >> right;
      inexact = |fixed[25:0];
      case (rounding)
        2'd0:    up = fixed[25] & (fixed[26] | (|fixed[24:0]));
        2'd1:    up = 1'b0;
        2'd2:    up = neg & inexact;
        default: up = ~neg & inexact;
      endcase
      mag = fixed[57:26] + {31'd0, up};
    end else begin
      {right, fixed, inexact, up, mag} = 'x;
    end
  end

  // An integer to binary32: normalise, then round to nearest even. A carry out of the fraction
  // makes the next exponent, as both stand side by side in one word.
  logic        int_neg;
  logic [31:0] int_mag, norm, from_int;
  logic [4:0]  zeros;
  logic        int_up;

  always_comb begin
    if (from_s32 | from_u32 | integral) begin
      int_neg  = from_u32 ? 1'b0 : b_i[31];
      int_mag  = integral ? mag : int_neg ? -b_i : b_i;
      zeros    = leading_zeros(int_mag);
      norm     = int_mag << zeros;
      int_up   = norm[7] & (norm[8] | (|norm[6:0]));
      from_int = {int_neg, norm[31] ? 8'd158 - {3'd0, zeros} : 8'd0, norm[30:8]} + {31'd0, int_up};
    end else begin
      {int_neg, int_mag, norm, zeros, int_up, from_int} = 'x;
    end
  end

  // The result by kind. Ranges are checked on the rounded magnitude, as rounding can leave them.
  // An integral op keeps numbers from 2^23 up, which have no fraction.
  always_comb begin
    y_o = 32'd0;
    if (to_s32) begin
      y_o = neg ? -mag : mag;
      if (big || mag > 32'h7fffffff + {31'd0, neg}) y_o = {neg, {31{~neg}}};
      if (nan) y_o = 32'd0;
    end else if (to_u32) begin
      y_o = nan | neg ? 32'd0 : big ? 32'hffffffff : mag;
    end else if (integral) begin
      y_o = nan ? NAN : exp >= 8'd150 ? b_i : from_int;
    end else if (from_s32 | from_u32) begin
      y_o = from_int;
    end else if (sat) begin
      y_o = nan | neg ? 32'd0 : exp >= 8'd127 ? ONE : {b_i[31:23], frac};
    end
  end

  // Halves the window in every step; 31 for 0.
  function automatic logic [4:0] leading_zeros(input logic [31:0] x);
    logic [31:0] window;
    window = x;
    for (int k = 4; k >= 0; k--) begin
      leading_zeros[k] = (window >> (32 - (1 << k))) == 32'd0;
      window = leading_zeros[k] ? window << (1 << k) : window;
    end
  endfunction

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (!integral || y_o[31] == b_i[31] || nan);                                  // the sign stays
    assert (!sat || y_o <= ONE);                                                      // in [+0, 1]
  end
`endif
endmodule

`default_nettype wire
