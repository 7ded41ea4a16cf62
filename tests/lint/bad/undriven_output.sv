// SPDX-License-Identifier: Apache-2.0
// expect yosys: used but has no driver
// An output that depends on a signal nobody drives.
`default_nettype none

module undriven_output (
  input  wire logic a_i,
  output      logic y_o
);
  logic b;
  assign y_o = a_i & b;
endmodule

`default_nettype wire
