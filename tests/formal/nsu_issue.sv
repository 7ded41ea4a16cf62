// SPDX-License-Identifier: Apache-2.0
//
// nsu_issue_proof -- a selected warp is dealt with in the next cycle, once: sent to at most one unit, only to one that is ready, with its
// own fields, only when what it waits for is there; or back, waiting for just that; or halted with its error.
//
// Everything the block is told is free; nothing is assumed. What kind of instruction it is comes from a decoder of the wrapper's, which
// has a proof of its own.

`default_nettype none

module nsu_issue_proof (
  input  wire logic         clk_i,
  input  wire logic         sel_valid_i,
  input  wire logic [147:0] fields_i,         // slot, sm, warp, seq, pc, mask, cbase, count, idx, begun
  input  wire logic         ic_hit_i,
  input  wire logic [63:0]  ic_data_i,
  input  wire logic         rd_hit_i,
  input  wire logic         wr_hit_i,
  input  wire logic [63:0]  ack_zero_i,
  input  wire logic [3:0]   ready_i           // ex ld st en
);

  localparam logic [2:0] WAIT_I = 3'd1, WAIT_RD = 3'd2, WAIT_WR = 3'd3, WAIT_ACK = 3'd4, HALT = 3'd5, RETRY = 3'd6;

  logic         rst_n = 1'b0;                 // low in the first cycle only
  logic         ic_req, rd_take, wr_take, go_valid, d_valid, err_opcode, err_not_beg, held, legal, begun, wrong_beg;
  logic [39:0]  ic_addr, go_pc, go_cbase;
  logic [7:0]   lk_sm, go_sm;
  logic [5:0]   lk_warp, lk_seq, go_slot, go_warp, go_seq, go_idx, d_slot;
  logic [3:0]   go;
  logic [63:0]  go_instr;
  logic [31:0]  go_mask;
  logic [2:0]   d_next, kind, src, count, waits;
  logic [147:0] fields;
  logic [3:0]   unit;                         // the one that its kind needs
  logic         there, may_go;

  nsu_issue u_dut (
    .clk_i, .rst_ni (rst_n), .sel_valid_i, .sel_slot_i (fields_i[147:142]), .sel_sm_i (fields_i[141:134]), .sel_warp_i (fields_i[133:128]),
    .sel_seq_i (fields_i[127:122]), .sel_pc_i (fields_i[121:82]), .sel_mask_i (fields_i[81:50]), .sel_cbase_i (fields_i[49:10]),
    .sel_count_i (fields_i[9:7]), .sel_idx_i (fields_i[6:1]), .sel_begun_i (fields_i[0]), .ic_req_o (ic_req), .ic_addr_o (ic_addr), .ic_hit_i,
    .ic_data_i, .lk_sm_o (lk_sm), .lk_warp_o (lk_warp), .lk_seq_o (lk_seq), .rd_hit_i, .rd_take_o (rd_take), .wr_hit_i, .wr_take_o (wr_take),
    .ack_zero_i, .ex_ready_i (ready_i[0]), .ld_ready_i (ready_i[1]), .st_ready_i (ready_i[2]), .en_ready_i (ready_i[3]), .go_ex_o (go[0]),
    .go_ld_o (go[1]), .go_st_o (go[2]), .go_en_o (go[3]), .go_valid_o (go_valid), .go_instr_o (go_instr), .go_slot_o (go_slot),
    .go_sm_o (go_sm), .go_warp_o (go_warp), .go_seq_o (go_seq), .go_pc_o (go_pc), .go_mask_o (go_mask), .go_cbase_o (go_cbase),
    .go_idx_o (go_idx), .d_valid_o (d_valid), .d_slot_o (d_slot), .d_next_o (d_next), .err_opcode_o (err_opcode), .err_not_beg_o (err_not_beg)
  );

  nsu_decode u_decode (
    .clk_i, .rst_ni (rst_n), .instr_i (ic_data_i), .legal_o (legal), .kind_o (kind), .src_a_o (src[0]), .src_b_o (src[1]), .src_c_o (src[2])
  );

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    held  <= rst_n && sel_valid_i;
    if (sel_valid_i) fields <= fields_i;
  end

  assign {count, begun} = {fields[9:7], fields[0]};
  assign wrong_beg = kind == 3'd0 ? begun || ic_data_i[31:28] != {1'b0, count} : !begun;

  always_comb begin
    unit  = 4'b0010;                          // BEG, LD, LDC
    there = 1'b1;
    waits = RETRY;
    case (kind)
      3'd5:    unit = 4'b0001;
      3'd2:    begin there = rd_hit_i; waits = WAIT_RD; end
      3'd3:    begin unit = 4'b0100; there = wr_hit_i; waits = WAIT_WR; end
      3'd1:    begin unit = 4'b1000; there = ack_zero_i[fields[147:142]]; waits = WAIT_ACK; end
      default: ;
    endcase
    may_go = held && ic_hit_i && legal && !wrong_beg && there;
  end

  always_comb if (rst_n) begin
    looked_at:  assert (d_valid == held && ic_req == sel_valid_i && (!ic_req || ic_addr == fields_i[121:82]));
    one_unit:   assert (go == (may_go ? unit & ready_i : 4'd0) && go_valid == |go);
    its_fields: assert (!go_valid || (go_instr == ic_data_i && {go_slot, go_sm, go_warp, go_seq, go_pc, go_mask} == fields[147:50] &&
                        go_cbase == fields[49:10] && go_idx == fields[6:1]));
    its_id:     assert ({lk_sm, lk_warp, lk_seq} == (held ? fields[141:122] : 20'd0));
    next_state: assert (!held || (d_slot == fields[147:142] && d_next == (!ic_hit_i ? WAIT_I : !legal || wrong_beg ? HALT : !there ? waits :
                                  |go ? 3'd0 : RETRY)));
    takes:      assert (rd_take == (go[1] && kind == 3'd2) && wr_take == go[2]);
    errors:     assert (err_opcode == (held && ic_hit_i && !legal) && err_not_beg == (held && ic_hit_i && legal && wrong_beg));
    busy_unit:  cover (held && ready_i == 4'b0111 && kind == 3'd1 && may_go && d_next == RETRY && sel_valid_i);
  end
endmodule

`default_nettype wire
