// SPDX-License-Identifier: Apache-2.0
//
// fp_fma_proof -- every result is the number nearest to the exact one, ties to even: of small formats for all operands and modes, with the exact
// result in the wrapper as an integer in units of the least product. NaNs and infinities are those of the port file, of binary16 too.
//
// A number of exponent field e has its last place at bit e + LAST of such an integer. Infinity counts as the number that would follow the
// greatest one. The pipeline forgets what is older than four cycles: what holds in the first six cycles holds for all time.

`default_nettype none

module fp_fma_proof #(
  parameter  int ExpBits  = 3,
  parameter  int FracBits = 2,
  localparam int Width    = 1 + ExpBits + FracBits
) (
  input  wire logic             clk_i,
  input  wire logic             valid_i,
  input  wire logic [1:0]       mode_i,
  input  wire logic [Width-1:0] a_i,
  input  wire logic [Width-1:0] b_i,
  input  wire logic [Width-1:0] c_i
);

  localparam int               SIGN     = Width - 1;
  localparam int               BIAS     = (1 << (ExpBits - 1)) - 1;
  localparam int               LAST     = BIAS + FracBits - 2;
  localparam int               EXACT    = ExpBits > 4 ? 8 : (2 << ExpBits) + 2 * FracBits + 6; // bits; not looked at in larger ones
  localparam logic [SIGN-1:0]  INFINITE = {{ExpBits{1'b1}}, {FracBits{1'b0}}};
  localparam logic [Width-1:0] ONE      = {2'b00, {(ExpBits-1){1'b1}}, {FracBits{1'b0}}};

  logic                 rst_n = 1'b0;           // low in the first cycle only
  logic                 valid;
  logic [3:0]           due;
  logic [Width-1:0]     y, a, b, c, factor, addend;
  logic [4*Width-1:0]   a_q, b_q, c_q;          // operands of the last four cycles
  logic [7:0]           mode_q;
  logic [1:0]           mode;

  fp_fma #(.ExpBits (ExpBits), .FracBits (FracBits)) u_fma (
    .clk_i, .rst_ni (rst_n), .valid_i, .mode_i, .a_i, .b_i, .c_i, .valid_o (valid), .y_o (y)
  );

  assign a    = a_q[4*Width-1:3*Width];
  assign b    = b_q[4*Width-1:3*Width];
  assign c    = c_q[4*Width-1:3*Width];
  assign mode = mode_q[7:6];

  always @(posedge clk_i) begin
    rst_n  <= 1'b1;
    due    <= rst_n ? {due[2:0], valid_i} : '0;
    a_q    <= {a_q[3*Width-1:0], a_i};
    b_q    <= {b_q[3*Width-1:0], b_i};
    c_q    <= {c_q[3*Width-1:0], c_i};
    mode_q <= {mode_q[5:0], mode_i};
  end

  // a * factor + addend; a product's addend is a zero of its sign
  logic nan, invalid, inf, sign;
  always_comb begin
    factor  = mode[1] ? b : ONE;
    sign    = a[SIGN] ^ factor[SIGN];
    addend  = mode == 2'd3 ? c : mode == 2'd2 ? {sign, {SIGN{1'b0}}} : {b[SIGN] ^ mode[0], b[SIGN-1:0]};
    nan     = a[SIGN-1:0] > INFINITE || factor[SIGN-1:0] > INFINITE || addend[SIGN-1:0] > INFINITE;
    inf     = a[SIGN-1:0] == INFINITE || factor[SIGN-1:0] == INFINITE;
    invalid = inf && (a[SIGN-1:0] == '0 || factor[SIGN-1:0] == '0 || (addend[SIGN-1:0] == INFINITE && addend[SIGN] != sign));
  end

  // Exact
  logic [EXACT-1:0] product, third, exact, near, place, off;
  logic             exact_sign, nearest;
  always_comb begin
    product    = (EXACT'(significand(a[SIGN-1:0])) * EXACT'(significand(factor[SIGN-1:0]))) << (exponent(a[SIGN-1:0]) + exponent(factor[SIGN-1:0]) - 2);
    third      = EXACT'(significand(addend[SIGN-1:0])) << (exponent(addend[SIGN-1:0]) + LAST);
    exact      = sign == addend[SIGN] ? product + third : product > third ? product - third : third - product;
    exact_sign = sign == addend[SIGN] ? sign : product > third ? sign : product < third ? addend[SIGN] : 1'b0;
    near       = EXACT'(significand(y[SIGN-1:0])) << (exponent(y[SIGN-1:0]) + LAST);
    place      = EXACT'(1) << (exponent(y[SIGN-1:0]) + LAST);
    off        = near > exact ? near - exact : exact - near;
    if (near > exact && y[FracBits-1:0] == '0 && exponent(y[SIGN-1:0]) > 1) nearest = off << 2 <= place; // numbers are twice as dense below it
    else if (y[SIGN-1:0] == INFINITE)                                       nearest = 1'b1;
    else                                                                    nearest = off << 1 < place || (off << 1 == place && !y[0]);
  end

  function automatic logic [FracBits:0] significand(input logic [SIGN-1:0] x);
    significand = {x[SIGN-1:FracBits] != '0, x[FracBits-1:0]};
  endfunction
  function automatic logic [31:0] exponent(input logic [SIGN-1:0] x);
    exponent = x[SIGN-1:FracBits] == '0 ? 32'd1 : 32'(x[SIGN-1:FracBits]);
  endfunction

  always_comb if (rst_n) begin
    on_time:  assert (valid == due[3]);
    nans:     assert (!valid || (nan || invalid ? y == {1'b0, {SIGN{1'b1}}} : y[SIGN-1:0] <= INFINITE));
    infinite: assert (!valid || nan || invalid || !(inf || addend[SIGN-1:0] == INFINITE) || y == {inf ? sign : addend[SIGN], INFINITE});
    whole:    assert (!valid || nan || inf || addend[SIGN-1:0] == INFINITE || (y[SIGN] == exact_sign && nearest));
    tie:      cover (valid && !nan && !inf && mode == 2'd3 && y[SIGN-1:0] < INFINITE && off << 1 == place);
  end
endmodule

`default_nettype wire
