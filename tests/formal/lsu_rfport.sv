// SPDX-License-Identifier: Apache-2.0
//
// lsu_rfport_proof -- each port serves one requester a cycle, in turn and with that requester's
// fields. A register write is done once.
//
// Rows and masks are one bit repeated, because fewer different values are enough.

`default_nettype none

module lsu_rfport_proof (
  input  wire logic        clk_i,
  input  wire logic [2:0]  rd_req_i,
  input  wire logic [17:0] rd_req_warp_i,
  input  wire logic [23:0] rd_req_reg_i,
  input  wire logic        g_valid_i,
  input  wire logic [5:0]  g_warp_i,
  input  wire logic [7:0]  g_reg_i,
  input  wire logic        g_bit_i,
  input  wire logic        s_valid_i,
  input  wire logic [5:0]  s_warp_i,
  input  wire logic [7:0]  s_reg_i,
  input  wire logic [1:0]  s_bits_i,          // mask, data
  input  wire logic        w_valid_i,
  input  wire logic [63:0] w_hdr_i,
  input  wire logic [1:0]  w_bits_i,
  input  wire logic [1:0]  rd_who_i,          // any requester of each port
  input  wire logic [1:0]  wr_who_i
);

  logic          rst_n = 1'b0;                // low in the first cycle only
  logic [2:0]    rd_gnt, wr_req, wr_gnt;
  logic          rd_valid, g_gnt, s_gnt, w_take, wr_valid, done, due, rd_won, wr_won;
  logic [5:0]    rd_warp, wr_warp;
  logic [7:0]    rd_reg, wr_reg, done_id, due_id;
  logic [31:0]   wr_mask;
  logic [1023:0] wr_data;
  logic [13:0]   rd_wanted;
  logic [45:0]   wr_wanted;                   // warp, register, mask
  logic          bit_wanted;
  logic [1:0]    rd_who, wr_who, rd_count, wr_count;

  lsu_rfport u_dut (
    .clk_i, .rst_ni (rst_n), .rd_req_i, .rd_req_warp_i, .rd_req_reg_i, .rd_gnt_o (rd_gnt), .rd_valid_o (rd_valid),
    .rd_warp_o (rd_warp), .rd_reg_o (rd_reg), .g_valid_i, .g_warp_i, .g_reg_i, .g_data_i ({1024{g_bit_i}}),
    .g_gnt_o (g_gnt), .s_valid_i, .s_warp_i, .s_reg_i, .s_mask_i ({32{s_bits_i[1]}}), .s_data_i ({1024{s_bits_i[0]}}),
    .s_gnt_o (s_gnt), .w_valid_i, .w_hdr_i, .w_mask_i ({32{w_bits_i[1]}}), .w_data_i ({1024{w_bits_i[0]}}),
    .w_take_o (w_take), .wr_valid_o (wr_valid), .wr_warp_o (wr_warp), .wr_reg_o (wr_reg), .wr_mask_o (wr_mask),
    .wr_data_o (wr_data), .done_o (done), .done_id_o (done_id)
  );

  waited #(.NumReq(3)) u_reads (
    .clk_i, .rst_ni (rst_n), .req_i (rd_req_i), .gnt_i (rd_gnt), .update_i (1'b1), .waits_i (1'b1), .who_i (rd_who_i),
    .who_o (rd_who), .won_o (rd_won), .count_o (rd_count)
  );
  waited #(.NumReq(3)) u_writes (
    .clk_i, .rst_ni (rst_n), .req_i (wr_req), .gnt_i (wr_gnt), .update_i (1'b1), .waits_i (1'b1), .who_i (wr_who_i),
    .who_o (wr_who), .won_o (wr_won), .count_o (wr_count)
  );

  assign wr_req     = {w_valid_i, s_valid_i, g_valid_i};
  assign wr_gnt     = {w_take, s_gnt, g_gnt};
  assign rd_wanted  = rd_gnt[0] ? {rd_req_warp_i[5:0], rd_req_reg_i[7:0]} : rd_gnt[1]
                      ? {rd_req_warp_i[11:6], rd_req_reg_i[15:8]}
                    : {rd_req_warp_i[17:12], rd_req_reg_i[23:16]};
  assign wr_wanted  = g_gnt ? {g_warp_i, g_reg_i, 32'hffffffff} : s_gnt ? {s_warp_i, s_reg_i, {32{s_bits_i[1]}}}
                    : {w_hdr_i[lsu_pkg::WARP_LSB +: 6], w_hdr_i[lsu_pkg::REG_LSB +: 8], {32{w_bits_i[1]}}};
  assign bit_wanted = g_gnt ? g_bit_i : s_gnt ? s_bits_i[0] : w_bits_i[0];

  always @(posedge clk_i) begin
    rst_n  <= 1'b1;
    due    <= rst_n && w_take && !w_hdr_i[lsu_pkg::AREG_LSB];
    due_id <= w_hdr_i[lsu_pkg::ID_LSB +: 8];
  end

  always_comb if (rst_n) begin
    // Choices of the proof, fixed in reset: any requester of each port.
    assume (rd_who < 2'd3 && wr_who < 2'd3);
    // Rule 3: one grant a port, only for a request, and one for any request.
    one_grant:    assert ((rd_gnt & (rd_gnt - 1'b1)) == '0 && (wr_gnt & (wr_gnt - 1'b1)) == '0);
    only_asked:   assert ((rd_gnt & ~rd_req_i) == '0 && (wr_gnt & ~wr_req) == '0);
    no_idle:      assert (rd_valid == (rd_req_i != '0) && rd_valid == (rd_gnt != '0) && wr_valid == (wr_req != '0) &&
                          wr_valid == (wr_gnt != '0));
    // Rules 1 to 3: the granted requester's fields.
    read_fields:  assert (!rd_valid || {rd_warp, rd_reg} == rd_wanted);
    write_fields: assert (!wr_valid || ({wr_warp, wr_reg, wr_mask} == wr_wanted && wr_data == {1024{bit_wanted}}));
    // Rule 3: a requester waits for two others at most.
    in_turn:      assert (rd_count < 2'd3 && wr_count < 2'd3);
    // Rule 5: done after a message's write, unless its flag is set.
    done_once:    assert (done == due && (!done || done_id == due_id));
    // Both requesters watched have waited as long as possible.
    both_waited:  cover (rd_won && wr_won && rd_count == 2'd2 && wr_count == 2'd2 && done);
  end
endmodule

`default_nettype wire
