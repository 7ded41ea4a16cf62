// SPDX-License-Identifier: Apache-2.0
//
// nsu_cmdbuf -- offload command buffer: commands wait for a warp slot, registers for OFLD.BEG.
//
// Commands are received one at a time, so they are complete in the order of their allocation:
//
//   beat 0       allocates the lowest free entry; its fields go to the tail of the spawn queue
//   beat k       stores the line of register k
//   last beat    the command joins the spawn queue and can be seen from the next cycle on
//   spawn        leaves the queue (sp_valid_o and sp_ready_i); the entry stays allocated
//   OFLD.BEG     reads the lines and frees the entry
//
// An entry is a number and its lines of registers. Lines and fields are not reset.

`default_nettype none

`include "nsu_types.svh"

module nsu_cmdbuf #(
  parameter  int CmdBufDepth = 10,                    // commands, 1 .. 64
  parameter  int CmdRegs     = nsu_pkg::MAX_CMD_REGS, // registers a command can carry, 1 .. 7
  localparam int PtrBits     = CmdBufDepth > 1 ? $clog2(CmdBufDepth) : 1,
  localparam int Rows        = CmdBufDepth * CmdRegs > 1 ? CmdBufDepth * CmdRegs : 2,
  localparam int RowBits     = $clog2(Rows)
) (
  input  wire logic                            clk_i,             // clock, rising edge
  input  wire logic                            rst_ni,            // asynchronous reset, active low; frees all entries
  // From the network interface
  input  wire logic                            wr_valid_i,        // a beat of an offload command
  input  wire pkt_hdr_t                        wr_hdr_i,          // its header; after beat 0 only its field beat counts
  input  wire logic [nsu_pkg::LINE_BITS-1:0]   wr_data_i,         // line of register `beat`; ignored if count is 0
  output      logic                            err_overflow_o,    // next cycle: no free entry, or too many registers
  output      logic                            err_beat_o,        // next cycle: the beat was not the one expected
  // To the warp table
  output      logic                            sp_valid_o,        // a complete command: the oldest one
  output      logic [nsu_pkg::PKT_sm_W-1:0]    sp_sm_o,           // its id on the GPU: SM; with sp_valid_o as all below
  output      logic [nsu_pkg::PKT_warp_W-1:0]  sp_warp_o,         // its id on the GPU: warp
  output      logic [nsu_pkg::ADDR_BITS-1:0]   sp_pc_o,           // address of its first instruction
  output      logic [nsu_pkg::PKT_mask_W-1:0]  sp_mask_o,         // its threads
  output      logic [nsu_pkg::ADDR_BITS-1:0]   sp_cbase_o,        // address of its constants
  output      logic [nsu_pkg::PKT_count_W-1:0] sp_count_o,        // registers that it carries
  output      logic [5:0]                      sp_idx_o,          // its entry
  input  wire logic                            sp_ready_i,        // a warp slot is free: take the command
  // From and to the load unit
  input  wire logic                            rd_en_i,           // read a register's line
  input  wire logic [5:0]                      rd_idx_i,          // entry of a command that has been spawned
  input  wire logic [nsu_pkg::PKT_beat_W-1:0]  rd_beat_i,         // which of its registers, less than CmdRegs
  output      logic [nsu_pkg::LINE_BITS-1:0]   rd_data_o,         // one cycle after rd_en_i, until the next read
  input  wire logic                            free_en_i,         // free an entry at the end of the cycle
  input  wire logic [5:0]                      free_idx_i,        // entry of a command that has been spawned
  // Probes
  output      logic                            probe_alloc_o,     // one cycle after an entry was allocated
  output      logic [5:0]                      probe_alloc_idx_o, // that entry, with probe_alloc_o
  output      logic [6:0]                      probe_level_o      // entries allocated
);

  localparam int IdxBits   = 6;                                      // of at most 64 commands
  localparam int FieldBits = nsu_pkg::PKT_sm_W + nsu_pkg::PKT_warp_W + 2 * nsu_pkg::ADDR_BITS + nsu_pkg::PKT_mask_W +
                             nsu_pkg::PKT_count_W + IdxBits;

  // Entries: one bit an entry, and how many are allocated
  logic [CmdBufDepth-1:0] busy_d, busy_q;
  logic                   any_free;
  logic [5:0]             free_idx;                                  // lowest free entry
  logic [6:0]             level_d, level_q;

  // The command that is received: the beat expected next, count and entry of its beat 0
  logic [nsu_pkg::PKT_beat_W-1:0] expect_d, expect_q;
  logic [nsu_pkg::PKT_count_W-1:0] count_d, count_q, count;
  logic [5:0]             idx_d, idx_q, idx;
  logic                   beat_ok, alloc, accept, complete;
  logic                   overflow_d, overflow_q, beat_err_d, beat_err_q, alloc_q;

  // Spawn queue, a ring. An entry holds a command's fields and the number of its buffer entry.
  //
  //          rptr_q                wptr_q
  //          v                     v
  //   | .. | c0   | c1   | c2    | r           | .. |
  //          sp_*   queued_q = 3   its fields came with beat 0; complete moves wptr_q
  logic [FieldBits-1:0]   fields_q [0:CmdBufDepth-1];
  logic [PtrBits-1:0]     wptr_d, wptr_q, rptr_d, rptr_q;
  logic [6:0]             queued_d, queued_q;
  logic                   spawn;

  // The lowest free entry as registered: one that is freed in this cycle is not free yet.
  always_comb begin
    any_free = 1'b0;
    free_idx = '0;
    for (int i = CmdBufDepth - 1; i >= 0; i--) begin
      if (!busy_q[i]) begin
        any_free = 1'b1;
        free_idx = 6'(i);
      end
    end
  end

  // A beat that does not fit is dropped and flagged. Only beat 0 can lack an entry: later beats
  // have the one that beat 0 allocated. If beat 0 is dropped, the rest of its command is dropped,
  // too, as beat 0 stays expected. A command of one beat is complete at once, and expect_q stays 0.
  assign beat_ok  = wr_valid_i && wr_hdr_i.beat == expect_q;
  assign alloc    = beat_ok && expect_q == '0 && any_free && 32'(wr_hdr_i.count) < CmdRegs + 1;
  assign accept   = alloc || (beat_ok && expect_q != '0);
  assign count    = alloc ? wr_hdr_i.count : count_q;
  assign idx      = alloc ? free_idx : idx_q;
  assign complete = accept && (count == '0 || expect_q == count - 1'b1);

  assign expect_d   = !accept ? expect_q : complete ? '0 : expect_q + 1'b1;
  assign count_d    = count;
  assign idx_d      = idx;
  assign overflow_d = beat_ok && !accept;
  assign beat_err_d = wr_valid_i && !beat_ok;

  // Freeing comes first, so that a new entry stays whatever free_idx_i says.
  always_comb begin
    busy_d  = busy_q;
    level_d = level_q;
    for (int i = 0; i < CmdBufDepth; i++) begin
      if (free_en_i && 32'(free_idx_i) == i && busy_q[i]) begin
        busy_d[i] = 1'b0;
        level_d   = level_d - 1'b1;
      end
      if (alloc && 32'(free_idx) == i) begin
        busy_d[i] = 1'b1;
        level_d   = level_d + 1'b1;
      end
    end
  end

  // The queue has a place for each entry, so it cannot overflow.
  assign spawn    = sp_valid_o && sp_ready_i;
  assign wptr_d   = !complete ? wptr_q : 32'(wptr_q) == CmdBufDepth - 1 ? '0 : wptr_q + 1'b1;
  assign rptr_d   = !spawn    ? rptr_q : 32'(rptr_q) == CmdBufDepth - 1 ? '0 : rptr_q + 1'b1;
  assign queued_d = queued_q + 7'(complete) - 7'(spawn);

  always_ff @(posedge clk_i) begin
    if (alloc) begin
      fields_q[wptr_q] <= {wr_hdr_i.sm, wr_hdr_i.warp, wr_hdr_i.addr, wr_hdr_i.mask, wr_hdr_i.cbase, wr_hdr_i.count,
                           free_idx};
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q     <= '0;
      level_q    <= '0;
      expect_q   <= '0;
      count_q    <= '0;
      idx_q      <= '0;
      wptr_q     <= '0;
      rptr_q     <= '0;
      queued_q   <= '0;
      overflow_q <= 1'b0;
      beat_err_q <= 1'b0;
      alloc_q    <= 1'b0;
    end else begin
      busy_q     <= busy_d;
      level_q    <= level_d;
      expect_q   <= expect_d;
      count_q    <= count_d;
      idx_q      <= idx_d;
      wptr_q     <= wptr_d;
      rptr_q     <= rptr_d;
      queued_q   <= queued_d;
      overflow_q <= overflow_d;
      beat_err_q <= beat_err_d;
      alloc_q    <= alloc;
    end
  end

  // Row idx * CmdRegs + k is register k of entry idx. OFLD.BEG reads an entry only after spawn, so
  // the row that is read is never the one written.
  sram_1r1w #(.Width(nsu_pkg::LINE_BITS), .Depth(Rows), .LaneBits(nsu_pkg::LINE_BITS)) u_regs (
    .clk_i, .rst_ni,
    .wr_en_i   (accept && count != '0),
    .wr_addr_i (RowBits'(32'(idx) * CmdRegs + 32'(expect_q))),
    .wr_mask_i (1'b1),
    .wr_data_i,
    .rd_en_i,
    .rd_addr_i (RowBits'(32'(rd_idx_i) * CmdRegs + 32'(rd_beat_i))),
    .rd_data_o
  );

  assign sp_valid_o = queued_q != '0;
  assign {sp_sm_o, sp_warp_o, sp_pc_o, sp_mask_o, sp_cbase_o, sp_count_o, sp_idx_o} = fields_q[rptr_q];

  assign err_overflow_o    = overflow_q;
  assign err_beat_o        = beat_err_q;
  assign probe_alloc_o     = alloc_q;
  assign probe_alloc_idx_o = idx_q;
  assign probe_level_o     = level_q;

  // Fields that only other packets use
  logic unused_hdr;
  assign unused_hdr = &{1'b0, wr_hdr_i};

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (32'(level_q) < CmdBufDepth + 1 && queued_q <= level_q);
    assert (expect_q == '0 || expect_q < count_q);
    assert (!(err_overflow_o && err_beat_o));
    assert (32'(wptr_q) < CmdBufDepth && 32'(rptr_q) < CmdBufDepth);
  end
`endif
endmodule

`default_nettype wire
