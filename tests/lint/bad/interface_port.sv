// SPDX-License-Identifier: Apache-2.0
// expect iverilog: syntax error
// Verilator takes a port that is an interface, Icarus 11 and 12 do not.
`default_nettype none

interface wires;
  logic a;
  modport in (input a);
endinterface

module interface_port (
  wires.in          in,
  output      logic y_o
);
  assign y_o = in.a;
endmodule

`default_nettype wire
