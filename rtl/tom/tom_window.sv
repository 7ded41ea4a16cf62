// SPDX-License-Identifier: Apache-2.0
//
// tom_window -- one direction of tom_busy: flits of each link in a window, and whether they were many.
//
// In the window's last cycle (last_i) the sums with this cycle's flits are compared; hot_o and link_o have the result from the next one on.

`default_nettype none

module tom_window #(
  parameter  int Links  = 4,
  parameter  int Flits  = 4,
  parameter  int Window = 1024,
  localparam int FlitW  = $clog2(Flits + 1),
  localparam int SumW   = $clog2(Flits * (Window - 1) + 1)
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic [Links*FlitW-1:0] flits_i,
  input  wire logic                   last_i,
  input  wire logic [7:0]             limit_i,
  output      logic                   hot_o,
  output      logic [Links-1:0]       link_o,
  output      logic [Links*SumW-1:0]  sum_o       // of the window so far
);

  localparam int NowW   = $clog2(Flits * Window + 1);
  localparam int TotalW = $clog2(Links * Flits * Window + 1);
  localparam int PartW  = NowW + 8;                           // of a hundred times a sum, and of limit times the most
  localparam int WholeW = TotalW + 8;

  logic [Links*SumW-1:0] sum_d, sum_q;
  logic [Links*NowW-1:0] now;                                 // with this cycle's
  logic [TotalW-1:0]     total;
  logic [Links-1:0]      many, link_d, link_q;
  logic                  hot_d, hot_q;

  always_comb begin
    total = '0;
    for (int k = 0; k < Links; k++) begin
      now[k*NowW +: NowW]   = NowW'(sum_q[k*SumW +: SumW]) + NowW'(most(flits_i[k*FlitW +: FlitW]));
      sum_d[k*SumW +: SumW] = last_i ? '0 : now[k*NowW +: SumW];
      total                 = total + TotalW'(now[k*NowW +: NowW]);
      many[k]               = PartW'(now[k*NowW +: NowW]) * PartW'(100) >= PartW'(limit_i) * PartW'(Flits * Window);
    end
  end

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

  function automatic logic [FlitW-1:0] most(input logic [FlitW-1:0] flits);
    most = 32'(flits) > Flits ? FlitW'(Flits) : flits;
  endfunction
endmodule

`default_nettype wire
