// SPDX-License-Identifier: Apache-2.0
//
// tom_ranges_proof -- every address that is taken is looked for, in order and in time. It is found
// if an entry has it, and then only that entry's mark is set. A mark goes only with a write.
//
// The wrapper keeps the table as it was written, the addresses that were taken, and the marks.

`default_nettype none

module tom_ranges_proof #(
  parameter  int Entries    = 3,
  parameter  int AddrBits   = 3,
  parameter  int QueueDepth = 2,
  localparam int IdxW       = $clog2(Entries),
  localparam int CountW     = $clog2(Entries + 1)
) (
  input wire logic                clk_i,
  input wire logic                cfg_valid_i,
  input wire logic [IdxW-1:0]     cfg_idx_i,
  input wire logic [AddrBits-1:0] cfg_start_i,
  input wire logic [AddrBits-1:0] cfg_bytes_i,
  input wire logic [CountW-1:0]   count_i,
  input wire logic                q_valid_i,
  input wire logic [AddrBits-1:0] q_addr_i,
  input wire logic [IdxW-1:0]     rd_idx_i
);

  localparam int MOST = QueueDepth + 1;  // addresses waiting and looked up

  logic       rst_n = 1'b0;                              // low in the first cycle only
  logic       cfg_ready, q_ready, rd_mark, busy, done, found;
  logic [3:0] reads;

  tom_ranges #(.Entries(Entries), .AddrBits(AddrBits), .QueueDepth(QueueDepth)) u_dut (
    .clk_i, .rst_ni (rst_n), .cfg_valid_i, .cfg_idx_i, .cfg_start_i, .cfg_bytes_i, .cfg_ready_o (cfg_ready), .count_i,
    .q_valid_i, .q_addr_i, .q_ready_o (q_ready), .rd_idx_i, .rd_mark_o (rd_mark), .busy_o (busy), .probe_done_o (done),
    .probe_hit_o (found), .probe_reads_o (reads)
  );

  // The table; the addresses, the oldest first; the marks.
  logic [Entries*AddrBits-1:0] start = '0;
  logic [Entries*AddrBits-1:0] bytes = '0;
  logic [MOST*AddrBits-1:0] taken, taken_now;
  logic [3:0]               many, many_now;
  logic [Entries-1:0]       marks, marks_now, has;
  logic [AddrBits-1:0]      oldest;
  logic [CountW-1:0]        last_count;
  logic                     want_mark, last_busy, ordered;
  logic [4:0]               waits;

  assign oldest = taken[AddrBits-1:0];

  // Of each entry: its first byte, the byte behind its last, and the next entry's first byte.
  logic [Entries*(AddrBits+1)-1:0] from, behind, next;

  always_comb begin
    for (int i = 0; i < Entries; i++) begin
      from[i*(AddrBits+1) +: AddrBits+1]   = {1'b0, start[i*AddrBits +: AddrBits]};
      behind[i*(AddrBits+1) +: AddrBits+1] = {1'b0, start[i*AddrBits +: AddrBits]} + {1'b0,
          bytes[i*AddrBits +: AddrBits]};
    end
    next    = {{(AddrBits+1){1'b1}}, from[Entries*(AddrBits+1)-1:AddrBits+1]};
    has     = '0;
    ordered = 1'b1;
    for (int i = 0; i < Entries; i++) begin
      has[i] = i < 32'(count_i) && {1'b0, oldest} >= from[i*(AddrBits+1) +: AddrBits+1] &&
               {1'b0, oldest} < behind[i*(AddrBits+1) +: AddrBits+1];
      if (i + 1 < 32'(count_i) && (behind[i*(AddrBits+1) +: AddrBits+1] > next[i*(AddrBits+1) +: AddrBits+1] ||
                                   from[i*(AddrBits+1) +: AddrBits+1] == next[i*(AddrBits+1) +: AddrBits+1])) ordered =
                                   1'b0;
    end
    many_now  = many - 4'(done);
    taken_now = done ? taken >> AddrBits : taken;
    marks_now = done ? marks | has : marks;
  end

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      taken <= '0;
      marks <= '0;
      {many, want_mark, last_busy, waits} <= '0;
    end else begin
      taken     <= taken_now;
      many      <= many_now;
      marks     <= marks_now;
      want_mark <= marks_now[rd_idx_i];
      last_busy <= busy;
      last_count <= count_i;
      waits     <= busy && !done ? waits + 5'd1 : '0;
      if (q_valid_i && q_ready) begin
        taken[32'(many_now)*AddrBits +: AddrBits] <= q_addr_i;
        many                                      <= many_now + 4'd1;
      end
      if (cfg_valid_i && cfg_ready) begin
        start[32'(cfg_idx_i)*AddrBits +: AddrBits] <= cfg_start_i;
        bytes[32'(cfg_idx_i)*AddrBits +: AddrBits] <= cfg_bytes_i;
        marks[cfg_idx_i] <= 1'b0;
      end
    end
  end

  // The table is a memory without a reset, so a write during reset would reach it.
  always_comb assume (rst_n || !cfg_valid_i);

  always_comb if (rst_n) begin
    // The GPU's driver uses entries that exist,
    assume (32'(cfg_idx_i) < Entries);
    assume (32'(rd_idx_i) < Entries);
    assume (32'(count_i) <= Entries);
    // keeps their number while addresses wait,
    assume (!last_busy || count_i == last_count);
    // and writes them in order, without overlap (rule 1).
    assume (ordered || !(busy || done));
    // Rules 4 and 5: found if an entry has the address.
    looked_for: assert (!done || found == (has != '0));
    // Rules 2 and 3.
    none_lost:  assert (busy == (many_now != '0));
    // Rules 1, 5 and 6.
    marked:     assert (rd_mark == want_mark);
    // Rule 4: a binary search's number of cycles and reads.
    in_time:    assert (32'(waits) <= CountW + 1);
    few_reads:  assert (!done || 32'(reads) <= CountW);
    // Rule 2.
    room:       assert (q_ready || 32'(many_now) >= QueueDepth);
    // Rule 3.
    still:      assert (cfg_ready == !busy);
    // The last entry is found; the queue is full.
    third:      cover (done && found && has[Entries-1]);
    choked:     cover (!q_ready && done);
  end
endmodule

`default_nettype wire
