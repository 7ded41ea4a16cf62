// SPDX-License-Identifier: Apache-2.0
//
// nsu_issue_proof -- the stage deals with a fetched warp in the next cycle, once. Its instruction
// is known, with its kind and its data; or its line is not in the cache; or the warp halts with an
// error. What was found for a slot is dispatched to one unit, until something else is found for it.
//
// The wrapper watches any one slot. The kind of an instruction comes from a decoder in the wrapper,
// which has a proof of its own.

`default_nettype none

module nsu_issue_proof #(
  parameter int NumWarps = 2
) (
  input  wire logic        clk_i,
  input  wire logic        sel_valid_i,
  input  wire logic [69:0] fields_i,          // slot, sm, warp, seq, pc, count, begun
  input  wire logic        ic_hit_i,
  input  wire logic [63:0] ic_data_i,
  input  wire logic        rd_hit_i,
  input  wire logic [9:0]  rd_idx_i,
  input  wire logic        wr_hit_i,
  input  wire logic [9:0]  wr_idx_i,
  input  wire logic        go_valid_i,
  input  wire logic [5:0]  go_slot_i,
  input  wire logic [5:0]  slot_i  // in the cycle of reset: the slot to watch
);

  localparam logic [1:0] KNOWN = 2'd0, MISS = 2'd1, HALT = 2'd2;

  logic        rst_n = 1'b0;                  // low in the first cycle only
  logic        ic_req, rd_take, wr_take, d_valid, d_there, err_opcode, err_not_beg, held, legal, begun, wrong_beg,
      known;
  logic [39:0] ic_addr;
  logic [7:0]  lk_sm;
  logic [5:0]  lk_warp, lk_seq, d_slot, slot;
  logic [9:0]  d_entry;
  logic [3:0]  go, unit;
  logic [63:0] go_instr, instr;
  logic [1:0]  d_next;
  logic [2:0]  kind, d_kind, src, count, kept_kind;
  logic [69:0] fields;
  logic        kept, mine;  // an instruction is known for the watched slot; it is dispatched

  nsu_issue #(.NumWarps(NumWarps)) u_dut (
    .clk_i, .rst_ni (rst_n), .sel_valid_i, .sel_slot_i (fields_i[69:64]), .sel_sm_i (fields_i[63:56]),
    .sel_warp_i (fields_i[55:50]), .sel_seq_i (fields_i[49:44]), .sel_pc_i (fields_i[43:4]),
    .sel_count_i (fields_i[3:1]), .sel_begun_i (fields_i[0]), .ic_req_o (ic_req), .ic_addr_o (ic_addr), .ic_hit_i,
    .ic_data_i, .lk_sm_o (lk_sm), .lk_warp_o (lk_warp), .lk_seq_o (lk_seq), .rd_hit_i, .rd_idx_i, .wr_hit_i, .wr_idx_i,
    .d_valid_o (d_valid), .d_slot_o (d_slot), .d_next_o (d_next), .d_kind_o (d_kind), .d_there_o (d_there),
    .d_entry_o (d_entry), .err_opcode_o (err_opcode), .err_not_beg_o (err_not_beg), .go_valid_i, .go_slot_i,
    .go_instr_o (go_instr), .go_ex_o (go[0]), .go_ld_o (go[1]), .go_st_o (go[2]), .go_en_o (go[3]),
    .rd_take_o (rd_take), .wr_take_o (wr_take)
  );

  nsu_decode u_decode (
    .clk_i, .rst_ni (rst_n), .instr_i (ic_data_i), .legal_o (legal), .kind_o (kind), .src_a_o (src[0]),
    .src_b_o (src[1]), .src_c_o (src[2])
  );

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    held  <= rst_n && sel_valid_i;
    if (sel_valid_i) fields <= fields_i;
    if (!rst_n) begin
      slot <= slot_i;
      kept <= 1'b0;
    end else if (known && fields[69:64] == slot) begin
      kept      <= 1'b1;
      instr     <= ic_data_i;
      kept_kind <= kind;
    end
  end

  assign {count, begun} = {fields[3:1], fields[0]};
  assign wrong_beg = kind == 3'd0 ? begun || ic_data_i[31:28] != {1'b0, count} : !begun;
  assign known     = held && ic_hit_i && legal && !wrong_beg;
  assign mine      = go_valid_i && go_slot_i == slot && kept;
  assign unit      = kept_kind == 3'd5 ? 4'b0001 : kept_kind == 3'd3 ? 4'b0100 : kept_kind == 3'd1 ? 4'b1000 : 4'b0010;

  always_comb if (rst_n) begin
    // Rule 7: nsu_warps names slots in range; the watched one is a choice of the proof.
    assume (32'(fields_i[69:64]) < NumWarps && 32'(go_slot_i) < NumWarps && 32'(slot) < NumWarps);
    // Rules 1 and 2.
    looked_at:  assert (d_valid == held && ic_req == sel_valid_i && (!ic_req || ic_addr == fields_i[43:4]));
    // Rule 2: the buffers are asked for the held warp.
    its_id:     assert ({lk_sm, lk_warp, lk_seq} == (held ? fields[63:44] : 20'd0));
    // Rule 3.
    next_state: assert (!held || (d_slot == fields[69:64] && d_next == (!ic_hit_i ? MISS : !legal || wrong_beg ? HALT
        : KNOWN)));
    // Rule 4: kind, and the entry of a LD or ST that is there.
    its_kind:   assert (!held || d_kind == (known ? kind : 3'd0));
    its_entry:  assert (d_there == (known && ((kind == 3'd2 && rd_hit_i) || (kind == 3'd3 && wr_hit_i))) &&
                        (!d_there || d_entry == (kind == 3'd2 ? rd_idx_i : wr_idx_i)));
    // Rule 3: one error for a warp that halts.
    errors:     assert (err_opcode == (held && ic_hit_i && !legal) &&
                        err_not_beg == (held && ic_hit_i && legal && wrong_beg));
    // Rule 5: the unit of the kept instruction's kind.
    one_unit:   assert (!mine || (go == unit && rd_take == (kept_kind == 3'd2) && wr_take == go[2]));
    // Rules 4 to 6: the instruction that was found last.
    kept_instr: assert (!mine || go_instr == instr);
    // Rule 5: no unit starts without go_valid.
    nothing:    assert (go_valid_i || {go, rd_take, wr_take} == 6'd0);
    // A slot's instruction is dispatched as its next one becomes known.
    one_behind: cover (mine && go[0] && known && fields[69:64] == slot && d_there && sel_valid_i);
  end
endmodule

`default_nettype wire
