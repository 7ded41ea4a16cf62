// SPDX-License-Identifier: Apache-2.0
//
// router_width -- link width management: W, W/2, W/4 or W/8 per output,
// decided once an epoch (NUPIM paper, III-D).
//
// A credit that comes back is a flit that the link has carried: rate counts credits. At the end of
// the cycle with epoch_i the counts become FR. In the next cycle (start_i) each output in link_i
// gets its new width from FR, its latched stalls, and whether it is critical.
//
//   cr_seen_i --> rate --epoch--> FR --+
//                                      +--start--> width_o, and off_o for Penalty cycles
//   latched_i, crit_port_i, link_i ----+           if the width changes
//
// All outputs are state.

`default_nettype none

module router_width #(
  parameter int Ports       = 5,       // ports of the router, 2 to 16
  parameter int CountBits   = 20,      // bits of a counter, 4 to 32; counters stop at the top
  parameter int CountStart  = 0,       // counters begin an epoch with this; 0 but in checks
  parameter int EpochCycles = 100000,  // flits that a full link carries in an epoch
  parameter int Penalty     = 2500,    // cycles that a change of width takes, 0 to 65535
  parameter int WidthPct    = 90       // % of the highest stalls above which a link grows
) (
  input  wire logic                       clk_i,        // router clock
  input  wire logic                       rst_ni,       // asynchronous, active low
  input  wire logic                       epoch_i,      // last cycle of an epoch
  input  wire logic                       start_i,      // first cycle of an epoch: decides
  input  wire logic [Ports-1:0]           link_i,       // bit o: output o is a link between modules
  input  wire logic [Ports-1:0]           cr_seen_i,    // bit o: a credit of output o has come
  input  wire logic [Ports-1:0]           crit_port_i,  // bit o: output o is critical, with start_i
  input  wire logic [Ports*CountBits-1:0] latched_i,    // CountBits an output: stalls of the last epoch
  output      logic [Ports*2-1:0]         width_o,      // 2 bits an output: 0 W, 1 W/2, 2 W/4, 3 W/8
  output      logic [Ports-1:0]           off_o,        // bit o: the width changes, no flit may start
  output      logic [Ports*CountBits-1:0] probe_rate_o  // CountBits an output: this epoch's credits
);

  localparam int                Wide  = CountBits + 8;    // room for a count times 100
  localparam logic [15:0]       Pause = 16'(Penalty);
  localparam logic [CountBits-1:0] Start = CountBits'(CountStart);
  localparam logic [Wide+23:0]  Full  = (Wide+24)'(EpochCycles);  // room for a count times 8 and for an epoch

  logic [Ports*CountBits-1:0] rate_d, rate_q;             // credits of this epoch so far
  logic [Ports*CountBits-1:0] fr_d, fr_q;                 // credits of the last epoch
  logic [Ports*CountBits-1:0] rate_now;                   // rate with this cycle's credits
  logic [Ports*2-1:0]         width_d, width_q;           // 0 W, 1 W/2, 2 W/4, 3 W/8
  logic [Ports*16-1:0]        pause_d, pause_q;           // cycles that an output is still off
  logic [CountBits-1:0]       tmax, stalls, fr;
  logic [1:0]                 now, next;

  // Counting. A counter that is full stays full, so a busy link never looks idle.
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

  // The decision, for all outputs in one cycle. tmax is the highest of all outputs, links or not. A
  // change during a pause starts the pause again.
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

  // Rule for a critical link: as wide as its traffic needs and one tier more, so never W/8:
  //
  //   FR of EpochCycles    up to 1/8    up to 1/4    more
  //   width                W/4          W/2          W
  //
  // Stalls that outnumber flits make the width W: FR shows then what the link could carry, and not
  // what is wanted.
  function automatic logic [1:0] critical(input logic [CountBits-1:0] t, input logic [CountBits-1:0] f);
    critical = t > f                            ? 2'd0 :
               ((Wide+24)'(f) << 2) > Full      ? 2'd0 :
               ((Wide+24)'(f) << 3) > Full      ? 2'd1 : 2'd2;
  endfunction

  // Rule for the others: one tier wider if nearly the most stalled, else one tier narrower. Where
  // nothing stalls, tmax is 0, and all of them get narrower.
  function automatic logic [1:0] other(input logic [1:0] w, input logic [CountBits-1:0] t,
                                       input logic [CountBits-1:0] most);
    other = Wide'(t) * Wide'(100) > Wide'(most) * Wide'(WidthPct) ? (w == 2'd0 ? 2'd0 : w - 2'd1)
                                                                  : (w == 2'd3 ? 2'd3 : w + 2'd1);
  endfunction

  initial if (Ports < 2 || Ports > 16) $fatal(1, "router_width: Ports must be 2 to 16");

`ifndef SYNTHESIS
  // For output 0, which stands for all.
  always @(posedge clk_i) if (rst_ni) begin
    assert ((width_d[1:0] == width_q[1:0]) || start_i);   // widths change at an epoch's start only
  end
`endif
endmodule

`default_nettype wire
