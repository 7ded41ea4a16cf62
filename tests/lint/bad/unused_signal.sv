// SPDX-License-Identifier: Apache-2.0
// expect verilator: UNUSED
// A signal nobody reads.
`default_nettype none

module unused_signal (
  input  wire logic clk_i,
  output      logic y_o
);
  logic forgotten;
  assign forgotten = ~clk_i;
  assign y_o = clk_i;
endmodule

`default_nettype wire
