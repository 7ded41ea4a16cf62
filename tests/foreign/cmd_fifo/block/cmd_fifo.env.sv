// SPDX-License-Identifier: Apache-2.0
//
// cmd_fifo_env -- what cmd_fifo may expect: an operation is one of those that have a name. It is read
// before the RTL, whose types it does not know.

`default_nettype none

module cmd_fifo_env (
  input wire logic        clk,
  input wire logic        rst_n,
  input wire logic        push,
  input wire logic [54:0] cmd
);

  always_comb if (rst_n) begin
    op_has_name: assume (!push || cmd[54:53] != 2'd2);
  end
endmodule

`default_nettype wire
