// SPDX-License-Identifier: Apache-2.0
// expect verilator: the module should be called other_name
// A module that its file's name does not find.
`default_nettype none

module another_name (
  input  wire logic a_i,
  output      logic y_o
);
  assign y_o = a_i;
endmodule

`default_nettype wire
