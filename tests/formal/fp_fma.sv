// SPDX-License-Identifier: Apache-2.0
//
// fp_fma_proof -- every result of fp_fma is the number nearest to the exact one, ties to even; NaNs
// and infinities are as in rule 3 of the port file.
//
// Of small formats this holds for all operands and modes. The wrapper has the exact result as an
// integer in units of the least product. Formats with more than 23 bits of fraction have NaNs and
// infinities proved for b with three free fraction bits.
//
// A whole equivalence with another multiplier is more than a solver can do for larger formats.
// There each kind of operation has a copy of the block with restricted operands, so that constants
// simplify it. The exact result is in units of the least number.
//
//   sums      all of a's significand; three free bits of b's fraction; exponent fields below 16,
//             subnormals among them
//   products  all of a; b any power of two, or zero; in units of the result's last place
//   fused     a with one free fraction bit, b a power of two, all of c's significand; the product
//             is less than 2^33 least numbers, c's exponent field below 16
//
// With ftz subnormal operands count as zeros. A result is never subnormal. It is zero just where
// the exact one is nearer to 0 than the middle between the greatest subnormal and the least normal
// number.
//
// A number with exponent field e has its last place at bit e + LAST of such an integer. Infinity
// counts as the number that would follow the greatest one. The pipeline forgets everything older
// than four cycles, so what holds in the first six cycles holds for all time.

`default_nettype none

module fp_fma_proof #(
  parameter  int ExpBits  = 3,
  parameter  int FracBits = 2,
  localparam int Width    = 1 + ExpBits + FracBits
) (
  input  wire logic             clk_i,
  input  wire logic             valid_i,
  input  wire logic [1:0]       mode_i,
  input  wire logic             ftz_i,
  input  wire logic [Width-1:0] a_i,
  input  wire logic [Width-1:0] b_i,
  input  wire logic [Width-1:0] c_i
);

  localparam bit               SMALL    = ExpBits < 5;
  localparam int               SIGN     = Width - 1;
  localparam int               BIAS     = (1 << (ExpBits - 1)) - 1;
  localparam int               LAST     = SMALL ? BIAS + FracBits - 2 : -1;
  // bits of an exact result
  localparam int               EXACT    = SMALL ? (2 << ExpBits) + 2 * FracBits + 6 : 2 * FracBits + 36;
  // bits of a fraction without its first three
  localparam int               SHORT    = FracBits > 3 ? FracBits - 3 : 0;
  // fused: more than the low bits of c, few enough for a solver
  localparam int               NEAR     = 32;
  localparam int               CUT      = FracBits > 23 ? SHORT : 0;
  localparam logic [SIGN-1:0]  INFINITE = {{ExpBits{1'b1}}, {FracBits{1'b0}}};
  localparam logic [Width-1:0] ONE      = {2'b00, {(ExpBits-1){1'b1}}, {FracBits{1'b0}}};

  logic                 rst_n = 1'b0;           // low in the first cycle only
  logic                 valid;
  logic [3:0]           due;
  logic [Width-1:0]     y, a, b, c, factor, addend;
  logic [4*Width-1:0]   a_q, b_q, c_q;          // operands of the last four cycles
  logic [7:0]           mode_q;
  logic [1:0]           mode;
  logic [3:0]           ftz_q;
  logic                 ftz;

  fp_fma #(.ExpBits (ExpBits), .FracBits (FracBits)) u_fma (
    .clk_i, .rst_ni (rst_n), .valid_i, .mode_i, .ftz_i, .a_i, .b_i (b_i >> CUT << CUT), .c_i, .valid_o (valid), .y_o (y)
  );

  assign a    = taken(ftz, a_q[4*Width-1:3*Width]);
  assign b    = taken(ftz, b_q[4*Width-1:3*Width]);
  assign c    = taken(ftz, c_q[4*Width-1:3*Width]);
  assign ftz  = ftz_q[3];
  assign mode = mode_q[7:6];

  always @(posedge clk_i) begin
    rst_n  <= 1'b1;
    due    <= rst_n ? {due[2:0], valid_i} : '0;
    a_q    <= {a_q[3*Width-1:0], a_i};
    b_q    <= {b_q[3*Width-1:0], b_i >> CUT << CUT};
    c_q    <= {c_q[3*Width-1:0], c_i};
    mode_q <= {mode_q[5:0], mode_i};
    ftz_q  <= {ftz_q[2:0], ftz_i};
  end

  // a * factor + addend; a product's addend is a zero of its sign
  logic nan, invalid, inf, sign;
  always_comb begin
    factor  = mode[1] ? b : ONE;
    sign    = a[SIGN] ^ factor[SIGN];
    addend  = mode == 2'd3 ? c : mode == 2'd2 ? {sign, {SIGN{1'b0}}} : {b[SIGN] ^ mode[0], b[SIGN-1:0]};
    nan     = a[SIGN-1:0] > INFINITE || factor[SIGN-1:0] > INFINITE || addend[SIGN-1:0] > INFINITE;
    inf     = a[SIGN-1:0] == INFINITE || factor[SIGN-1:0] == INFINITE;
    invalid = inf && (a[SIGN-1:0] == '0 || factor[SIGN-1:0] == '0 ||
                      (addend[SIGN-1:0] == INFINITE && addend[SIGN] != sign));
  end

  // Verdicts on all of a small format, and on the parts of a larger one. A verdict that does not
  // apply to the format is 0; its property is not checked there.
  logic is_whole, is_tie, is_up, is_sum, is_product, is_fused, is_subnormal;
  if (SMALL) begin : g_whole
    logic [EXACT-1:0] product;
    logic [EXACT:0]   exact;                    // sign and magnitude, as all sums here
    always_comb begin
      product  = (EXACT'(significand(a[SIGN-1:0])) * EXACT'(significand(factor[SIGN-1:0]))) <<
                 (exponent(a[SIGN-1:0]) + exponent(factor[SIGN-1:0]) - 2);
      exact    = total(sign, product, addend[SIGN], units(addend[SIGN-1:0]));
      is_whole = right(ftz, y, exact);
      is_tie   = distance(exact[EXACT-1:0], y[SIGN-1:0], exponent(y[SIGN-1:0]) + LAST) << 1 == EXACT'(1) <<
                 (exponent(y[SIGN-1:0]) + LAST);
    end
    assign is_up = exact[EXACT-1:0] < units({{(ExpBits-1){1'b0}}, 1'b1, {FracBits{1'b0}}});
    assign {is_sum, is_product, is_fused, is_subnormal} = '0;
  end else begin : g_parts
    logic [Width-1:0] y_add, y_mul, y_fma;
    fp_fma #(.ExpBits (ExpBits), .FracBits (FracBits)) u_add (
      .clk_i, .rst_ni (rst_n), .valid_i (1'b1), .mode_i (2'd0), .ftz_i, .a_i, .b_i (b_i >> SHORT << SHORT), .c_i,
      .valid_o (), .y_o (y_add)
    );
    fp_fma #(.ExpBits (ExpBits), .FracBits (FracBits)) u_mul (
      .clk_i, .rst_ni (rst_n), .valid_i (1'b1), .mode_i (2'd2), .ftz_i, .a_i, .b_i (b_i >> FracBits << FracBits), .c_i,
      .valid_o (), .y_o (y_mul)
    );
    fp_fma #(.ExpBits (ExpBits), .FracBits (FracBits)) u_fma (
      .clk_i, .rst_ni (rst_n), .valid_i (1'b1), .mode_i (2'd3), .ftz_i, .a_i (a_i >> (FracBits - 1) << (FracBits - 1)),
      .b_i (b_i >> FracBits << FracBits), .c_i, .valid_o (), .y_o (y_fma)
    );

    // Sums
    logic [Width-1:0] short;
    logic             low;
    assign short  = b >> SHORT << SHORT;
    assign low    = exponent(a[SIGN-1:0]) < 16 && exponent(b[SIGN-1:0]) < 16;
    assign is_sum = !low || right(ftz, y_add, total(a[SIGN], units(a[SIGN-1:0]), b[SIGN], units(short[SIGN-1:0])));

    // Products: p * 2^-k last places of y. k is limited on both sides: once p is less than half a
    // last place a greater k changes nothing, nor does a smaller one once y has no room for p.
    logic [FracBits:0]  p;
    logic [31:0]        e, left;
    logic signed [31:0] k;
    logic               finite, b_zero, near;
    always_comb begin
      finite = a[SIGN-1:0] < INFINITE && b[SIGN-1:0] < INFINITE;
      b_zero = b[SIGN-1:FracBits] == '0;
      p      = b_zero ? '0 : significand(a[SIGN-1:0]);
      e      = exponent(a[SIGN-1:0]) + exponent(b[SIGN-1:0]);
      k      = exponent(y_mul[SIGN-1:0]) + BIAS - e;
      left   = k < -(FracBits + 2) ? FracBits + 2 : k < 0 ? -k : k > FracBits + 3 ? FracBits + 3 : k;
      near   = given(ftz, EXACT'(p) << (k < 0 ? left : 0), y_mul[SIGN-1:0], k < 0 ? 0 : left);
      is_product = !finite || (y_mul[SIGN] == (a[SIGN] ^ b[SIGN]) && near);
    end

    // Fused: q * 2^f least numbers, and c
    logic [1:0]  q;
    logic [31:0] f;
    logic        fits;
    assign q            = b_zero ? 2'd0 : {a[SIGN-1:FracBits] != '0, a[FracBits-1]};
    assign f            = e - (BIAS + 2 - FracBits);
    assign fits         = finite && f < NEAR && exponent(c[SIGN-1:0]) < 16;
    assign is_fused     = !fits ||
                          right(ftz, y_fma, total(a[SIGN] ^ b[SIGN], EXACT'(q) << f, c[SIGN], units(c[SIGN-1:0])));
    assign is_subnormal = fits && a[SIGN] ^ b[SIGN] ^ c[SIGN] && y_fma[SIGN-1:FracBits] == '0 &&
                          y_fma[FracBits-1:0] > 9 && c[SIGN-1:FracBits] > 1;
    assign {is_whole, is_tie, is_up} = '0;
  end

  function automatic logic [FracBits:0] significand(input logic [SIGN-1:0] x);
    significand = {x[SIGN-1:FracBits] != '0, x[FracBits-1:0]};
  endfunction
  function automatic logic [31:0] exponent(input logic [SIGN-1:0] x);
    exponent = x[SIGN-1:FracBits] == '0 ? 32'd1 : 32'(x[SIGN-1:FracBits]);
  endfunction
  function automatic logic [EXACT-1:0] units(input logic [SIGN-1:0] x);
    units = EXACT'(significand(x)) << (exponent(x) + LAST);
  endfunction

  // An exact sum with its sign. Equal magnitudes of different signs give +0 (rule 4).
  function automatic logic [EXACT:0] total(input logic u_sign, input logic [EXACT-1:0] u, input logic v_sign,
                                           input logic [EXACT-1:0] v);
    total = u_sign == v_sign ? {u_sign, u + v} : u > v ? {u_sign, u - v} : u < v ? {v_sign, v - u} : '0;
  endfunction

  // True if no number is nearer to `wanted` than x, and x is even if another one is as
  // near. x has its last place at bit bit_x.
  function automatic logic nearest(input logic [EXACT-1:0] wanted, input logic [SIGN-1:0] x, input logic [31:0] bit_x);
    logic [EXACT-1:0] near, place, off;
    near  = EXACT'(significand(x)) << bit_x;
    place = EXACT'(1) << bit_x;
    off   = distance(wanted, x, bit_x);
    // far beyond, and more than the integers hold
    if (bit_x + FracBits + 3 > EXACT)                                        nearest = 1'b0;
    // numbers are twice as dense below it
    else if (near > wanted && x[FracBits-1:0] == '0 && x[SIGN-1:FracBits] > 1) nearest = off << 2 <= place;
    else if (near <= wanted && x == INFINITE)                                nearest = 1'b1;
    else                                                                     nearest = off << 1 < place ||
      (off << 1 == place && !x[0]);
  endfunction
  function automatic logic [EXACT-1:0] distance(input logic [EXACT-1:0] wanted, input logic [SIGN-1:0] x,
                                                input logic [31:0] bit_x);
    logic [EXACT-1:0] near;
    near     = EXACT'(significand(x)) << bit_x;
    distance = near > wanted ? near - wanted : wanted - near;
  endfunction

  // An operand as the operation takes it: rule 2.
  function automatic logic [Width-1:0] taken(input logic flush, input logic [Width-1:0] x);
    taken = flush && x[SIGN-1:FracBits] == '0 ? {x[SIGN], {SIGN{1'b0}}} : x;
  endfunction

  // True if x is the nearest number, or with flush zero in its place.
  function automatic logic given(input logic flush, input logic [EXACT-1:0] wanted, input logic [SIGN-1:0] x,
                                 input logic [31:0] bit_x);
    logic [EXACT-1:0] place;
    place = EXACT'(1) << bit_x;
    if (flush && x[SIGN-1:FracBits] == '0) given = x == '0 && (wanted << 1) + place < place << (FracBits + 1);
    else                                   given = nearest(wanted, x, bit_x);
  endfunction

  // True if x is the result for this exact sum.
  function automatic logic right(input logic flush, input logic [Width-1:0] x, input logic [EXACT:0] wanted);
    right = x[SIGN] == wanted[EXACT] && given(flush, wanted[EXACT-1:0], x[SIGN-1:0], exponent(x[SIGN-1:0]) + LAST);
  endfunction

  always_comb if (rst_n) begin
    // Rule 7: valid_o is valid_i of four cycles before.
    on_time:   assert (valid == due[3]);
    // Rule 3: the canonical NaN, and only for these operands.
    nans:      assert (!valid || (nan || invalid ? y == {1'b0, {SIGN{1'b1}}} : y[SIGN-1:0] <= INFINITE));
    // Infinite operands give infinity.
    infinite:  assert (!valid || nan || invalid || !(inf || addend[SIGN-1:0] == INFINITE) ||
                       y == {inf ? sign : addend[SIGN], INFINITE});
    // Rules 2, 4 and 5 for all operands of a small format.
    whole:     assert (!valid || nan || inf || addend[SIGN-1:0] == INFINITE || is_whole);
    // The same for the sums, products and fused sums that the head of this file lists.
    sums:      assert (!due[3] || is_sum);
    products:  assert (!due[3] || is_product);
    fused_sum: assert (!due[3] || is_fused);
    // A tie, a flushed result, one that rounds up to the least normal number and a subnormal one.
    tie:       cover (valid && !nan && !inf && mode == 2'd3 && y[SIGN-1:0] < INFINITE && is_tie);
    flushed:   cover (valid && ftz && mode == 2'd3 && y == {1'b1, {SIGN{1'b0}}} && a[SIGN-1:0] != '0 &&
                      b[SIGN-1:0] != '0 && c[SIGN-1:0] != '0);
    up_to_it:  cover (valid && ftz && mode == 2'd3 && y[SIGN-1:0] == {{(ExpBits-1){1'b0}}, 1'b1, {FracBits{1'b0}}} &&
                      is_up);
    subnormal: cover (due[3] && is_subnormal);
  end
endmodule

`default_nettype wire
