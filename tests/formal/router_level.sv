// SPDX-License-Identifier: Apache-2.0
//
// router_level_proof -- the levels at any one output, its count and its turns are those of the
// rules.

`default_nettype none

module router_level_proof #(
  parameter  int Ports   = 2,
  parameter  int NumVCs  = 1,
  parameter  int Classes = 1,
  parameter  int Tr      = 1,
  parameter  int Dist    = 0,
  parameter  int Bound   = 2,
  localparam int V       = NumVCs + Tr * Classes,
  localparam int N       = Ports * V
) (
  input  wire logic                     clk_i,
  input  wire logic [7*Ports*Ports-1:0] rank_i,
  input  wire logic [4*N-1:0]           out_port_i,
  input  wire logic [4*N-1:0]           hops_i,
  input  wire logic [N-1:0]             asks_i,
  input  wire logic [N-1:0]             sa_gnt_i,
  input  wire logic [3:0]               out_i
);

  logic             rst_n = 1'b0;             // low in the first cycle only
  logic [12*N-1:0]  level, raw;
  logic [Ports-1:0] fair, more;  // more: two grants or more at the output
  logic [3:0]       out;  // in the cycle of reset: the output to watch
  logic [7:0]       count;  // prioritised grants in a row while others waited
  logic             won, won_high, won_next, waits, wrong, is_fair;
  logic [N-1:0]     waiting;  // input VCs of level 0 that ask for the output
  logic [6:0]       turn, next;  // next is N if no input VC waits
  logic [Ports-1:0] seen;

  router_level #(.Ports(Ports), .NumVCs(NumVCs), .Classes(Classes), .Tr(Tr), .Dist(Dist), .Bound(Bound)) u_dut (
    .clk_i, .rst_ni (rst_n), .rank_i, .out_port_i, .hops_i, .asks_i, .sa_gnt_i, .level_o (level), .fair_o (fair)
  );

  // One bit of fair_o; a shift avoids an index of Ports and more.
  assign is_fair = (fair & (Ports'(1) << out)) != '0;

  always_comb begin
    // Rules 1, 3 and 4: raw levels, and the input VC that has its turn.
    raw      = '0;
    won      = 1'b0;
    won_high = 1'b0;
    won_next = 1'b0;
    waits    = 1'b0;
    waiting  = '0;
    next     = 7'(N);
    wrong    = 1'b0;
    more     = '0;
    seen     = '0;
    for (int i = 0; i < N; i++) begin
      raw[i*12 + 4] = i % V >= NumVCs;
      if (Dist != 0) raw[i*12 +: 4] = hops_i[i*4 +: 4];
      for (int o = 0; o < Ports; o++) begin
        if (32'(out_port_i[i*4 +: 4]) == o) begin
          raw[i*12 + 5 +: 7] = rank_i[((i / V)*Ports + o)*7 +: 7];
          if (sa_gnt_i[i] && seen[o]) more[o] = 1'b1;
          if (sa_gnt_i[i]) seen[o] = 1'b1;
        end
      end
      if (out_port_i[i*4 +: 4] == out) begin
        if (sa_gnt_i[i]) won = 1'b1;
        if (sa_gnt_i[i] && raw[i*12 +: 12] != '0) won_high = 1'b1;
        waiting[i] = asks_i[i] && raw[i*12 +: 12] == '0;
      end
    end
    waits = waiting != '0;
    for (int i = N - 1; i >= 0; i--) if (waiting[i]) next = 7'(i);
    for (int i = N - 1; i >= 0; i--) if (waiting[i] && 7'(i) >= turn) next = 7'(i);
    for (int i = 0; i < N; i++) begin
      if (out_port_i[i*4 +: 4] == out) begin
        if (level[i*12 +: 12] != (is_fair ? 12'(next == 7'(i)) : raw[i*12 +: 12])) wrong = 1'b1;
        if (sa_gnt_i[i] && next == 7'(i)) won_next = 1'b1;
      end
    end
  end

  // Rules 5 to 7 at the watched output.
  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      out   <= out_i;
      count <= '0;
      turn  <= '0;
    end else if (won && is_fair) begin
      if (won_next) begin
        count <= '0;
        turn  <= next == 7'(N - 1) ? '0 : next + 7'd1;
      end
    end else if (won && Bound > 0) begin
      count <= won_high && waits ? count + 1'b1 : '0;
    end
  end

  always_comb if (rst_n) begin
    // A choice of the proof, fixed in reset.
    assume (32'(out) < Ports);
    // Rule 5: router_swalloc grants one flit an output at most.
    assume (more == '0);
    // Rules 2 to 4.
    as_rule:  assert (!wrong);
    // Rules 3 and 5 to 7.
    counted:  assert (is_fair == (Bound > 0 && 32'(count) == Bound));
    // A prioritised flit leaves a fair output.
    ignored:  cover (is_fair && won_high);
    // The count goes up.
    counts:   cover (raw != '0 && won_high && waits);
  end
endmodule

`default_nettype wire
