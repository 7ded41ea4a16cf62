// SPDX-License-Identifier: Apache-2.0
//
// tom_map -- memory map analyser of an SM (TOM paper, sections 3.2.1 and 4.3): for each position of
// the stack's bits in an address, which stacks would an instance of a candidate access?
//
// Each warp has a row with a bit for each stack of each map: the instance has touched the
// stack. A row of zeros has no access yet, so the first access needs no bit of its own.
// Within a cycle a begin comes first, then an access, then an end: the access adds to the
// cleared row, and the end counts that access.
//
//   beg --> open, row = 0 --> acc: row |= stacks of the line --> end: touched += ones(row)
//                                  total, same += 1                   seen += 1

`default_nettype none

module tom_map #(
  parameter  int Warps     = 48,                    // warps of the SM, 2 to 64
  parameter  int Maps      = tom_pkg::MAPS,         // maps that are tried, 1 to 10; map m: stack from address bit 7 + m
  parameter  int StackBits = 2,                     // bits of a stack's number, 1 to 3
  parameter  int Rule      = 1,                     // 1: also count the accesses to the stack of the first access
  parameter  int CountBits = 32,                    // bits of a sum, 4 to 32; sums stay at their highest value
  localparam int WarpW     = $clog2(Warps),         // bits of a warp's number
  localparam int AddrW     = Maps - 1 + StackBits,  // address bits that some map reads
  localparam int Stacks    = 1 << StackBits,        // stacks of a map
  localparam int RowW      = Maps * Stacks          // a bit for each stack of each map
) (
  input  wire logic                 clk_i,         // core clock
  input  wire logic                 rst_ni,        // asynchronous, active low
  // From the GPU's runtime
  input  wire logic                 clear_i,       // all sums 0, no instance open; before all else in a cycle
  input  wire logic                 on_i,          // 0: begins, accesses and ends are not taken
  // From the SM: instances, and lines that warps access
  input  wire logic                 beg_valid_i,   // an instance begins; an open one of the warp is forgotten
  input  wire logic [WarpW-1:0]     beg_warp_i,    // its warp
  input  wire logic                 acc_valid_i,   // a warp accesses a line; counts if an instance is open
  input  wire logic [WarpW-1:0]     acc_warp_i,    // its warp
  input  wire logic [AddrW-1:0]     acc_addr_i,    // address of the line, from address bit 7 upwards
  input  wire logic                 end_valid_i,   // the instance of a warp is over, if one is open
  input  wire logic [WarpW-1:0]     end_warp_i,    // its warp
  // Sums
  input  wire logic [3:0]           rd_map_i,      // map whose sums are read; 0 from a map that does not exist
  output      logic                 more_o,        // one cycle: an instance ended in the cycle before
  output      logic [CountBits-1:0] seen_o,        // instances that have ended
  output      logic [CountBits-1:0] total_o,       // accesses of instances
  output      logic [CountBits-1:0] rd_same_o,     // accesses to their instance's first stack; one cycle late
  output      logic [CountBits-1:0] rd_touched_o,  // stacks touched by ended instances; one cycle late
  // Probe
  output      logic [Warps-1:0]     probe_open_o   // bit w: warp w has an instance
);

  // What comes. A begin of the same cycle counts for an access and an end of the same warp (_anew).
  // clear_i wins over all of these in the registers.
  logic             begins, acc_anew, end_anew, accesses, ends;
  logic [Warps-1:0] open_d, open_q;

  assign begins   = on_i && beg_valid_i;
  assign acc_anew = begins && beg_warp_i == acc_warp_i;
  assign end_anew = begins && beg_warp_i == end_warp_i;
  assign accesses = on_i && acc_valid_i && (acc_anew || open_q[acc_warp_i]);
  assign ends     = on_i && end_valid_i && (end_anew || open_q[end_warp_i]);

  // The rows. Warp w has RowW bits from w*RowW; in them bit m*Stacks+s says
  // that stack s of map m was touched. The maps read overlapping bits of an address, here with
  // StackBits 2:
  //
  //   address bit        10   9   8   7
  //   bit of acc_addr_i   3   2   1   0
  //   map 0               .   .   s   s
  //   map 1               .   s   s   .
  logic [Warps*RowW-1:0] rows_q;
  logic [RowW-1:0]       acc_old, acc_row, end_row;
  logic [RowW-1:0]       here;                           // one-hot for each map: the stack of this access
  logic                  first;                          // the row is empty: the instance's first access

  always_comb begin
    here = '0;
    for (int m = 0; m < Maps; m++) here[m*Stacks + 32'(acc_addr_i[m +: StackBits])] = 1'b1;
  end

  assign acc_old = acc_anew ? '0 : rows_q[32'(acc_warp_i)*RowW +: RowW];
  assign first   = acc_old == '0;
  assign acc_row = acc_old | here;
  assign end_row = accesses && acc_warp_i == end_warp_i ? acc_row : end_anew ? '0 :
                   rows_q[32'(end_warp_i)*RowW +: RowW];

  // A row means something only while open_q of its warp is set. An access has priority over a begin
  // of the same cycle, since acc_row then starts from the cleared row.
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

  // The stack of each instance's first access, StackBits bits per warp and
  // map. Rule 0 saves these flip-flops.
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
          else if (accesses && first && 32'(acc_warp_i) == w)
            firsts_q[(w*Maps + m)*StackBits +: StackBits] <= acc_addr_i[m +: StackBits];
        end
      end
    end
  end else begin : g_touched_alone
    assign same = '0;
  end

  // The sums. They saturate: a sum that wraps could make a bad map look good.
  logic                      more_q;
  logic [CountBits-1:0]      seen_q, total_q, rd_same_d, rd_same_q, rd_touched_d, rd_touched_q;
  logic [Maps*CountBits-1:0] same_q, same_d, touched_q, touched_d;

  // Sum and up to Stacks more, at most all ones.
  function automatic logic [CountBits-1:0] plus(input logic [CountBits-1:0] sum, input logic [3:0] more);
    logic [CountBits:0] s;
    s = {1'b0, sum} + (CountBits+1)'(more);
    plus = s[CountBits] ? '1 : s[CountBits-1:0];
  endfunction

  function automatic logic [3:0] ones(input logic [Stacks-1:0] bits);
    ones = '0;
    for (int s = 0; s < Stacks; s++) ones = ones + 4'(bits[s]);
  endfunction

  // The sums of one map are read as they are in this cycle. The registers behind
  // the multiplexer make the read a cycle late.
  always_comb begin
    rd_same_d    = '0;
    rd_touched_d = '0;
    for (int m = 0; m < Maps; m++) begin
      same_d[m*CountBits +: CountBits]    = plus(same_q[m*CountBits +: CountBits], 4'(accesses && same[m]));
      touched_d[m*CountBits +: CountBits] = plus(touched_q[m*CountBits +: CountBits],
                                                 ends ? ones(end_row[m*Stacks +: Stacks]) : '0);
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
  // Accesses to first stacks are among all accesses, and each access leaves a bit in its row.
  always @(posedge clk_i) if (rst_ni) begin
    assert (total_q >= same_q[CountBits-1:0]);
    assert (!accesses || acc_row != '0);
  end
`endif
endmodule

`default_nettype wire
