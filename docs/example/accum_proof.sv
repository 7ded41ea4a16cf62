// SPDX-License-Identifier: Apache-2.0
//
// accum_proof -- what accum promises, for all inputs.

`default_nettype none

module accum_proof #(
  parameter int Bits = 16
) (
  input wire logic            clk,
  input wire logic            rst,
  input wire logic            add_i,
  input wire logic [Bits-1:0] value_i
);

  logic            started = 1'b0;            // low in the first cycle only, which is one of reset
  logic            last_rst, last_add;
  logic [Bits-1:0] last_value, last_sum, sum;

  accum #(.Bits(Bits)) u_dut (.clk, .rst (rst || !started), .add_i, .value_i, .sum_o (sum));

  always @(posedge clk) begin
    started    <= 1'b1;
    last_rst   <= rst || !started;
    last_add   <= add_i;
    last_value <= value_i;
    last_sum   <= sum;
  end

  always_comb if (started) begin
    cleared: assert (!last_rst || sum == '0);
    adds:    assert (last_rst || sum == last_sum + (last_add ? last_value : '0));
    wraps:   cover (!last_rst && last_add && sum < last_sum);
  end
endmodule

`default_nettype wire
