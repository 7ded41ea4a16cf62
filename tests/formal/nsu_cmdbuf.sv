// SPDX-License-Identifier: Apache-2.0
//
// nsu_cmdbuf_proof -- a whole command is offered once, in order, with its own fields and an entry
// of its own. Its registers are read back from that entry until it is freed. Beats out of order and
// commands without a place are flagged and dropped.
//
// The wrapper watches any one entry and one of its registers. A command's fields are two bits
// repeated, a register's line is one bit repeated.

`default_nettype none

`include "nsu_types.svh"
`include "parts/sram_words.svh"

module nsu_cmdbuf_proof #(
  parameter int CmdBufDepth = 2,
  parameter int CmdRegs     = 2
) (
  input  wire logic       clk_i,
  input  wire logic       wr_valid_i,
  input  wire logic [2:0] beat_i,
  input  wire logic [2:0] count_i,
  input  wire logic [1:0] bits_i,
  input  wire logic       line_i,
  input  wire logic       sp_ready_i,
  input  wire logic       rd_en_i,
  input  wire logic [5:0] rd_idx_i,
  input  wire logic [2:0] rd_beat_i,
  input  wire logic       free_en_i,
  input  wire logic [5:0] free_idx_i,
  input  wire logic [5:0] idx_i,  // in the cycle of reset: the entry to watch
  input  wire logic [2:0] reg_i               // and the register
);

  logic          rst_n = 1'b0;                // low in the first cycle only
  logic          over, bad_beat, sp_valid, alloc;
  logic [7:0]    sp_sm;
  logic [5:0]    sp_warp, sp_idx, alloc_idx, idx;
  logic [39:0]   sp_pc, sp_cbase;
  logic [31:0]   sp_mask;
  logic [2:0]    sp_count, rg;
  logic [1023:0] rd_data;
  logic [6:0]    level;
  pkt_hdr_t      hdr;

  logic [2:0]    expected, count_now, left_count;
  logic [63:0]   busy, out;  // entries taken; entries spawned and not freed
  logic [5:0]    lowest, going, now_idx;  // going: the entry of the unfinished command
  logic          any_free, starts, takes, ends, over_due, beat_due;
  logic [6:0]    queued;  // commands complete and not spawned
  logic [6:0]    before;  // those before the watched entry's command
  logic          mine, waits;  // the watched entry has a command; that command waits in the queue
  logic [1:0]    bits;
  logic [2:0]    count;
  logic          now, known, read;            // the watched register's line
  logic          fields_ok;

  nsu_cmdbuf #(.CmdBufDepth(CmdBufDepth), .CmdRegs(CmdRegs)) u_dut (
    .clk_i, .rst_ni (rst_n), .wr_valid_i (wr_valid_i && rst_n), .wr_hdr_i (hdr), .wr_data_i ({1024{line_i}}),
    .err_overflow_o (over), .err_beat_o (bad_beat), .sp_valid_o (sp_valid), .sp_sm_o (sp_sm), .sp_warp_o (sp_warp),
    .sp_pc_o (sp_pc), .sp_mask_o (sp_mask), .sp_cbase_o (sp_cbase), .sp_count_o (sp_count), .sp_idx_o (sp_idx),
    .sp_ready_i, .rd_en_i, .rd_idx_i, .rd_beat_i, .rd_data_o (rd_data), .free_en_i, .free_idx_i, .probe_alloc_o (alloc),
    .probe_alloc_idx_o (alloc_idx), .probe_level_o (level)
  );

  always_comb begin
    hdr       = '0;
    hdr.sm    = {4{bits_i}};
    hdr.warp  = {3{bits_i}};
    hdr.addr  = {20{bits_i}};
    hdr.mask  = {16{bits_i}};
    hdr.cbase = {20{bits_i}};
    hdr.count = count_i;
    hdr.beat  = beat_i;
    any_free  = 1'b0;
    lowest    = '0;
    for (int i = CmdBufDepth - 1; i >= 0; i--) if (!busy[i]) {any_free, lowest} = {1'b1, 6'(i)};
  end

  // Rules 1 to 3: beat 0 takes the lowest free entry; later beats must follow in order.
  assign starts    = wr_valid_i && beat_i == '0 && expected == '0 && any_free && 32'(count_i) <= CmdRegs;
  assign takes     = starts || (wr_valid_i && beat_i == expected && expected != '0);
  assign count_now = starts ? count_i : left_count;
  assign now_idx   = starts ? lowest : going;
  assign ends      = takes && (count_now == '0 || 32'(expected) + 1 == 32'(count_now));
  assign fields_ok = sp_sm == {4{bits}} && sp_warp == {3{bits}} && sp_pc == {20{bits}} && sp_mask == {16{bits}} &&
                     sp_cbase == {20{bits}};

  // Entries, the queue's length, and the place of the watched entry's command in it.
  always @(posedge clk_i) begin
    rst_n    <= 1'b1;
    over_due <= rst_n && wr_valid_i && beat_i == expected && !takes;
    beat_due <= rst_n && wr_valid_i && beat_i != expected;
    if (!rst_n) begin
      idx      <= idx_i;
      rg       <= reg_i;
      expected <= '0;
      busy     <= '0;
      out      <= '0;
      queued   <= '0;
      mine     <= 1'b0;
      waits    <= 1'b0;
      known    <= 1'b0;
    end else begin
      if (takes) expected <= ends ? 3'd0 : expected + 3'd1;
      if (starts) begin
        left_count <= count_i;
        going      <= lowest;
      end
      for (int i = 0; i < CmdBufDepth; i++) begin
        if (free_en_i && 32'(free_idx_i) == i) {busy[i], out[i]} <= 2'b00;
        if (starts && 32'(lowest) == i) busy[i] <= 1'b1;
        if (sp_valid && sp_ready_i && 32'(sp_idx) == i) out[i] <= 1'b1;
      end
      // The watched command: its fields come with beat 0, its place in
      // the queue with its last beat.
      queued <= queued + 7'(ends) - 7'(sp_valid && sp_ready_i);
      if (starts && lowest == idx) begin
        mine  <= 1'b1;
        bits  <= bits_i;
        count <= count_i;
      end
      if (ends && now_idx == idx) begin
        waits  <= 1'b1;
        before <= queued - 7'(sp_valid && sp_ready_i);
      end else if (waits && sp_valid && sp_ready_i) begin
        waits  <= before != '0;
        before <= before - 7'd1;
      end
      if (free_en_i && free_idx_i == idx) mine <= 1'b0;
      if (takes && now_idx == idx && expected == rg && count_now != '0) now <= line_i;
      if (rd_en_i) begin
        known <= rd_idx_i == idx && rd_beat_i == rg && rg < count;
        read  <= now;
      end
    end
  end

  always_comb if (rst_n) begin
    // A choice of the proof, fixed in reset.
    assume (32'(idx) < CmdBufDepth && 32'(rg) < CmdRegs);
    // Rule 9: the load unit reads and frees an entry only after its command was spawned.
    assume (!rd_en_i || (32'(rd_idx_i) < CmdBufDepth && out[rd_idx_i] && 32'(rd_beat_i) < CmdRegs));
    assume (!free_en_i || (32'(free_idx_i) < CmdBufDepth && out[free_idx_i]));
    // Rule 5: the queue is exact.
    offered:    assert (sp_valid == (queued != '0));
    // Rules 4 to 6: the watched command comes out in its turn.
    its_turn:   assert (!sp_valid || (sp_idx == idx) == (waits && before == '0));
    // Rules 3 and 5: with the fields of its beat 0.
    its_fields: assert (!sp_valid || sp_idx != idx || (fields_ok && sp_count == count));
    // Rules 3 and 7: the watched register's line.
    its_line:   assert (!known || rd_data == {1024{read}});
    // Rules 1 and 2.
    flagged:    assert (over == over_due && bad_beat == beat_due);
    // Rules 2, 6 and 8: the probe counts allocated entries.
    levels:     assert (32'(level) <= CmdBufDepth && (level == '0) == (busy == '0));
    // The second register of a command is read back.
    read_back:  cover (known && read && count == 3'd2 && rg == 3'd1 && queued == 7'd1);
  end
endmodule

`default_nettype wire
