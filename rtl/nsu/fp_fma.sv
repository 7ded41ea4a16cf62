// SPDX-License-Identifier: Apache-2.0
//
// fp_fma -- IEEE 754 add, subtract, multiply and fused multiply-add of any binary format.
//
// One operation a cycle, no stall: inputs of cycle u give valid_o and y_o in cycle u + 4.
// All four operations share one datapath, and IEEE's signs of zero come out by themselves:
//
//   mode 0   a + b       as a * 1 + b
//   mode 1   a - b       as a * 1 + (-b)
//   mode 2   a * b       as a * b + (-0)
//   mode 3   a * b + c
//
//   valid_i --> 1 operands, product, --> 2 align addend, --> 3 normalise, --> 4 round, --> valid_o
//               shift, exponent            add               round bit          flush
//
// NaN results are all ones but the sign. With ftz_i a subnormal operand counts as zero of its sign.
// So does a result that is subnormal after rounding.
//
// P = FracBits + 1 is the width of a significand. The product keeps its place in a frame of 3 P + 4
// bits, and the addend is shifted to it:
//
//   P bits at the top            addend at shift 0
//   bits 2 P + 1 .. 2            product
//   bits 1 .. 0, and below       guard bits; sticky
//
// An addend further left stays at the top. The product is then less than a quarter of its last
// place and only sticky. The addend has sticky bits only if the product is at least four times
// greater. Exponent 0 counts as 1 with hidden bit 0: a subnormal needs no normalising. A product
// of 0 takes the least exponent. Flushing clears the product, not a factor, so that the multiplier
// need not wait.
// Registers of a stage without a valid operation are don't care ('x costs no gates).

`default_nettype none

module fp_fma #(
  parameter  int ExpBits  = 8,  // bits of the exponent, 3 .. 11
  parameter  int FracBits = 23, // bits of the fraction, 2 .. 52, less than 2^(ExpBits - 1) - 1
  localparam int Width    = 1 + ExpBits + FracBits
) (
  input  wire logic             clk_i,   // clock, rising edge
  input  wire logic             rst_ni,  // asynchronous reset, active low
  // From the lane
  input  wire logic             valid_i, // an operation starts
  input  wire logic [1:0]       mode_i,  // 0 a + b, 1 a - b, 2 a * b, 3 a * b + c
  input  wire logic             ftz_i,   // flush subnormal operands and results
  input  wire logic [Width-1:0] a_i,     // operand
  input  wire logic [Width-1:0] b_i,     // operand
  input  wire logic [Width-1:0] c_i,     // addend, in mode 3 only
  // To the lane, four cycles later
  output      logic             valid_o, // valid_i of four cycles before
  output      logic [Width-1:0] y_o      // result, with valid_o
);

  localparam int E     = ExpBits + 1;           // bits of an exponent field with a bit more
  localparam int P     = FracBits + 1;          // bits of a significand
  localparam int FRAME = 3 * P + 4;
  localparam int TOP   = FRAME - 1;
  localparam int SHIFT = $clog2(FRAME + 1);     // bits of a shift in the frame; 2^SHIFT is more than FRAME
  localparam int SIGN  = Width - 1;

  localparam logic [ExpBits-1:0] EXP_ONES  = {ExpBits{1'b1}};    // '1 is 1 to Yosys 0.23 here
  localparam logic [SIGN-1:0]    INFINITE  = {EXP_ONES, {FracBits{1'b0}}};
  localparam logic [Width-1:0]   ONE       = {2'b00, {(ExpBits-1){1'b1}}, {FracBits{1'b0}}};
  localparam logic [Width-1:0]   NEG_ZERO  = {1'b1, {SIGN{1'b0}}};
  localparam logic [Width-1:0]   NAN       = {1'b0, {SIGN{1'b1}}};
  localparam int                 BIAS      = (1 << (ExpBits - 1)) - 1;
  localparam logic [E:0]         TO_TOP    = (E+1)'(P + 3 - BIAS);     // exponent of the top bit, less the factors'

  initial if (ExpBits < 3 || ExpBits > 11 || FracBits < 2 || FracBits > 52 || FracBits + 1 >= 1 << (ExpBits - 1))
    $fatal(1, "fp_fma: no such format");

  logic             valid_q1, valid_q2, valid_q3, valid_q4;
  logic             ftz_q1, ftz_q2, ftz_q3;

  // Stage 1: operands, product, exponents
  logic [Width-1:0] b, c;
  logic             a_zero, a_inf, b_zero, b_inf, c_inf, sign_prod;
  logic [E:0]       exp_prod, shift;            // two's complement; exponent of the top bit by the product
  logic             nan_d1, inf_d1, sign_d1, sub_d1;
  logic [2*P-1:0]   prod_d1;
  logic [P-1:0]     add_d1;                     // the addend's significand
  logic [SHIFT-1:0] shift_d1;                   // its shift to the right, 0 .. FRAME
  logic [E-1:0]     exp_d1;                     // exponent of the frame's top bit, not 0
  logic             nan_q1, inf_q1, sign_q1, sub_q1;
  logic [2*P-1:0]   prod_q1;
  logic [P-1:0]     add_q1;
  logic [SHIFT-1:0] shift_q1;
  logic [E-1:0]     exp_q1;

  // The product's exponent places the frame. The addend's shift is the distance of both exponents:
  // negative, it stays at the top and its own exponent counts; beyond the frame it is all sticky.
  // Infinities and NaNs are decided here and go along as flags.
  always_comb begin
    if (valid_i) begin
      b        = mode_i[1] ? b_i : ONE;
      c        = mode_i == 2'd3 ? c_i : mode_i == 2'd2 ? NEG_ZERO : {b_i[SIGN] ^ mode_i[0], b_i[SIGN-1:0]};
      a_zero   = is_zero(ftz_i, a_i[SIGN-1:0]);
      b_zero   = is_zero(ftz_i, b[SIGN-1:0]);
      {a_inf, b_inf, c_inf} = {is_inf(a_i[SIGN-1:0]), is_inf(b[SIGN-1:0]), is_inf(c[SIGN-1:0])};
      sign_prod = a_i[SIGN] ^ b[SIGN];
      sub_d1   = sign_prod ^ c[SIGN];
      sign_d1  = c_inf ? c[SIGN] : sign_prod;
      inf_d1   = a_inf | b_inf | c_inf;
      nan_d1   = is_nan(a_i[SIGN-1:0]) | is_nan(b[SIGN-1:0]) | is_nan(c[SIGN-1:0]) | (a_inf & b_zero) | (a_zero & b_inf)
               | ((a_inf | b_inf) & c_inf & sub_d1);
      prod_d1  = ftz_i && (a_zero || b_zero) ? '0 : {{P{1'b0}}, significand(a_i[SIGN-1:0])}
                 * {{P{1'b0}}, significand(b[SIGN-1:0])};
      add_d1   = ftz_i && c[SIGN-1:FracBits] == '0 ? '0 : significand(c[SIGN-1:0]);
      exp_prod = (a_zero | b_zero ? (E+1)'(2) : exponent(a_i[SIGN-1:0]) + exponent(b[SIGN-1:0])) + TO_TOP;
      shift    = exp_prod - exponent(c[SIGN-1:0]);
      shift_d1 = shift[E] ? '0 : shift > (E+1)'(FRAME) ? SHIFT'(FRAME) : shift[SHIFT-1:0];
      exp_d1   = shift[E] ? E'(exponent(c[SIGN-1:0])) : exp_prod[E-1:0];
    end else begin
      {b, c, a_zero, a_inf, b_zero, b_inf, c_inf, sign_prod, exp_prod, shift} = 'x;
      {nan_d1, inf_d1, sign_d1, sub_d1, prod_d1, add_d1, shift_d1, exp_d1} = 'x;
    end
  end

  always_ff @(posedge clk_i) begin
    {nan_q1, inf_q1, sign_q1, sub_q1} <= {nan_d1, inf_d1, sign_d1, sub_d1};
    ftz_q1 <= ftz_i;
    {prod_q1, add_q1, shift_q1, exp_q1} <= {prod_d1, add_d1, shift_d1, exp_d1};
  end

  // Stage 2: align and add. A difference is product + ~addend. It carries out if the product is
  // greater; then 1 is added unless the sticky bits borrow it. Without a carry the complement of
  // the sum is addend - product. An exact zero has all ones in total, and is +0.
  logic [FRAME+P-1:0] addend;                   // the frame; below it, the bits shifted out
  logic [FRAME:0]     total;
  logic               sticky_d2, sign_d2;
  logic [TOP:0]       sum_d2;
  logic               nan_q2, inf_q2, sign_q2, sticky_q2;
  logic [TOP:0]       sum_q2;
  logic [E-1:0]       exp_q2;

  always_comb begin
    if (valid_q1) begin
      addend    = {add_q1, {FRAME{1'b0}}} >> shift_q1;
      sticky_d2 = |addend[P-1:0];
      total     = {{(P+3){1'b0}}, prod_q1, 2'd0} + {1'b0, addend[FRAME+P-1:P] ^ {FRAME{sub_q1}}};
      sum_d2    = !sub_q1 ? total[TOP:0] : total[FRAME] ? total[TOP:0] + {{TOP{1'b0}}, ~sticky_d2} : ~total[TOP:0];
      sign_d2   = !sub_q1 | inf_q1 | total[FRAME] ? sign_q1 : ~sign_q1 & ~&total[TOP:0];
    end else begin
      {addend, total, sticky_d2, sign_d2, sum_d2} = 'x;
    end
  end

  always_ff @(posedge clk_i) begin
    {nan_q2, inf_q2, ftz_q2, exp_q2} <= {nan_q1, inf_q1, ftz_q1, exp_q1};
    {sign_q2, sticky_q2, sum_q2} <= {sign_d2, sticky_d2, sum_d2};
  end

  // Stage 3: normalise, but not below the least exponent, and decide the rounding.
  logic [SHIFT-1:0] zeros, left;
  logic [TOP:2]     norm;                       // the two bits below are 0 (asserted)
  logic             up_d3;
  logic [Width-1:0] mag_d3;                     // exponent (a bit more) and fraction before rounding
  logic             nan_q3, inf_q3, sign_q3, up_q3;
  logic [Width-1:0] mag_q3;

  always_comb begin
    if (valid_q2) begin
      zeros  = leading_zeros({sum_q2, {((1 << SHIFT) - FRAME){1'b0}}});
      left   = E'(zeros) < exp_q2 ? zeros : SHIFT'(exp_q2 - E'(1));
      norm   = (TOP-1)'((sum_q2 << left) >> 2);
      mag_d3 = {norm[TOP] ? exp_q2 - E'(left) : E'(0), norm[TOP-1:TOP-FracBits]};
      up_d3  = norm[TOP-P] & (norm[TOP-FracBits] | sticky_q2 | (|norm[TOP-P-1:2]));
    end else begin
      {zeros, left, norm, up_d3, mag_d3} = 'x;
    end
  end

  always_ff @(posedge clk_i) begin
    {nan_q3, inf_q3, ftz_q3, sign_q3} <= {nan_q2, inf_q2, ftz_q2, sign_q2};
    {up_q3, mag_q3} <= {up_d3, mag_d3};
  end

  // Stage 4: round; a carry runs into the exponent, and all ones there is infinity. Then flush.
  // Stages 1 and 4 each write the flush out: with a shared function Icarus 11 does not settle.
  logic [Width-1:0] mag, y_d, y_q;

  always_comb begin
    if (valid_q3) begin
      mag = mag_q3 + Width'(up_q3);
      y_d = nan_q3 ? NAN : inf_q3 | (mag[SIGN:FracBits] >= {1'b0, EXP_ONES}) ? {sign_q3, INFINITE}
          : {sign_q3, ftz_q3 && mag[SIGN-1:FracBits] == '0 ? SIGN'(0) : mag[SIGN-1:0]};
    end else begin
      {mag, y_d} = 'x;
    end
  end

  always_ff @(posedge clk_i) y_q <= y_d;

  // Only the valid bits have a reset.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {valid_q1, valid_q2, valid_q3, valid_q4} <= 4'd0;
    else         {valid_q1, valid_q2, valid_q3, valid_q4} <= {valid_i, valid_q1, valid_q2, valid_q3};
  end

  assign valid_o = valid_q4;
  assign y_o     = y_q;

  // Predicates and fields of a number without its sign
  function automatic logic is_zero(input logic ftz, input logic [SIGN-1:0] x);
    is_zero = x[SIGN-1:FracBits] == '0 && (ftz || x[FracBits-1:0] == '0);
  endfunction

  function automatic logic is_nan(input logic [SIGN-1:0] x);
    is_nan = x > INFINITE;
  endfunction

  function automatic logic is_inf(input logic [SIGN-1:0] x);
    is_inf = x == INFINITE;
  endfunction

  function automatic logic [P-1:0] significand(input logic [SIGN-1:0] x);
    significand = {x[SIGN-1:FracBits] != '0, x[FracBits-1:0]};
  endfunction

  function automatic logic [E:0] exponent(input logic [SIGN-1:0] x);
    exponent = {2'd0, x[SIGN-1:FracBits+1], x[FracBits] | (x[SIGN-1:FracBits] == '0)};
  endfunction

  // Halves the window in every step; all ones for 0.
  function automatic logic [SHIFT-1:0] leading_zeros(input logic [(1<<SHIFT)-1:0] x);
    logic [(1<<SHIFT)-1:0] window;
    window = x;
    for (int k = SHIFT - 1; k >= 0; k--) begin
      leading_zeros[k] = (window >> ((1 << SHIFT) - (1 << k))) == '0;
      window = leading_zeros[k] ? window << (1 << k) : window;
    end
  endfunction

`ifndef SYNTHESIS
  // Only for finite operands: in small formats other exponents may exceed their fields.
  logic finite_q1, finite_q2;
  assign finite_q1 = valid_q1 && !nan_q1 && !inf_q1;
  assign finite_q2 = valid_q2 && !nan_q2 && !inf_q2;
  always @(posedge clk_i) if (rst_ni) begin
    assert (!finite_q1 || exp_q1 != '0);                                // no shift to the right after the sum
    assert (!finite_q2 || left >= SHIFT'(2) || sum_q2[1:0] == 2'd0);    // norm has all of the sum
    assert (!finite_q2 || !sticky_q2 || (|sum_q2[TOP:P]));              // sticky never meets cancellation
    assert (!valid_q4 || y_q[SIGN-1:0] <= INFINITE || y_q == NAN);      // NaNs are canonical
  end
`endif
endmodule

`default_nettype wire
