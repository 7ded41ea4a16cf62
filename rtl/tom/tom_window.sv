// SPDX-License-Identifier: Apache-2.0
//
// tom_window -- one direction of tom_busy: sums the flits of each link over a
// window, and tells whether they were many.
//
// In a window's last cycle (last_i) the sums, with this cycle's flits, are compared with limit_i.
// hot_o and link_o have the result from the next cycle on and keep it for a window.
//
// Both sides of a comparison are products, so no division is needed: flits * 100 >=
// limit * (flits that fit into the window).

`default_nettype none

module tom_window #(
  parameter  int Links  = 4,                                // links of the direction, 1 to 8
  parameter  int Flits  = 4,                                // flits that a link carries in a cycle, 1 to 15
  parameter  int Window = 1024,                             // cycles of a window, 2 to 65536
  localparam int FlitW  = $clog2(Flits + 1),                // bits of one link's flits in a cycle
  localparam int SumW   = $clog2(Flits * (Window - 1) + 1)  // bits of one link's sum without the last cycle
) (
  input  wire logic                   clk_i,    // clock of the links
  input  wire logic                   rst_ni,   // asynchronous, active low
  input  wire logic [Links*FlitW-1:0] flits_i,  // FlitW bits a link; more count as Flits
  input  wire logic                   last_i,   // this is the window's last cycle
  input  wire logic [7:0]             limit_i,  // per cent, read with last_i
  output      logic                   hot_o,    // all links together reached limit
  output      logic [Links-1:0]       link_o,   // bit k: link k alone reached limit
  output      logic [Links*SumW-1:0]  sum_o     // SumW bits a link: flits of the window so far
);

  // Widths that hold the largest sums and products: no comparison overflows. limit_i is below 256,
  // and so is 100; eight more bits are enough for both products.
  localparam int NowW   = $clog2(Flits * Window + 1);          // a link's sum with this cycle
  localparam int TotalW = $clog2(Links * Flits * Window + 1);  // all links' sum with this cycle
  localparam int PartW  = NowW + 8;                            // a product of one link's sum
  localparam int WholeW = TotalW + 8;                          // a product of all links' sum

  logic [Links*SumW-1:0] sum_d, sum_q;                        // a sum per link
  logic [Links*NowW-1:0] now;                                 // the sums with this cycle's flits
  logic [TotalW-1:0]     total;
  logic [Links-1:0]      many, link_d, link_q;
  logic                  hot_d, hot_q;

  // A sum starts anew behind the window's last cycle, so sum_q never has more
  // than Window - 1 cycles.
  always_comb begin
    total = '0;
    for (int k = 0; k < Links; k++) begin
      now[k*NowW +: NowW]   = NowW'(sum_q[k*SumW +: SumW]) + NowW'(most(flits_i[k*FlitW +: FlitW]));
      sum_d[k*SumW +: SumW] = last_i ? '0 : now[k*NowW +: SumW];
      total                 = total + TotalW'(now[k*NowW +: NowW]);
      many[k]               = PartW'(now[k*NowW +: NowW]) * PartW'(100) >= PartW'(limit_i) * PartW'(Flits * Window);
    end
  end

  // The verdicts of the last whole window.
  assign link_d = last_i ? many : link_q;
  assign hot_d  = last_i ? WholeW'(total) * WholeW'(100) >= WholeW'(limit_i) * WholeW'(Links * Flits * Window) : hot_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sum_q  <= '0;
      link_q <= '0;
      hot_q  <= 1'b0;
    end else begin
      sum_q  <= sum_d;
      link_q <= link_d;
      hot_q  <= hot_d;
    end
  end

  assign sum_o  = sum_q;
  assign link_o = link_q;
  assign hot_o  = hot_q;

  // A link cannot carry more than Flits; a larger number would overflow the sums.
  function automatic logic [FlitW-1:0] most(input logic [FlitW-1:0] flits);
    most = 32'(flits) > Flits ? FlitW'(Flits) : flits;
  endfunction
endmodule

`default_nettype wire
