// SPDX-License-Identifier: Apache-2.0
// expect verilator: all ones of a parameter should be
// Yosys 0.23 makes 4'h1 of this constant, without a word; simulators make 4'hf.
`default_nettype none

module ones_parameter (
  output logic [3:0] y_o
);
  localparam logic [3:0] ALL = '1;
  assign y_o = ALL;
endmodule

`default_nettype wire
