// SPDX-License-Identifier: Apache-2.0
//
// tom_ranges -- the table of allocations: which of them offloading candidates access (TOM paper, sections 4.3 and 6.6).
//
// Start and length of the entries are in a memory, the marks are flip-flops. An address from the queue is looked for by halves: what a read of the last
// cycle brought is compared, and the next read goes out in the same cycle.

`default_nettype none

module tom_ranges #(
  parameter  int Entries    = 100,                       // allocations, 2 to 128
  parameter  int AddrBits   = 48,                        // bits of an address, 3 to 48
  parameter  int QueueDepth = 8,                         // addresses that wait, 1 to 64
  localparam int IdxW       = $clog2(Entries),
  localparam int CountW     = $clog2(Entries + 1),
  localparam int PtrW       = QueueDepth > 1 ? $clog2(QueueDepth) : 1,
  localparam int NumW       = $clog2(QueueDepth + 1)
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  // From the GPU's runtime
  input  wire logic                cfg_valid_i,
  input  wire logic [IdxW-1:0]     cfg_idx_i,
  input  wire logic [AddrBits-1:0] cfg_start_i,
  input  wire logic [AddrBits-1:0] cfg_bytes_i,
  output      logic                cfg_ready_o,
  input  wire logic [CountW-1:0]   count_i,
  // From the map analysers: what candidates access
  input  wire logic                q_valid_i,
  input  wire logic [AddrBits-1:0] q_addr_i,
  output      logic                q_ready_o,
  // To the GPU's runtime
  input  wire logic [IdxW-1:0]     rd_idx_i,
  output      logic                rd_mark_o,
  output      logic                busy_o,
  // Probes
  output      logic                probe_done_o,
  output      logic                probe_hit_o,
  output      logic [3:0]          probe_reads_o
);

  // The queue
  logic                full, some, start;
  logic                unused_empty, unused_overflow, unused_underflow;
  logic [NumW-1:0]     unused_count;
  logic [PtrW-1:0]     unused_wptr, unused_rptr;
  logic [AddrBits-1:0] head;
  logic                look_d, look_q;                   // an address is looked up

  fifo #(.Width(AddrBits), .Depth(QueueDepth)) i_queue (
    .clk_i, .rst_ni, .push_i (q_valid_i && !full), .wdata_i (q_addr_i), .pop_i (start), .full_o (full), .empty_o (unused_empty), .not_empty_o (some),
    .count_o (unused_count), .rdata_o (head), .overflow_o (unused_overflow), .underflow_o (unused_underflow), .probe_wptr_o (unused_wptr),
    .probe_rptr_o (unused_rptr)
  );

  assign start       = some && !look_q;
  assign busy_o      = some || look_q;
  assign q_ready_o   = !full;
  assign cfg_ready_o = !busy_o;

  // The table
  logic                  write, read;
  logic [CountW-1:0]     middle_d, middle_q, low_d, low_q, high_d, high_q, low, high;
  logic [CountW:0]       both;
  logic [2*AddrBits-1:0] row;
  logic [AddrBits-1:0]   addr_q, from, bytes;

  assign write = cfg_valid_i && cfg_ready_o;

  sram_1r1w #(.Width(2 * AddrBits), .Depth(Entries), .LaneBits(2 * AddrBits)) u_entries (
    .clk_i, .rst_ni, .wr_en_i (write), .wr_addr_i (cfg_idx_i), .wr_mask_i (1'b1), .wr_data_i ({cfg_bytes_i, cfg_start_i}),
    .rd_en_i (read), .rd_addr_i (middle_d[IdxW-1:0]), .rd_data_o (row)
  );

  // The entry that was read, and where to go on
  logic lower, hit, ends;

  assign from   = row[AddrBits-1:0];
  assign bytes  = row[2*AddrBits-1:AddrBits];
  assign lower = addr_q < from;
  assign hit = look_q && !lower && addr_q - from < bytes;
  assign low    = lower ? low_q : middle_q + 1'b1;
  assign high   = lower ? middle_q : high_q;
  assign ends   = look_q && (hit || low >= high);

  assign low_d    = start ? '0 : low;
  assign high_d   = start ? count_i : high;
  assign both     = {1'b0, low_d} + {1'b0, high_d};
  assign middle_d = CountW'(both >> 1);
  assign read     = (start && count_i != '0) || (look_q && !ends);
  assign look_d   = read;

  // Marks
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

  // Without a look-up they mean nothing
  always_ff @(posedge clk_i) begin
    if (start) addr_q <= head;
    if (read) begin
      low_q    <= low_d;
      high_q   <= high_d;
      middle_q <= middle_d;
    end
  end

  assign rd_mark_o = mark_q;

  // For the probes alone
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
  always @(posedge clk_i) if (rst_ni) begin
    assert (!look_q || (low_q <= middle_q && middle_q < high_q));
    assert (!(write && hit));
  end
`endif
endmodule

`default_nettype wire
