// SPDX-License-Identifier: Apache-2.0
// fp32_fma -- IEEE 754 binary32 add, subtract, multiply and fused multiply-add, one operation a cycle.
//
// valid_i, mode_i, a_i, b_i, c_i of cycle u give valid_o, y_o in cycle u + 4; no stall. mode_i: 0 a + b, 1 a - b,
// 2 a * b, 3 a * b + c. Add is a * 1 + b, subtract a * 1 + (-b), multiply a * b + (-0), so that all four share one
// datapath and IEEE's signs of zero come out by themselves. NaN results are 0x7fffffff.
//
// The product keeps its place in a 76-bit frame, the addend is shifted to it. An operand's exponent field 0 counts as
// 1 with hidden bit 0, so a subnormal needs no normalising; a product of 0 takes the least exponent.
//   bit 75 .. 52  addend at shift 0      bit 49 .. 2  product      bit 1 .. 0  guard bits; below: sticky
// An addend further left stays at bit 75; then the product is less than a quarter of its last place and counts as
// sticky. Sticky bits of the addend exist only when the product is at least four times greater.
// Registers of a stage without a valid operation are don't care ('x costs no gates and lets a simulator skip the logic).

`default_nettype none

module fp32_fma (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  // From the lane
  input  wire logic        valid_i,
  input  wire logic [1:0]  mode_i,
  input  wire logic [31:0] a_i,
  input  wire logic [31:0] b_i,
  input  wire logic [31:0] c_i,
  // To the lane, four cycles later
  output      logic        valid_o,
  output      logic [31:0] y_o
);

  localparam logic [31:0] ONE      = 32'h3f800000;
  localparam logic [31:0] NEG_ZERO = 32'h80000000;
  localparam logic [31:0] NAN      = 32'h7fffffff;

  logic        valid_q1, valid_q2, valid_q3, valid_q4;

  // Stage 1: operands, product, exponents.
  logic [31:0] b, c;
  logic        a_zero, a_inf, b_zero, b_inf, c_inf, sign_prod;
  logic [9:0]  exp_prod, shift;              // two's complement; exponent field of bit 75 by the product
  logic        nan_d1, inf_d1, sign_d1, sub_d1;
  logic [47:0] prod_d1;
  logic [23:0] add_d1;                       // the addend's significand
  logic [6:0]  shift_d1;                     // its shift to the right, 0 .. 76
  logic [8:0]  exp_d1;                       // exponent field of frame bit 75, 1 .. 408
  logic        nan_q1, inf_q1, sign_q1, sub_q1;
  logic [47:0] prod_q1;
  logic [23:0] add_q1;
  logic [6:0]  shift_q1;
  logic [8:0]  exp_q1;

  always_comb begin
    if (valid_i) begin
      b        = mode_i[1] ? b_i : ONE;
      c        = mode_i == 2'd3 ? c_i : mode_i == 2'd2 ? NEG_ZERO : {b_i[31] ^ mode_i[0], b_i[30:0]};
      a_zero   = a_i[30:0] == 31'd0;
      b_zero   = b[30:0] == 31'd0;
      {a_inf, b_inf, c_inf} = {is_inf(a_i[30:0]), is_inf(b[30:0]), is_inf(c[30:0])};
      sign_prod = a_i[31] ^ b[31];
      sub_d1   = sign_prod ^ c[31];
      sign_d1  = c_inf ? c[31] : sign_prod;
      inf_d1   = a_inf | b_inf | c_inf;
      nan_d1   = is_nan(a_i[30:0]) | is_nan(b[30:0]) | is_nan(c[30:0]) | (a_inf & b_zero) | (a_zero & b_inf)
               | ((a_inf | b_inf) & c_inf & sub_d1);
      prod_d1  = {24'd0, significand(a_i[30:0])} * {24'd0, significand(b[30:0])};
      add_d1   = significand(c[30:0]);
      exp_prod = a_zero | b_zero ? 10'd2 - 10'd100 : exponent(a_i[30:23]) + exponent(b[30:23]) - 10'd100;
      shift    = exp_prod - exponent(c[30:23]);
      shift_d1 = shift[9] ? 7'd0 : shift > 10'd76 ? 7'd76 : shift[6:0];
      exp_d1   = shift[9] ? {1'b0, c[30:24], c[23] | (c[30:23] == 8'd0)} : exp_prod[8:0];
    end else begin
      {b, c, a_zero, a_inf, b_zero, b_inf, c_inf, sign_prod, exp_prod, shift} = 'x;
      {nan_d1, inf_d1, sign_d1, sub_d1, prod_d1, add_d1, shift_d1, exp_d1} = 'x;
    end
  end

  always_ff @(posedge clk_i) begin
    {nan_q1, inf_q1, sign_q1, sub_q1} <= {nan_d1, inf_d1, sign_d1, sub_d1};
    {prod_q1, add_q1, shift_q1, exp_q1} <= {prod_d1, add_d1, shift_d1, exp_d1};
  end

  // Stage 2: align and add. A difference: P + ~C carries out when P > C, then 1 is added unless sticky borrows it;
  // otherwise its complement is C - P.
  logic [99:0] addend;                       // frame and, below it, the bits shifted out
  logic [76:0] total;
  logic        sticky_d2, sign_d2;
  logic [75:0] sum_d2;
  logic        nan_q2, inf_q2, sign_q2, sticky_q2;
  logic [75:0] sum_q2;
  logic [8:0]  exp_q2;

  always_comb begin
    if (valid_q1) begin
      addend    = {add_q1, 76'd0} >> shift_q1;
      sticky_d2 = |addend[23:0];
      total     = {27'd0, prod_q1, 2'd0} + {1'b0, addend[99:24] ^ {76{sub_q1}}};
      sum_d2    = !sub_q1 ? total[75:0] : total[76] ? total[75:0] + {75'd0, ~sticky_d2} : ~total[75:0];
      sign_d2   = !sub_q1 | inf_q1 | total[76] ? sign_q1 : ~sign_q1 & ~&total[75:0];
    end else begin
      {addend, total, sticky_d2, sign_d2, sum_d2} = 'x;
    end
  end

  always_ff @(posedge clk_i) begin
    {nan_q2, inf_q2, exp_q2} <= {nan_q1, inf_q1, exp_q1};
    {sign_q2, sticky_q2, sum_q2} <= {sign_d2, sticky_d2, sum_d2};
  end

  // Stage 3: normalise, but not below the least exponent, and decide the rounding.
  logic [6:0]  zeros, left;
  logic [75:2] norm;                         // below it is nothing: sums with low bits are small and have large exponents
  logic        up_d3;
  logic [31:0] mag_d3;                       // exponent (9 bits) and fraction before rounding
  logic        nan_q3, inf_q3, sign_q3, up_q3;
  logic [31:0] mag_q3;

  always_comb begin
    if (valid_q2) begin
      zeros  = leading_zeros({sum_q2, 52'd0});
      left   = {2'd0, zeros} < exp_q2 ? zeros : exp_q2[6:0] - 7'd1;
      norm   = 74'((sum_q2 << left) >> 2);
      mag_d3 = {norm[75] ? exp_q2 - {2'd0, left} : 9'd0, norm[74:52]};
      up_d3  = norm[51] & (norm[52] | sticky_q2 | (|norm[50:2]));
    end else begin
      {zeros, left, norm, up_d3, mag_d3} = 'x;
    end
  end

  always_ff @(posedge clk_i) begin
    {nan_q3, inf_q3, sign_q3} <= {nan_q2, inf_q2, sign_q2};
    {up_q3, mag_q3} <= {up_d3, mag_d3};
  end

  // Stage 4: round; a carry runs into the exponent, 255 there is infinity.
  logic [31:0] mag, y_d, y_q;

  always_comb begin
    if (valid_q3) begin
      mag = mag_q3 + {31'd0, up_q3};
      y_d = nan_q3 ? NAN : inf_q3 | (mag[31:23] >= 9'd255) ? {sign_q3, 8'hff, 23'd0} : {sign_q3, mag[30:0]};
    end else begin
      {mag, y_d} = 'x;
    end
  end

  always_ff @(posedge clk_i) y_q <= y_d;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {valid_q1, valid_q2, valid_q3, valid_q4} <= 4'd0;
    else         {valid_q1, valid_q2, valid_q3, valid_q4} <= {valid_i, valid_q1, valid_q2, valid_q3};
  end

  assign valid_o = valid_q4;
  assign y_o     = y_q;

  function automatic logic is_nan(input logic [30:0] x);
    is_nan = x > 31'h7f800000;
  endfunction

  function automatic logic is_inf(input logic [30:0] x);
    is_inf = x == 31'h7f800000;
  endfunction

  function automatic logic [23:0] significand(input logic [30:0] x);
    significand = {x[30:23] != 8'd0, x[22:0]};
  endfunction

  function automatic logic [9:0] exponent(input logic [7:0] x);
    exponent = {2'd0, x[7:1], x[0] | (x == 8'd0)};
  endfunction

  // Halves the window with every step; 127 for 0.
  function automatic logic [6:0] leading_zeros(input logic [127:0] x);
    logic [127:0] window;
    window = x;
    for (int k = 6; k >= 0; k--) begin
      leading_zeros[k] = (window >> (128 - (1 << k))) == 128'd0;
      window = leading_zeros[k] ? window << (1 << k) : window;
    end
  endfunction

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (!valid_q1 || exp_q1 != 9'd0);                               // no shift to the right after the sum
    assert (!valid_q2 || left >= 7'd2 || sum_q2[1:0] == 2'd0);          // norm has all of the sum
    assert (!valid_q2 || !sticky_q2 || (|sum_q2[75:24]));               // sticky never meets cancellation
    assert (!valid_q4 || y_q[30:0] <= 31'h7f800000 || y_q == NAN);      // NaNs are canonical
  end
`endif
endmodule

`default_nettype wire
