// SPDX-License-Identifier: Apache-2.0
//
// fp32_fma_proof -- sums, products and fused sums are the nearest number to the exact result, ties to even, where numbers small enough for
// exact arithmetic in the wrapper come in; NaNs and infinities are those of the port file, for b with three free fraction bits, any a and c.
//
//   sums      FADD, all of a's significand; b's fraction has three free bits; exponent fields below 16 (subnormals among them)
//   products  all of a; b a power of two, any that does not overflow
//   fused     a with one free fraction bit, b a power of two, all of c's significand; products below 2^-115, c below 2^-111
// A whole equivalence with another multiplier is more than a solver can do. Each mode has a copy of the block, so that constants
// simplify it. The pipeline forgets what is older than four cycles: what holds in the first six cycles holds for all time.

`default_nettype none

module fp32_fma_proof (
  input  wire logic        clk_i,
  input  wire logic        valid_i,
  input  wire logic [1:0]  mode_i,
  input  wire logic [31:0] a_i,
  input  wire logic [31:0] b_i,
  input  wire logic [31:0] c_i
);

  logic         rst_n = 1'b0;                 // low in the first cycle only
  logic [3:0]   valid, due;
  logic [31:0]  y_add, y_mul, y_fma, y;
  logic [31:0]  b3;                           // three fraction bits
  logic [127:0] a_q, b_q, c_q;                // operands of the last four cycles
  logic [7:0]   mode_q;
  logic [31:0]  a, b, c;
  logic [1:0]   mode;

  fp32_fma u_add (.clk_i, .rst_ni (rst_n), .valid_i (1'b1), .mode_i (2'd0), .a_i, .b_i (b3), .c_i, .valid_o (valid[0]), .y_o (y_add));
  fp32_fma u_mul (.clk_i, .rst_ni (rst_n), .valid_i (1'b1), .mode_i (2'd2), .a_i, .b_i ({b_i[31:23], 23'd0}), .c_i, .valid_o (valid[1]), .y_o (y_mul));
  fp32_fma u_fma (
    .clk_i, .rst_ni (rst_n), .valid_i (1'b1), .mode_i (2'd3), .a_i ({a_i[31:22], 22'd0}), .b_i ({b_i[31:23], 23'd0}), .c_i,
    .valid_o (valid[2]), .y_o (y_fma)
  );
  fp32_fma u_any (.clk_i, .rst_ni (rst_n), .valid_i, .mode_i, .a_i, .b_i (b3), .c_i, .valid_o (valid[3]), .y_o (y));

  assign b3 = {b_i[31:20], 20'd0};
  assign a    = a_q[127:96];
  assign b    = b_q[127:96];
  assign c    = c_q[127:96];
  assign mode = mode_q[7:6];

  always @(posedge clk_i) begin
    rst_n  <= 1'b1;
    due    <= rst_n ? {due[2:0], valid_i} : '0;
    a_q    <= {a_q[95:0], a_i};
    b_q    <= {b_q[95:0], b_i};
    c_q    <= {c_q[95:0], c_i};
    mode_q <= {mode_q[5:0], mode_i};
  end

  // A number in units of 2^-149, exponent field below 32
  function automatic logic [57:0] units(input logic [31:0] x);
    units = {34'd0, x[30:23] != 8'd0, x[22:0]} << (x[27:23] == 5'd0 ? 5'd0 : x[27:23] - 5'd1);
  endfunction

  // x is as near to exact units as a binary32 can be, and even if there are two
  function automatic logic nearest(input logic [57:0] exact, input logic [31:0] x);
    nearest = x[30:28] == 3'd0 &&
      (units(x) >= exact ? (x[22:0] == 23'd0 && x[27:23] > 5'd1 ? (units(x) - exact) << 2 <= ulp(x) :
                            (units(x) - exact) << 1 < ulp(x) || ((units(x) - exact) << 1 == ulp(x) && !x[0]))
                         : (exact - units(x)) << 1 < ulp(x) || ((exact - units(x)) << 1 == ulp(x) && !x[0]));
  endfunction
  function automatic logic [57:0] ulp(input logic [31:0] x);
    ulp = 58'd1 << (x[27:23] == 5'd0 ? 5'd0 : x[27:23] - 5'd1);
  endfunction

  // Sums
  logic        low, diff, a_more, sum_sign;
  logic [57:0] ua, ub, sum;
  assign low      = a[30:27] == 4'd0 && b[30:27] == 4'd0;
  assign ua       = units(a);
  assign ub       = units({b[31:20], 20'd0});
  assign diff     = a[31] != b[31];
  assign a_more   = ua >= ub;
  assign sum      = !diff ? ua + ub : a_more ? ua - ub : ub - ua;
  assign sum_sign = sum == '0 ? a[31] && b[31] : a_more ? a[31] : b[31];

  // Products: p * 2^(e - 277), beside y's significand and exponent
  logic [23:0] p;
  logic [9:0]  e;
  logic signed [10:0] k;                      // how much further left y's last place is
  logic [79:0] py, pp;
  logic        exact_p, near_p;
  assign p = b[30:23] == 8'd0 ? 24'd0 : {a[30:23] != 8'd0, a[22:0]};
  assign e = {2'd0, a[30:24], a[23] || a[30:23] == 8'd0} + {2'd0, b[30:24], b[23] || b[30:23] == 8'd0};
  assign k = $signed({3'd0, y_mul[30:24], y_mul[23] || y_mul[30:23] == 8'd0}) + 11'sd127 - $signed({1'b0, e});
  always_comb begin
    py      = {56'd0, y_mul[30:23] != 8'd0, y_mul[22:0]} << (k < 0 ? 6'd0 : k > 40 ? 6'd40 : k[5:0]);
    pp      = {56'd0, p} << (k < 0 ? -k[5:0] : 6'd0);
    exact_p = k >= -30 && py == pp;
    near_p  = py >= pp ? (y_mul[22:0] == 23'd0 && y_mul[30:23] > 8'd1 ? (py - pp) << 2 <= 80'd1 << k[5:0] :
                          (py - pp) << 1 < 80'd1 << k[5:0] || ((py - pp) << 1 == 80'd1 << k[5:0] && !y_mul[0]))
                       : (pp - py) << 1 < 80'd1 << k[5:0] || ((pp - py) << 1 == 80'd1 << k[5:0] && !y_mul[0]);
    if (k > 40) near_p = y_mul[30:0] == 31'd0;
  end

  // Fused
  logic [1:0]  q;
  logic [57:0] uq, uc, fused;
  logic        q_sign, f_diff, q_more, f_sign, fits;
  assign q      = b[30:23] == 8'd0 ? 2'd0 : {a[30:23] != 8'd0, a[22]};
  assign fits   = e >= 10'd106 && e < 10'd138 && c[30:27] == 4'd0;     // q * 2^(e - 255)
  assign uq     = {56'd0, q} << (e - 10'd106);
  assign uc     = units(c);
  assign q_sign = a[31] ^ b[31];
  assign f_diff = q_sign != c[31];
  assign q_more = uq >= uc;
  assign fused  = !f_diff ? uq + uc : q_more ? uq - uc : uc - uq;
  assign f_sign = fused == '0 ? q_sign && c[31] : q_more ? q_sign : c[31];

  // What is a NaN, and infinite operands
  logic [31:0] bb, cc;
  logic        nan, invalid, inf, inf_sign;
  always_comb begin
    bb       = mode[1] ? {b[31:20], 20'd0} : 32'h3f800000;
    cc       = mode == 2'd3 ? c : mode == 2'd2 ? 32'h80000000 : {b[31] ^ mode[0], b[30:20], 20'd0};
    nan      = a[30:0] > 31'h7f800000 || bb[30:0] > 31'h7f800000 || cc[30:0] > 31'h7f800000;
    inf      = a[30:0] == 31'h7f800000 || bb[30:0] == 31'h7f800000;
    inf_sign = inf ? a[31] ^ bb[31] : cc[31];
    invalid  = (inf && (a[30:0] == '0 || bb[30:0] == '0)) || (inf && cc[30:0] == 31'h7f800000 && cc[31] != (a[31] ^ bb[31]));
  end

  always_comb if (rst_n) begin
    on_time:   assert (valid[3] == due[3]);
    sums:      assert (!valid[0] || !low || (y_add[31] == sum_sign && nearest(sum, y_add)));
    products:  assert (!valid[1] || e > 10'd350 || a[30:23] == 8'd255 || b[30:23] == 8'd255 ||
                       (y_mul[31] == (a[31] ^ b[31]) && (p == '0 ? y_mul[30:0] == '0 : k < 0 ? exact_p : near_p)));
    fused_sum: assert (!valid[2] || !fits || (y_fma[31] == f_sign && nearest(fused, y_fma)));
    nans:      assert (!valid[3] || (nan || invalid ? y == 32'h7fffffff : y[30:0] <= 31'h7f800000));
    infinite:  assert (!valid[3] || nan || invalid || !(inf || cc[30:0] == 31'h7f800000) || y == {inf_sign, 31'h7f800000});
    subnormal: cover (valid[2] && fits && f_diff && y_fma[30:23] == 8'd0 && y_fma[22:0] > 23'd9 && c[27:23] > 5'd1);
  end
endmodule

`default_nettype wire
