// SPDX-License-Identifier: Apache-2.0
module accum #(
  parameter int Bits = 16
) (
  input  wire logic            clk,
  input  wire logic            rst,
  input  wire logic            add_i,
  input  wire logic [Bits-1:0] value_i,
  output      logic [Bits-1:0] sum_o
);
  always_ff @(posedge clk) begin
    if (rst)        sum_o <= '0;
    else if (add_i) sum_o <= sum_o + value_i;
  end
endmodule
