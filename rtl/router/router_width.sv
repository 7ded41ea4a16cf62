// SPDX-License-Identifier: Apache-2.0
//
// router_width -- link width management: W, W/2, W/4 or W/8 per output, decided once an epoch (NUPIM paper, III-D).
//
// Flits sent are counted by the credits that come back. At the end of the cycle with epoch_i the counts become FR; in the next one
// (start_i) every output in link_i gets its new width from FR, the latched stalls and whether it is critical, at the end of the cycle.
// An output whose width changes is off for Penalty cycles. All outputs are state.

`default_nettype none

module router_width #(
  parameter int Ports       = 5,                          // 2 to 16
  parameter int CountBits   = 20,                         // bits of a counter
  parameter int CountStart  = 0,                          // what the counters of an epoch start with: 0 but in checks of their high bits
  parameter int EpochCycles = 100000,                     // flits that a full link carries in an epoch
  parameter int Penalty     = 2500,                       // cycles that a change takes
  parameter int WidthPct    = 90                          // share of the highest stalls above which a link grows, %
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,
  input  wire logic                       epoch_i,
  input  wire logic                       start_i,
  input  wire logic [Ports-1:0]           link_i,
  input  wire logic [Ports-1:0]           cr_seen_i,
  input  wire logic [Ports-1:0]           crit_port_i,
  input  wire logic [Ports*CountBits-1:0] latched_i,
  output      logic [Ports*2-1:0]         width_o,        // 0 W, 1 W/2, 2 W/4, 3 W/8
  output      logic [Ports-1:0]           off_o,
  output      logic [Ports*CountBits-1:0] probe_rate_o
);

  localparam int                Wide  = CountBits + 8;    // room for a count times 100
  localparam logic [15:0]       Pause = 16'(Penalty);
  localparam logic [CountBits-1:0] Start = CountBits'(CountStart);
  localparam logic [Wide+23:0]  Full  = (Wide+24)'(EpochCycles);

  logic [Ports*CountBits-1:0] rate_d, rate_q;             // of this epoch so far
  logic [Ports*CountBits-1:0] fr_d, fr_q;                 // of the last one
  logic [Ports*CountBits-1:0] rate_now;                   // this cycle's credits included
  logic [Ports*2-1:0]         width_d, width_q;
  logic [Ports*16-1:0]        pause_d, pause_q;           // cycles an output is still off
  logic [CountBits-1:0]       tmax, stalls, fr;
  logic [1:0]                 now, next;

  always_comb begin
    rate_now = rate_q;
    for (int o = 0; o < Ports; o++) begin
      if (cr_seen_i[o] && !(&rate_q[o*CountBits +: CountBits])) begin
        rate_now[o*CountBits +: CountBits] = rate_q[o*CountBits +: CountBits] + CountBits'(1);
      end
    end
    rate_d = epoch_i ? {Ports{Start}} : rate_now;
    fr_d   = epoch_i ? rate_now : fr_q;
  end

  always_comb begin
    tmax    = '0;
    stalls  = '0;
    fr      = '0;
    now     = '0;
    next    = '0;
    width_d = width_q;
    pause_d = pause_q;
    for (int o = 0; o < Ports; o++) begin
      if (off_o[o]) pause_d[o*16 +: 16] = pause_q[o*16 +: 16] - 16'd1;
    end
    if (start_i) begin
      for (int o = 0; o < Ports; o++) begin
        if (latched_i[o*CountBits +: CountBits] > tmax) tmax = latched_i[o*CountBits +: CountBits];
      end
      for (int o = 0; o < Ports; o++) begin
        stalls = latched_i[o*CountBits +: CountBits];
        fr     = fr_q[o*CountBits +: CountBits];
        now    = width_q[o*2 +: 2];
        next   = crit_port_i[o] ? critical(stalls, fr) : other(now, stalls, tmax);
        if (link_i[o] && next != now) begin
          width_d[o*2 +: 2]   = next;
          pause_d[o*16 +: 16] = Pause;
        end
      end
    end
  end

  always_comb begin
    for (int o = 0; o < Ports; o++) off_o[o] = |pause_q[o*16 +: 16];
  end

  assign width_o      = width_q;
  assign probe_rate_o = rate_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rate_q  <= {Ports{Start}};
      fr_q    <= '0;
      width_q <= '0;
      pause_q <= '0;
    end else begin
      rate_q  <= rate_d;
      fr_q    <= fr_d;
      width_q <= width_d;
      pause_q <= pause_d;
    end
  end

  // Rule for a critical link: as wide as its traffic needs and one tier more; full when stalls outnumber flits.
  function automatic logic [1:0] critical(input logic [CountBits-1:0] t, input logic [CountBits-1:0] f);
    critical = t > f                            ? 2'd0 :
               ((Wide+24)'(f) << 2) > Full      ? 2'd0 :
               ((Wide+24)'(f) << 3) > Full      ? 2'd1 : 2'd2;
  endfunction

  // Rule for the others: one tier up if nearly the most stalled, else one tier down.
  function automatic logic [1:0] other(input logic [1:0] w, input logic [CountBits-1:0] t, input logic [CountBits-1:0] most);
    other = Wide'(t) * Wide'(100) > Wide'(most) * Wide'(WidthPct) ? (w == 2'd0 ? 2'd0 : w - 2'd1)
                                                                  : (w == 2'd3 ? 2'd3 : w + 2'd1);
  endfunction

  initial if (Ports < 2 || Ports > 16) $fatal(1, "router_width: Ports must be 2 to 16");

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert ((width_d[1:0] == width_q[1:0]) || start_i);   // widths change at an epoch's start only
  end
`endif
endmodule

`default_nettype wire
