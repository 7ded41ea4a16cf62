// SPDX-License-Identifier: Apache-2.0
//
// int_alu -- integer, logic, shift, compare, select and sub-word conversion.
//
// Combinational: y_o belongs to the inputs of the same cycle. The clock serves assertions only.
// An op of another unit gives 0. Arithmetic is modulo 2^32; a compare gives 1 or 0.
// Shift amounts are unsigned: above 31, everything is shifted out.

`default_nettype none

module int_alu (
  input  wire logic        clk_i,  // clock, for assertions only
  input  wire logic        rst_ni, // reset, for assertions only
  // From the lane
  input  wire logic [7:0]  op_i,   // opcode, nsu_isa.def
  input  wire logic [31:0] a_i,    // first operand
  input  wire logic [31:0] b_i,    // second operand, or the only one
  input  wire logic [31:0] c_i,    // addend of MAD_LO; SELP takes a if it is not 0
  // To the lane, same cycle
  output      logic [31:0] y_o     // result
);

  logic        eq, lt_u, lt_s, far;
  logic [31:0] shr_u, fill, b_neg;           // fill: bits that a signed shift brings in
  logic        is_mul;
  logic [63:0] prod;
  logic [31:0] hi_fix;                       // signed high word = unsigned one - hi_fix

  // One comparison serves compares, minimum and maximum. Signs decide first if they differ.
  // A signed shift is the unsigned one and the bits that the sign brings in.
  //
  //   SHR_S, a = 0x80000040, b = 4:   shr_u = 0x08000004, fill = 0xf0000000, y = 0xf8000004
  assign eq    = a_i == b_i;
  assign lt_u  = a_i < b_i;
  assign lt_s  = a_i[31] != b_i[31] ? a_i[31] : lt_u;
  assign far   = |b_i[31:5];
  assign shr_u = far ? 32'd0 : a_i >> b_i[4:0];
  assign fill  = {32{a_i[31]}} & (far ? 32'hffffffff : ~(32'hffffffff >> b_i[4:0]));
  assign b_neg = -b_i;

  // One unsigned multiplier serves all products: a signed high word is the unsigned one minus
  // hi_fix. For other ops the product is don't care, so that a simulator skips it.
  //
  //   a signed = a - 2^32 * a[31], so modulo 2^64
  //   a * b signed = a * b - 2^32 * (a[31] * b + b[31] * a)
  //
  // The low word is the same for both signs. MAD_LO adds to it and drops the carry.
  assign is_mul = op_i == nsu_pkg::OP_MUL_LO || op_i == nsu_pkg::OP_MUL_HI_S || op_i == nsu_pkg::OP_MUL_HI_U
                || op_i == nsu_pkg::OP_MAD_LO;
  assign hi_fix = ({32{a_i[31]}} & b_i) + ({32{b_i[31]}} & a_i);

  assign prod   = is_mul ? {32'd0, a_i} * {32'd0, b_i} : 'x;

  // One line an opcode, in the order of nsu_isa.def; the last group clamps to a narrower type. Its
  // names have first the type that it clamps to, last the sign of b. A signed b that is too large
  // gives 01..1 of the type, one that is too small 10..0, extended; an unsigned type has 0 as its
  // least number.
  always_comb begin
    case (op_i)
      nsu_pkg::OP_MOV:         y_o = b_i;
      nsu_pkg::OP_SELP:        y_o = c_i != 32'd0 ? a_i : b_i;
      nsu_pkg::OP_ADD:         y_o = a_i + b_i;
      nsu_pkg::OP_SUB:         y_o = a_i - b_i;
      nsu_pkg::OP_MUL_LO:      y_o = prod[31:0];
      nsu_pkg::OP_MUL_HI_S:    y_o = prod[63:32] - hi_fix;
      nsu_pkg::OP_MUL_HI_U:    y_o = prod[63:32];
      nsu_pkg::OP_MAD_LO:      y_o = prod[31:0] + c_i;
      nsu_pkg::OP_AND:         y_o = a_i & b_i;
      nsu_pkg::OP_OR:          y_o = a_i | b_i;
      nsu_pkg::OP_XOR:         y_o = a_i ^ b_i;
      nsu_pkg::OP_NOT:         y_o = ~b_i;
      nsu_pkg::OP_SHL:         y_o = far ? 32'd0 : a_i << b_i[4:0];
      nsu_pkg::OP_SHR_U:       y_o = shr_u;
      nsu_pkg::OP_SHR_S:       y_o = shr_u | fill;
      nsu_pkg::OP_MIN_S:       y_o = lt_s ? a_i : b_i;
      nsu_pkg::OP_MIN_U:       y_o = lt_u ? a_i : b_i;
      nsu_pkg::OP_MAX_S:       y_o = lt_s ? b_i : a_i;
      nsu_pkg::OP_MAX_U:       y_o = lt_u ? b_i : a_i;
      nsu_pkg::OP_ABS_S:       y_o = b_i[31] ? b_neg : b_i;
      nsu_pkg::OP_NEG_S:       y_o = b_neg;
      nsu_pkg::OP_SET_EQ:      y_o = {31'd0, eq};
      nsu_pkg::OP_SET_NE:      y_o = {31'd0, ~eq};
      nsu_pkg::OP_SET_LT_S:    y_o = {31'd0, lt_s};
      nsu_pkg::OP_SET_LE_S:    y_o = {31'd0, lt_s | eq};
      nsu_pkg::OP_SET_GT_S:    y_o = {31'd0, ~(lt_s | eq)};
      nsu_pkg::OP_SET_GE_S:    y_o = {31'd0, ~lt_s};
      nsu_pkg::OP_SET_LT_U:    y_o = {31'd0, lt_u};
      nsu_pkg::OP_SET_LE_U:    y_o = {31'd0, lt_u | eq};
      nsu_pkg::OP_SET_GT_U:    y_o = {31'd0, ~(lt_u | eq)};
      nsu_pkg::OP_SET_GE_U:    y_o = {31'd0, ~lt_u};
      nsu_pkg::OP_CVT_S8:      y_o = {{24{b_i[7]}}, b_i[7:0]};
      nsu_pkg::OP_CVT_U8:      y_o = {24'd0, b_i[7:0]};
      nsu_pkg::OP_CVT_S16:     y_o = {{16{b_i[15]}}, b_i[15:0]};
      nsu_pkg::OP_CVT_U16:     y_o = {16'd0, b_i[15:0]};
      nsu_pkg::OP_CVT_SAT_S8_S:  y_o = in_range_s(b_i, 5'd7)  ? b_i : {{25{b_i[31]}}, {7{~b_i[31]}}};
      nsu_pkg::OP_CVT_SAT_S16_S: y_o = in_range_s(b_i, 5'd15) ? b_i : {{17{b_i[31]}}, {15{~b_i[31]}}};
      nsu_pkg::OP_CVT_SAT_U8_S:  y_o = b_i[31] ? 32'd0 : least(b_i, 32'h000000ff);
      nsu_pkg::OP_CVT_SAT_U16_S: y_o = b_i[31] ? 32'd0 : least(b_i, 32'h0000ffff);
      nsu_pkg::OP_CVT_SAT_U32_S: y_o = b_i[31] ? 32'd0 : b_i;
      nsu_pkg::OP_CVT_SAT_S8_U:  y_o = least(b_i, 32'h0000007f);
      nsu_pkg::OP_CVT_SAT_U8_U:  y_o = least(b_i, 32'h000000ff);
      nsu_pkg::OP_CVT_SAT_S16_U: y_o = least(b_i, 32'h00007fff);
      nsu_pkg::OP_CVT_SAT_U16_U: y_o = least(b_i, 32'h0000ffff);
      nsu_pkg::OP_CVT_SAT_S32_U: y_o = least(b_i, 32'h7fffffff);
      default:                 y_o = 32'd0;
    endcase
  end

  // x fits in a signed number with its sign at bit `sign`: all bits from there up are equal.
  function automatic logic in_range_s(input logic [31:0] x, input logic [4:0] sign);
    in_range_s = ((x ^ {32{x[31]}}) >> sign) == 32'd0;
  endfunction

  function automatic logic [31:0] least(input logic [31:0] x, input logic [31:0] bound);
    least = x > bound ? bound : x;
  endfunction

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (op_i < nsu_pkg::OP_SET_EQ || op_i > nsu_pkg::OP_SET_GE_U || y_o <= 32'd1);   // a compare gives 1 or 0
    assert (op_i != nsu_pkg::OP_SHL || b_i < 32'd32 || y_o == 32'd0);                    // shifted out
  end
`endif
endmodule

`default_nettype wire
