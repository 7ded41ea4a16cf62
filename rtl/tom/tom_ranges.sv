// SPDX-License-Identifier: Apache-2.0
//
// tom_ranges -- the table of allocations: which of them do candidates
// access (TOM paper, sections 4.3 and 6.6)?
//
// Start and length of an entry are in a memory, its mark is a flip-flop. A binary
// search looks for an address, an entry a cycle. The entry that was read is compared,
// and the next read goes out in the same cycle.
//
//             q_valid, q_ready         start: oldest address, low = 0, high = count
//   q_addr --> queue ----------------> LOOK --hit: set mark------------------> idle
//                                      ^  | --low >= high: no entry has it---> idle
//                                      +--+ read entry (low + high) / 2

`default_nettype none

module tom_ranges #(
  parameter  int Entries    = 100,                                      // allocations, 2 to 128
  parameter  int AddrBits   = 48,                                       // bits of an address, 3 to 48
  parameter  int QueueDepth = 8,                                        // addresses that wait, 1 to 64
  localparam int IdxW       = $clog2(Entries),                          // bits of an entry's number
  localparam int CountW     = $clog2(Entries + 1),                      // bits of the number of entries
  localparam int PtrW       = QueueDepth > 1 ? $clog2(QueueDepth) : 1,  // bits of a place in the queue
  localparam int NumW       = $clog2(QueueDepth + 1)                    // bits of the number of addresses that wait
) (
  input  wire logic                clk_i,         // core clock
  input  wire logic                rst_ni,        // asynchronous, active low
  // From the GPU's runtime
  input  wire logic                cfg_valid_i,   // writes an entry and clears its mark, with cfg_ready_o
  input  wire logic [IdxW-1:0]     cfg_idx_i,     // number of the entry
  input  wire logic [AddrBits-1:0] cfg_start_i,   // address of its first byte
  input  wire logic [AddrBits-1:0] cfg_bytes_i,   // its length in bytes
  output      logic                cfg_ready_o,   // no address waits or is looked up
  input  wire logic [CountW-1:0]   count_i,       // entries in use; their starts rise, none overlaps
  // From the map analysers: what candidates access
  input  wire logic                q_valid_i,     // a candidate accesses an address, with q_ready_o
  input  wire logic [AddrBits-1:0] q_addr_i,      // byte address
  output      logic                q_ready_o,     // the queue has a place
  // To the GPU's runtime
  input  wire logic [IdxW-1:0]     rd_idx_i,      // entry whose mark is read
  output      logic                rd_mark_o,     // mark of the entry of the cycle before
  output      logic                busy_o,        // an address waits or is looked up
  // Probes
  output      logic                probe_done_o,  // a look-up ended in the cycle before
  output      logic                probe_hit_o,   // with probe_done_o: an entry has the address
  output      logic [3:0]          probe_reads_o  // with probe_done_o: entries that were read
);

  // The queue. Accesses can come faster than look-ups end. Its head leaves it
  // when a look-up starts.
  logic                full, some, start;
  logic                unused_empty, unused_overflow, unused_underflow;
  logic [NumW-1:0]     unused_count;
  logic [PtrW-1:0]     unused_wptr, unused_rptr;
  logic [AddrBits-1:0] head;
  logic                look_d, look_q;                   // an address is looked up

  fifo #(.Width(AddrBits), .Depth(QueueDepth)) i_queue (
    .clk_i, .rst_ni, .push_i (q_valid_i && !full), .wdata_i (q_addr_i), .pop_i (start), .full_o (full),
    .empty_o (unused_empty), .not_empty_o (some), .count_o (unused_count), .rdata_o (head),
    .overflow_o (unused_overflow), .underflow_o (unused_underflow), .probe_wptr_o (unused_wptr),
    .probe_rptr_o (unused_rptr)
  );

  assign start       = some && !look_q;
  assign busy_o      = some || look_q;
  assign q_ready_o   = !full;
  assign cfg_ready_o = !busy_o;

  // The table. An entry of the memory is {bytes, start}. Writes wait for the look-ups
  // (cfg_ready_o), so a search never sees a table that changes.
  logic                  write, read;
  logic [CountW-1:0]     middle_d, middle_q, low_d, low_q, high_d, high_q, low, high;
  logic [CountW:0]       both;
  logic [2*AddrBits-1:0] row;
  logic [AddrBits-1:0]   addr_q, from, bytes;

  assign write = cfg_valid_i && cfg_ready_o;

  sram_1r1w #(.Width(2 * AddrBits), .Depth(Entries), .LaneBits(2 * AddrBits)) u_entries (
    .clk_i, .rst_ni, .wr_en_i (write), .wr_addr_i (cfg_idx_i), .wr_mask_i (1'b1),
    .wr_data_i ({cfg_bytes_i, cfg_start_i}), .rd_en_i (read), .rd_addr_i (middle_d[IdxW-1:0]), .rd_data_o (row)
  );

  // The entry that was read, and where the search goes on. addr - from does not wrap, as lower is
  // 0. An entry without bytes has no address. The entry in the middle is never read again.
  logic lower, hit, ends;

  assign from   = row[AddrBits-1:0];
  assign bytes  = row[2*AddrBits-1:AddrBits];
  assign lower = addr_q < from;
  assign hit = look_q && !lower && addr_q - from < bytes;
  assign low    = lower ? low_q : middle_q + 1'b1;
  assign high   = lower ? middle_q : high_q;
  assign ends   = look_q && (hit || low >= high);

  // Start and search share the adder: a start reads the middle of all entries in use.
  assign low_d    = start ? '0 : low;
  assign high_d   = start ? count_i : high;
  assign both     = {1'b0, low_d} + {1'b0, high_d};
  assign middle_d = CountW'(both >> 1);
  assign read     = (start && count_i != '0) || (look_q && !ends);
  assign look_d   = read;

  // The marks. They are flip-flops because a hit sets one while the runtime reads another.
  logic [Entries-1:0] marks_q;
  logic               mark_q;

  for (genvar e = 0; e < Entries; e++) begin : g_entry
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) marks_q[e] <= 1'b0;
      else if (write && 32'(cfg_idx_i) == e) marks_q[e] <= 1'b0;
      else if (hit && 32'(middle_q) == e) marks_q[e] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      look_q <= 1'b0;
      mark_q <= 1'b0;
    end else begin
      look_q <= look_d;
      mark_q <= marks_q[rd_idx_i];
    end
  end

  // The registers of a look-up have no reset: they mean nothing without look_q.
  always_ff @(posedge clk_i) begin
    if (start) addr_q <= head;
    if (read) begin
      low_q    <= low_d;
      high_q   <= high_d;
      middle_q <= middle_d;
    end
  end

  assign rd_mark_o = mark_q;

  // For the probes alone.
  logic       done_q, hit_q;
  logic [3:0] reads_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      done_q  <= 1'b0;
      hit_q   <= 1'b0;
      reads_q <= '0;
    end else begin
      done_q  <= ends || (start && !read);
      hit_q   <= hit;
      reads_q <= start ? 4'(read) : reads_q + 4'(read);
    end
  end

  assign probe_done_o  = done_q;
  assign probe_hit_o   = hit_q;
  assign probe_reads_o = reads_q;

  initial begin
    if (Entries < 2 || Entries > 128) $fatal(1, "tom_ranges: Entries must be 2 to 128");
    if (AddrBits < 3 || AddrBits > 48) $fatal(1, "tom_ranges: AddrBits must be 3 to 48");
    if (QueueDepth < 1 || QueueDepth > 64) $fatal(1, "tom_ranges: QueueDepth must be 1 to 64");
  end

`ifndef SYNTHESIS
  // The entry that was read lies in the interval that is searched. No write meets a mark.
  always @(posedge clk_i) if (rst_ni) begin
    assert (!look_q || (low_q <= middle_q && middle_q < high_q));
    assert (!(write && hit));
  end
`endif
endmodule

`default_nettype wire
