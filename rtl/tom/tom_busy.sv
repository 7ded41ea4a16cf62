// SPDX-License-Identifier: Apache-2.0
//
// tom_busy -- channel busy monitor: are the links of a direction used above a
// threshold (TOM paper, sections 3.3 and 4.1)?
//
// Time is cut into windows of Window cycles of the links' clock. One counter finds a window's last
// cycle for both directions. A tom_window per direction sums the flits and compares the sums with
// limit_i. All outputs are registers; they change in the cycle after a window's last one.
//
//   tx_flits_i --> tom_window u_tx --> hot_tx_o, link_tx_o
//                      ^ last
//                  count_q             (0 to Window - 1)
//                      v last
//   rx_flits_i --> tom_window u_rx --> hot_rx_o, link_rx_o

`default_nettype none

module tom_busy #(
  parameter  int Links  = 4,                                 // links of a direction, 1 to 8
  parameter  int Flits  = 4,                                 // flits that a link carries in a cycle, 1 to 15
  parameter  int Window = 1024,                              // cycles of a window, 2 to 65536
  localparam int FlitW  = $clog2(Flits + 1),                 // bits of one link's flits in a cycle
  localparam int SumW   = $clog2(Flits * (Window - 1) + 1),  // bits of one link's flits in a window so far
  localparam int CountW = $clog2(Window)                     // bits of the cycle's number in its window
) (
  input  wire logic                   clk_i,          // clock of the links
  input  wire logic                   rst_ni,         // asynchronous, active low
  // From the links
  input  wire logic [Links*FlitW-1:0] tx_flits_i,     // GPU to stacks: FlitW bits a link; more count as Flits
  input  wire logic [Links*FlitW-1:0] rx_flits_i,     // stacks to GPU, the same
  input  wire logic [7:0]             limit_i,        // per cent, read in a window's last cycle; 0: always hot
  // To the offload controllers
  output      logic                   hot_tx_o,       // all tx links together reached limit in the last window
  output      logic                   hot_rx_o,       // the same of the rx links
  output      logic [Links-1:0]       link_tx_o,      // bit k: tx link k alone reached limit
  output      logic [Links-1:0]       link_rx_o,      // bit k: rx link k alone reached limit
  // Probes
  output      logic [CountW-1:0]      probe_count_o,  // cycles of the window before this one
  output      logic [Links*SumW-1:0]  probe_tx_o,     // SumW bits a tx link: flits in those cycles
  output      logic [Links*SumW-1:0]  probe_rx_o      // the same of the rx links
);

  // The window's cycle. Both directions share the counter, so their windows end together.
  logic [CountW-1:0] count_d, count_q;
  logic              last;

  assign last    = 32'(count_q) == Window - 1;
  assign count_d = last ? '0 : count_q + 1'b1;

  // The sums and comparisons. The registers of hot and link are inside.
  tom_window #(.Links(Links), .Flits(Flits), .Window(Window)) u_tx (
    .clk_i, .rst_ni, .flits_i (tx_flits_i), .last_i (last), .limit_i, .hot_o (hot_tx_o), .link_o (link_tx_o),
    .sum_o (probe_tx_o)
  );
  tom_window #(.Links(Links), .Flits(Flits), .Window(Window)) u_rx (
    .clk_i, .rst_ni, .flits_i (rx_flits_i), .last_i (last), .limit_i, .hot_o (hot_rx_o), .link_o (link_rx_o),
    .sum_o (probe_rx_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) count_q <= '0;
    else         count_q <= count_d;
  end

  assign probe_count_o = count_q;

  initial begin
    if (Links < 1 || Links > 8) $fatal(1, "tom_busy: Links must be 1 to 8");
    if (Flits < 1 || Flits > 15) $fatal(1, "tom_busy: Flits must be 1 to 15");
    if (Window < 2 || Window > 65536) $fatal(1, "tom_busy: Window must be 2 to 65536");
  end

`ifndef SYNTHESIS
  // The counter never leaves the window, so no window is ever missed.
  always @(posedge clk_i) if (rst_ni) assert (32'(count_q) < Window);
`endif
endmodule

`default_nettype wire
