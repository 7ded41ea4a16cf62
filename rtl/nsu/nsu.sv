// SPDX-License-Identifier: Apache-2.0
//
// nsu -- near-data SIMD unit: executes offload blocks next to memory.
//
// The NSU has no MMU, data cache or scratchpad. Packets bring physical addresses and data.
// This file is wiring only: each block's port file says what it does in which cycle, README.md why.
// All outputs, probes included, depend on registers only (and on stack_id_i).
//
//   in -> nsu_rx -+-> nsu_cmdbuf --spawn--> nsu_warps --fetch, go--> nsu_issue -+-> nsu_exec
//                 +-> nsu_rdbuf --row--> nsu_ldu           nsu_icache --^       +-> nsu_ldu
//                 +-> nsu_wrbuf --row--> nsu_stu                                +-> nsu_stu
//                 +-> nsu_acks, fills of the caches                             +-> nsu_endu
//   nsu_exec, nsu_ldu, nsu_stu, nsu_endu <--> nsu_regfile      nsu_ldu <--> nsu_ccache
//   nsu_stu, nsu_endu, nsu_icache, nsu_ccache, nsu_credits --> nsu_tx -> out
//
// Long file: each wire once, each block's ports once.

`default_nettype none

`include "nsu_types.svh"

module nsu #(
  parameter  int Lanes       = 8,                     // physical lanes, a power of two, 1 .. 32
  parameter  int NumWarps    = 48,                    // warp slots, 1 .. 64
  parameter  int RdBufDepth  = 256,                   // read data entries, 2 .. MAX_ENTRIES
  parameter  int WrBufDepth  = 256,                   // write address entries, 2 .. MAX_ENTRIES
  parameter  int CmdBufDepth = 10,                    // offload commands, 1 .. 64
  parameter  int CmdRegs     = nsu_pkg::MAX_CMD_REGS, // registers a command can carry, 1 .. 7
  parameter  int ICacheBytes = 4096,                  // instruction cache, a power of two, 512 .. 65536
  parameter  int CCacheBytes = 4096,                  // constant cache, a power of two, 512 .. 65536
  parameter  int PortBits    = 1472,                  // bits of the packet port, 32 .. 4096
  parameter  int OutDepth    = 4,                     // beats an output FIFO holds, 1 .. 64; one a class
  parameter  int OutCredits  = 4,                     // beats of a class under way at a time, 1 .. 15
  localparam int AddrBits    = nsu_pkg::ADDR_BITS,
  localparam int LineBits    = nsu_pkg::LINE_BITS,
  localparam int AddrRow     = nsu_pkg::WARP_WIDTH * AddrBits,
  localparam int CmdIdxBits  = 6,                     // at most 64 commands
  localparam int RdIdxBits   = $clog2(RdBufDepth),
  localparam int WrIdxBits   = $clog2(WrBufDepth)
) (
  input  wire logic                             clk_i,                 // clock, rising edge
  input  wire logic                             rst_ni,                // asynchronous reset, active low
  input  wire logic [nsu_pkg::STACK_BITS-1:0]   stack_id_i,            // this stack; constant after reset
  // From and to the network
  input  wire logic                             in_valid_i,            // a phit; always accepted
  input  wire logic                             in_class_i,            // message class: 0 request, 1 response
  input  wire logic [PortBits-1:0]              in_phit_i,             // the phit; lowest bits of a beat first
  output      logic [1:0]                       in_credit_o,           // bit c, pulse: a beat of class c was taken
  output      logic                             out_valid_o,           // a phit; credits guarantee a place for it
  output      logic                             out_class_o,           // message class: 0 request, 1 response
  output      logic [PortBits-1:0]              out_phit_o,            // the phit; lowest bits of a beat first
  input  wire logic [1:0]                       out_credit_i,          // bit c: a beat of class c was taken
  output      logic [nsu_pkg::NUM_ERR-1:0]      err_o,                 // nsu_pkg::ERR_*, one bit a kind; one cycle each
  // Probes, in the order of cause: reception, spawn, issue, execution, write-back, sending.
  // Ports with "its" or "that" are valid with the bit above them, all others in every cycle.
  output      logic                             probe_rx_o,            // a beat was received
  output      pkt_hdr_t                         probe_rx_hdr_o,        // its header
  output      logic                             probe_cmd_alloc_o,     // a command entry was allocated
  output      logic [CmdIdxBits-1:0]            probe_cmd_alloc_idx_o, // that entry
  output      logic                             probe_rd_write_o,      // read data were merged into an entry
  output      logic [RdIdxBits-1:0]             probe_rd_write_idx_o,  // that entry
  output      logic [RdIdxBits:0]               probe_rd_level_o,      // busy read data entries
  output      logic                             probe_wr_write_o,      // write addresses were merged into an entry
  output      logic [WrIdxBits-1:0]             probe_wr_write_idx_o,  // that entry
  output      logic [WrIdxBits:0]               probe_wr_level_o,      // busy write address entries
  output      logic                             probe_spawn_o,         // a command takes a warp slot
  output      logic [CmdIdxBits-1:0]            probe_spawn_idx_o,     // its command entry
  output      logic [63:0]                      probe_used_o,          // bit s: slot s has a warp
  output      logic [63:0]                      probe_ready_o,         // bit s: slot s waits only for its unit
  output      logic                             probe_imiss_o,         // the instruction cache missed
  output      logic [AddrBits-1:0]              probe_imiss_addr_o,    // its line's address
  output      logic                             probe_cmiss_o,         // the constant cache missed
  output      logic [AddrBits-1:0]              probe_cmiss_addr_o,    // its line's address
  output      logic                             probe_fetch_o,         // a fetch is answered
  output      logic [nsu_pkg::PKT_slot_W-1:0]   probe_fetch_slot_o,    // its slot
  output      logic [1:0]                       probe_fetch_next_o,    // nsu_pkg::FETCH_KNOWN, MISS or HALT
  output      logic                             probe_issue_o,         // an instruction is dispatched
  output      logic [nsu_pkg::PKT_slot_W-1:0]   probe_issue_slot_o,    // its slot
  output      logic [AddrBits-1:0]              probe_issue_pc_o,      // its address
  output      logic [63:0]                      probe_issue_instr_o,   // its 64 bits
  output      logic                             probe_rd_take_o,       // an LD takes its entry
  output      logic [RdIdxBits-1:0]             probe_rd_take_idx_o,   // that entry
  output      logic                             probe_wr_take_o,       // a ST takes its entry
  output      logic [WrIdxBits-1:0]             probe_wr_take_idx_o,   // that entry
  output      logic                             probe_ex_wb_o,         // nsu_exec writes a register
  output      logic [nsu_pkg::PKT_slot_W-1:0]   probe_ex_wb_slot_o,    // its slot
  output      logic [3:0]                       probe_ex_wb_reg_o,     // its register
  output      logic [nsu_pkg::PKT_mask_W-1:0]   probe_ex_wb_mask_o,    // its threads that are written
  output      logic [LineBits-1:0]              probe_ex_wb_row_o,     // its row
  output      logic                             probe_ld_wb_o,         // nsu_ldu writes a register, granted
  output      logic [nsu_pkg::PKT_slot_W-1:0]   probe_ld_wb_slot_o,    // its slot
  output      logic [3:0]                       probe_ld_wb_reg_o,     // its register
  output      logic [nsu_pkg::PKT_mask_W-1:0]   probe_ld_wb_mask_o,    // its threads that are written
  output      logic [LineBits-1:0]              probe_ld_wb_row_o,     // its row
  output      logic [63:0]                      probe_ack_zero_o,      // bit s: slot s has no write in flight
  output      logic                             probe_write_o,         // nsu_tx accepts a WRITE packet
  output      pkt_hdr_t                         probe_write_hdr_o,     // its header
  output      logic                             probe_ack_o,           // nsu_tx accepts an acknowledgement's beat
  output      pkt_hdr_t                         probe_ack_hdr_o,       // its header
  output      logic [nsu_pkg::PKT_cr_cmd_W-1:0] probe_cr_cmd_o,        // command entries freed, not told yet
  output      logic [nsu_pkg::PKT_cr_rd_W-1:0]  probe_cr_rd_o,         // the same of read data entries
  output      logic [nsu_pkg::PKT_cr_wr_W-1:0]  probe_cr_wr_o          // the same of write address entries
);

  // Received beats: header, line and a strobe of the type
  logic                rx_valid, rx_cmd, rx_wta, rx_rdr, rx_wack, rx_ifill, rx_cfill;
  pkt_hdr_t            rx_hdr;
  logic [LineBits-1:0] rx_data;

  // Commands: spawn to the warp table; registers to the load unit
  logic                sp_valid, sp_ready;
  logic [nsu_pkg::PKT_sm_W-1:0] sp_sm;
  logic [nsu_pkg::PKT_warp_W-1:0] sp_warp;
  logic [CmdIdxBits-1:0] sp_idx;
  logic [AddrBits-1:0] sp_pc, sp_cbase;
  logic [nsu_pkg::PKT_mask_W-1:0] sp_mask;
  logic [nsu_pkg::PKT_count_W-1:0] sp_count;
  logic                cb_rd, cb_free;
  logic [CmdIdxBits-1:0] cb_idx, cb_free_idx;
  logic [nsu_pkg::PKT_beat_W-1:0] cb_beat;
  logic [LineBits-1:0] cb_data;
  logic [CmdIdxBits:0] unused_cmd_level;

  // Read data (rd) and write addresses (wr): look-up, take and completion; rows to their units
  logic [nsu_pkg::PKT_sm_W-1:0] lk_sm, rd_cpl_sm, wr_cpl_sm;
  logic [nsu_pkg::PKT_warp_W-1:0] lk_warp, rd_cpl_warp, wr_cpl_warp;
  logic [nsu_pkg::PKT_seq_W-1:0] lk_seq, rd_cpl_seq, wr_cpl_seq;
  logic                 rd_hit, rd_take, rd_taken, rd_cpl, wr_hit, wr_take, wr_taken, wr_cpl;
  logic [RdIdxBits-1:0] rd_lk_idx;
  logic [WrIdxBits-1:0] wr_lk_idx;
  logic [RdIdxBits-1:0] rd_cpl_idx;
  logic [WrIdxBits-1:0] wr_cpl_idx;
  logic [nsu_pkg::PKT_mask_W-1:0] rd_mask, wa_mask;
  logic [nsu_pkg::PKT_size_W-1:0] unused_rd_size, wa_size;
  logic [LineBits-1:0]  rd_row;
  logic [AddrRow-1:0]   wa_row;

  // Warps: sel, fetch for a slot; d, its answer; go, dispatch
  logic                sel_valid, sel_begun;
  logic [nsu_pkg::PKT_slot_W-1:0] sel_slot;
  logic [nsu_pkg::PKT_warp_W-1:0] sel_warp;
  logic [nsu_pkg::PKT_seq_W-1:0] sel_seq;
  logic [nsu_pkg::PKT_sm_W-1:0] sel_sm;
  logic [AddrBits-1:0] sel_pc;
  logic [nsu_pkg::PKT_count_W-1:0] sel_count;
  logic [2:0]          d_kind;
  logic                d_valid, d_there;
  logic [nsu_pkg::PKT_slot_W-1:0] d_slot;
  logic [1:0]          d_next;
  logic [nsu_pkg::PKT_cr_rd_W-1:0] d_entry, go_entry;                // entry of read data or write addresses
  logic                ic_req, ic_hit, iwake, if_valid, if_ready;
  logic [AddrBits-1:0] ic_addr, if_addr;
  logic [63:0]         ic_data;
  logic                go_ex, go_ld, go_st, go_en, go_valid, unused_go_mem, ex_ready, ld_ready, st_ready, en_ready;
  logic [63:0]         go_instr;
  logic [nsu_pkg::PKT_slot_W-1:0] go_slot;
  logic [nsu_pkg::PKT_warp_W-1:0] go_warp;
  logic [nsu_pkg::PKT_seq_W-1:0] go_seq;
  logic [CmdIdxBits-1:0] go_idx;
  logic [nsu_pkg::PKT_sm_W-1:0] go_sm;
  logic [AddrBits-1:0] go_pc, go_cbase;
  logic [nsu_pkg::PKT_mask_W-1:0] go_mask;
  logic [63:0]         unused_fetch;
  logic [nsu_pkg::PKT_slot_W-1:0] unused_fetch_ptr, unused_go_ptr;

  // Register file: readers and writers
  logic                ex_rd_valid, st_rd_valid, st_rd_gnt, en_rd_valid, en_rd_gnt;
  logic [nsu_pkg::PKT_slot_W-1:0] ex_rd_slot, st_rd_slot, en_rd_slot;
  logic [3:0]          ex_rd_reg, st_rd_reg, en_rd_reg;
  logic [LineBits-1:0] rf_rd_data;
  logic                ex_wb_valid, ex_wb_last, ld_wr_valid, ld_wr_gnt;
  logic [nsu_pkg::PKT_slot_W-1:0] ex_wb_slot, ld_wr_slot;
  logic [3:0]          ex_wb_reg, ld_wr_reg;
  logic [nsu_pkg::PKT_mask_W-1:0] ex_wb_mask, ld_wr_mask;
  logic [LineBits-1:0] ex_wb_row, ld_wr_row;

  // nsu_exec's probes, which are checked at the block alone
  logic                unused_start, unused_pass_valid;
  logic [7:0]          unused_start_op;
  logic [nsu_pkg::PKT_mask_W-1:0] unused_start_mask;
  logic [4:0]          unused_pass;

  // Constants, and the ends of the load unit's instructions
  logic                cc_req, cc_hit, cwake, cf_valid, cf_ready;
  logic [AddrBits-1:0] cc_addr, cf_addr;
  logic [31:0]         cc_data;
  logic                ld_done, ld_miss;
  logic [nsu_pkg::PKT_slot_W-1:0] ld_done_slot, ld_miss_slot;

  // Stores, ends of blocks, writes in flight, credits; packets to the network
  logic                st_done, st_sent, en_done;
  logic [nsu_pkg::PKT_slot_W-1:0] st_done_slot, st_sent_slot, en_done_slot;
  logic                wr_valid, wr_ready, ack_valid, ack_ready;
  pkt_hdr_t            wr_hdr, ack_hdr;
  logic [LineBits-1:0] wr_data, ack_data;
  logic [63:0]         ack_zero;
  logic                cr_pending, en_cr_take, tx_cr_take;
  logic [nsu_pkg::PKT_cr_cmd_W-1:0] cr_cmd;
  logic [nsu_pkg::PKT_cr_rd_W-1:0] cr_rd;
  logic [nsu_pkg::PKT_cr_wr_W-1:0] cr_wr;

  // Network interface, receive side: accepts every phit
  nsu_rx #(.PortBits(PortBits)) u_rx (
    .clk_i, .rst_ni, .in_valid_i, .in_class_i, .in_phit_i, .in_credit_o,
    .rx_valid_o (rx_valid), .rx_hdr_o (rx_hdr), .rx_data_o (rx_data),
    .rx_cmd_o (rx_cmd), .rx_wta_o (rx_wta), .rx_rdr_o (rx_rdr), .rx_wack_o (rx_wack),
    .rx_ifill_o (rx_ifill), .rx_cfill_o (rx_cfill),
    .err_type_o (err_o[nsu_pkg::ERR_BAD_TYPE]), .err_class_o (err_o[nsu_pkg::ERR_BAD_CLASS])
  );

  // Commands wait for a slot; OFLD.BEG's registers wait for nsu_ldu, which also frees the entry.
  nsu_cmdbuf #(.CmdBufDepth(CmdBufDepth), .CmdRegs(CmdRegs)) u_cmdbuf (
    .clk_i, .rst_ni,
    .wr_valid_i (rx_cmd), .wr_hdr_i (rx_hdr), .wr_data_i (rx_data),
    .err_overflow_o (err_o[nsu_pkg::ERR_CMD_OVERFLOW]), .err_beat_o (err_o[nsu_pkg::ERR_CMD_BEAT]),
    .sp_valid_o (sp_valid), .sp_sm_o (sp_sm), .sp_warp_o (sp_warp), .sp_pc_o (sp_pc), .sp_mask_o (sp_mask),
    .sp_cbase_o (sp_cbase), .sp_count_o (sp_count), .sp_idx_o (sp_idx), .sp_ready_i (sp_ready),
    .rd_en_i (cb_rd), .rd_idx_i (cb_idx), .rd_beat_i (cb_beat), .rd_data_o (cb_data),
    .free_en_i (cb_free), .free_idx_i (cb_free_idx),
    .probe_alloc_o (probe_cmd_alloc_o), .probe_alloc_idx_o (probe_cmd_alloc_idx_o), .probe_level_o (unused_cmd_level)
  );

  // Both buffers are looked up by the same id. A take names the entry that the warp table keeps.
  nsu_rdbuf #(.Depth(RdBufDepth)) u_rdbuf (
    .clk_i, .rst_ni,
    .wr_valid_i (rx_rdr), .wr_hdr_i (rx_hdr), .wr_data_i (rx_data),
    .lk_sm_i (lk_sm), .lk_warp_i (lk_warp), .lk_seq_i (lk_seq),
    .lk_hit_o (rd_hit), .lk_idx_o (rd_lk_idx),
    .take_i (rd_take), .take_idx_i (go_entry[RdIdxBits-1:0]), .taken_o (rd_taken),
    .row_o (rd_row), .row_mask_o (rd_mask), .row_size_o (unused_rd_size),
    .cpl_valid_o (rd_cpl), .cpl_sm_o (rd_cpl_sm), .cpl_warp_o (rd_cpl_warp), .cpl_seq_o (rd_cpl_seq),
    .cpl_idx_o (rd_cpl_idx),
    .err_overflow_o (err_o[nsu_pkg::ERR_RD_OVERFLOW]), .err_merge_o (err_o[nsu_pkg::ERR_RD_MERGE]),
    .probe_write_o (probe_rd_write_o), .probe_write_idx_o (probe_rd_write_idx_o), .probe_level_o (probe_rd_level_o)
  );

  nsu_wrbuf #(.Depth(WrBufDepth)) u_wrbuf (
    .clk_i, .rst_ni,
    .wr_valid_i (rx_wta), .wr_hdr_i (rx_hdr),
    .lk_sm_i (lk_sm), .lk_warp_i (lk_warp), .lk_seq_i (lk_seq),
    .lk_hit_o (wr_hit), .lk_idx_o (wr_lk_idx),
    .take_i (wr_take), .take_idx_i (go_entry[WrIdxBits-1:0]), .taken_o (wr_taken),
    .row_o (wa_row), .row_mask_o (wa_mask), .row_size_o (wa_size),
    .cpl_valid_o (wr_cpl), .cpl_sm_o (wr_cpl_sm), .cpl_warp_o (wr_cpl_warp), .cpl_seq_o (wr_cpl_seq),
    .cpl_idx_o (wr_cpl_idx),
    .err_overflow_o (err_o[nsu_pkg::ERR_WR_OVERFLOW]), .err_merge_o (err_o[nsu_pkg::ERR_WR_MERGE]),
    .probe_write_o (probe_wr_write_o), .probe_write_idx_o (probe_wr_write_idx_o), .probe_level_o (probe_wr_level_o)
  );

  // An instruction of nsu_exec may write two rows: the last one ends it. Entries of small buffers
  // are widened to the width of their counts.
  nsu_warps #(.NumWarps(NumWarps)) u_warps (
    .clk_i, .rst_ni,
    .sp_valid_i (sp_valid), .sp_sm_i (sp_sm), .sp_warp_i (sp_warp), .sp_pc_i (sp_pc), .sp_mask_i (sp_mask),
    .sp_cbase_i (sp_cbase), .sp_count_i (sp_count), .sp_idx_i (sp_idx), .sp_ready_o (sp_ready),
    .sel_valid_o (sel_valid), .sel_slot_o (sel_slot), .sel_sm_o (sel_sm), .sel_warp_o (sel_warp), .sel_seq_o (sel_seq),
    .sel_pc_o (sel_pc), .sel_count_o (sel_count), .sel_begun_o (sel_begun),
    .d_valid_i (d_valid), .d_slot_i (d_slot), .d_next_i (d_next), .d_kind_i (d_kind), .d_there_i (d_there),
    .d_entry_i (d_entry),
    .ex_ready_i (ex_ready), .ld_ready_i (ld_ready), .st_ready_i (st_ready), .en_ready_i (en_ready),
    .ack_zero_i (ack_zero),
    .go_valid_o (go_valid), .go_slot_o (go_slot), .go_sm_o (go_sm), .go_warp_o (go_warp), .go_seq_o (go_seq),
    .go_pc_o (go_pc), .go_mask_o (go_mask), .go_cbase_o (go_cbase), .go_idx_o (go_idx), .go_mem_o (unused_go_mem),
    .go_entry_o (go_entry),
    .ex_done_i (ex_wb_valid && ex_wb_last), .ex_done_slot_i (ex_wb_slot),
    .ld_done_i (ld_done), .ld_done_slot_i (ld_done_slot),
    .ld_miss_i (ld_miss), .ld_miss_slot_i (ld_miss_slot),
    .st_done_i (st_done), .st_done_slot_i (st_done_slot),
    .en_done_i (en_done), .en_done_slot_i (en_done_slot),
    .iwake_i (iwake), .cwake_i (cwake),
    .rd_cpl_i (rd_cpl), .rd_cpl_sm_i (rd_cpl_sm), .rd_cpl_warp_i (rd_cpl_warp), .rd_cpl_seq_i (rd_cpl_seq),
    .rd_cpl_idx_i (nsu_pkg::PKT_cr_rd_W'(rd_cpl_idx)),
    .wr_cpl_i (wr_cpl), .wr_cpl_sm_i (wr_cpl_sm), .wr_cpl_warp_i (wr_cpl_warp), .wr_cpl_seq_i (wr_cpl_seq),
    .wr_cpl_idx_i (nsu_pkg::PKT_cr_wr_W'(wr_cpl_idx)),
    .probe_used_o, .probe_fetch_o (unused_fetch), .probe_ready_o,
    .probe_fetch_ptr_o (unused_fetch_ptr), .probe_go_ptr_o (unused_go_ptr)
  );

  // Instructions
  nsu_icache #(.Bytes(ICacheBytes)) u_icache (
    .clk_i, .rst_ni,
    .req_i (ic_req), .req_addr_i (ic_addr), .rsp_hit_o (ic_hit), .rsp_data_o (ic_data), .wake_o (iwake),
    .ft_valid_o (if_valid), .ft_addr_o (if_addr), .ft_ready_i (if_ready),
    .fill_valid_i (rx_ifill), .fill_addr_i (rx_hdr.addr), .fill_data_i (rx_data),
    .err_noreq_o (err_o[nsu_pkg::ERR_IFILL_NOREQ]),
    .probe_miss_o (probe_imiss_o), .probe_miss_addr_o (probe_imiss_addr_o)
  );

  nsu_issue #(.NumWarps(NumWarps)) u_issue (
    .clk_i, .rst_ni,
    .sel_valid_i (sel_valid), .sel_slot_i (sel_slot), .sel_sm_i (sel_sm), .sel_warp_i (sel_warp), .sel_seq_i (sel_seq),
    .sel_pc_i (sel_pc), .sel_count_i (sel_count), .sel_begun_i (sel_begun),
    .ic_req_o (ic_req), .ic_addr_o (ic_addr), .ic_hit_i (ic_hit), .ic_data_i (ic_data),
    .lk_sm_o (lk_sm), .lk_warp_o (lk_warp), .lk_seq_o (lk_seq),
    .rd_hit_i (rd_hit), .rd_idx_i (nsu_pkg::PKT_cr_rd_W'(rd_lk_idx)),
    .wr_hit_i (wr_hit), .wr_idx_i (nsu_pkg::PKT_cr_wr_W'(wr_lk_idx)),
    .d_valid_o (d_valid), .d_slot_o (d_slot), .d_next_o (d_next), .d_kind_o (d_kind), .d_there_o (d_there),
    .d_entry_o (d_entry),
    .err_opcode_o (err_o[nsu_pkg::ERR_BAD_OPCODE]), .err_not_beg_o (err_o[nsu_pkg::ERR_NOT_BEG]),
    .go_valid_i (go_valid), .go_slot_i (go_slot), .go_instr_o (go_instr),
    .go_ex_o (go_ex), .go_ld_o (go_ld), .go_st_o (go_st), .go_en_o (go_en), .rd_take_o (rd_take), .wr_take_o (wr_take)
  );

  // The lanes' reads and writes always win; the other units wait for a grant.
  nsu_regfile #(.NumWarps(NumWarps)) u_regfile (
    .clk_i, .rst_ni,
    .ex_rd_valid_i (ex_rd_valid), .ex_rd_slot_i (ex_rd_slot), .ex_rd_reg_i (ex_rd_reg),
    .st_rd_valid_i (st_rd_valid), .st_rd_slot_i (st_rd_slot), .st_rd_reg_i (st_rd_reg), .st_rd_gnt_o (st_rd_gnt),
    .en_rd_valid_i (en_rd_valid), .en_rd_slot_i (en_rd_slot), .en_rd_reg_i (en_rd_reg), .en_rd_gnt_o (en_rd_gnt),
    .rd_data_o (rf_rd_data),
    .ex_wr_valid_i (ex_wb_valid), .ex_wr_slot_i (ex_wb_slot), .ex_wr_reg_i (ex_wb_reg),
    .ex_wr_mask_i (ex_wb_mask), .ex_wr_row_i (ex_wb_row),
    .ld_wr_valid_i (ld_wr_valid), .ld_wr_slot_i (ld_wr_slot), .ld_wr_reg_i (ld_wr_reg),
    .ld_wr_mask_i (ld_wr_mask), .ld_wr_row_i (ld_wr_row), .ld_wr_gnt_o (ld_wr_gnt)
  );

  // The four units. Each gets the instruction from nsu_issue and the warp's fields from nsu_warps.
  nsu_exec #(.Lanes(Lanes)) u_exec (
    .clk_i, .rst_ni,
    .disp_valid_i (go_ex), .disp_instr_i (go_instr), .disp_slot_i (go_slot), .disp_mask_i (go_mask),
    .disp_ready_o (ex_ready),
    .rf_rd_valid_o (ex_rd_valid), .rf_rd_slot_o (ex_rd_slot), .rf_rd_reg_o (ex_rd_reg), .rf_rd_data_i (rf_rd_data),
    .wb_valid_o (ex_wb_valid), .wb_slot_o (ex_wb_slot), .wb_reg_o (ex_wb_reg), .wb_mask_o (ex_wb_mask),
    .wb_row_o (ex_wb_row), .wb_last_o (ex_wb_last),
    .probe_start_o (unused_start), .probe_start_op_o (unused_start_op), .probe_start_mask_o (unused_start_mask),
    .probe_pass_valid_o (unused_pass_valid), .probe_pass_o (unused_pass)
  );

  nsu_ldu u_ldu (
    .clk_i, .rst_ni,
    .go_i (go_ld), .go_instr_i (go_instr), .go_slot_i (go_slot), .go_mask_i (go_mask),
    .go_cbase_i (go_cbase), .go_idx_i (go_idx), .ready_o (ld_ready),
    .rd_row_i (rd_row), .rd_mask_i (rd_mask),
    .cb_rd_o (cb_rd), .cb_idx_o (cb_idx), .cb_beat_o (cb_beat), .cb_data_i (cb_data),
    .cb_free_o (cb_free), .cb_free_idx_o (cb_free_idx),
    .cc_req_o (cc_req), .cc_addr_o (cc_addr), .cc_hit_i (cc_hit), .cc_data_i (cc_data),
    .rf_wr_valid_o (ld_wr_valid), .rf_wr_slot_o (ld_wr_slot), .rf_wr_reg_o (ld_wr_reg), .rf_wr_mask_o (ld_wr_mask),
    .rf_wr_row_o (ld_wr_row), .rf_wr_gnt_i (ld_wr_gnt),
    .done_o (ld_done), .done_slot_o (ld_done_slot), .miss_o (ld_miss), .miss_slot_o (ld_miss_slot)
  );

  nsu_ccache #(.Bytes(CCacheBytes)) u_ccache (
    .clk_i, .rst_ni,
    .req_i (cc_req), .req_addr_i (cc_addr), .rsp_hit_o (cc_hit), .rsp_data_o (cc_data), .wake_o (cwake),
    .ft_valid_o (cf_valid), .ft_addr_o (cf_addr), .ft_ready_i (cf_ready),
    .fill_valid_i (rx_cfill), .fill_addr_i (rx_hdr.addr), .fill_data_i (rx_data),
    .err_noreq_o (err_o[nsu_pkg::ERR_CFILL_NOREQ]),
    .probe_miss_o (probe_cmiss_o), .probe_miss_addr_o (probe_cmiss_addr_o)
  );

  nsu_stu u_stu (
    .clk_i, .rst_ni, .stack_id_i,
    .go_i (go_st), .go_instr_i (go_instr), .go_slot_i (go_slot), .go_sm_i (go_sm), .go_warp_i (go_warp),
    .go_seq_i (go_seq), .ready_o (st_ready),
    .wa_row_i (wa_row), .wa_mask_i (wa_mask), .wa_size_i (wa_size),
    .rf_rd_valid_o (st_rd_valid), .rf_rd_slot_o (st_rd_slot), .rf_rd_reg_o (st_rd_reg), .rf_rd_gnt_i (st_rd_gnt),
    .rf_rd_data_i (rf_rd_data),
    .wr_valid_o (wr_valid), .wr_hdr_o (wr_hdr), .wr_data_o (wr_data), .wr_ready_i (wr_ready),
    .sent_o (st_sent), .sent_slot_o (st_sent_slot), .done_o (st_done), .done_slot_o (st_done_slot)
  );

  nsu_endu u_endu (
    .clk_i, .rst_ni, .stack_id_i,
    .go_i (go_en), .go_instr_i (go_instr), .go_slot_i (go_slot), .go_sm_i (go_sm), .go_warp_i (go_warp),
    .go_seq_i (go_seq), .go_mask_i (go_mask), .ready_o (en_ready),
    .rf_rd_valid_o (en_rd_valid), .rf_rd_slot_o (en_rd_slot), .rf_rd_reg_o (en_rd_reg), .rf_rd_gnt_i (en_rd_gnt),
    .rf_rd_data_i (rf_rd_data),
    .cr_cmd_i (cr_cmd), .cr_rd_i (cr_rd), .cr_wr_i (cr_wr), .cr_take_o (en_cr_take),
    .ack_valid_o (ack_valid), .ack_hdr_o (ack_hdr), .ack_data_o (ack_data), .ack_ready_i (ack_ready),
    .done_o (en_done), .done_slot_o (en_done_slot)
  );

  // Writes in flight: counted when nsu_tx accepts them, until memory acknowledges them. OFLD.END of
  // a slot waits for its bit of ack_zero, so the GPU hears of a block after its writes are in
  // memory.
  nsu_acks #(.NumWarps(NumWarps)) u_acks (
    .clk_i, .rst_ni,
    .inc_i (st_sent), .inc_slot_i (st_sent_slot), .dec_i (rx_wack), .dec_slot_i (rx_hdr.slot),
    .zero_o (ack_zero), .err_noreq_o (err_o[nsu_pkg::ERR_WACK_NOREQ])
  );

  // Freed entries: told with an acknowledgement, or in a packet of their own. nsu_tx makes such a
  // packet only while nsu_endu is idle, so nobody tells an entry twice.
  nsu_credits u_credits (
    .clk_i, .rst_ni,
    .cmd_free_i (cb_free), .rd_free_i (rd_taken), .wr_free_i (wr_taken), .take_i (en_cr_take || tx_cr_take),
    .pending_o (cr_pending), .cr_cmd_o (cr_cmd), .cr_rd_o (cr_rd), .cr_wr_o (cr_wr)
  );

  // Network interface, transmit side
  nsu_tx #(.PortBits(PortBits), .OutDepth(OutDepth), .OutCredits(OutCredits)) u_tx (
    .clk_i, .rst_ni, .stack_id_i,
    .wr_valid_i (wr_valid), .wr_hdr_i (wr_hdr), .wr_data_i (wr_data), .wr_ready_o (wr_ready),
    .if_valid_i (if_valid), .if_addr_i (if_addr), .if_ready_o (if_ready),
    .cf_valid_i (cf_valid), .cf_addr_i (cf_addr), .cf_ready_o (cf_ready),
    .ack_idle_i (en_ready), .ack_valid_i (ack_valid), .ack_hdr_i (ack_hdr), .ack_data_i (ack_data),
    .ack_ready_o (ack_ready),
    .cr_pending_i (cr_pending), .cr_cmd_i (cr_cmd), .cr_rd_i (cr_rd), .cr_wr_i (cr_wr), .cr_take_o (tx_cr_take),
    .out_valid_o, .out_class_o, .out_phit_o, .out_credit_i,
    .err_credit_o (err_o[nsu_pkg::ERR_CR_OVERFLOW])
  );

  // Probes show the wires of this cycle.
  assign probe_rx_o          = rx_valid;
  assign probe_rx_hdr_o      = rx_hdr;
  assign probe_spawn_o       = sp_valid && sp_ready;
  assign probe_spawn_idx_o   = sp_idx;
  assign probe_fetch_o       = d_valid;
  assign probe_fetch_slot_o  = d_slot;
  assign probe_fetch_next_o  = d_next;
  assign probe_issue_o       = go_valid;
  assign probe_issue_slot_o  = go_slot;
  assign probe_issue_pc_o    = go_pc;
  assign probe_issue_instr_o = go_instr;
  assign probe_rd_take_o     = rd_take;
  assign probe_rd_take_idx_o = go_entry[RdIdxBits-1:0];
  assign probe_wr_take_o     = wr_take;
  assign probe_wr_take_idx_o = go_entry[WrIdxBits-1:0];
  assign probe_ex_wb_o       = ex_wb_valid;
  assign probe_ex_wb_slot_o  = ex_wb_slot;
  assign probe_ex_wb_reg_o   = ex_wb_reg;
  assign probe_ex_wb_mask_o  = ex_wb_mask;
  assign probe_ex_wb_row_o   = ex_wb_row;
  assign probe_ld_wb_o       = ld_wr_valid && ld_wr_gnt;
  assign probe_ld_wb_slot_o  = ld_wr_slot;
  assign probe_ld_wb_reg_o   = ld_wr_reg;
  assign probe_ld_wb_mask_o  = ld_wr_mask;
  assign probe_ld_wb_row_o   = ld_wr_row;
  assign probe_ack_zero_o    = ack_zero;
  assign probe_write_o       = wr_valid && wr_ready;
  assign probe_write_hdr_o   = wr_hdr;
  assign probe_ack_o         = ack_valid && ack_ready;
  assign probe_ack_hdr_o     = ack_hdr;
  assign probe_cr_cmd_o      = cr_cmd;
  assign probe_cr_rd_o       = cr_rd;
  assign probe_cr_wr_o       = cr_wr;

  // Bits of an entry's number that a small buffer does not have
  logic unused_entry;
  assign unused_entry = &{1'b0, go_entry};

`ifndef SYNTHESIS
  // What the blocks rely on in each other
  always @(posedge clk_i) if (rst_ni) begin
    assert (!(en_cr_take && tx_cr_take));                            // credits are told once
    assert (!(ex_rd_valid && (st_rd_gnt || en_rd_gnt)));             // the lanes' reads are never refused
    assert (!go_valid || (ack_zero[go_slot] || !go_en));             // a block ends with its writes acknowledged
    assert (!(go_ex && !ex_ready) && !(go_ld && !ld_ready) && !(go_st && !st_ready) && !(go_en && !en_ready));
    assert (go_valid == (go_ex || go_ld || go_st || go_en));         // what is selected is dispatched
  end
`endif
endmodule

`default_nettype wire
