// SPDX-License-Identifier: Apache-2.0
//
// An ALU without a register: what it shows follows from what it gets.
module op_unit #(
    parameter WIDTH = 8
) (
    input      [2:0]       op,
    input      [WIDTH-1:0] a,
    input      [WIDTH-1:0] b,
    output reg [WIDTH-1:0] y,
    output reg             carry,
    output                 zero,
    output                 less
);
  wire signed [WIDTH-1:0] signed_a = a, signed_b = b;

  assign zero = y == {WIDTH{1'b0}};
  assign less = op[0] ? signed_a < signed_b : a < b;

  always @* begin
    carry = 1'b0;
    case (op)
      3'd0: {carry, y} = a + b;
      3'd1: {carry, y} = a - b;
      3'd2: y = a & b;
      3'd3: y = a | b;
      3'd4: y = a ^ b;
      3'd5: y = a << b[2:0];
      3'd6: y = a >> b[2:0];
      3'd7: y = signed_a >>> b[2:0];
    endcase
  end
endmodule
