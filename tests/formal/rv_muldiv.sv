// SPDX-License-Identifier: Apache-2.0
//
// rv_muldiv_proof -- a result comes in time, after every start that is seen and after nothing else.
// With few bits it is what wider arithmetic gives, for all operands.
//
// The wrapper keeps the operands with bits to spare, and uses the language's operators. Nothing is
// assumed.

`default_nettype none

module rv_muldiv_proof #(
  parameter int Width = 4
) (
  input wire logic             clk_i,
  input wire logic             start_i,
  input wire logic [2:0]       op_i,
  input wire logic [Width-1:0] a_i,
  input wire logic [Width-1:0] b_i
);

  localparam int WIDE = 2 * Width + 2;

  logic             rst_n = 1'b0;             // low in the first cycle only
  logic             ready, done;
  logic [Width-1:0] y;
  logic [6:0]       left;

  rv_muldiv #(.Width(Width)) u_dut (
    .clk_i, .rst_ni (rst_n), .start_i, .op_i, .a_i, .b_i, .ready_o (ready), .done_o (done), .y_o (y),
    .probe_left_o (left)
  );

  // Rules 1 and 2: the operation under way, and its cycles so far.
  logic             busy;
  logic [6:0]       since;
  logic [2:0]       op;
  logic [Width-1:0] a, b;

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      busy  <= 1'b0;
      since <= '0;
      op    <= '0;
      a     <= '0;
      b     <= '0;
    end else if (!busy) begin
      busy  <= start_i;
      since <= 7'd1;
      if (start_i) {op, a, b} <= {op_i, a_i, b_i};
    end else begin
      busy  <= 32'(since) <= Width;
      since <= since + 7'd1;
    end
  end

  // Rules 3 and 4: the result, for small widths only.
  logic signed [WIDE-1:0] x, z, product, quotient, remainder;

  assign x       = op == 3'd1 || op == 3'd2 || op == 3'd4 || op == 3'd6 ? WIDE'($signed(a)) : WIDE'(a);
  assign z       = op == 3'd1 || op == 3'd4 || op == 3'd6 ? WIDE'($signed(b)) : WIDE'(b);
  assign product = x * z;

  logic is_product, is_divided;

  generate
    if (Width < 8) begin : gen_small
      assign quotient   = b == '0 ? $signed({WIDE{1'b1}}) : x / z;
      assign remainder  = b == '0 ? x : x % z;
      assign is_product = y == (op == 3'd0 ? product[Width-1:0] : product[2*Width-1:Width]);
      assign is_divided = y == (op[1] ? remainder[Width-1:0] : quotient[Width-1:0]);
    end else begin : gen_large
      assign {quotient, remainder, is_product, is_divided} = '1;
    end
  endgenerate

  always_comb if (rst_n) begin
    // Rules 1 and 2.
    on_time:    assert (done == (busy && 32'(since) == Width + 1) && ready == !busy);
    counts:     assert (32'(left) == (busy ? 32'(Width) + 1 - 32'(since) : 0));
    // Rule 3.
    multiplied: assert (!done || op[2] || is_product);
    // Rules 3 and 4.
    divided:    assert (!done || !op[2] || is_divided);
    // The least number by -1, and by 0.
    overflow:   cover (done && op == 3'd4 && a == {1'b1, {(Width - 1){1'b0}}} && b == '1 && y == a);
    by_zero:    cover (done && op == 3'd6 && b == '0 && y == a && a[Width-1]);
  end
endmodule

`default_nettype wire
