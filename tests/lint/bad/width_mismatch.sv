// SPDX-License-Identifier: Apache-2.0
// expect verilator: WIDTH
// Eight bits into four.
`default_nettype none

module width_mismatch (
  input  wire logic [7:0] a_i,
  output      logic [3:0] y_o
);
  assign y_o = a_i;
endmodule

`default_nettype wire
