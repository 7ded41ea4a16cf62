// SPDX-License-Identifier: Apache-2.0
//
// nsu_mergebuf -- a buffer whose entries are filled by several packets of one memory instruction.
//
// Packets of an instruction have one id {sm, warp, seq} and come in any order. Two searches by id
// run in a cycle: one for the packet (busy entries), one for the look-up (complete entries).
//
//   free --packet of a new id--> busy --all threads of lmask are there--> complete --take--> free
//                                |  ^                                     (cpl_valid_o)
//                                +--+ packet of its id
//
// A packet of an unknown id takes the lowest free entry. A packet that does not fit its entry
// changes nothing, and err_merge_o says so. Words are in a memory with one mask bit a thread; a
// take reads it. lk_hit_o, lk_idx_o and taken_o are combinational, all other outputs registered.
// Reset clears busy, complete and the outputs that are always valid.

`default_nettype none

module nsu_mergebuf #(
  parameter  int Depth    = 256, // entries, 2 .. 1024
  parameter  int LaneBits = 32,  // bits a thread, 8 .. 64
  localparam int Width    = nsu_pkg::WARP_WIDTH * LaneBits,
  localparam int IdBits   = nsu_pkg::PKT_sm_W + nsu_pkg::PKT_warp_W + nsu_pkg::PKT_seq_W,
  localparam int IdxBits  = $clog2(Depth)
) (
  input  wire logic                            clk_i,             // clock, rising edge
  input  wire logic                            rst_ni,            // asynchronous reset, active low; frees all entries
  // From the network interface
  input  wire logic                            wr_valid_i,        // a packet; dropped if it does not fit
  input  wire logic [nsu_pkg::PKT_sm_W-1:0]    wr_sm_i,           // its id: SM; with wr_valid_i as all below
  input  wire logic [nsu_pkg::PKT_warp_W-1:0]  wr_warp_i,         // its id: warp
  input  wire logic [nsu_pkg::PKT_seq_W-1:0]   wr_seq_i,          // its id: number of the load or store
  input  wire logic [nsu_pkg::PKT_mask_W-1:0]  wr_mask_i,         // threads that it brings; a subset of wr_lmask_i
  input  wire logic [nsu_pkg::PKT_lmask_W-1:0] wr_lmask_i,        // threads of the whole instruction
  input  wire logic [nsu_pkg::PKT_size_W-1:0]  wr_size_i,         // bytes a thread: 0 one, 1 two, 2 four
  input  wire logic [Width-1:0]                wr_row_i,          // thread i's word at [LaneBits i +: LaneBits]
  // From and to the issue stage
  input  wire logic [nsu_pkg::PKT_sm_W-1:0]    lk_sm_i,           // id to look up: SM
  input  wire logic [nsu_pkg::PKT_warp_W-1:0]  lk_warp_i,         // id to look up: warp
  input  wire logic [nsu_pkg::PKT_seq_W-1:0]   lk_seq_i,          // id to look up: number
  output      logic                            lk_hit_o,          // same cycle: a complete entry has this id
  output      logic [IdxBits-1:0]              lk_idx_o,          // that entry, with lk_hit_o
  input  wire logic                            take_i,            // take an entry
  input  wire logic [IdxBits-1:0]              take_idx_i,        // the entry; nothing happens unless complete
  output      logic                            taken_o,           // same cycle: it is taken, and free in the next one
  // To the load or store unit
  output      logic [Width-1:0]                row_o,             // words of the entry taken last, from the cycle after
  output      logic [nsu_pkg::PKT_mask_W-1:0]  row_mask_o,        // its threads; 0 after reset
  output      logic [nsu_pkg::PKT_size_W-1:0]  row_size_o,        // its size; 0 after reset
  // To the warp table
  output      logic                            cpl_valid_o,       // pulse: the last cycle's packet completed an entry
  output      logic [nsu_pkg::PKT_sm_W-1:0]    cpl_sm_o,          // its id: SM; with cpl_valid_o
  output      logic [nsu_pkg::PKT_warp_W-1:0]  cpl_warp_o,        // its id: warp
  output      logic [nsu_pkg::PKT_seq_W-1:0]   cpl_seq_o,         // its id: number
  output      logic [IdxBits-1:0]              cpl_idx_o,         // the entry
  // Errors and probes
  output      logic                            err_overflow_o,    // next cycle: dropped, new id and no free entry
  output      logic                            err_merge_o,       // next cycle: dropped, it does not fit its entry
  output      logic                            probe_write_o,     // the last cycle's packet was accepted
  output      logic [IdxBits-1:0]              probe_write_idx_o, // its entry, with probe_write_o
  output      logic [IdxBits:0]                probe_level_o      // busy entries
);

  // Entries: busy, complete (full), id, threads of the instruction, threads that are there, size
  logic [Depth-1:0]   busy_d, busy_q, full_d, full_q;
  logic [IdBits-1:0]  id_q [0:Depth-1];
  logic [nsu_pkg::PKT_lmask_W-1:0] lmask_q [0:Depth-1];
  logic [nsu_pkg::PKT_mask_W-1:0] there_q [0:Depth-1];
  logic [nsu_pkg::PKT_size_W-1:0] size_q [0:Depth-1];
  logic [IdxBits:0]   level_d, level_q;

  // Receive. found: a busy entry has the packet's id. misfit: the packet contradicts its entry.
  logic [IdBits-1:0]  wr_id, lk_id;
  logic               found, any_free, misfit, accept, complete;
  logic [IdxBits-1:0] found_idx, free_idx, wr_idx;
  logic [nsu_pkg::PKT_mask_W-1:0] there;
  logic               overflow_d, overflow_q, merge_d, merge_q, cpl_q, write_q;
  logic [IdBits-1:0]  cpl_id_q;
  logic [IdxBits-1:0] write_idx_q;

  // Take
  logic [nsu_pkg::PKT_mask_W-1:0] row_mask_d, row_mask_q;
  logic [nsu_pkg::PKT_size_W-1:0] row_size_d, row_size_q;

  assign wr_id = {wr_sm_i, wr_warp_i, wr_seq_i};
  assign lk_id = {lk_sm_i, lk_warp_i, lk_seq_i};

  // Search for the packet: the entry of its id, else the lowest free one. Both look at registered
  // bits, so an entry that is taken in this cycle is not free yet. A complete entry of the id is
  // found, too: the packet is a misfit then, and no second entry gets the same id.
  always_comb begin
    found     = 1'b0;
    found_idx = '0;
    any_free  = 1'b0;
    free_idx  = '0;
    if (wr_valid_i) begin
      for (int i = Depth - 1; i >= 0; i--) begin
        if (busy_q[i]) begin
          if (id_q[i] == wr_id) begin
            found     = 1'b1;
            found_idx = IdxBits'(i);
          end
        end else begin
          any_free = 1'b1;
          free_idx = IdxBits'(i);
        end
      end
    end
  end

  // Search for the look-up. At most one busy entry has an id, so the order does not matter.
  always_comb begin
    lk_hit_o = 1'b0;
    lk_idx_o = '0;
    if (full_q != '0) begin
      for (int i = 0; i < Depth; i++) begin
        if (full_q[i] && id_q[i] == lk_id) begin
          lk_hit_o = 1'b1;
          lk_idx_o = IdxBits'(i);
        end
      end
    end
  end

  assign taken_o  = take_i && full_q[take_idx_i];
  assign wr_idx   = found ? found_idx : free_idx;
  assign there    = found ? there_q[found_idx] : '0;

  // A packet must bring threads of its lmask only. An entry of its id must not be complete and must
  // have none of these threads yet. Its lmask and size must be those of the packet. A packet with
  // an empty lmask takes an entry and completes it at once.
  assign misfit   = |(wr_mask_i & ~wr_lmask_i) ||
                    (found && (full_q[found_idx] || |(there & wr_mask_i) || lmask_q[found_idx] != wr_lmask_i ||
                               size_q[found_idx] != wr_size_i));
  assign accept   = wr_valid_i && !misfit && (found || any_free);
  assign complete = accept && (there | wr_mask_i) == wr_lmask_i;

  // A packet that is wrong in both ways counts as a misfit. Only a packet of a new id needs a free
  // entry.
  assign merge_d    = wr_valid_i && misfit;
  assign overflow_d = wr_valid_i && !misfit && !found && !any_free;

  // A take frees its entry. No packet can fill the same entry in that cycle: it would not fit.
  always_comb begin
    busy_d = busy_q;
    full_d = full_q;
    if (taken_o) begin
      busy_d[take_idx_i] = 1'b0;
      full_d[take_idx_i] = 1'b0;
    end
    if (accept) begin
      busy_d[wr_idx] = 1'b1;
      full_d[wr_idx] = complete;
    end
  end
  assign level_d    = level_q + (IdxBits+1)'(accept && !found) - (IdxBits+1)'(taken_o);
  assign row_mask_d = taken_o ? lmask_q[take_idx_i] : row_mask_q;
  assign row_size_d = taken_o ? size_q[take_idx_i]  : row_size_q;

  // Without reset: busy says which entries mean something.
  always_ff @(posedge clk_i) begin
    if (accept) begin
      id_q[wr_idx]    <= wr_id;
      lmask_q[wr_idx] <= wr_lmask_i;
      there_q[wr_idx] <= there | wr_mask_i;
      size_q[wr_idx]  <= wr_size_i;
      cpl_id_q        <= wr_id;
      write_idx_q     <= wr_idx;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q     <= '0;
      full_q     <= '0;
      level_q    <= '0;
      row_mask_q <= '0;
      row_size_q <= '0;
      overflow_q <= 1'b0;
      merge_q    <= 1'b0;
      cpl_q      <= 1'b0;
      write_q    <= 1'b0;
    end else begin
      busy_q     <= busy_d;
      full_q     <= full_d;
      level_q    <= level_d;
      row_mask_q <= row_mask_d;
      row_size_q <= row_size_d;
      overflow_q <= overflow_d;
      merge_q    <= merge_d;
      cpl_q      <= complete;
      write_q    <= accept;
    end
  end

  // Row i holds the words of entry i; a packet writes those of its threads.
  sram_1r1w #(.Width(Width), .Depth(Depth), .LaneBits(LaneBits)) u_rows (
    .clk_i, .rst_ni,
    .wr_en_i   (accept),
    .wr_addr_i (wr_idx),
    .wr_mask_i,
    .wr_data_i (wr_row_i),
    .rd_en_i   (taken_o),
    .rd_addr_i (take_idx_i),
    .rd_data_o (row_o)
  );

  assign row_mask_o        = row_mask_q;
  assign row_size_o        = row_size_q;
  assign cpl_valid_o       = cpl_q;
  assign {cpl_sm_o, cpl_warp_o, cpl_seq_o} = cpl_id_q;
  assign cpl_idx_o         = write_idx_q;
  assign err_overflow_o    = overflow_q;
  assign err_merge_o       = merge_q;
  assign probe_write_o     = write_q;
  assign probe_write_idx_o = write_idx_q;
  assign probe_level_o     = level_q;

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (32'(level_q) < Depth + 1);
    assert ((full_q & ~busy_q) == '0);
    assert (!(err_overflow_o && err_merge_o) && !(probe_write_o && (err_overflow_o || err_merge_o)));
    assert (!cpl_valid_o || probe_write_o);
  end
`endif
endmodule

`default_nettype wire
