// SPDX-License-Identifier: Apache-2.0
//
// cmd_fifo_env -- what cmd_fifo may expect: an operation is one of those that have a name.

`default_nettype none

module cmd_fifo_env (
  input wire logic clk,
  input wire logic rst_n,
  input wire logic push,
  input wire cmd_t cmd
);

  always_comb if (rst_n) begin
    op_has_name: assume (!push || cmd.op != 2'd2);
  end
endmodule

`default_nettype wire
