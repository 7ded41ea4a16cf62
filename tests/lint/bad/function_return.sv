// SPDX-License-Identifier: Apache-2.0
// expect yosys: syntax error
// Verilator and Icarus take `return` in a function, Yosys does not.
`default_nettype none

module function_return (
  input  wire logic a_i,
  output      logic y_o
);
  function automatic logic invert(input logic x);
    return ~x;
  endfunction
  assign y_o = invert(a_i);
endmodule

`default_nettype wire
