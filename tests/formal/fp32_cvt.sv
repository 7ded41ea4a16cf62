// SPDX-License-Identifier: Apache-2.0
//
// fp32_cvt_proof -- every conversion gives the number that its rounding asks for, in exact
// arithmetic: rules 2, 4 and 5 of the port file.
//
//   binary32 to integer       the magnitude is sig * 2^-d with d from 0 to 32; anything smaller
//                             counts as 2^-32. The result m is compared as m * 2^d with sig.
//   integer to binary32       the result sig * 2^d is compared with the integer.
//   to an integral value      as to an integer and back, by two more copies of the block.
//
// With .ftz everything holds for the operand with zero in place of a subnormal number. For all
// operands; nothing is assumed.

`default_nettype none

module fp32_cvt_proof (
  input  wire logic        clk_i,
  input  wire logic [7:0]  op_i,
  input  wire logic [31:0] b_i
);

  localparam logic [7:0] S32 = nsu_pkg::OP_CVT_S32_F32_RN, U32 = nsu_pkg::OP_CVT_U32_F32_RN,
                               INTEGRAL = nsu_pkg::OP_CVT_F32_RN;

  logic        rst_n = 1'b0;                  // low in the first cycle only
  logic [31:0] y, int_y, back_y;
  logic        nan, neg, to_s32, to_u32, integral;
  logic [1:0]  rounding;                      // RN RZ RM RP
  logic [7:0]  exp;
  logic        ftz, from_s32, from_u32;
  logic [7:0]  op;  // the opcode without .ftz
  logic [31:0] b;  // the operand as it counts

  fp32_cvt u_dut (.clk_i, .rst_ni (rst_n), .op_i, .b_i, .y_o (y));
  fp32_cvt u_int (.clk_i, .rst_ni (rst_n), .op_i ({S32[7:2], op_i[1:0] ^ 2'd2}), .b_i (b), .y_o (int_y));
  fp32_cvt u_back (.clk_i, .rst_ni (rst_n), .op_i (nsu_pkg::OP_CVT_F32_S32), .b_i (int_y), .y_o (back_y));

  always @(posedge clk_i) rst_n <= 1'b1;

  assign from_s32 = op == nsu_pkg::OP_CVT_F32_S32;
  assign from_u32 = op == nsu_pkg::OP_CVT_F32_U32;
  assign ftz      = op_i[7:6] == 2'b11;
  assign op       = ftz ? {2'b01, op_i[5:0]} : op_i;
  assign b        = ftz && !(from_s32 || from_u32) && b_i[30:0] < 31'h00800000 ? {b_i[31], 31'd0} : b_i;
  assign exp      = b[30:23];
  assign neg      = b[31];
  assign nan      = exp == 8'd255 && b[22:0] != 23'd0;
  assign to_s32   = op >= S32 && op < S32 + 8'd4;
  assign to_u32   = op >= U32 && op < U32 + 8'd4;
  assign integral = op >= INTEGRAL && op < INTEGRAL + 8'd4;
  assign rounding = 2'(op - (to_s32 ? S32 : to_u32 ? U32 : INTEGRAL));

  // To an integer, below the clamp: m * 2^d beside sig
  logic [31:0] m;
  logic [23:0] sig;
  logic [5:0]  d;
  logic [64:0] scaled, exact, unit;
  logic        down, up, rounded, clamps, clamped, sign_ok;

  always_comb begin
    m      = to_s32 && y[31] ? -y : y;
    sig    = {exp != 8'd0, b[22:0]};
    d      = 6'd0;
    if (exp < 8'd150) d = exp < 8'd118 ? 6'd32 : 6'(8'd150 - exp);
    if (exp < 8'd118 && b[30:0] != 31'd0) sig = 24'd1;
    scaled = {33'd0, m} << d;
    exact  = exp > 8'd150 ? {41'd0, sig} << (exp - 8'd150) : {41'd0, sig};
    unit   = 65'd1 << d;
    down   = scaled <= exact && exact < scaled + unit;               // towards zero
    up     = scaled >= exact && scaled < exact + unit;               // away from it
    case (rounding)
      2'd0:    rounded = scaled >= exact ? {scaled - exact, 1'b0} < {1'b0, unit} ||
                                           ({scaled - exact, 1'b0} == {1'b0, unit} && !m[0])
                                         : {exact - scaled, 1'b0} < {1'b0, unit} ||
                                         ({exact - scaled, 1'b0} == {1'b0, unit} && !m[0]);
      2'd1:    rounded = down;
      2'd2:    rounded = neg ? up : down;
      default: rounded = neg ? down : up;
    endcase
    clamps  = to_s32 ? exp >= 8'd158 : neg || exp > 8'd158;
    clamped = to_s32 ? y == (neg ? 32'h80000000 : 32'h7fffffff) : y == (neg ? 32'd0 : 32'hffffffff);
    sign_ok = !to_s32 || y == 32'd0 || y[31] == neg;
  end

  // From an integer: sig * 2^e beside it
  logic [31:0] mag;
  logic [7:0]  e;
  logic [41:0] value, whole, ulp;
  logic        nearest, exact_fit;

  always_comb begin
    mag       = from_s32 && neg ? -b : b;
    e         = y[30:23];
    whole     = {10'd0, mag};
    value     = {18'd0, 1'b1, y[22:0]} << (e - 8'd150);
    ulp       = 42'd1 << (e - 8'd150);
    exact_fit = {19'd0, 1'b1, y[22:0]} == 43'({mag, 23'd0} >> (e - 8'd127)) && (mag >> (e - 8'd127)) == 32'd1;
    if (value >= whole) nearest = y[22:0] == 23'd0 ? (value - whole) << 2 <= ulp :
                                  (value - whole) << 1 < ulp || ((value - whole) << 1 == ulp && !y[0]);
    else                nearest = (whole - value) << 1 < ulp || ((whole - value) << 1 == ulp && !y[0]);
  end

  always_comb if (rst_n) begin
    // Below the clamp: rounded as asked, with the operand's sign.
    to_integer: assert (!(to_s32 || to_u32) || nan || clamps || (rounded && sign_ok));
    // Beyond the range: clamped; a NaN gives 0.
    out_range:  assert (!(to_s32 || to_u32) || (nan ? y == 32'd0 : !clamps || clamped));
    // An integer 0 gives +0.
    zero_in:    assert (!(from_s32 || from_u32) || b != 32'd0 || y == 32'd0);
    // Integers of 24 bits are exact.
    exact_in:   assert (!(from_s32 || from_u32) || mag == 32'd0 || mag >= 32'h01000000 ||
                        (y[31] == (from_s32 && neg) && exact_fit));
    // Greater integers are nearest, ties to even.
    nearest_in: assert (!(from_s32 || from_u32) || mag < 32'h01000000 ||
                        (y[31] == (from_s32 && neg) && e > 8'd150 && e < 8'd160 && nearest));
    // To an integral value: as the integer converted back; zero keeps the sign.
    and_back:   assert (!integral || exp >= 8'd150 || y == (int_y == 32'd0 ? {neg, 31'd0} : back_y));
    // Numbers from 2^23 on are integral; infinities stay, a NaN becomes canonical.
    stays:      assert (!integral || exp < 8'd150 || y == (nan ? 32'h7fffffff : b));
    // Saturation to 0 .. 1.
    in_zero_one: assert (op != nsu_pkg::OP_CVT_SAT_F32 || y == (nan || neg ? 32'd0 : exp > 8'd126 ? 32'h3f800000 : b));
    // Any other opcode gives 0.
    no_other:   assert (to_s32 || to_u32 || integral || from_s32 || from_u32 || op == nsu_pkg::OP_CVT_SAT_F32 ||
                        y == 32'd0);
    tie_down:   cover (to_s32 && rounding == 2'd0 && neg && exp == 8'd140 && y == 32'hffffdffe && b[10:0] != '0);
    flushes:    cover (ftz && integral && rounding == 2'd2 && b_i == 32'h80000001 && y == 32'h80000000);
    carries:    cover (from_u32 && b == 32'hffffffff && y == 32'h4f800000);
  end
endmodule

`default_nettype wire
