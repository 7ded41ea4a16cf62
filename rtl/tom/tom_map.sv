// SPDX-License-Identifier: Apache-2.0
//
// tom_map -- memory map analyser of an SM: which stacks an instance of a candidate would access, if the stack were in these bits of an address or
// in those (TOM paper, sections 3.2.1 and 4.3).
//
// Each warp has a row: a bit for each stack of each map, which it has touched. A row of zeros is one without an access, so the first access needs no bit
// of its own. A begin clears its row; an access adds to it, in the same cycle to the cleared one; an end adds up the row as the access leaves it.

`default_nettype none

module tom_map #(
  parameter  int Warps     = 48,                         // warps of the SM, 2 to 64
  parameter  int Maps      = tom_pkg::MAPS,              // maps that are tried, 1 to 10
  parameter  int StackBits = 2,                          // bits of a stack's number, 1 to 3
  parameter  int Rule      = 1,                          // 1: accesses to the stack of the first one are counted, too
  parameter  int CountBits = 32,                         // bits of a sum, 4 to 32
  localparam int WarpW     = $clog2(Warps),
  localparam int AddrW     = Maps - 1 + StackBits,
  localparam int Stacks    = 1 << StackBits,
  localparam int RowW      = Maps * Stacks
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  // From the GPU's runtime
  input  wire logic                 clear_i,
  input  wire logic                 on_i,
  // From the SM: instances, and lines that warps access
  input  wire logic                 beg_valid_i,
  input  wire logic [WarpW-1:0]     beg_warp_i,
  input  wire logic                 acc_valid_i,
  input  wire logic [WarpW-1:0]     acc_warp_i,
  input  wire logic [AddrW-1:0]     acc_addr_i,
  input  wire logic                 end_valid_i,
  input  wire logic [WarpW-1:0]     end_warp_i,
  // Sums
  input  wire logic [3:0]           rd_map_i,
  output      logic                 more_o,
  output      logic [CountBits-1:0] seen_o,
  output      logic [CountBits-1:0] total_o,
  output      logic [CountBits-1:0] rd_same_o,
  output      logic [CountBits-1:0] rd_touched_o,
  // Probe
  output      logic [Warps-1:0]     probe_open_o
);

  // What comes
  logic             begins, acc_anew, end_anew, accesses, ends;
  logic [Warps-1:0] open_d, open_q;

  assign begins   = on_i && beg_valid_i;
  assign acc_anew = begins && beg_warp_i == acc_warp_i;
  assign end_anew = begins && beg_warp_i == end_warp_i;
  assign accesses = on_i && acc_valid_i && (acc_anew || open_q[acc_warp_i]);
  assign ends     = on_i && end_valid_i && (end_anew || open_q[end_warp_i]);

  // Rows
  logic [Warps*RowW-1:0] rows_q;
  logic [RowW-1:0]       acc_old, acc_row, end_row;
  logic [RowW-1:0]       here;                           // one-hot for each map: the stack of this access
  logic                  first;

  always_comb begin
    here = '0;
    for (int m = 0; m < Maps; m++) here[m*Stacks + 32'(acc_addr_i[m +: StackBits])] = 1'b1;
  end

  assign acc_old = acc_anew ? '0 : rows_q[32'(acc_warp_i)*RowW +: RowW];
  assign first   = acc_old == '0;
  assign acc_row = acc_old | here;
  assign end_row = accesses && acc_warp_i == end_warp_i ? acc_row : end_anew ? '0 : rows_q[32'(end_warp_i)*RowW +: RowW];

  for (genvar w = 0; w < Warps; w++) begin : g_warp
    logic begins_here, accesses_here;

    assign begins_here   = begins && 32'(beg_warp_i) == w;
    assign accesses_here = accesses && 32'(acc_warp_i) == w;
    assign open_d[w]     = (begins_here || open_q[w]) && !(ends && 32'(end_warp_i) == w) && !clear_i;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) rows_q[w*RowW +: RowW] <= '0;
      else if (accesses_here) rows_q[w*RowW +: RowW] <= acc_row;
      else if (begins_here) rows_q[w*RowW +: RowW] <= '0;
    end
  end

  // The stack of each instance's first access
  logic [Maps-1:0] same;

  if (Rule != 0) begin : g_same
    logic [Warps*Maps*StackBits-1:0] firsts_q;

    always_comb begin
      for (int m = 0; m < Maps; m++)
        same[m] = first || acc_addr_i[m +: StackBits] == firsts_q[(32'(acc_warp_i)*Maps + m)*StackBits +: StackBits];
    end

    for (genvar w = 0; w < Warps; w++) begin : g_warp
      for (genvar m = 0; m < Maps; m++) begin : g_map
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) firsts_q[(w*Maps + m)*StackBits +: StackBits] <= '0;
          else if (accesses && first && 32'(acc_warp_i) == w) firsts_q[(w*Maps + m)*StackBits +: StackBits] <= acc_addr_i[m +: StackBits];
        end
      end
    end
  end else begin : g_touched_alone
    assign same = '0;
  end

  // Sums
  logic                      more_q;
  logic [CountBits-1:0]      seen_q, total_q, rd_same_d, rd_same_q, rd_touched_d, rd_touched_q;
  logic [Maps*CountBits-1:0] same_q, same_d, touched_q, touched_d;

  function automatic logic [CountBits-1:0] plus(input logic [CountBits-1:0] sum, input logic [3:0] more);
    logic [CountBits:0] s;
    s = {1'b0, sum} + (CountBits+1)'(more);
    plus = s[CountBits] ? '1 : s[CountBits-1:0];
  endfunction

  function automatic logic [3:0] ones(input logic [Stacks-1:0] bits);
    ones = '0;
    for (int s = 0; s < Stacks; s++) ones = ones + 4'(bits[s]);
  endfunction

  always_comb begin
    rd_same_d    = '0;
    rd_touched_d = '0;
    for (int m = 0; m < Maps; m++) begin
      same_d[m*CountBits +: CountBits]    = plus(same_q[m*CountBits +: CountBits], 4'(accesses && same[m]));
      touched_d[m*CountBits +: CountBits] = plus(touched_q[m*CountBits +: CountBits], ends ? ones(end_row[m*Stacks +: Stacks]) : '0);
      if (32'(rd_map_i) == m) begin
        rd_same_d    = same_q[m*CountBits +: CountBits];
        rd_touched_d = touched_q[m*CountBits +: CountBits];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q       <= '0;
      more_q       <= 1'b0;
      seen_q       <= '0;
      total_q      <= '0;
      same_q       <= '0;
      touched_q    <= '0;
      rd_same_q    <= '0;
      rd_touched_q <= '0;
    end else begin
      open_q       <= open_d;
      more_q       <= ends && !clear_i;
      seen_q       <= clear_i ? '0 : plus(seen_q, 4'(ends));
      total_q      <= clear_i ? '0 : plus(total_q, 4'(accesses));
      same_q       <= clear_i ? '0 : same_d;
      touched_q    <= clear_i ? '0 : touched_d;
      rd_same_q    <= rd_same_d;
      rd_touched_q <= rd_touched_d;
    end
  end

  assign more_o       = more_q;
  assign seen_o       = seen_q;
  assign total_o      = total_q;
  assign rd_same_o    = rd_same_q;
  assign rd_touched_o = rd_touched_q;
  assign probe_open_o = open_q;

  initial begin
    if (Warps < 2 || Warps > 64) $fatal(1, "tom_map: Warps must be 2 to 64");
    if (Maps < 1 || Maps > tom_pkg::MAPS) $fatal(1, "tom_map: Maps must be 1 to 10");
    if (StackBits < 1 || StackBits > 3) $fatal(1, "tom_map: StackBits must be 1 to 3");
    if (Rule < 0 || Rule > 1) $fatal(1, "tom_map: Rule must be 0 or 1");
    if (CountBits < 4 || CountBits > 32) $fatal(1, "tom_map: CountBits must be 4 to 32");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (total_q >= same_q[CountBits-1:0]);
    assert (!accesses || acc_row != '0);
  end
`endif
endmodule

`default_nettype wire
