// SPDX-License-Identifier: Apache-2.0
//
// router_epoch -- the timer that all routers share.
//
// epoch_o is high in the last cycle of every Period cycles, counted from reset. Output is state.

`default_nettype none

module router_epoch #(
  parameter int Period = 100000                   // cycles of an epoch, 1 to 2^24 - 1
) (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  output      logic        epoch_o,
  output      logic [23:0] probe_count_o          // cycles of this epoch so far
);

  localparam int                CountW = Period > 1 ? $clog2(Period) : 1;
  localparam logic [CountW-1:0] Last   = CountW'(Period - 1);

  logic [CountW-1:0] count_d, count_q;

  assign epoch_o       = count_q == Last;
  assign count_d       = epoch_o ? '0 : count_q + 1'b1;
  assign probe_count_o = 24'(count_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) count_q <= '0;
    else         count_q <= count_d;
  end

  initial if (Period < 1 || Period > 16777215) $fatal(1, "router_epoch: Period must be 1 to 16777215");

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (count_q <= Last);
  end
`endif
endmodule

`default_nettype wire
