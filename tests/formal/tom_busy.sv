// SPDX-License-Identifier: Apache-2.0
//
// tom_busy_proof -- sums are plain sums, and a direction is hot when all its flits of a window
// reach the limit. The wrapper has one sum of all links, and the sum of any one link.

`default_nettype none

module tom_busy_proof #(
  parameter  int Links  = 2,
  parameter  int Flits  = 2,
  parameter  int Window = 4,
  localparam int FlitW  = $clog2(Flits + 1),
  localparam int SumW   = $clog2(Flits * (Window - 1) + 1),
  localparam int CountW = $clog2(Window)
) (
  input  wire logic                   clk_i,
  input  wire logic [Links*FlitW-1:0] tx_flits_i,
  input  wire logic [Links*FlitW-1:0] rx_flits_i,
  input  wire logic [7:0]             limit_i,
  input  wire logic [2:0]             which_i
);

  logic                  rst_n = 1'b0;            // low in the first cycle only
  logic                  hot_tx, hot_rx;
  logic [Links-1:0]      link_tx, link_rx;
  logic [CountW-1:0]     count;
  logic [Links*SumW-1:0] sum_tx, sum_rx;
  logic [2:0]            which;  // in the cycle of reset: the link to watch

  tom_busy #(.Links(Links), .Flits(Flits), .Window(Window)) u_dut (
    .clk_i, .rst_ni (rst_n), .tx_flits_i, .rx_flits_i, .limit_i, .hot_tx_o (hot_tx), .hot_rx_o (hot_rx),
    .link_tx_o (link_tx), .link_rx_o (link_rx), .probe_count_o (count), .probe_tx_o (sum_tx), .probe_rx_o (sum_rx)
  );

  logic [15:0] at, tx_all, rx_all, tx_one, rx_one, tx_next, rx_next, tx_link, rx_link;
  // `_all`: sums of all links. `_one`: sums of the watched link. `_hot`, `_many`: their verdicts.
  logic        tx_hot, rx_hot, tx_many, rx_many;

  // Rule 1: this cycle's flits, of all links and of the watched one.
  always_comb begin
    tx_next = tx_all;
    rx_next = rx_all;
    tx_link = tx_one;
    rx_link = rx_one;
    for (int k = 0; k < Links; k++) begin
      tx_next = tx_next + least(tx_flits_i[k*FlitW +: FlitW]);
      rx_next = rx_next + least(rx_flits_i[k*FlitW +: FlitW]);
      if (32'(which) == k) begin
        tx_link = tx_link + least(tx_flits_i[k*FlitW +: FlitW]);
        rx_link = rx_link + least(rx_flits_i[k*FlitW +: FlitW]);
      end
    end
  end

  // Rules 2 to 4: a window ends after Window cycles; its verdicts stay for the next window.
  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      which <= which_i;
      {at, tx_all, rx_all, tx_one, rx_one} <= '0;
      {tx_hot, rx_hot, tx_many, rx_many} <= '0;
    end else if (32'(at) == Window - 1) begin
      {at, tx_all, rx_all, tx_one, rx_one} <= '0;
      tx_hot  <= 32'(tx_next) * 100 >= 32'(limit_i) * Links * Flits * Window;
      rx_hot  <= 32'(rx_next) * 100 >= 32'(limit_i) * Links * Flits * Window;
      tx_many <= 32'(tx_link) * 100 >= 32'(limit_i) * Flits * Window;
      rx_many <= 32'(rx_link) * 100 >= 32'(limit_i) * Flits * Window;
    end else begin
      at     <= at + 16'd1;
      tx_all <= tx_next;
      rx_all <= rx_next;
      tx_one <= tx_link;
      rx_one <= rx_link;
    end
  end

  logic [15:0] all_tx, all_rx;  // sums of the block's sums

  always_comb begin
    all_tx = '0;
    all_rx = '0;
    for (int k = 0; k < Links; k++) begin
      all_tx = all_tx + 16'(sum_tx[k*SumW +: SumW]);
      all_rx = all_rx + 16'(sum_rx[k*SumW +: SumW]);
    end
  end

  always_comb if (rst_n) begin
    // A choice of the proof, fixed in reset.
    assume (32'(which) < Links);
    // Rule 2: windows follow each other.
    in_time:   assert (16'(count) == at);
    // Rules 1 and 2: no flit is lost or counted twice.
    all_sums:  assert (all_tx == tx_all && all_rx == rx_all);
    one_sum:   assert (16'(sum_tx[which*SumW +: SumW]) == tx_one && 16'(sum_rx[which*SumW +: SumW]) == rx_one);
    // Rules 3 and 4: verdicts on all links and on the watched one.
    hot_right: assert (hot_tx == tx_hot && hot_rx == rx_hot);
    one_right: assert (link_tx[which] == tx_many && link_rx[which] == rx_many);
    // Only one direction is hot.
    only_rx:   cover (hot_rx && !hot_tx && at == '0);
  end

  // Rule 1: more flits than a link can carry count as Flits.
  function automatic logic [15:0] least(input logic [FlitW-1:0] flits);
    least = 32'(flits) < Flits ? 16'(flits) : 16'(Flits);
  endfunction
endmodule

`default_nettype wire
