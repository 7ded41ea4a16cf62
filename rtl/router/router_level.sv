// SPDX-License-Identifier: Apache-2.0
//
// router_level -- the level of every input VC's packet, for both
// allocations; and the bound on starvation.
//
//   11        5   4      3    0
//   [ rank    ] [prio] [ hops ]      raw level: rank of the pair in the list (0: not listed),
//                                    priority buffer, hops with Dist
//
// level_o is valid in the cycle of its inputs. Without Bound the raw level is the level. With Bound
// an output that has given Bound prioritised flits in a row while others waited is fair:
//
//   +--------+   Bound prioritised grants while raw level 0 waits   +--------+
//   | strict | ---------------------------------------------------> |  fair  |
//   +--------+ <--------------------------------------------------- +--------+
//                a grant to next: turn moves just above next
//
// At a fair output next has level 1 and all others have 0. next is the first waiting input VC of
// raw level 0 at or above the output's turn.

`default_nettype none

module router_level #(
  parameter  int Ports   = 5,                      // ports, 2 to 16
  parameter  int NumVCs  = 2,                      // normal VCs of a port, all classes, 1 to 16
  parameter  int Classes = 1,                      // message classes, 1 or 2
  parameter  int Tr      = 0,                      // 1: a priority buffer per class
  parameter  int Dist    = 0,                      // 1: levels count hops
  parameter  int Bound   = 0,                      // prioritised grants in a row while others wait; 0: no bound
  localparam int P       = Ports,                  // ports
  localparam int V       = NumVCs + Tr * Classes,  // VCs of a port
  localparam int N       = Ports * V,              // input VCs
  localparam int PortW   = router_pkg::ROUTE_W,    // bits of a port's number
  localparam int HopsW   = router_pkg::HOPS_W      // bits of a number of hops
) (
  input  wire logic               clk_i,       // router clock
  input  wire logic               rst_ni,      // asynchronous, active low
  // From critical path detection
  input  wire logic [7*P*P-1:0]   rank_i,      // 7 bits a pair in * Ports + out; 0: not listed
  // From the input ports and switch allocation
  input  wire logic [PortW*N-1:0] out_port_i,  // PortW an input VC: output of its packet
  input  wire logic [HopsW*N-1:0] hops_i,      // HopsW an input VC: hops that its packet has come
  input  wire logic [N-1:0]       asks_i,      // asks in VC or switch allocation in this cycle
  input  wire logic [N-1:0]       sa_gnt_i,    // flits that leave: grants that count
  // To both allocations
  output      logic [12*N-1:0]    level_o,     // 12 bits an input VC, same cycle; higher wins
  output      logic [P-1:0]       fair_o       // bit o: the bound is reached at output o; state
);

  localparam int LEVEL_BITS = 12;
  localparam int MOST_PORTS = 1 << PortW;     // ports that a number can name

  initial if (Ports < 2 || Ports > 16 || V > 16 || N > 64)
    $fatal(1, "Ports is 2..16, VCs of a port at most 16, of all at most 64");

  // Port numbers from Ports on name no port: they get rank 0 and are never fair.
  logic [8*P-1:0]          row;               // ranks of an input port's pairs, 8 bits each
  logic [LEVEL_BITS-1:0]   raw;
  logic [12*N-1:0]         raw_level;
  logic [N-1:0]            prioritised;       // the raw level is not 0
  logic [MOST_PORTS-1:0]   fair;
  logic [N-1:0]            next;              // has its turn, at an output that is fair

  assign fair = MOST_PORTS'(fair_o);

  // A row of ranks, shifted by the number of the output port, gives the rank of a packet's pair.
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

  // Fair outputs override the raw levels; without one nothing is evaluated.
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
    // Per output: how many prioritised flits in a row have gone while others
    // waited, and the next turn.
    logic [8*P-1:0] count_d, count_q;         // 8 bits an output, at most Bound
    logic [6*P-1:0] turn_d, turn_q;           // 6 bits an output: first input VC in turn
    logic [N-1:0]   here, waiting, turn_bit;
    logic [P*N-1:0] at_port;                  // input VCs by output

    always_comb begin
      for (int op = 0; op < P; op++) begin
        for (int i = 0; i < N; i++) at_port[op * N + i] = out_port_i[PortW * i +: PortW] == PortW'(op);
      end
    end

    // The turn: only packets of raw level 0 that ask wait for one.
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

    // Counts and turns move only with a grant at their output.
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
      for (int i = 0; i < N; i++)
        counted = counted || (fair[out_port_i[PortW * i +: PortW]] &&
                              level_o[LEVEL_BITS * i +: LEVEL_BITS] != LEVEL_BITS'(next[i]));
    end
  end

  always @(posedge clk_i) if (rst_ni) assert (!counted);
`endif
endmodule

`default_nettype wire
