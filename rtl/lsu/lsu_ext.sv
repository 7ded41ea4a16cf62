// SPDX-License-Identifier: Apache-2.0
//
// lsu_ext -- LSU-Extension of a near-bank unit (MPU paper, IV-B2, Fig. 4
// (3); IV-C): wiring, and the read buffer.
//
//             +- m -> lsu_issue -> lsu_dramq -> controller -> lsu_xact -+-> read buffer --> lsu_tx
//             |                                                         +-> lsu_gather --> lsu_done
//   lsu_rx ---+                                                         +-> lsu_stores --> lsu_done
//   (TSV bus) +- s -> lsu_smem <-> shared memory --------------------------------------> lsu_done
//             +- w -> lsu_rfport <-> register file ------------------------------------> lsu_done
//             +- v -> move_near <-> lsu_rfport ----------------------------------------> lsu_tx
//
// lsu_rx sorts messages by class: memory (m), shared memory (s), register write (w), register move
// (v). lsu_xact knows what the answer with a tag is for. lsu_tx sends answers, rows, and a message
// for each id in lsu_done. All outputs are state, but for the register-file and shared-memory
// ports, which ask as the message at their head says.

`default_nettype none

module lsu_ext #(
  parameter int MemDepth   = 8,     // messages of class memory, 1 to 32
  parameter int SmemDepth  = 4,     // messages of class shared memory, 1 to 16
  parameter int WriteDepth = 2,     // messages of class register write, 1 to 8
  parameter int MoveDepth  = 2,     // messages of class register move, 1 to 8
  parameter int Xacts      = 32,    // transactions under way, 2 to 256
  parameter int QueueDepth = 16,    // requests that wait for the controller, 1 to 64
  parameter int McCredits  = 8,     // requests that the controller can hold for this unit, 1 to 64
  parameter int Gathers    = 4,     // offloaded loads under way, 1 to 16
  parameter int Stores     = 4,     // offloaded stores under way, 1 to 16
  parameter int SmemBytes  = 65536  // bytes of shared memory: a power of two, 128 to 65536
) (
  input  wire logic                                                  clk_i,               // core clock
  input  wire logic                                                  rst_ni,              // asynchronous, active low
  input  wire logic [lsu_pkg::NBU_W-1:0]                             nbu_id_i,            // number of this unit
  // From and to the TSV bus
  input  wire logic [1:0]                                            dn_valid_i,          // bit b: beat b is there
  input  wire logic [2*lsu_pkg::BEAT_BITS-1:0]                       dn_beat_i,           // two beats, the first lowest
  output      logic [3:0]                                            dn_credit_o,         // credits: a bit a class
  output      logic [1:0]                                            up_valid_o,          // bit b: beat b is there
  output      logic [2*lsu_pkg::BEAT_BITS-1:0]                       up_beat_o,           // two beats, until up_take_i
  input  wire logic                                                  up_take_i,           // the bus takes the word
  // To and from the near-bank memory controller
  output      logic                                                  mc_valid_o,          // a request, for one cycle
  output      logic                                                  mc_write_o,          // 1: write, 0: read
  output      logic [lsu_pkg::ADDR_BITS-1:0]                         mc_addr_o,           // byte address, 32-aligned
  output      logic [lsu_pkg::TAG_BITS-1:0]                          mc_tag_o,            // comes back as mr_tag_i
  output      logic [lsu_pkg::XFER_BITS-1:0]                         mc_wdata_o,          // write: 32 bytes
  output      logic [lsu_pkg::XFER_BYTES-1:0]                        mc_wmask_o,          // write: bytes written
  input  wire logic                                                  mc_credit_i,         // controller has a place more
  input  wire logic                                                  mr_valid_i,          // an answer, any order
  input  wire logic [lsu_pkg::TAG_BITS-1:0]                          mr_tag_i,            // its transaction
  input  wire logic [lsu_pkg::XFER_BITS-1:0]                         mr_data_i,           // read: 32 bytes
  // Near-bank register file
  output      logic                                                  rf_rd_valid_o,       // reads a row
  output      logic [lsu_pkg::WARP_W-1:0]                            rf_rd_warp_o,        // its warp
  output      logic [lsu_pkg::REG_W-1:0]                             rf_rd_reg_o,         // its register
  input  wire logic [lsu_pkg::ROW_BITS-1:0]                          rf_rd_data_i,        // the row, a cycle later
  output      logic                                                  rf_wr_valid_o,       // writes a row
  output      logic [lsu_pkg::WARP_W-1:0]                            rf_wr_warp_o,        // its warp
  output      logic [lsu_pkg::REG_W-1:0]                             rf_wr_reg_o,         // its register
  output      logic [lsu_pkg::LANES-1:0]                             rf_wr_mask_o,        // threads written
  output      logic [lsu_pkg::ROW_BITS-1:0]                          rf_wr_data_o,        // 32 words
  // Shared memory of the core
  output      logic                                                  sm_req_o,            // a pass, until sm_gnt_i
  output      logic                                                  sm_we_o,             // 1: write, 0: read
  output      logic [lsu_pkg::SMEM_BANKS-1:0]                        sm_banks_o,          // banks that it uses
  output      logic [lsu_pkg::SMEM_BANKS*lsu_pkg::SMEM_ROW_BITS-1:0] sm_row_o,            // 9 bits a bank: word in it
  output      logic [lsu_pkg::ROW_BITS-1:0]                          sm_wdata_o,          // a word a bank
  output      logic [lsu_pkg::ROW_BITS/8-1:0]                        sm_wmask_o,          // 4 bits a bank: bytes
  input  wire logic                                                  sm_gnt_i,            // the pass is granted
  input  wire logic [lsu_pkg::ROW_BITS-1:0]                          sm_rdata_i,          // the words, a cycle later
  output      logic [9:0]                                            err_o,               // one cycle each, by kind
  output      logic                                                  probe_issue_o,       // a transfer is made
  output      logic [lsu_pkg::TAG_BITS-1:0]                          probe_issue_tag_o,   // its tag
  output      logic [8:0]                                            probe_xacts_o,       // transactions in use
  output      logic [15:0]                                           probe_gather_o,      // loads that are complete
  output      logic [3:0]                                            probe_done_o,        // inputs of lsu_done
  output      logic [4*lsu_pkg::ID_W-1:0]                            probe_done_ids_o,    // an id a source, else 0
  output      logic [6:0]                                            probe_done_level_o,  // ids in lsu_done
  output      logic                                                  probe_cpl_o,         // a CPL waits
  output      logic [lsu_pkg::ID_W-1:0]                              probe_cpl_id_o,      // its id
  output      logic                                                  probe_read_o,        // buffer read a cycle ago
  output      logic [lsu_pkg::TAG_BITS-1:0]                          probe_read_tag_o,    // its entry
  output      logic [lsu_pkg::XFER_BITS-1:0]                         probe_read_data_o    // and its data
);

  // A place in lsu_done for each instruction that can be under way here, and
  // for four that end at once.
  localparam int DoneWanted = 4 + Gathers + Stores + MemDepth + SmemDepth + WriteDepth;
  localparam int DoneDepth  = DoneWanted > lsu_pkg::DONE_MOST ? lsu_pkg::DONE_MOST : DoneWanted;
  localparam int TagW       = $clog2(Xacts);

  // Messages by class; each waits at the head of its FIFO until it is taken.
  logic                          m_valid, m_take, s_valid, s_take, w_valid, w_take, v_valid, v_take;
  logic [lsu_pkg::BEAT_BITS-1:0] m_hdr, s_hdr, s_ctl, w_hdr, v_hdr;
  logic [31:0]                   m_mask, w_mask;
  logic [lsu_pkg::XFER_BITS-1:0] m_data;
  logic [lsu_pkg::ROW_BITS-1:0]  w_data;

  lsu_rx #(.MemDepth(MemDepth), .SmemDepth(SmemDepth), .WriteDepth(WriteDepth), .MoveDepth(MoveDepth)) i_rx (
    .clk_i, .rst_ni, .nbu_id_i, .dn_valid_i, .dn_beat_i, .dn_credit_o,
    .m_valid_o(m_valid), .m_hdr_o(m_hdr), .m_mask_o(m_mask), .m_data_o(m_data), .m_take_i(m_take),
    .s_valid_o(s_valid), .s_hdr_o(s_hdr), .s_ctl_o(s_ctl), .s_take_i(s_take),
    .w_valid_o(w_valid), .w_hdr_o(w_hdr), .w_mask_o(w_mask), .w_data_o(w_data), .w_take_i(w_take),
    .v_valid_o(v_valid), .v_hdr_o(v_hdr), .v_take_i(v_take), .err_o(err_o[2:0])
  );

  // Memory messages to transfers. A transfer is pushed only with a free transaction and a place in
  // the queue, so the parts behind lsu_issue never refuse one.
  logic                          issue_rf_req, smem_rf_req, move_rf_req;
  logic [lsu_pkg::WARP_W-1:0]    issue_rf_warp, smem_rf_warp, move_rf_warp;
  logic [lsu_pkg::REG_W-1:0]     issue_rf_reg, smem_rf_reg, move_rf_reg;
  logic [2:0]                    rd_gnt;
  logic                          x_free, x_alloc, g_free, g_alloc, st_free, st_alloc, q_ready, q_push, q_write;
  logic [lsu_pkg::TAG_BITS-1:0]  x_tag, q_tag;
  logic [1:0]                    x_kind;
  logic [lsu_pkg::REF_BITS-1:0]  x_ref;
  logic [3:0]                    g_idx, st_idx, op_n;
  logic [4:0]                    op_off;
  logic [lsu_pkg::ADDR_BITS-1:0] q_addr;
  logic [lsu_pkg::XFER_BITS-1:0] q_wdata;
  logic [31:0]                   q_wmask;

  lsu_issue i_issue (
    .clk_i, .rst_ni,
    .m_valid_i(m_valid), .m_hdr_i(m_hdr), .m_mask_i(m_mask), .m_data_i(m_data), .m_take_o(m_take),
    .rf_req_o(issue_rf_req), .rf_warp_o(issue_rf_warp),
    .rf_reg_o(issue_rf_reg), .rf_gnt_i(rd_gnt[0]), .rf_data_i(rf_rd_data_i),
    .x_free_i(x_free), .x_tag_i(x_tag), .x_alloc_o(x_alloc), .x_kind_o(x_kind), .x_ref_o(x_ref),
    .g_free_i(g_free), .g_idx_i(g_idx), .g_alloc_o(g_alloc),
    .st_free_i(st_free), .st_idx_i(st_idx), .st_alloc_o(st_alloc),
    .op_n_o(op_n), .op_off_o(op_off),
    .q_ready_i(q_ready), .q_push_o(q_push), .q_write_o(q_write), .q_addr_o(q_addr), .q_tag_o(q_tag),
    .q_wdata_o(q_wdata), .q_wmask_o(q_wmask)
  );

  lsu_dramq #(.QueueDepth(QueueDepth), .McCredits(McCredits)) i_dramq (
    .clk_i, .rst_ni,
    .push_i(q_push), .write_i(q_write), .addr_i(q_addr), .tag_i(q_tag),
    .wdata_i(q_wdata), .wmask_i(q_wmask), .ready_o(q_ready),
    .mc_valid_o, .mc_write_o, .mc_addr_o, .mc_tag_o, .mc_wdata_o, .mc_wmask_o, .mc_credit_i, .err_o(err_o[5])
  );

  // Answers of the controller. RD and WR (kinds 0, 1) go up; LDO and STO (2, 3) are done here, and
  // their transaction ends with the answer. An answer without a transaction goes nowhere.
  logic                         lk_hit, up_hit, to_up, to_gather, to_stores, a_valid, rel_valid;
  logic [1:0]                   lk_kind, a_kind;
  logic [lsu_pkg::REF_BITS-1:0] lk_ref, a_ref;
  logic [lsu_pkg::TAG_BITS-1:0] a_tag, rel_tag;

  // rel ends a transaction that went up; rel2 ends what is done here, in the cycle of its answer.
  lsu_xact #(.Xacts(Xacts)) i_xact (
    .clk_i, .rst_ni,
    .free_o(x_free), .tag_o(x_tag), .alloc_i(x_alloc), .al_kind_i(x_kind), .al_ref_i(x_ref),
    .lk_valid_i(mr_valid_i), .lk_tag_i(mr_tag_i), .lk_hit_o(lk_hit), .lk_kind_o(lk_kind), .lk_ref_o(lk_ref),
    .up_valid_i(a_valid), .up_tag_i(a_tag), .up_hit_o(up_hit), .up_kind_o(a_kind), .up_ref_o(a_ref),
    .rel_valid_i(rel_valid), .rel_tag_i(rel_tag), .rel2_valid_i(to_gather || to_stores), .rel2_tag_i(mr_tag_i),
    .err_o(err_o[4:3]), .probe_used_o(probe_xacts_o)
  );
  assign to_up     = lk_hit && !lk_kind[1];
  assign to_gather = lk_hit && lk_kind == 2'd2;
  assign to_stores = lk_hit && lk_kind == 2'd3;

  logic                         gather_valid, gather_gnt, gather_done, stores_done;
  logic [lsu_pkg::WARP_W-1:0]   gather_warp;
  logic [lsu_pkg::REG_W-1:0]    gather_reg;
  logic [lsu_pkg::ID_W-1:0]     gather_done_id, stores_done_id;
  logic [lsu_pkg::ROW_BITS-1:0] gather_data;
  logic [Gathers-1:0]           gather_complete;

  // The fields of a load or store come straight from the header at lsu_issue's head. An entry is
  // taken with the first transfer, when that header is still there.
  lsu_gather #(.Gathers(Gathers)) i_gather (
    .clk_i, .rst_ni,
    .free_o(g_free), .idx_o(g_idx), .alloc_i(g_alloc),
    .al_warp_i(m_hdr[lsu_pkg::WARP_LSB +: lsu_pkg::WARP_W]), .al_reg_i(m_hdr[lsu_pkg::REG_LSB +: lsu_pkg::REG_W]),
    .al_size_i(m_hdr[lsu_pkg::SIZE_LSB +: lsu_pkg::SIZE_W]),
    .al_sign_i(m_hdr[lsu_pkg::AREG_LSB]), .al_off_i(op_off), .al_n_i(op_n),
    .al_id_i(m_hdr[lsu_pkg::ID_LSB +: lsu_pkg::ID_W]),
    .wr_valid_i(to_gather), .wr_idx_i(lk_ref[7:4]), .wr_k_i(lk_ref[3:0]), .wr_data_i(mr_data_i),
    .rw_valid_o(gather_valid), .rw_warp_o(gather_warp),
    .rw_reg_o(gather_reg), .rw_data_o(gather_data), .rw_gnt_i(gather_gnt),
    .done_o(gather_done), .done_id_o(gather_done_id), .err_o(err_o[6]), .probe_complete_o(gather_complete)
  );

  lsu_stores #(.Stores(Stores)) i_stores (
    .clk_i, .rst_ni,
    .free_o(st_free), .idx_o(st_idx), .alloc_i(st_alloc),
    .al_n_i(op_n), .al_id_i(m_hdr[lsu_pkg::ID_LSB +: lsu_pkg::ID_W]),
    .ack_i(to_stores), .ack_idx_i(lk_ref[7:4]), .done_o(stores_done), .done_id_o(stores_done_id), .err_o(err_o[7])
  );

  // Shared memory.
  logic                         smem_valid, smem_gnt, smem_done;
  logic [lsu_pkg::WARP_W-1:0]   smem_warp;
  logic [lsu_pkg::REG_W-1:0]    smem_reg;
  logic [lsu_pkg::ID_W-1:0]     smem_done_id;
  logic [31:0]                  smem_mask;
  logic [lsu_pkg::ROW_BITS-1:0] smem_data;

  lsu_smem #(.SmemBytes(SmemBytes)) i_smem (
    .clk_i, .rst_ni,
    .s_valid_i(s_valid), .s_hdr_i(s_hdr), .s_ctl_i(s_ctl), .s_take_o(s_take),
    .rf_req_o(smem_rf_req), .rf_warp_o(smem_rf_warp),
    .rf_reg_o(smem_rf_reg), .rf_gnt_i(rd_gnt[1]), .rf_data_i(rf_rd_data_i),
    .sm_req_o, .sm_we_o, .sm_banks_o, .sm_row_o, .sm_wdata_o, .sm_wmask_o, .sm_gnt_i, .sm_rdata_i,
    .rw_valid_o(smem_valid), .rw_warp_o(smem_warp), .rw_reg_o(smem_reg),
    .rw_mask_o(smem_mask), .rw_data_o(smem_data), .rw_gnt_i(smem_gnt),
    .done_o(smem_done), .done_id_o(smem_done_id), .err_o(err_o[8])
  );

  // Register moves.
  logic                          row_valid, row_take;
  logic [lsu_pkg::BEAT_BITS-1:0] row_hdr;
  logic [lsu_pkg::ROW_BITS-1:0]  row_data;

  move_near i_move (
    .clk_i, .rst_ni, .v_valid_i(v_valid), .v_hdr_i(v_hdr), .v_take_o(v_take),
    .rf_req_o(move_rf_req), .rf_warp_o(move_rf_warp),
    .rf_reg_o(move_rf_reg), .rf_gnt_i(rd_gnt[2]), .rf_data_i(rf_rd_data_i),
    .out_valid_o(row_valid), .out_hdr_o(row_hdr), .out_data_o(row_data), .out_take_i(row_take)
  );

  // Register file: one read port, one write port.
  logic                     port_done;
  logic [lsu_pkg::ID_W-1:0] port_done_id;

  lsu_rfport i_rfport (
    .clk_i, .rst_ni,
    .rd_req_i({move_rf_req, smem_rf_req, issue_rf_req}), .rd_req_warp_i({move_rf_warp, smem_rf_warp, issue_rf_warp}),
    .rd_req_reg_i({move_rf_reg, smem_rf_reg, issue_rf_reg}), .rd_gnt_o(rd_gnt),
    .rd_valid_o(rf_rd_valid_o), .rd_warp_o(rf_rd_warp_o), .rd_reg_o(rf_rd_reg_o),
    .g_valid_i(gather_valid), .g_warp_i(gather_warp),
    .g_reg_i(gather_reg), .g_data_i(gather_data), .g_gnt_o(gather_gnt),
    .s_valid_i(smem_valid), .s_warp_i(smem_warp), .s_reg_i(smem_reg),
    .s_mask_i(smem_mask), .s_data_i(smem_data), .s_gnt_o(smem_gnt),
    .w_valid_i(w_valid), .w_hdr_i(w_hdr), .w_mask_i(w_mask), .w_data_i(w_data), .w_take_o(w_take),
    .wr_valid_o(rf_wr_valid_o), .wr_warp_o(rf_wr_warp_o),
    .wr_reg_o(rf_wr_reg_o), .wr_mask_o(rf_wr_mask_o), .wr_data_o(rf_wr_data_o),
    .done_o(port_done), .done_id_o(port_done_id)
  );

  // What is done, and what goes up.
  logic                          done_valid, done_take, rd_en;
  logic [3:0]                    done;
  logic [31:0]                   done_ids;
  logic [lsu_pkg::ID_W-1:0]      done_id;
  logic [lsu_pkg::TAG_BITS-1:0]  rd_tag;
  logic [lsu_pkg::XFER_BITS-1:0] rd_data;

  assign done     = {port_done, smem_done, stores_done, gather_done};
  assign done_ids = {port_done_id, smem_done_id, stores_done_id, gather_done_id};

  lsu_done #(.Depth(DoneDepth)) i_done (
    .clk_i, .rst_ni, .in_valid_i(done), .in_id_i(done_ids),
    .valid_o(done_valid), .id_o(done_id), .take_i(done_take), .err_o(err_o[9]), .probe_level_o(probe_done_level_o)
  );

  // An entry is the data of transaction `tag`: each RD has its place before it is sent.
  sram_1r1w #(.Width(lsu_pkg::XFER_BITS), .Depth(Xacts), .LaneBits(lsu_pkg::XFER_BITS)) i_read_buffer (
    .clk_i, .rst_ni,
    .wr_en_i(to_up), .wr_addr_i(mr_tag_i[TagW-1:0]), .wr_mask_i(1'b1), .wr_data_i(mr_data_i),
    .rd_en_i(rd_en), .rd_addr_i(rd_tag[TagW-1:0]), .rd_data_o(rd_data)
  );

  lsu_tx #(.Xacts(Xacts)) i_tx (
    .clk_i, .rst_ni, .nbu_id_i,
    .in_valid_i(to_up), .in_tag_i(mr_tag_i),
    .a_valid_o(a_valid), .a_tag_o(a_tag), .a_kind_i(a_kind), .a_ref_i(a_ref),
    .rel_valid_o(rel_valid), .rel_tag_o(rel_tag),
    .rd_en_o(rd_en), .rd_tag_o(rd_tag), .rd_data_i(rd_data),
    .d_valid_i(done_valid), .d_id_i(done_id), .d_take_o(done_take),
    .v_valid_i(row_valid), .v_hdr_i(row_hdr), .v_data_i(row_data), .v_take_o(row_take),
    .up_valid_o, .up_beat_o, .up_take_i
  );

  // For the probes alone: the buffer was read in the cycle before.
  logic                         read_q;
  logic [lsu_pkg::TAG_BITS-1:0] read_tag_q;

  assign probe_issue_o     = q_push;
  assign probe_issue_tag_o = q_push ? q_tag : '0;
  assign probe_gather_o    = 16'(gather_complete);
  assign probe_done_o      = done;
  assign probe_done_ids_o  = done_ids & {{8{done[3]}}, {8{done[2]}}, {8{done[1]}}, {8{done[0]}}};
  assign probe_cpl_o       = done_valid;
  assign probe_cpl_id_o    = done_valid ? done_id : '0;
  assign probe_read_o      = read_q;
  assign probe_read_tag_o  = read_q ? read_tag_q : '0;
  assign probe_read_data_o = read_q ? rd_data : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q     <= 1'b0;
      read_tag_q <= '0;
    end else begin
      read_q     <= rd_en;
      read_tag_q <= rd_tag;
    end
  end

  // A tag's high bits, where there are few transactions; ref's spare bits.
  logic unused;
  assign unused = &{1'b0, up_hit, lk_ref[10:8], rd_tag};

`ifndef SYNTHESIS
  // Messages that go up have their transaction. A message is not a load and a store at once.
  always @(posedge clk_i) if (rst_ni) begin
    assert (!a_valid || up_hit);                          // a message that goes up is still in the table
    assert (!(g_alloc && st_alloc));
  end
`endif
endmodule

`default_nettype wire
