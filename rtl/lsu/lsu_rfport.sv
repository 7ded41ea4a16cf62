// SPDX-License-Identifier: Apache-2.0
//
// lsu_rfport -- one read and one write port of the near-bank register file for all that need them.
//
// Each port has a round-robin arbiter whose pointer moves with every grant. What is granted is on rd_* or wr_* in the same cycle; the
// register file answers a read in the next. done_o follows a granted register-write message by one cycle, unless its areg bit 0 was set.

`default_nettype none

module lsu_rfport (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  // Reads: lsu_issue, lsu_smem, move_near
  input  wire logic [2:0]                    rd_req_i,
  input  wire logic [3*lsu_pkg::WARP_W-1:0]  rd_req_warp_i,
  input  wire logic [3*lsu_pkg::REG_W-1:0]   rd_req_reg_i,
  output      logic [2:0]                    rd_gnt_o,
  output      logic                          rd_valid_o,
  output      logic [lsu_pkg::WARP_W-1:0]    rd_warp_o,
  output      logic [lsu_pkg::REG_W-1:0]     rd_reg_o,
  // Writes: lsu_gather
  input  wire logic                          g_valid_i,
  input  wire logic [lsu_pkg::WARP_W-1:0]    g_warp_i,
  input  wire logic [lsu_pkg::REG_W-1:0]     g_reg_i,
  input  wire logic [lsu_pkg::ROW_BITS-1:0]  g_data_i,
  output      logic                          g_gnt_o,
  // lsu_smem
  input  wire logic                          s_valid_i,
  input  wire logic [lsu_pkg::WARP_W-1:0]    s_warp_i,
  input  wire logic [lsu_pkg::REG_W-1:0]     s_reg_i,
  input  wire logic [lsu_pkg::LANES-1:0]     s_mask_i,
  input  wire logic [lsu_pkg::ROW_BITS-1:0]  s_data_i,
  output      logic                          s_gnt_o,
  // Register-write messages
  input  wire logic                          w_valid_i,
  input  wire logic [lsu_pkg::BEAT_BITS-1:0] w_hdr_i,
  input  wire logic [lsu_pkg::LANES-1:0]     w_mask_i,
  input  wire logic [lsu_pkg::ROW_BITS-1:0]  w_data_i,
  output      logic                          w_take_o,
  // To the register file
  output      logic                          wr_valid_o,
  output      logic [lsu_pkg::WARP_W-1:0]    wr_warp_o,
  output      logic [lsu_pkg::REG_W-1:0]     wr_reg_o,
  output      logic [lsu_pkg::LANES-1:0]     wr_mask_o,
  output      logic [lsu_pkg::ROW_BITS-1:0]  wr_data_o,
  // To lsu_done
  output      logic                          done_o,
  output      logic [lsu_pkg::ID_W-1:0]      done_id_o
);

  logic [2:0]               wr_gnt, unused_rd, unused_wr;
  logic                     done_d, done_q;
  logic [lsu_pkg::ID_W-1:0] done_id_d, done_id_q;

  arb_rr #(.NumReq(3)) i_read (
    .clk_i, .rst_ni, .req_i(rd_req_i), .update_i(1'b1), .gnt_o(rd_gnt_o), .probe_mask_o(unused_rd)
  );
  arb_rr #(.NumReq(3)) i_write (
    .clk_i, .rst_ni, .req_i({w_valid_i, s_valid_i, g_valid_i}), .update_i(1'b1), .gnt_o(wr_gnt), .probe_mask_o(unused_wr)
  );

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
    if (w_take_o) {wr_warp_o, wr_reg_o, wr_mask_o, wr_data_o} = {w_hdr_i[lsu_pkg::WARP_LSB +: lsu_pkg::WARP_W],
                                                                 w_hdr_i[lsu_pkg::REG_LSB +: lsu_pkg::REG_W], w_mask_i, w_data_i};
  end

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

  logic unused;                                // fields of the header that a register write has no use for
  assign unused = &{1'b0, w_hdr_i};

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (wr_valid_o == (g_valid_i || s_valid_i || w_valid_i));
  end
`endif
endmodule

`default_nettype wire
