// SPDX-License-Identifier: Apache-2.0
//
// op_unit_proof -- what is less is not equal.
module op_unit_proof #(
  parameter int WIDTH = 8
) (
  input wire clk,
  input wire [2:0] op,
  input wire [WIDTH-1:0] a,
  input wire [WIDTH-1:0] b
);
  wire [WIDTH-1:0] y;
  wire carry, zero, less;

  op_unit #(.WIDTH(WIDTH)) u_dut (.op(op), .a(a), .b(b), .y(y), .carry(carry), .zero(zero), .less(less));

  always @(posedge clk) begin
    no_borrow: assert (!less || a != b);
    wraps: cover (op == 3'd0 && carry && zero);
  end
endmodule
