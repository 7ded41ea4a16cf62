// SPDX-License-Identifier: Apache-2.0
// expect iverilog: syntax error
// Verilator takes a type parameter, Icarus 11 does not.
`default_nettype none

module type_parameter #(
  parameter type T = logic
) (
  input  wire logic a_i,
  output      logic y_o
);
  T copy;
  assign copy = a_i;
  assign y_o = copy;
endmodule

`default_nettype wire
