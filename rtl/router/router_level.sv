// SPDX-License-Identifier: Apache-2.0
//
// router_level -- the level of every input VC's packet, for both allocations; and the bound on starvation.
//
// level_o is valid in the cycle of rank_i, out_port_i and hops_i; fair_o is state. The counts of prioritised flits move at the end of a cycle
// with a grant at their output; after reset they are 0. Without Bound there is no state.

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
  localparam int N       = Ports * V
) (
  input  wire logic            clk_i,
  input  wire logic            rst_ni,
  // From critical path detection
  input  wire logic [7*P*P-1:0] rank_i,       // of a pair in * Ports + out; 0: not listed
  // From the input ports and switch allocation
  input  wire logic [4*N-1:0]  out_port_i,
  input  wire logic [4*N-1:0]  hops_i,
  input  wire logic [N-1:0]    asks_i,        // in VC or switch allocation this cycle
  input  wire logic [N-1:0]    sa_gnt_i,      // flits that leave
  // To both allocations
  output      logic [12*N-1:0] level_o,
  output      logic [P-1:0]    fair_o         // levels do not count at this output
);

  localparam int LEVEL_BITS = 12;

  initial if (Ports < 2 || Ports > 16 || V > 16 || N > 64) $fatal(1, "Ports is 2..16, VCs of a port at most 16, of all at most 64");

  logic [8*P-1:0]          row;               // ranks of an input port's pairs, 8 bits each
  logic [LEVEL_BITS-1:0]   raw;
  logic [N-1:0]            prioritised;       // its raw level is not 0
  logic [15:0]             fair;

  assign fair = 16'(fair_o);

  always_comb begin : make_levels
    row         = '0;
    raw         = '0;
    level_o     = '0;
    prioritised = '0;
    for (int ip = 0; ip < P; ip++) begin
      for (int op = 0; op < P; op++) row[8 * op +: 8] = {1'b0, rank_i[7 * (ip * P + op) +: 7]};
      for (int v = 0; v < V; v++) begin
        raw = {7'(row >> {out_port_i[4 * (ip * V + v) +: 4], 3'b000}), v >= NumVCs, Dist != 0 ? hops_i[4 * (ip * V + v) +: 4] : 4'd0};
        prioritised[ip * V + v] = |raw;
        level_o[LEVEL_BITS * (ip * V + v) +: LEVEL_BITS] = fair[out_port_i[4 * (ip * V + v) +: 4]] ? '0 : raw;
      end
    end
  end

  if (Bound == 0) begin : g_strict
    logic unused_inputs;
    assign unused_inputs = &{1'b0, clk_i, rst_ni, asks_i, sa_gnt_i, prioritised};
    assign fair_o        = '0;
  end else begin : g_bound
    logic [8*P-1:0] count_d, count_q;         // prioritised flits in a row while others waited
    logic [N-1:0]   here;

    always_comb begin
      count_d = count_q;
      here    = '0;
      if (|sa_gnt_i) begin
        for (int op = 0; op < P; op++) begin
          for (int i = 0; i < N; i++) here[i] = out_port_i[4 * i +: 4] == 4'(op);
          if (|(sa_gnt_i & here)) begin
            if (!(|(sa_gnt_i & here & prioritised)) || !(|(asks_i & here & ~prioritised))) count_d[8 * op +: 8] = '0;
            else if (count_q[8 * op +: 8] != 8'(Bound)) count_d[8 * op +: 8] = count_q[8 * op +: 8] + 1'b1;
          end
        end
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) count_q <= '0;
      else         count_q <= count_d;
    end

    always_comb begin
      for (int op = 0; op < P; op++) fair_o[op] = count_q[8 * op +: 8] == 8'(Bound);
    end
  end

`ifndef SYNTHESIS
  logic counted;                              // a level counts where it must not

  always_comb begin
    counted = 1'b0;
    if (|fair_o) begin
      for (int i = 0; i < N; i++) counted = counted || (fair[out_port_i[4 * i +: 4]] && |level_o[LEVEL_BITS * i +: LEVEL_BITS]);
    end
  end

  always @(posedge clk_i) if (rst_ni) assert (!counted);
`endif
endmodule

`default_nettype wire
