// SPDX-License-Identifier: Apache-2.0
//
// ofld_score_proof -- a verdict is the rule (the paper's or ours) applied to the entry. `allow`
// changes by verdicts, by the last of Retry epochs and by another program, in their cycles, and
// never otherwise. An entry has one instance more than at its block's last update, with what came.
//
// The paper divides to get an average. The wrapper has a free number instead, and compares verdicts
// only when that number is the quotient, rounded up. It watches any one block. A block has up to
// three stores and registers. Nothing is assumed.

`default_nettype none

module ofld_score_proof #(
  parameter  int Entries      = 2,
  parameter  int Rule         = 1,
  parameter  int MinInstances = 3,
  parameter  int Retry        = 2,
  parameter  int CountBits    = 8,
  localparam int BlockW       = $clog2(Entries)
) (
  input  wire logic              clk_i,
  input  wire logic              clear_i,
  input  wire logic              epoch_end_i,
  input  wire logic              upd_valid_i,
  input  wire logic [BlockW-1:0] upd_block_i,
  input  wire logic [1:0]        stores_i,
  input  wire logic [1:0]        regs_i,
  input  wire logic [11:0]       upd_misses_i,
  input  wire logic [19:0]       upd_hit_bytes_i,
  input  wire logic [15:0]       average_i,  // misses of an instance, rounded up
  input  wire logic [BlockW-1:0] watch_i          // in the cycle of reset: the block to watch
);

  logic                    rst_n = 1'b0;          // low in the first cycle only
  logic [Entries-1:0]      allow;
  logic                    valid, worth;
  logic [BlockW-1:0]       block;
  logic [CountBits-1:0]    n;
  logic [CountBits+12-1:0] m;
  logic [CountBits+20-1:0] h;
  logic [7:0]              epochs;

  ofld_score #(.Entries(Entries), .Rule(Rule), .MinInstances(MinInstances), .Retry(Retry),
               .CountBits(CountBits)) u_dut (
    .clk_i, .rst_ni (rst_n), .clear_i, .epoch_end_i, .upd_valid_i, .upd_block_i, .upd_stores_i ({5'd0, stores_i}),
    .upd_regs_i ({3'd0, regs_i}), .upd_misses_i, .upd_hit_bytes_i, .allow_o (allow), .probe_valid_o (valid),
    .probe_block_o (block), .probe_n_o (n), .probe_misses_o (m), .probe_hit_bytes_o (h), .probe_worth_o (worth),
    .probe_epochs_o (epochs)
  );

  // Updates of one and two cycles ago.
  logic              came, summed;
  logic [BlockW-1:0] came_block, summed_block;
  logic [1:0]        came_stores, stores;
  logic [1:0]        came_regs, regs;
  logic [11:0]       came_misses, misses;
  logic [19:0]       came_bytes, bytes;

  // Rule 3: the score, in bytes.
  logic [38:0] benefit, overhead;
  logic        positive, verdict, divided;

  // The free number is the average, rounded up. With Rule = 1 the verdict does not use it.
  assign divided  = 32'(average_i) * 32'(n) >= 32'(m) && 32'(average_i) * 32'(n) < 32'(m) + 32'(n);
  assign benefit  = {Rule == 0 ? 32'(average_i) + 32'(stores) : 32'(m) + 32'(n) * 32'(stores), 7'd0};
  assign overhead = {Rule == 0 ? 32'(regs) : 32'(n) * 32'(regs), 7'd0} + (Rule == 0 ? 39'd0 : 39'(h));
  assign positive = benefit > overhead;
  assign verdict  = 32'(n) < MinInstances || positive;

  // Rules 4 to 6: what follows for `allow`.
  logic [Entries-1:0] may, after;
  logic               told, told_worth, again;
  logic [BlockW-1:0]  told_block;
  logic [8:0]         ended;
  logic               last;

  assign last = Retry != 0 && epoch_end_i && 32'(ended) == Retry - 1;

  always_comb begin
    // A verdict of the last cycle changes its block's bit.
    after = may;
    if (told) after[told_block] = told_worth;
  end

  // Rules 1 and 2: the watched block's entry.
  logic [BlockW-1:0]       watch;
  logic                    mine, empty;  // the probes are the watched block's; its entry has no instances
  logic [CountBits-1:0]    had_n;
  logic [CountBits+12-1:0] had_m;
  logic [CountBits+20-1:0] had_h;
  logic                    brim, adds;

  assign mine = valid && block == watch;
  // A full count is halved with its sums before the update adds to them.
  assign brim = !empty && &had_n;
  assign adds = 64'(n) == (empty ? 64'd0 : 64'(had_n) >> brim) + 64'd1 &&
                64'(m) == (empty ? 64'd0 : 64'(had_m) >> brim) + 64'(misses)
                && 64'(h) == (empty ? 64'd0 : 64'(had_h) >> brim) + 64'(bytes);

  // A line of two updates beside the block's pipeline; clear and the last epoch of Retry.
  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    came_block   <= upd_block_i;
    came_stores  <= stores_i;
    came_regs    <= regs_i;
    came_misses  <= upd_misses_i;
    came_bytes   <= upd_hit_bytes_i;
    summed_block <= came_block;
    stores       <= came_stores;
    regs         <= came_regs;
    misses       <= came_misses;
    bytes        <= came_bytes;
    told_block   <= block;
    told_worth   <= worth;
    if (!rst_n) begin
      watch  <= watch_i;
      came   <= 1'b0;
      summed <= 1'b0;
      told   <= 1'b0;
      again  <= 1'b0;
      ended  <= '0;
      may    <= '1;
      empty  <= 1'b1;
    end else if (clear_i) begin
      came   <= 1'b0;
      summed <= 1'b0;
      told   <= 1'b0;
      again  <= 1'b0;
      ended  <= '0;
      may    <= '1;
      empty  <= 1'b1;
    end else begin
      came   <= upd_valid_i && 32'(upd_block_i) < Entries;
      summed <= came;
      told   <= summed && !again;
      again  <= last;
      ended  <= last ? '0 : ended + 9'(epoch_end_i && Retry != 0);
      may    <= again ? '1 : after;
      if (mine) begin
        empty <= 1'b0;
        had_n <= n;
        had_m <= m;
        had_h <= h;
      end
      if (again && !after[watch]) empty <= 1'b1;
    end
  end

  logic on_time;

  assign on_time = valid == summed && (!valid || block == summed_block) && 9'(epochs) == ended
                   && (Retry == 0 ? ended == '0 && !again : 32'(ended) < Retry);

  always_comb if (rst_n) begin
    // Rules 4 and 5: verdicts and epochs in time.
    in_time:   assert (on_time);
    // Rule 3.
    by_rule:   assert (!valid || n == '0 || !divided || worth == verdict);
    // Rules 4 to 6.
    allows:    assert (on_time && allow == may);
    // Rule 1: a verdict is of a block with instances.
    in_bounds: assert (!valid || (n != '0 && 32'(block) < Entries));
    // Rules 1 and 2.
    summed_up: assert (!mine || adds);
    // A block is suppressed; one is let in again as its update comes.
    suppressed: cover (!allow[0]);
    let_in:     cover (again && !after[watch] && came && came_block == watch);
  end

endmodule

`default_nettype wire
