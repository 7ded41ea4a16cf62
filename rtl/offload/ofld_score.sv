// SPDX-License-Identifier: Apache-2.0
//
// ofld_score -- which offload blocks are worth it, from the caches' answers to their reads.
//
// Source: NSU paper, section 7.3. A block is worth it if the lines that it saves on the
// links exceed its registers that cross them. Both rules compare whole sums instead of averages:
//
//   lines = misses + instances * (stores - registers)
//   Rule 0: lines > 0      Rule 1: lines * 128 > bytes of hits
//
// So the average needs no divider, and rounding it up would change no comparison.
//
//   cycle t     update: read the block's entry from memory
//   cycle t+1   s1: add, write back. The sum of the cycle before comes from s2, not from memory
//   cycle t+2   s2: compare; probes
//   cycle t+3   s3: the verdict sets the block's bit
//   cycle t+4   allow_o shows it
//
// One bit an entry (fresh) says that the entry counts as empty, so that the memory needs no reset.
// All outputs are state.

`default_nettype none

module ofld_score #(
  parameter  int Entries      = 64,             // blocks with an entry, 2 .. 64
  parameter  int Rule         = 1,              // 0: the paper's Benefit, 1: all traffic over the links
  parameter  int MinInstances = 16,             // instances before the first verdict, 1 .. 255
  parameter  int Retry        = 8,              // epochs until blocks are tried again, 1 .. 255; 0: never
  parameter  int CountBits    = 12,             // bits of an entry's instances, 8 .. 16
  localparam int BlockW       = $clog2(Entries),
  localparam int MissW        = CountBits + 12, // bits of an entry's misses
  localparam int HitW         = CountBits + 20  // bits of an entry's bytes of hits
) (
  input  wire logic                 clk_i,             // clock, rising edge
  input  wire logic                 rst_ni,            // asynchronous reset, active low
  // From the GPU
  input  wire logic                 clear_i,           // another program: as after reset from the next cycle on
  input  wire logic                 epoch_end_i,       // an epoch of the offload ratio has ended
  input  wire logic                 upd_valid_i,       // an NSU has acknowledged an instance of a block
  input  wire logic [BlockW-1:0]    upd_block_i,       // which one; Entries and up have no effect
  input  wire logic [6:0]           upd_stores_i,      // stores of the block, 0 .. 64
  input  wire logic [4:0]           upd_regs_i,        // registers sent and returned, 0 .. 14
  input  wire logic [11:0]          upd_misses_i,      // lines of this instance that no cache had
  input  wire logic [19:0]          upd_hit_bytes_i,   // bytes that caches sent over links for it
  // To the offload decision
  output      logic [Entries-1:0]   allow_o,           // bit b: block b may be offloaded; all ones after reset
  // Probes
  output      logic                 probe_valid_o,     // an update is compared (s2)
  output      logic [BlockW-1:0]    probe_block_o,     // its block; this and the next four: with probe_valid_o
  output      logic [CountBits-1:0] probe_n_o,         // instances, this one included
  output      logic [MissW-1:0]     probe_misses_o,    // their misses
  output      logic [HitW-1:0]      probe_hit_bytes_o, // their bytes of hits
  output      logic                 probe_worth_o,     // worth it, or too few instances for a verdict
  output      logic [7:0]           probe_epochs_o     // epochs since blocks were let in again
);

  localparam int                   RowW  = CountBits + MissW + HitW;
  localparam int                   MoreW = 8;                       // stores - regs, signed
  localparam int                   SumW  = CountBits + 14;          // misses and those, signed
  localparam logic [CountBits-1:0] Least = CountBits'(MinInstances);
  localparam logic [7:0]           Last  = 8'(Retry - 1);           // not used if Retry is 0

  // Blocks that are let in again; allow_q and fresh_q hold one bit a block.
  logic [7:0]         epochs_d, epochs_q;
  logic               again_d, again_q;
  logic [Entries-1:0] allow_d, allow_q, judged, fresh_d, fresh_q, fresh;

  // Stage 1: the update and its entry {instances, misses, bytes of hits}
  logic                    s1_valid_d, s1_valid_q;
  logic [BlockW-1:0]       s1_block_q;
  logic signed [MoreW-1:0] s1_more_d, s1_more_q;
  logic [11:0]             s1_misses_q;
  logic [19:0]             s1_hits_q;
  logic [RowW-1:0]         row, old;
  logic [CountBits-1:0]    old_n, half_n, n;
  logic [MissW-1:0]        old_m, half_m, m;
  logic [HitW-1:0]         old_h, half_h, h;
  logic                    all;

  // Stage 2: the entry's new sums, compared
  logic                    s2_valid_d, s2_valid_q;
  logic [BlockW-1:0]       s2_block_q;
  logic signed [MoreW-1:0] s2_more_q;
  logic [CountBits-1:0]    s2_n_q;
  logic [MissW-1:0]        s2_m_q;
  logic [HitW-1:0]         s2_h_q;
  logic signed [SumW-1:0]  count, more, lines;
  logic                    saves, worth;

  // Stage 3: the verdict
  logic                    s3_valid_d, s3_valid_q, s3_worth_q;
  logic [BlockW-1:0]       s3_block_q;

  // Stage 1 starts. Reads answer in the next cycle; clear_i drops the update.
  assign s1_valid_d = upd_valid_i && 32'(upd_block_i) < Entries && !clear_i;
  assign s1_more_d  = $signed({1'b0, upd_stores_i}) - $signed({3'b0, upd_regs_i});

  sram_1r1w #(.Width(RowW), .Depth(Entries), .LaneBits(RowW)) u_entries (
    .clk_i, .rst_ni,
    .wr_en_i (s1_valid_q), .wr_addr_i (s1_block_q), .wr_mask_i (1'b1), .wr_data_i ({n, m, h}),
    .rd_en_i (s1_valid_d), .rd_addr_i (upd_block_i), .rd_data_o (row)
  );

  // An update right behind one of the same block reads the memory too early: its entry is in s2.
  // A full count halves all three sums first, so that the averages stay and nothing overflows.
  assign old   = fresh[s1_block_q] ? '0 : s2_valid_q && s2_block_q == s1_block_q ? {s2_n_q, s2_m_q, s2_h_q} : row;
  assign {old_n, old_m, old_h} = old;
  assign all    = &old_n;
  assign half_n = all ? {1'b0, old_n[CountBits-1:1]} : old_n;
  assign half_m = all ? {1'b0, old_m[MissW-1:1]} : old_m;
  assign half_h = all ? {1'b0, old_h[HitW-1:1]} : old_h;
  assign n      = half_n + CountBits'(1);
  assign m      = half_m + MissW'(s1_misses_q);
  assign h      = half_h + HitW'(s1_hits_q);

  // Stage 2. Below MinInstances a block counts as worth it, whatever its sums say.
  assign s2_valid_d = s1_valid_q && !clear_i;
  assign count      = $signed({{(SumW - CountBits){1'b0}}, s2_n_q});
  assign more       = $signed({{(SumW - MoreW){s2_more_q[MoreW-1]}}, s2_more_q});
  assign lines      = $signed({2'b0, s2_m_q}) + count * more;
  assign saves      = Rule != 0 ? $signed({lines, 7'd0}) > $signed({1'b0, s2_h_q}) : lines > 0;
  assign worth      = s2_n_q < Least || saves;

  // A verdict that meets again_q is dropped: it belongs to the entry that is forgotten.
  assign s3_valid_d = s2_valid_q && !again_q && !clear_i;

  // The Retry-th epoch's end since the last time, reset or clear_i
  assign again_d  = Retry != 0 && epoch_end_i && epochs_q == Last && !clear_i;
  assign epochs_d = clear_i || again_d ? '0 : epochs_q + 8'(epoch_end_i && Retry != 0);

  // Order in one cycle: a verdict counts, blocks are let in again, an update begins its new entry.
  // clear_i overrides all of them. Only blocks that were suppressed lose their entries.
  always_comb begin
    judged = allow_q;
    if (s3_valid_q) judged[s3_block_q] = s3_worth_q;
    fresh   = again_q ? fresh_q | ~judged : fresh_q;
    allow_d = clear_i || again_q ? '1 : judged;
    fresh_d = fresh;
    if (s1_valid_q) fresh_d[s1_block_q] = 1'b0;
    if (clear_i) fresh_d = '1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      allow_q    <= '1;
      fresh_q    <= '1;
      epochs_q   <= '0;
      again_q    <= 1'b0;
      s1_valid_q <= 1'b0;
      s2_valid_q <= 1'b0;
      s3_valid_q <= 1'b0;
    end else begin
      allow_q    <= allow_d;
      fresh_q    <= fresh_d;
      epochs_q   <= epochs_d;
      again_q    <= again_d;
      s1_valid_q <= s1_valid_d;
      s2_valid_q <= s2_valid_d;
      s3_valid_q <= s3_valid_d;
    end
  end

  // Data of the stages; their valid bits say when these mean something.
  always_ff @(posedge clk_i) begin
    s1_block_q  <= upd_block_i;
    s1_more_q   <= s1_more_d;
    s1_misses_q <= upd_misses_i;
    s1_hits_q   <= upd_hit_bytes_i;
    s2_block_q  <= s1_block_q;
    s2_more_q   <= s1_more_q;
    s2_n_q      <= n;
    s2_m_q      <= m;
    s2_h_q      <= h;
    s3_block_q  <= s2_block_q;
    s3_worth_q  <= worth;
  end

  assign allow_o           = allow_q;
  assign probe_valid_o     = s2_valid_q;
  assign probe_block_o     = s2_block_q;
  assign probe_n_o         = s2_n_q;
  assign probe_misses_o    = s2_m_q;
  assign probe_hit_bytes_o = s2_h_q;
  assign probe_worth_o     = worth;
  assign probe_epochs_o    = epochs_q;

  initial begin
    if (Entries < 2 || Entries > 64) $fatal(1, "ofld_score: Entries must be 2 to 64");
    if (Rule < 0 || Rule > 1) $fatal(1, "ofld_score: Rule must be 0 or 1");
    if (MinInstances < 1 || MinInstances > 255) $fatal(1, "ofld_score: MinInstances must be 1 to 255");
    if (Retry < 0 || Retry > 255) $fatal(1, "ofld_score: Retry must be 0 to 255");
    if (CountBits < 8 || CountBits > 16) $fatal(1, "ofld_score: CountBits must be 8 to 16");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (!s2_valid_q || s2_n_q != '0);
    assert (s1_valid_q !== 1'b1 || 32'(s1_block_q) < Entries);
    assert (!again_q || Retry != 0);
  end
`endif
endmodule

`default_nettype wire
