// SPDX-License-Identifier: Apache-2.0
//
// int_alu_proof -- each operation is what SystemVerilog's operators on signed and unsigned numbers
// give (rule 4 of the port file). Any other opcode gives 0.
//
// Numbers are widened by a bit or more, so that no sum, difference or comparison wraps. Products
// are proved for a from 0 to 3 and any b, because abc does not get through a whole multiplier. Each
// part of the opcodes has a copy of the block. Nothing is assumed.

`default_nettype none

module int_alu_proof (
  input  wire logic        clk_i,
  input  wire logic [7:0]  op_i,
  input  wire logic [31:0] a_i,
  input  wire logic [31:0] b_i,
  input  wire logic [31:0] c_i
);

  logic               rst_n = 1'b0;           // low in the first cycle only
  logic [31:0]        y, shift;
  logic signed [33:0] as, bs, au, bu, ys, yu; // as numbers: signed, unsigned
  logic signed [64:0] shifted;                // a with room to the right
  logic [63:0]        product_s, product_u;   // of a's low two bits and b
  logic               known, set, mul;
  logic signed [33:0] least, most, clamped;
  logic               sat, sat_s;

  logic [31:0] y0, y1, y2, y3, y4, y5, ym, two;
  int_alu u_0 (.clk_i, .rst_ni (rst_n), .op_i ({op_i[7:5], 1'b0, op_i[3:0]}), .a_i, .b_i, .c_i, .y_o (y0));
  int_alu u_1 (.clk_i, .rst_ni (rst_n), .op_i ({op_i[7:6], 2'b11, op_i[3:0]}), .a_i, .b_i, .c_i, .y_o (y1));
  int_alu u_2 (.clk_i, .rst_ni (rst_n), .op_i ({op_i[7], 3'b101, op_i[3:0]}), .a_i, .b_i, .c_i, .y_o (y2));
  int_alu u_3 (.clk_i, .rst_ni (rst_n), .op_i ({4'b1001, op_i[3:0]}), .a_i, .b_i, .c_i, .y_o (y3));
  int_alu u_4 (.clk_i, .rst_ni (rst_n), .op_i ({5'b00011, op_i[2:0]}), .a_i, .b_i, .c_i, .y_o (y4));
  int_alu u_5 (.clk_i, .rst_ni (rst_n), .op_i ({6'b000100, op_i[1:0]}), .a_i, .b_i, .c_i, .y_o (y5));

  int_alu u_m (.clk_i, .rst_ni (rst_n), .op_i ({6'b000101, op_i[1:0]}), .a_i (two), .b_i, .c_i, .y_o (ym));

  assign y   = !op_i[4] ? y0 : op_i[5] ? y1 : op_i[6] ? y2 : op_i[7] ? y3 : op_i[3] ? y4 : y5;
  assign mul = op_i[7:2] == nsu_pkg::OP_MUL_LO[7:2];

  always @(posedge clk_i) rst_n <= 1'b1;

  assign as        = {{2{a_i[31]}}, a_i};
  assign bs        = {{2{b_i[31]}}, b_i};
  assign ys        = {{2{y[31]}}, y};
  assign au        = {2'd0, a_i};
  assign bu        = {2'd0, b_i};
  assign yu        = {2'd0, y};
  assign shift     = b_i > 32'd32 ? 32'd32 : b_i;

  assign two       = {30'd0, a_i[1:0]};
  assign product_u = (two[0] ? {32'd0, b_i} : 64'd0) + (two[1] ? {31'd0, b_i, 1'b0} : 64'd0);
  assign product_s = product_u - (b_i[31] ? {two, 32'd0} : 64'd0);

  // A shift of a number with 32 places on either side.
  assign shifted = $signed({op_i == nsu_pkg::OP_SHR_S && a_i[31], a_i, 32'd0}) >>> shift;

  always_comb begin
    set   = 1'b0;
    known = 1'b1;
    case (op_i)
      nsu_pkg::OP_SET_EQ:   set = au == bu;
      nsu_pkg::OP_SET_NE:   set = au != bu;
      nsu_pkg::OP_SET_LT_S: set = as < bs;
      nsu_pkg::OP_SET_LE_S: set = as <= bs;
      nsu_pkg::OP_SET_GT_S: set = as > bs;
      nsu_pkg::OP_SET_GE_S: set = as >= bs;
      nsu_pkg::OP_SET_LT_U: set = au < bu;
      nsu_pkg::OP_SET_LE_U: set = au <= bu;
      nsu_pkg::OP_SET_GT_U: set = au > bu;
      nsu_pkg::OP_SET_GE_U: set = au >= bu;
      default:              known = 1'b0;
    endcase
  end

  // Saturating conversions: the range of the named type
  always_comb begin
    sat   = 1'b1;
    sat_s = 1'b1;
    least = 34'sd0;
    most  = 34'sd0;
    case (op_i)
      nsu_pkg::OP_CVT_SAT_S8_S:  begin least = -34'sd128;   most = 34'sd127; end
      nsu_pkg::OP_CVT_SAT_U8_S:  begin least = 34'sd0;      most = 34'sd255; end
      nsu_pkg::OP_CVT_SAT_S16_S: begin least = -34'sd32768; most = 34'sd32767; end
      nsu_pkg::OP_CVT_SAT_U16_S: begin least = 34'sd0;      most = 34'sd65535; end
      nsu_pkg::OP_CVT_SAT_U32_S: begin least = 34'sd0;      most = 34'sd4294967295; end
      nsu_pkg::OP_CVT_SAT_S8_U:  begin sat_s = 1'b0; most = 34'sd127; end
      nsu_pkg::OP_CVT_SAT_U8_U:  begin sat_s = 1'b0; most = 34'sd255; end
      nsu_pkg::OP_CVT_SAT_S16_U: begin sat_s = 1'b0; most = 34'sd32767; end
      nsu_pkg::OP_CVT_SAT_U16_U: begin sat_s = 1'b0; most = 34'sd65535; end
      nsu_pkg::OP_CVT_SAT_S32_U: begin sat_s = 1'b0; most = 34'sd2147483647; end
      default:                   sat = 1'b0;
    endcase
    clamped = sat_s ? bs : bu;
    if (clamped < least) clamped = least;
    if (clamped > most)  clamped = most;
  end

  logic add_ok, logic_ok, min_ok, word_ok;
  assign add_ok     = (op_i != nsu_pkg::OP_ADD || y == 32'(as + bs)) &&
                      (op_i != nsu_pkg::OP_SUB || y == 32'(as - bs)) &&
                      (op_i != nsu_pkg::OP_NEG_S || y == 32'(34'sd0 - bs)) &&
                      (op_i != nsu_pkg::OP_ABS_S || y == 32'(bs < 34'sd0 ? 34'sd0 - bs : bs));
  assign logic_ok   = (op_i != nsu_pkg::OP_AND || y == (a_i & b_i)) && (op_i != nsu_pkg::OP_OR || y == (a_i | b_i)) &&
                      (op_i != nsu_pkg::OP_XOR || y == (a_i ^ b_i)) && (op_i != nsu_pkg::OP_NOT || y == ~b_i) &&
                      (op_i != nsu_pkg::OP_MOV || y == b_i) && (op_i != nsu_pkg::OP_SELP || y == (|c_i ? a_i : b_i));
  assign min_ok     = (op_i != nsu_pkg::OP_MIN_S || (ys <= as && ys <= bs && (ys == as || ys == bs))) &&
                      (op_i != nsu_pkg::OP_MAX_S || (ys >= as && ys >= bs && (ys == as || ys == bs))) &&
                      (op_i != nsu_pkg::OP_MIN_U || (yu <= au && yu <= bu && (yu == au || yu == bu))) &&
                      (op_i != nsu_pkg::OP_MAX_U || (yu >= au && yu >= bu && (yu == au || yu == bu)));
  assign word_ok    = (op_i != nsu_pkg::OP_CVT_S8 || ys == 34'($signed(b_i[7:0]))) &&
                      (op_i != nsu_pkg::OP_CVT_U8 || y == 32'(b_i[7:0])) &&
                      (op_i != nsu_pkg::OP_CVT_S16 || ys == 34'($signed(b_i[15:0]))) &&
                      (op_i != nsu_pkg::OP_CVT_U16 || y == 32'(b_i[15:0]));

  always_comb if (rst_n) begin
    // ADD, SUB, NEG_S, ABS_S.
    sums:        assert (add_ok);
    // AND, OR, XOR, NOT, MOV, SELP.
    bits:        assert (logic_ok);
    // Shifts; from 32 on only zeros or signs are left.
    left:        assert (op_i != nsu_pkg::OP_SHL || y == 32'({32'd0, a_i} << shift));
    right:       assert ((op_i != nsu_pkg::OP_SHR_U && op_i != nsu_pkg::OP_SHR_S) || y == shifted[63:32]);
    // SET_*.
    compares:    assert (!known || y == {31'd0, set});
    // MIN_*, MAX_*: one of the two, and no other is beyond it.
    extremes:    assert (min_ok);
    // CVT_S8, U8, S16, U16.
    low_bits:    assert (word_ok);
    // CVT_SAT_*: clamped to the named type's range.
    saturates:   assert (!sat || y == clamped[31:0]);
    // MUL_*, MAD_LO for a from 0 to 3.
    product_lo:  assert (op_i != nsu_pkg::OP_MUL_LO || ym == product_u[31:0]);
    product_mad: assert (op_i != nsu_pkg::OP_MAD_LO || ym == product_u[31:0] + c_i);
    product_hi:  assert (op_i != nsu_pkg::OP_MUL_HI_U || ym == product_u[63:32]);
    product_his: assert (op_i != nsu_pkg::OP_MUL_HI_S || ym == product_s[63:32]);
    // Any other opcode gives 0.
    others_zero: assert (mul || (nsu_pkg::isa_kind(op_i) == nsu_pkg::KIND_ALU && op_i < nsu_pkg::OP_DADD &&
                                 (op_i < nsu_pkg::OP_FADD || op_i >= nsu_pkg::OP_CVT_S8)) || y == 32'd0);
    far:         cover (op_i == nsu_pkg::OP_SHR_S && b_i > 32'd31 && y == 32'hffffffff);
  end
endmodule

`default_nettype wire
