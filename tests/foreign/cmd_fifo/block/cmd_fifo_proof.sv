// SPDX-License-Identifier: Apache-2.0
//
// What holds of the queue whatever comes in.
module cmd_fifo_proof #(
  parameter int Depth = 4
) (
  input logic clk,
  input logic rst_n,
  input logic push,
  input cmd_t cmd,
  input logic pop
);
  logic   started = 1'b0;  // low in the first cycle only, which is one of reset
  logic   flushed;
  entry_t head;
  level_e level;

  cmd_fifo #(.Depth(Depth)) dut (
    .clk  (clk),
    .rst_n(rst_n && started),
    .push (push),
    .cmd  (cmd),
    .pop  (pop),
    .head (head),
    .level(level)
  );

  always @(posedge clk) begin
    started <= 1'b1;
    flushed <= push && cmd.op == OP_FLUSH && rst_n && started;
  end

  always_comb if (started) begin
    empty_is_invalid : assert (head.valid == (level != EMPTY));
    flush_empties    : assert (!flushed || level == EMPTY);
    is_full          : cover (level == FULL && cmd.tag.addr == 16'hffff);
  end
endmodule
