// SPDX-License-Identifier: Apache-2.0
// expect iverilog: warning: Port 1
// Icarus only warns of an instance's port that is too narrow.
`default_nettype none

module port_size_leaf (
  input  wire logic [3:0] a_i,
  output      logic       y_o
);
  assign y_o = ^a_i;
endmodule

module port_size (
  input  wire logic a_i,
  output      logic y_o
);
  port_size_leaf leaf (.a_i(a_i), .y_o(y_o));
endmodule

`default_nettype wire
