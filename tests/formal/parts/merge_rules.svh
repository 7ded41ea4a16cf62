// SPDX-License-Identifier: Apache-2.0
//
// The rules of rtl/nsu/nsu_mergebuf.ports as properties, for a wrapper that includes this file in
// its module. The wrapper has Depth, LaneBits, IdxBits and the ports below. `MERGE is the block
// with its parameters, `MERGE_WRITE its write port. The wrapper says what the watched thread's word
// is in a packet (word_in) and in a row (word_out), WordW bits each.
//
// The properties watch any one instruction and one of its threads. Ids differ in two bits. Two
// threads are free, the others are off; a size is one bit. A take names the entry that the look-up
// of the same cycle found. Now and then it names the entry taken in the last cycle again, which
// must do nothing.

  logic                   rst_n = 1'b0;       // low in the first cycle only
  logic                   lk_hit, cpl, overflow, merge, write, took, takes_it, took_last, again;
  logic [IdxBits-1:0]     lk_idx, last_idx, write_idx, cpl_idx, entry;  // entry: the watched instruction's
  logic [31:0]            row_mask, wr_mask, wr_lmask;
  logic [32*LaneBits-1:0] row;
  logic [1:0]             row_size;
  logic [7:0]             cpl_sm;
  logic [5:0]             cpl_warp, cpl_seq;
  logic [IdxBits:0]       level;

  logic [1:0]             id, cpl_id;
  // of the watched thread: stored, in this packet, in the row taken
  logic [WordW-1:0]       word, word_in, word_out, word_taken;
  logic                   thread, size;
  logic                   busy, mine, misfit, fits, completes;       // mine: this packet is of the watched instruction
  logic [1:0]             there, all, all_taken;
  logic                   taken, on_taken, cpl_due, merge_due, over_due, late;
  logic                   size_taken;

  `MERGE u_dut (
    .clk_i, .rst_ni (rst_n), .wr_valid_i (wr_valid_i && rst_n), `MERGE_WRITE, .lk_sm_i ({7'd0, lk_id_i[1]}),
    .lk_warp_i (6'd0), .lk_seq_i ({5'd0, lk_id_i[0]}), .lk_hit_o (lk_hit), .lk_idx_o (lk_idx), .take_i,
    .take_idx_i (again ? last_idx : lk_idx), .taken_o (took), .row_o (row), .row_mask_o (row_mask),
    .row_size_o (row_size), .cpl_valid_o (cpl), .cpl_sm_o (cpl_sm), .cpl_warp_o (cpl_warp), .cpl_seq_o (cpl_seq),
    .cpl_idx_o (cpl_idx), .err_overflow_o (overflow), .err_merge_o (merge), .probe_write_o (write),
    .probe_write_idx_o (write_idx), .probe_level_o (level)
  );

  // The two threads in a mask
  function automatic logic [31:0] spread(input logic [1:0] two);
    spread = {two[1], 17'd0, two[0], 13'd0};
  endfunction

  assign wr_mask  = spread(wr_on_i);
  assign wr_lmask = spread(wr_all_i);
  assign cpl_id  = {cpl_sm[0], cpl_seq[0]};

  assign again    = take_i && again_i && took_last;
  assign takes_it = take_i && !again;

  assign mine      = wr_valid_i && wr_id_i == id;
  assign misfit    = (wr_on_i & ~wr_all_i) != '0 ||
                     (busy && (there == all || (there & wr_on_i) != '0 || wr_all_i != all || wr_size_i != size));
  assign fits      = mine && !misfit && (busy || 32'(level) < Depth);
  assign completes = fits && ((busy ? there : 2'd0) | wr_on_i) == wr_all_i;

  always @(posedge clk_i) begin
    rst_n     <= 1'b1;
    cpl_due   <= rst_n && completes;
    merge_due <= rst_n && mine && misfit;
    over_due  <= rst_n && mine && !misfit && !fits;
    late      <= rst_n && mine;
    took_last <= rst_n && takes_it;
    last_idx  <= lk_idx;
    if (!rst_n) begin
      busy   <= 1'b0;
      id     <= id_i;
      thread <= thread_i;
      taken  <= 1'b0;
    end else begin
      if (takes_it) begin
        taken      <= lk_id_i == id;
        all_taken  <= all;
        size_taken <= size;
        word_taken <= word;
        on_taken   <= all[thread];
      end
      if (takes_it && lk_id_i == id) busy <= 1'b0;
      if (cpl && cpl_id == id) entry <= cpl_idx;
      if (fits) begin
        busy  <= 1'b1;
        there <= (busy ? there : 2'd0) | wr_on_i;
        all   <= wr_all_i;
        size  <= wr_size_i;
        if (wr_on_i[thread]) word <= word_in;
      end
    end
  end

  always_comb if (rst_n) begin
    // The issue stage takes an entry only if its look-up has found it.
    assume (!takes_it || lk_hit);
    // Rule 6: a look-up finds the instruction while it is busy and complete, in its entry.
    found:       assert (lk_id_i != id || (lk_hit == (busy && there == all) &&
                                           (!lk_hit || lk_idx == (cpl && cpl_id == id ? cpl_idx : entry))));
    // Rule 5: completion is told once, in the cycle after the completing packet.
    told_once:   assert (cpl_due == (cpl && cpl_id == id) && (!cpl || {cpl_sm[7:1], cpl_warp, cpl_seq[5:1]} == '0));
    // Rule 7: a take of a complete entry succeeds; the repeated one does nothing.
    takes:       assert (took == takes_it);
    // Rules 2 and 3: misfits and packets without a place, in the next cycle.
    flagged:     assert (!late || (merge == merge_due && overflow == over_due));
    // Rule 7: the mask, size and words of the entry that was taken.
    its_mask:    assert (!taken || (row_mask == spread(all_taken) && row_size == {size_taken, 1'b0}));
    its_word:    assert (!taken || !on_taken || word_out == word_taken);
    // The probe counts busy entries.
    levels:      assert (32'(level) <= Depth && (!busy || level != '0));
    // An instruction of two packets comes out while all entries are busy.
    merged:      cover (taken && on_taken && all_taken == 2'b11 && word_taken[0] && 32'(level) == Depth);
  end
