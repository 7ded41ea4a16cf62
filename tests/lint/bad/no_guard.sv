// SPDX-License-Identifier: Apache-2.0
// expect verilator: default_nettype none is missing
// A file without the directive that makes undeclared names errors.

module no_guard (
  input  wire logic a_i,
  output      logic y_o
);
  assign y_o = a_i;
endmodule
