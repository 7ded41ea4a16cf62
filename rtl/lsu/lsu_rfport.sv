// SPDX-License-Identifier: Apache-2.0
//
// lsu_rfport -- shares the one read and the one write port of the near-bank register file.
//
//   lsu_issue, lsu_smem, move_near ----------> round-robin --> rd_*  --> row, a cycle later
//   lsu_gather, lsu_smem, register writes ---> round-robin --> wr_*  --> done, a cycle later
//
// What is granted is on rd_* or wr_* in the same cycle. The pointers move with every grant. done_o
// follows a granted register-write message by one cycle, unless its areg bit 0 was set.

`default_nettype none

module lsu_rfport (
  input  wire logic                          clk_i,          // core clock
  input  wire logic                          rst_ni,         // asynchronous, active low
  // Reads: lsu_issue, lsu_smem, move_near
  input  wire logic [2:0]                    rd_req_i,       // 0 lsu_issue, 1 lsu_smem, 2 move_near wants a row
  input  wire logic [3*lsu_pkg::WARP_W-1:0]  rd_req_warp_i,  // a warp a requester, 0 lowest
  input  wire logic [3*lsu_pkg::REG_W-1:0]   rd_req_reg_i,   // a register a requester
  output      logic [2:0]                    rd_gnt_o,       // one-hot or 0, same cycle; row in the next cycle
  output      logic                          rd_valid_o,     // read a row
  output      logic [lsu_pkg::WARP_W-1:0]    rd_warp_o,      // its warp
  output      logic [lsu_pkg::REG_W-1:0]     rd_reg_o,       // its register
  // Writes: lsu_gather
  input  wire logic                          g_valid_i,      // a loaded row, of all threads; stays until g_gnt_o
  input  wire logic [lsu_pkg::WARP_W-1:0]    g_warp_i,       // its warp
  input  wire logic [lsu_pkg::REG_W-1:0]     g_reg_i,        // its register
  input  wire logic [lsu_pkg::ROW_BITS-1:0]  g_data_i,       // 32 words
  output      logic                          g_gnt_o,        // the row is written, same cycle
  // lsu_smem
  input  wire logic                          s_valid_i,      // a row from shared memory; stays until s_gnt_o
  input  wire logic [lsu_pkg::WARP_W-1:0]    s_warp_i,       // its warp
  input  wire logic [lsu_pkg::REG_W-1:0]     s_reg_i,        // its register
  input  wire logic [lsu_pkg::LANES-1:0]     s_mask_i,       // threads that are written
  input  wire logic [lsu_pkg::ROW_BITS-1:0]  s_data_i,       // 32 words
  output      logic                          s_gnt_o,        // the row is written, same cycle
  // Register-write messages
  input  wire logic                          w_valid_i,      // a register-write message; stays until w_take_o
  input  wire logic [lsu_pkg::BEAT_BITS-1:0] w_hdr_i,        // its header: warp, reg, id, areg bit 0
  input  wire logic [lsu_pkg::LANES-1:0]     w_mask_i,       // threads that are written
  input  wire logic [lsu_pkg::ROW_BITS-1:0]  w_data_i,       // 32 words
  output      logic                          w_take_o,       // the message is done, same cycle
  // To the register file
  output      logic                          wr_valid_o,     // write a row
  output      logic [lsu_pkg::WARP_W-1:0]    wr_warp_o,      // its warp
  output      logic [lsu_pkg::REG_W-1:0]     wr_reg_o,       // its register
  output      logic [lsu_pkg::LANES-1:0]     wr_mask_o,      // threads that are written
  output      logic [lsu_pkg::ROW_BITS-1:0]  wr_data_o,      // 32 words
  // To lsu_done
  output      logic                          done_o,         // one cycle: a message that wants a CPL is done
  output      logic [lsu_pkg::ID_W-1:0]      done_id_o       // its instruction; 0 without done_o
);

  logic [2:0]               wr_gnt, unused_rd, unused_wr;
  logic                     done_d, done_q;
  logic [lsu_pkg::ID_W-1:0] done_id_d, done_id_q;

  // A requester that holds its request waits for at most two others.
  arb_rr #(.NumReq(3)) i_read (
    .clk_i, .rst_ni, .req_i(rd_req_i), .update_i(1'b1), .gnt_o(rd_gnt_o), .probe_mask_o(unused_rd)
  );
  arb_rr #(.NumReq(3)) i_write (
    .clk_i, .rst_ni, .req_i({w_valid_i, s_valid_i, g_valid_i}), .update_i(1'b1),
    .gnt_o(wr_gnt), .probe_mask_o(unused_wr)
  );

  // The fields of the granted one, 0 without a grant.
  always_comb begin
    rd_warp_o = '0;
    rd_reg_o  = '0;
    for (int i = 0; i < 3; i++) begin
      if (rd_gnt_o[i]) begin
        rd_warp_o = rd_req_warp_i[i*6 +: 6];
        rd_reg_o  = rd_req_reg_i[i*8 +: 8];
      end
    end
  end
  assign rd_valid_o = |rd_gnt_o;

  assign {w_take_o, s_gnt_o, g_gnt_o} = wr_gnt;
  assign wr_valid_o                   = |wr_gnt;

  always_comb begin
    {wr_warp_o, wr_reg_o, wr_mask_o, wr_data_o} = '0;
    if (g_gnt_o)  {wr_warp_o, wr_reg_o, wr_mask_o, wr_data_o} = {g_warp_i, g_reg_i, {32{1'b1}}, g_data_i};
    if (s_gnt_o)  {wr_warp_o, wr_reg_o, wr_mask_o, wr_data_o} = {s_warp_i, s_reg_i, s_mask_i, s_data_i};
    if (w_take_o) {wr_warp_o, wr_reg_o, wr_mask_o, wr_data_o} =
      {w_hdr_i[lsu_pkg::WARP_LSB +: lsu_pkg::WARP_W], w_hdr_i[lsu_pkg::REG_LSB +: lsu_pkg::REG_W], w_mask_i, w_data_i};
  end

  // The id leaves from a register: lsu_done takes it in the cycle of done_o.
  assign done_d    = w_take_o && !w_hdr_i[lsu_pkg::AREG_LSB];
  assign done_id_d = done_d ? w_hdr_i[lsu_pkg::ID_LSB +: lsu_pkg::ID_W] : '0;
  assign done_o    = done_q;
  assign done_id_o = done_id_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      done_q    <= '0;
      done_id_q <= '0;
    end else begin
      done_q    <= done_d;
      done_id_q <= done_id_d;
    end
  end

  // Fields of the header that a register write has no use for.
  logic unused;
  assign unused = &{1'b0, w_hdr_i};

`ifndef SYNTHESIS
  // A write goes out in each cycle in which one is wanted.
  always @(posedge clk_i) if (rst_ni) begin
    assert (wr_valid_o == (g_valid_i || s_valid_i || w_valid_i));
  end
`endif
endmodule

`default_nettype wire
