// SPDX-License-Identifier: Apache-2.0
//
// lsu_issue -- takes memory messages in order and makes DRAM transfers of
// them, at most one a cycle.
//
// The message at the head stays until its last transfer is pushed:
//
//   RD, WR  --------------------------------------------> push, take
//   LDO     --------------> push k = 0, g_alloc --------> push k = 1 ... n - 1, take
//   STO     rf_req: rows -> push k = 0, st_alloc -------> push k = 1 ... n - 1, take
//
// A transfer needs a free transaction and a place in the queue. The first of an offloaded access
// also needs an entry in lsu_gather or lsu_stores; entry_q keeps its number for the other
// transfers. A store reads its one or two rows first: asked_q counts the grants, a row comes in the
// cycle after its grant (coming_q).

`default_nettype none

module lsu_issue (
  input  wire logic                           clk_i,       // core clock
  input  wire logic                           rst_ni,      // asynchronous, active low
  // From lsu_rx
  input  wire logic                           m_valid_i,   // the oldest memory message; stays until m_take_o
  input  wire logic [lsu_pkg::BEAT_BITS-1:0]  m_hdr_i,     // its header
  input  wire logic [lsu_pkg::XFER_BYTES-1:0] m_mask_i,    // WR: bytes that are written
  input  wire logic [lsu_pkg::XFER_BITS-1:0]  m_data_i,    // WR: 32 bytes
  output      logic                           m_take_o,    // with its last transfer, same cycle
  // Register file
  output      logic                           rf_req_o,    // STO: a row is wanted, until rf_gnt_i
  output      logic [lsu_pkg::WARP_W-1:0]     rf_warp_o,   // its warp
  output      logic [lsu_pkg::REG_W-1:0]      rf_reg_o,    // its register
  input  wire logic                           rf_gnt_i,    // same cycle: the row comes in the next one
  input  wire logic [lsu_pkg::ROW_BITS-1:0]   rf_data_i,   // the row
  // lsu_xact
  input  wire logic                           x_free_i,    // a transaction is free
  input  wire logic [lsu_pkg::TAG_BITS-1:0]   x_tag_i,     // its tag
  output      logic                           x_alloc_o,   // takes it, with q_push_o
  output      logic [1:0]                     x_kind_o,    // 0 RD, 1 WR, 2 LDO, 3 STO
  output      logic [lsu_pkg::REF_BITS-1:0]   x_ref_o,     // for the answer: asker and id, or entry and k
  // lsu_gather, lsu_stores
  input  wire logic                           g_free_i,    // lsu_gather has an entry
  input  wire logic [3:0]                     g_idx_i,     // its number
  output      logic                           g_alloc_o,   // takes it for the load at the head
  input  wire logic                           st_free_i,   // lsu_stores has an entry
  input  wire logic [3:0]                     st_idx_i,    // its number
  output      logic                           st_alloc_o,  // takes it for the store at the head
  output      logic [3:0]                     op_n_o,      // transfers of the message; 0 without
  output      logic [4:0]                     op_off_o,    // place of thread 0 in transfer 0, bytes
  // lsu_dramq
  input  wire logic                           q_ready_i,   // the queue has a place
  output      logic                           q_push_o,    // a transfer
  output      logic                           q_write_o,   // 1: write, 0: read
  output      logic [lsu_pkg::ADDR_BITS-1:0]  q_addr_o,    // byte address, a multiple of 32
  output      logic [lsu_pkg::TAG_BITS-1:0]   q_tag_o,     // x_tag_i
  output      logic [lsu_pkg::XFER_BITS-1:0]  q_wdata_o,   // write: 32 bytes, else 0
  output      logic [lsu_pkg::XFER_BYTES-1:0] q_wmask_o    // write: bytes that are written, else 0
);

  // The message at the head, and how far it has come: k_q transfers, asked_q rows.
  logic [3:0]                    kind;
  logic [lsu_pkg::SIZE_W-1:0]    size;
  logic [lsu_pkg::ADDR_BITS-1:0] addr, xaddr;
  logic                          is_rd, is_wr, is_ldo, is_sto, offloaded;
  logic [3:0]                    k_d, k_q, entry_d, entry_q, entry, n;
  logic [4:0]                    off;
  logic [1:0]                    asked_d, asked_q, rows;
  logic                          coming_d, coming_q, rows_there, entry_there, last;
  logic [lsu_pkg::ROW_BITS-1:0]  low_d, low_q, high_d, high_q;  // rows of a store
  logic [31:0]                   unused_lanes;

  assign kind = m_hdr_i[lsu_pkg::TYPE_LSB +: lsu_pkg::TYPE_W];
  assign size = m_hdr_i[lsu_pkg::SIZE_LSB +: lsu_pkg::SIZE_W];
  assign addr = m_hdr_i[lsu_pkg::ADDR_LSB +: lsu_pkg::ADDR_W];

  assign is_rd     = m_valid_i && kind == lsu_pkg::MSG_RD;
  assign is_wr     = m_valid_i && kind == lsu_pkg::MSG_WR;
  assign is_ldo    = m_valid_i && kind == lsu_pkg::MSG_LDO;
  assign is_sto    = m_valid_i && kind == lsu_pkg::MSG_STO;
  assign offloaded = is_ldo || is_sto;

  // The transfers of an offloaded access.
  lsu_restore i_restore (
    .clk_i, .rst_ni, .addr_i(addr), .size_i(size), .k_i(k_q),
    .n_o(n), .off_o(off), .xaddr_o(xaddr), .lanes_o(unused_lanes)
  );
  assign op_n_o   = m_valid_i ? n : '0;
  assign op_off_o = m_valid_i ? off : '0;

  // Rows of a store. The file answers a cycle after the grant, so the last row may still be coming.
  assign rows       = size == 2'd3 ? 2'd2 : 2'd1;
  assign rf_req_o   = is_sto && asked_q < rows;
  assign rf_warp_o  = m_hdr_i[lsu_pkg::WARP_LSB +: lsu_pkg::WARP_W];
  assign rf_reg_o   = m_hdr_i[lsu_pkg::REG_LSB +: lsu_pkg::REG_W] + 8'(asked_q);
  assign coming_d   = rf_req_o && rf_gnt_i;
  assign asked_d    = m_take_o ? '0 : asked_q + 2'(coming_d);
  assign low_d      = coming_q && asked_q == 2'd1 ? rf_data_i : low_q;
  assign high_d     = coming_q && asked_q == 2'd2 ? rf_data_i : high_q;
  assign rows_there = asked_q == rows && !coming_q;

  // One transfer. The entry is taken with the first transfer, not before: an access that waits for
  // a transaction keeps no entry from others.
  assign entry       = k_q != '0 ? entry_q : is_ldo ? g_idx_i : st_idx_i;
  assign entry_there = k_q != '0 || (is_ldo && g_free_i) || (is_sto && st_free_i);
  assign q_push_o    = x_free_i && q_ready_i && (is_rd || is_wr || (is_ldo && entry_there) ||
                                                 (is_sto && entry_there && rows_there));
  assign last        = !offloaded || k_q + 4'd1 == n;
  assign m_take_o    = q_push_o && last;
  assign g_alloc_o   = q_push_o && is_ldo && k_q == '0;
  assign st_alloc_o  = q_push_o && is_sto && k_q == '0;
  assign k_d         = !q_push_o ? k_q : last ? '0 : k_q + 4'd1;
  assign entry_d     = entry;

  // What the answer is for: lsu_xact keeps kind and ref under the tag.
  assign x_alloc_o = q_push_o;
  assign x_kind_o  = {offloaded, is_wr || is_sto};
  assign x_ref_o   = offloaded ? {3'd0, entry, is_ldo ? k_q : 4'd0}
                               : {m_hdr_i[lsu_pkg::AREG_LSB +: 3], m_hdr_i[lsu_pkg::ID_LSB +: lsu_pkg::ID_W]};

  // The address of a transfer is aligned; RD and WR ignore the low bits.
  assign q_write_o = is_wr || is_sto;
  assign q_addr_o  = offloaded ? xaddr : {addr[25:5], 5'd0};
  assign q_tag_o   = x_tag_i;

  // Bytes of a store, thread by thread, at their places in the transfers.
  logic [2047:0] bytes;
  logic [2303:0] placed;
  logic [287:0]  places;

  always_comb begin
    bytes  = '0;
    placed = '0;
    places = '0;
    q_wdata_o = is_wr ? m_data_i : '0;
    q_wmask_o = is_wr ? m_mask_i : '0;
    if (is_sto && rows_there) begin
      for (int t = 0; t < 32; t++) begin
        case (size)
          2'd0:    bytes[t*8 +: 8]   = low_q[t*32 +: 8];
          2'd1:    bytes[t*16 +: 16] = low_q[t*32 +: 16];
          2'd2:    bytes[t*32 +: 32] = low_q[t*32 +: 32];
          default: bytes[t*64 +: 64] = {high_q[t*32 +: 32], low_q[t*32 +: 32]};
        endcase
      end
      case (size)
        2'd0:    places = 288'({32{1'b1}});
        2'd1:    places = 288'({64{1'b1}});
        2'd2:    places = 288'({128{1'b1}});
        default: places = 288'({256{1'b1}});
      endcase
      placed    = 2304'(bytes) << {off, 3'd0};
      places    = places << off;
      q_wdata_o = placed[k_q*256 +: 256];
      q_wmask_o = places[k_q*32 +: 32];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      k_q      <= '0;
      entry_q  <= '0;
      asked_q  <= '0;
      coming_q <= '0;
      low_q    <= '0;
      high_q   <= '0;
    end else begin
      k_q      <= k_d;
      entry_q  <= entry_d;
      asked_q  <= asked_d;
      coming_q <= coming_d;
      low_q    <= low_d;
      high_q   <= high_d;
    end
  end

  // The unit itself, and what lsu_gather takes from the header.
  logic unused;
  assign unused = &{1'b0, m_hdr_i};

`ifndef SYNTHESIS
  // A transfer has its tag and its place, a row comes only for a store, and k stays below nine.
  always @(posedge clk_i) if (rst_ni) begin
    assert (!m_valid_i || is_rd || is_wr || offloaded);  // lsu_rx gives class memory alone
    assert (!q_push_o || (x_free_i && q_ready_i));
    assert (!rf_gnt_i || rf_req_o);
    assert (k_q < 4'd9);
  end
`endif
endmodule

`default_nettype wire
