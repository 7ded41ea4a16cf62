// SPDX-License-Identifier: Apache-2.0
//
// nsu_wrbuf -- write address buffer: the WTAs of a store wait here for their ST.
//
// A nsu_mergebuf with one 40-bit physical address a thread: the line's address plus the thread's
// offset. An aligned packet leaves out the offsets; thread i's is i * bytes(size) then.
// The additions are in the cycle of reception. Otherwise nsu_mergebuf's contract holds.

`default_nettype none

`include "nsu_types.svh"

module nsu_wrbuf #(
  parameter  int Depth    = 256, // entries, 2 .. 1024
  localparam int IdxBits  = $clog2(Depth),
  localparam int AddrBits = nsu_pkg::ADDR_BITS,
  localparam int Width    = nsu_pkg::WARP_WIDTH * AddrBits
) (
  input  wire logic                           clk_i,             // clock, rising edge
  input  wire logic                           rst_ni,            // asynchronous reset, active low; frees all entries
  // From the network interface
  input  wire logic                           wr_valid_i,        // a write address packet; dropped if it does not fit
  input  wire pkt_hdr_t                       wr_hdr_i,          // its header: id, masks, size, line, offsets
  // From and to the issue stage
  input  wire logic [nsu_pkg::PKT_sm_W-1:0]   lk_sm_i,           // id to look up: SM
  input  wire logic [nsu_pkg::PKT_warp_W-1:0] lk_warp_i,         // id to look up: warp
  input  wire logic [nsu_pkg::PKT_seq_W-1:0]  lk_seq_i,          // id to look up: number of the store
  output      logic                           lk_hit_o,          // same cycle: a complete entry has this id
  output      logic [IdxBits-1:0]             lk_idx_o,          // that entry, with lk_hit_o
  input  wire logic                           take_i,            // a ST takes its entry
  input  wire logic [IdxBits-1:0]             take_idx_i,        // the entry; nothing happens unless complete
  output      logic                           taken_o,           // same cycle: taken; the entry is free in the next
  // To the store unit
  output      logic [Width-1:0]               row_o,             // addresses of the entry taken last: [40 i +: 40]
  output      logic [nsu_pkg::PKT_mask_W-1:0] row_mask_o,        // its threads; 0 after reset
  output      logic [nsu_pkg::PKT_size_W-1:0] row_size_o,        // its size; 0 after reset
  // To the warp table
  output      logic                           cpl_valid_o,       // pulse: the last cycle's packet completed an entry
  output      logic [nsu_pkg::PKT_sm_W-1:0]   cpl_sm_o,          // its id: SM; with cpl_valid_o
  output      logic [nsu_pkg::PKT_warp_W-1:0] cpl_warp_o,        // its id: warp
  output      logic [nsu_pkg::PKT_seq_W-1:0]  cpl_seq_o,         // its id: number of the store
  output      logic [IdxBits-1:0]             cpl_idx_o,         // the entry
  // Errors and probes
  output      logic                           err_overflow_o,    // next cycle: dropped, new id and no free entry
  output      logic                           err_merge_o,       // next cycle: dropped, it does not fit its entry
  output      logic                           probe_write_o,     // the last cycle's packet was accepted
  output      logic [IdxBits-1:0]             probe_write_idx_o, // its entry, with probe_write_o
  output      logic [IdxBits:0]               probe_level_o      // busy entries
);

  localparam int OffsBits = nsu_pkg::OFFSET_BITS;

  logic [nsu_pkg::WARP_WIDTH*OffsBits-1:0] offs;
  logic [Width-1:0]                        addrs;
  logic [AddrBits-1:0]                     step;                     // offset in an aligned packet

  assign offs = wr_hdr_i.offs;

  // All threads get an address; nsu_mergebuf writes those of the packet's mask.
  always_comb begin
    addrs = '0;
    step  = '0;
    if (wr_valid_i) begin
      for (int i = 0; i < nsu_pkg::WARP_WIDTH; i++) begin
        step = AddrBits'(i) << wr_hdr_i.size;
        addrs[i*AddrBits +: AddrBits] = wr_hdr_i.addr +
            (wr_hdr_i.aligned ? step : AddrBits'(offs[i*OffsBits +: OffsBits]));
      end
    end
  end

  nsu_mergebuf #(.Depth(Depth), .LaneBits(AddrBits)) u_merge (
    .clk_i, .rst_ni,
    .wr_valid_i,
    .wr_sm_i    (wr_hdr_i.sm),
    .wr_warp_i  (wr_hdr_i.warp),
    .wr_seq_i   (wr_hdr_i.seq),
    .wr_mask_i  (wr_hdr_i.mask),
    .wr_lmask_i (wr_hdr_i.lmask),
    .wr_size_i  (wr_hdr_i.size),
    .wr_row_i   (addrs),
    .lk_sm_i, .lk_warp_i, .lk_seq_i, .lk_hit_o, .lk_idx_o,
    .take_i, .take_idx_i, .taken_o, .row_o, .row_mask_o, .row_size_o,
    .cpl_valid_o, .cpl_sm_o, .cpl_warp_o, .cpl_seq_o, .cpl_idx_o,
    .err_overflow_o, .err_merge_o,
    .probe_write_o, .probe_write_idx_o, .probe_level_o
  );

  // Fields that only other packets use
  logic unused_hdr;
  assign unused_hdr = &{1'b0, wr_hdr_i};
endmodule

`default_nettype wire
