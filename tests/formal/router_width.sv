// SPDX-License-Identifier: Apache-2.0
//
// router_width_proof -- widths change at an epoch's start only, within the rules' limits, and
// switch the link off for Penalty cycles. `out` is any one output.

`default_nettype none

module router_width_proof #(
  parameter  int Ports       = 2,
  parameter  int CountBits   = 4,
  parameter  int EpochCycles = 12,
  parameter  int Penalty     = 3,
  parameter  int WidthPct    = 90
) (
  input  wire logic                       clk_i,
  input  wire logic                       epoch_i,
  input  wire logic                       start_i,
  input  wire logic [Ports-1:0]           link_i,
  input  wire logic [Ports-1:0]           cr_seen_i,
  input  wire logic [Ports-1:0]           crit_port_i,
  input  wire logic [Ports*CountBits-1:0] latched_i,
  input  wire logic [3:0]                 out_i
);

  logic                       rst_n = 1'b0;   // low in the first cycle only
  logic [Ports*2-1:0]         width;
  logic [Ports-1:0]           off, hot;
  logic [Ports*CountBits-1:0] rate;
  logic [3:0]                 out;
  logic [1:0]                 now, before;  // width of `out`; one cycle ago
  logic [CountBits-1:0]       seen, flits, stalls;  // credits of this epoch, of the last; its stalls
  logic [15:0]                pause;  // cycles that `out` is still off
  logic                       decided, was_critical, is_off;
  logic [1:0]                 critical_width;

  router_width #(.Ports(Ports), .CountBits(CountBits), .EpochCycles(EpochCycles), .Penalty(Penalty),
                 .WidthPct(WidthPct)) u_dut (
    .clk_i, .rst_ni (rst_n), .epoch_i, .start_i, .link_i, .cr_seen_i, .crit_port_i, .latched_i, .width_o (width),
    .off_o (off), .probe_rate_o (rate)
  );

  assign hot    = Ports'(1) << out;
  assign is_off = (off & hot) != '0;

  always_comb begin
    // Width and stalls of the watched output; a loop avoids an index of Ports and more.
    now    = '0;
    stalls = '0;
    for (int o = 0; o < Ports; o++) begin
      if (32'(out) == o) now = width[o*2 +: 2];
      if (32'(out) == o) stalls = latched_i[o*CountBits +: CountBits];
    end
  end

  always @(posedge clk_i) begin
    rst_n        <= 1'b1;
    before       <= rst_n ? now : '0;
    decided      <= rst_n && start_i && (link_i & hot) != '0;
    was_critical <= (crit_port_i & hot) != '0;
    // Rule 3: full width for more stalls than flits; else by the share of the bandwidth in use.
    critical_width <= stalls > flits ? 2'd0 : 4 * 32'(flits) > EpochCycles ? 2'd0 : 8 * 32'(flits) > EpochCycles ? 2'd1
                      : 2'd2;
    if (!rst_n) begin
      out   <= out_i;
      seen  <= '0;
      flits <= '0;
      pause <= '0;
    end else begin
      // Rules 1 and 2: credits of an epoch, which saturate; the one in the cycle of epoch_i counts.
      if ((cr_seen_i & hot) != '0 && seen != {CountBits{1'b1}}) seen <= seen + 1'b1;
      if (epoch_i) begin
        seen  <= '0;
        flits <= (cr_seen_i & hot) != '0 && seen != {CountBits{1'b1}} ? seen + 1'b1 : seen;
      end
      pause <= now != before ? 16'(Penalty - 1) : pause != '0 ? pause - 1'b1 : '0;
    end
  end

  always_comb if (rst_n) begin
    // A choice of the proof, fixed in reset.
    assume (32'(out) < Ports);
    // Rules 3 and 5.
    only_at_start:  assert (now == before || decided);
    // Rules 1 to 3: the width of a critical output.
    critical_rule:  assert (!(decided && was_critical) || now == critical_width);
    // Rule 3: any other output moves by one tier, and never from one end to the other.
    one_tier:       assert (!decided || was_critical || now == before || now == before + 1'b1 || now == before - 1'b1);
    no_wrap:        assert (!decided || was_critical || !((now == 2'd0 && before == 2'd3) ||
                                                          (now == 2'd3 && before == 2'd0)));
    // Rule 4.
    off_a_while:    assert (is_off == (Penalty > 0 && (now != before || pause != '0)));
    // The narrowest width, and the way back.
    narrowest:      cover (now == 2'd3 && !is_off);
    wide_again:     cover (decided && was_critical && now == 2'd0 && before == 2'd2);
  end
endmodule

`default_nettype wire
