// SPDX-License-Identifier: Apache-2.0
//
// router_epoch -- the timer that all routers share: marks the last cycle of each epoch.
//
// epoch_o is high in cycle Period - 1 after reset and every Period cycles from
// then on. It depends on the counter alone.

`default_nettype none

module router_epoch #(
  parameter int Period = 100000  // cycles of an epoch, 1 to 2^24 - 1; 40 us at 2.5 GHz
) (
  input  wire logic        clk_i,         // clock of the routers
  input  wire logic        rst_ni,        // asynchronous, active low
  output      logic        epoch_o,       // one cycle: the last cycle of an epoch
  output      logic [23:0] probe_count_o  // cycles of this epoch before this one
);

  localparam int                CountW = Period > 1 ? $clog2(Period) : 1;
  localparam logic [CountW-1:0] Last   = CountW'(Period - 1);

  // The counter is as narrow as Period allows; the probe has its full width.
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
