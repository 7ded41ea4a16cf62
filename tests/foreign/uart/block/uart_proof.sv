// SPDX-License-Identifier: Apache-2.0
//
// uart_proof -- what it sends, cycle by cycle; and that a UART whose lines are joined receives what it sends.

`default_nettype none

module uart_proof #(
  parameter int CLKS_PER_BIT = 4
) (
  input wire logic       clk,
  input wire logic       reset,
  input wire logic       tx_start,
  input wire logic [7:0] tx_data
);

  logic        started = 1'b0;                // low in the first cycle only, which is one of reset
  logic        busy, line, valid, bad;
  logic [7:0]  data;
  logic [15:0] age;                           // cycles of the frame so far, from 1 on; 0: none
  logic [9:0]  frame, before;                 // the last one; the one before it, which may still be on its way
  logic        last_valid;

  uart #(.CLKS_PER_BIT(CLKS_PER_BIT)) u_dut (
    .clk, .reset (reset || !started), .tx_start, .tx_data, .tx_busy (busy), .txd (line), .rxd (line), .rx_data (data), .rx_valid (valid),
    .rx_frame_error (bad)
  );

  always @(posedge clk) begin
    started    <= 1'b1;
    last_valid <= valid;
    if (reset || !started) begin
      age   <= '0;
      frame  <= '1;
      before <= '1;
    end else if (age == '0) begin
      if (tx_start) begin
        age   <= 16'd1;
        frame  <= {1'b1, tx_data, 1'b0};
        before <= frame;
      end
    end else begin
      age <= (age == 16'(10 * CLKS_PER_BIT)) ? '0 : age + 16'd1;
    end
  end

  logic [9:0] rest;
  assign rest = frame >> ((age - 16'd1) / 16'(CLKS_PER_BIT));

  always_comb if (started) begin
    busy_in_time: assert (busy == (age != '0));
    sends:        assert (line == (age == '0 || rest[0]));
    echo:         assert (!valid || data == (age == '0 || age > 16'(CLKS_PER_BIT) ? frame[8:1] : before[8:1]));
    no_error:     assert (!bad);
    pulse:        assert (!valid || !last_valid);
    arrives:      cover (valid && data == 8'ha5);
  end
endmodule

`default_nettype wire
