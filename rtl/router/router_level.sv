// SPDX-License-Identifier: Apache-2.0
//
// router_level -- the level of every input VC's packet, for both allocations; and the bound on starvation.
//
// level_o is valid in the cycle of rank_i, out_port_i, hops_i and asks_i; fair_o is state. Counts of prioritised flits and turns move at the
// end of a cycle with a grant at their output; after reset they are 0. Without Bound there is no state. With it, at an output that is fair one
// waiting input VC of raw level 0 has level 1 and all others have 0: next, the first at or above the output's turn.

`default_nettype none

module router_level #(
  parameter  int Ports   = 5,                 // 2 .. 16
  parameter  int NumVCs  = 2,                 // normal VCs, all classes
  parameter  int Classes = 1,                 // message classes
  parameter  int Tr      = 0,                 // 1: a priority buffer per class
  parameter  int Dist    = 0,                 // 1: levels count hops
  parameter  int Bound   = 0,                 // prioritised grants in a row while others wait; 0: no bound
  localparam int P       = Ports,
  localparam int V       = NumVCs + Tr * Classes,
  localparam int N       = Ports * V,
  localparam int PortW   = router_pkg::ROUTE_W,
  localparam int HopsW   = router_pkg::HOPS_W
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,
  // From critical path detection
  input  wire logic [7*P*P-1:0]   rank_i,       // of a pair in * Ports + out; 0: not listed
  // From the input ports and switch allocation
  input  wire logic [PortW*N-1:0] out_port_i,
  input  wire logic [HopsW*N-1:0] hops_i,
  input  wire logic [N-1:0]       asks_i,       // in VC or switch allocation this cycle
  input  wire logic [N-1:0]       sa_gnt_i,     // flits that leave
  // To both allocations
  output      logic [12*N-1:0]    level_o,
  output      logic [P-1:0]       fair_o        // the bound is reached at this output
);

  localparam int LEVEL_BITS = 12;
  localparam int MOST_PORTS = 1 << PortW;     // that a port number can name

  initial if (Ports < 2 || Ports > 16 || V > 16 || N > 64) $fatal(1, "Ports is 2..16, VCs of a port at most 16, of all at most 64");

  logic [8*P-1:0]          row;               // ranks of an input port's pairs, 8 bits each
  logic [LEVEL_BITS-1:0]   raw;
  logic [12*N-1:0]         raw_level;
  logic [N-1:0]            prioritised;       // its raw level is not 0
  logic [MOST_PORTS-1:0]   fair;
  logic [N-1:0]            next;              // whose turn it is, at an output that is fair

  assign fair = MOST_PORTS'(fair_o);

  always_comb begin : make_levels
    row         = '0;
    raw         = '0;
    raw_level   = '0;
    prioritised = '0;
    for (int ip = 0; ip < P; ip++) begin
      for (int op = 0; op < P; op++) row[8 * op +: 8] = {1'b0, rank_i[7 * (ip * P + op) +: 7]};
      for (int v = 0; v < V; v++) begin
        raw = {7'(row >> {out_port_i[PortW * (ip * V + v) +: PortW], 3'b000}), v >= NumVCs,
               Dist != 0 ? hops_i[HopsW * (ip * V + v) +: HopsW] : {HopsW{1'b0}}};
        prioritised[ip * V + v] = |raw;
        raw_level[LEVEL_BITS * (ip * V + v) +: LEVEL_BITS] = raw;
      end
    end
  end

  always_comb begin
    level_o = raw_level;
    if (|fair_o) begin
      for (int i = 0; i < N; i++) begin
        if (fair[out_port_i[PortW * i +: PortW]]) level_o[LEVEL_BITS * i +: LEVEL_BITS] = LEVEL_BITS'(next[i]);
      end
    end
  end

  if (Bound == 0) begin : g_strict
    logic unused_inputs;
    assign unused_inputs = &{1'b0, clk_i, rst_ni, asks_i, sa_gnt_i, prioritised};
    assign fair_o        = '0;
    assign next          = '0;
  end else begin : g_bound
    logic [8*P-1:0] count_d, count_q;         // prioritised flits in a row while others waited
    logic [6*P-1:0] turn_d, turn_q;           // first input VC whose turn it may be
    logic [N-1:0]   here, waiting, turn_bit;
    logic [P*N-1:0] at_port;                  // input VCs by output

    always_comb begin
      for (int op = 0; op < P; op++) begin
        for (int i = 0; i < N; i++) at_port[op * N + i] = out_port_i[PortW * i +: PortW] == PortW'(op);
      end
    end

    always_comb begin
      next    = '0;
      waiting = '0;
      if (|fair_o) begin
        for (int op = 0; op < P; op++) begin
          waiting = asks_i & at_port[op * N +: N] & ~prioritised;
          if (fair_o[op]) next = next | first_from(waiting, turn_q[6 * op +: 6]);
        end
      end
    end

    always_comb begin
      count_d  = count_q;
      turn_d   = turn_q;
      here     = '0;
      turn_bit = '0;
      if (|sa_gnt_i) begin
        for (int op = 0; op < P; op++) begin
          here = at_port[op * N +: N];
          if (|(sa_gnt_i & here)) begin
            if (fair_o[op]) begin
              turn_bit = sa_gnt_i & here & next;
              if (|turn_bit) count_d[8 * op +: 8] = '0;
              for (int i = 0; i < N; i++) if (turn_bit[i]) turn_d[6 * op +: 6] = i == N - 1 ? '0 : 6'(i + 1);
            end else if (!(|(sa_gnt_i & here & prioritised)) || !(|(asks_i & here & ~prioritised))) begin
              count_d[8 * op +: 8] = '0;
            end else begin
              count_d[8 * op +: 8] = count_q[8 * op +: 8] + 1'b1;
            end
          end
        end
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        count_q <= '0;
        turn_q  <= '0;
      end else begin
        count_q <= count_d;
        turn_q  <= turn_d;
      end
    end

    // The first at or above `from`, around the end; one-hot or zero.
    function automatic logic [N-1:0] first_from(input logic [N-1:0] who, input logic [5:0] from);
      logic [N-1:0] above;
      above      = (who >> from) << from;
      first_from = |above ? above & (~above + 1'b1) : who & (~who + 1'b1);
    endfunction

    always_comb begin
      for (int op = 0; op < P; op++) fair_o[op] = count_q[8 * op +: 8] == 8'(Bound);
    end
  end

`ifndef SYNTHESIS
  logic counted;                              // a level counts where it must not

  always_comb begin
    counted = 1'b0;
    if (|fair_o) begin
      for (int i = 0; i < N; i++) counted = counted || (fair[out_port_i[PortW * i +: PortW]] && level_o[LEVEL_BITS * i +: LEVEL_BITS] != LEVEL_BITS'(next[i]));
    end
  end

  always @(posedge clk_i) if (rst_ni) assert (!counted);
`endif
endmodule

`default_nettype wire
