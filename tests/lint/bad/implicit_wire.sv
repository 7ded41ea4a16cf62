// SPDX-License-Identifier: Apache-2.0
// expect yosys: implicitly declared
// A reference into an instance: Yosys makes it a new, undriven wire, with only a warning.

module implicit_wire_leaf (
  input  wire logic a_i
);
  logic x;
  assign x = ~a_i;
endmodule

module implicit_wire (
  input  wire logic a_i,
  output      logic y_o
);
  implicit_wire_leaf leaf (.a_i(a_i));
  assign y_o = leaf.x;
endmodule
