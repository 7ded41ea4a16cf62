// SPDX-License-Identifier: Apache-2.0
//
// nsu_warps_proof -- a slot goes through the states of the port file and no others. One command at
// a time has it, and each instruction is fetched once. It sleeps until just what it waits for has
// come. It goes only with nothing of it under way, to a unit that is ready. It shows its own
// fields, pc, sequence number and entry. Both selections are round robin.
//
// The wrapper watches any one slot. A command's fields are two bits repeated, and so are entries;
// ids differ in three bits.

`default_nettype none

module nsu_warps_proof #(
  parameter int NumWarps = 3
) (
  input  wire logic        clk_i,
  input  wire logic        sp_valid_i,
  input  wire logic [2:0]  sp_id_i,
  input  wire logic [1:0]  sp_bits_i,
  input  wire logic [39:0] sp_pc_i,
  input  wire logic        d_i,
  input  wire logic [5:0]  d_slot_i,
  input  wire logic [1:0]  d_next_i,
  input  wire logic [2:0]  d_kind_i,
  input  wire logic        d_there_i,
  input  wire logic [1:0]  d_entry_i,
  input  wire logic [3:0]  ready_i,           // ex ld st en
  input  wire logic [4:0]  ev_i,              // ex, ld, miss, st, en
  input  wire logic [29:0] ev_slot_i,
  input  wire logic [1:0]  wake_i,            // instruction, constant
  input  wire logic [1:0]  cpl_i,             // read data, write address
  input  wire logic [5:0]  cpl_id_i,
  input  wire logic [11:0] cpl_seq_i,
  input  wire logic [3:0]  cpl_idx_i,
  input  wire logic [63:0] ack_zero_i,
  input  wire logic [5:0]  slot_i  // in the cycle of reset: the slot to watch
);

  localparam int FREE = 0, FETCH = 1, ASKED = 2, W_I = 3, W_RD = 4, W_WR = 5, W_C = 6, EX = 7, LD = 8, ST = 9, EN = 10,
                        CONST = 11, LAST = 12, HALT = 13;

  logic        rst_n = 1'b0;                  // low in the first cycle only
  logic        sp_ready, sel_valid, sel_begun, go_valid, go_mem;
  logic [5:0]  sel_slot, sel_warp, sel_seq, go_slot, go_warp, go_seq, go_idx, fetch_ptr, go_ptr, slot;
  logic [7:0]  sel_sm, go_sm;
  logic [39:0] sel_pc, go_pc, go_cbase;
  logic [31:0] go_mask;
  logic [2:0]  sel_count;
  logic [9:0]  go_entry;
  logic [63:0] used, fetch, ready, below, first, after;

  logic [13:0] state, state_d;                // one-hot
  logic        busy, busy_d, begun, fetched, goes, may_go, spawn, known, two_at_one, memory, stepped, bumped;
  logic [4:0]  ev;  // events of the watched slot
  logic [2:0]  id, kind;
  logic [1:0]  bits, entry;
  logic [39:0] pc;  // at its last fetch, or the command's
  logic [5:0]  seq;

  nsu_warps #(.NumWarps(NumWarps)) u_dut (
    .clk_i, .rst_ni (rst_n), .sp_valid_i, .sp_sm_i ({7'd0, sp_id_i[2]}), .sp_warp_i ({sp_id_i[1], 4'd0, sp_id_i[0]}),
    .sp_pc_i, .sp_mask_i ({16{sp_bits_i}}), .sp_cbase_i ({20{sp_bits_i}}), .sp_count_i ({sp_bits_i[0], sp_bits_i}),
    .sp_idx_i ({3{sp_bits_i}}), .sp_ready_o (sp_ready), .sel_valid_o (sel_valid), .sel_slot_o (sel_slot),
    .sel_sm_o (sel_sm), .sel_warp_o (sel_warp), .sel_seq_o (sel_seq), .sel_pc_o (sel_pc), .sel_count_o (sel_count),
    .sel_begun_o (sel_begun), .d_valid_i (d_i), .d_slot_i, .d_next_i, .d_kind_i, .d_there_i,
    .d_entry_i ({5{d_entry_i}}), .ex_ready_i (ready_i[0]), .ld_ready_i (ready_i[1]), .st_ready_i (ready_i[2]),
    .en_ready_i (ready_i[3]), .ack_zero_i, .go_valid_o (go_valid), .go_slot_o (go_slot), .go_sm_o (go_sm),
    .go_warp_o (go_warp), .go_seq_o (go_seq), .go_pc_o (go_pc), .go_mask_o (go_mask), .go_cbase_o (go_cbase),
    .go_idx_o (go_idx), .go_mem_o (go_mem), .go_entry_o (go_entry), .ex_done_i (ev_i[0]),
    .ex_done_slot_i (ev_slot_i[5:0]), .ld_done_i (ev_i[1]), .ld_done_slot_i (ev_slot_i[11:6]), .ld_miss_i (ev_i[2]),
    .ld_miss_slot_i (ev_slot_i[17:12]), .st_done_i (ev_i[3]), .st_done_slot_i (ev_slot_i[23:18]), .en_done_i (ev_i[4]),
    .en_done_slot_i (ev_slot_i[29:24]), .iwake_i (wake_i[0]), .cwake_i (wake_i[1]), .rd_cpl_i (cpl_i[0]),
    .rd_cpl_sm_i ({7'd0, cpl_id_i[2]}), .rd_cpl_warp_i ({cpl_id_i[1], 4'd0, cpl_id_i[0]}),
    .rd_cpl_seq_i (cpl_seq_i[5:0]), .rd_cpl_idx_i ({5{cpl_idx_i[1:0]}}), .wr_cpl_i (cpl_i[1]),
    .wr_cpl_sm_i ({7'd0, cpl_id_i[5]}), .wr_cpl_warp_i ({cpl_id_i[4], 4'd0, cpl_id_i[3]}),
    .wr_cpl_seq_i (cpl_seq_i[11:6]), .wr_cpl_idx_i ({5{cpl_idx_i[3:2]}}), .probe_used_o (used), .probe_fetch_o (fetch),
    .probe_ready_o (ready), .probe_fetch_ptr_o (fetch_ptr), .probe_go_ptr_o (go_ptr)
  );

  // A state as one bit.
  function automatic logic [13:0] one(input int which);
    one = 14'd1 << which;
  endfunction

  // Slots from `from` up to `to`, cyclically.
  function automatic logic [7:0] distance(input logic [5:0] from, input logic [5:0] to);
    distance = 8'(to) + (to < from ? 8'(NumWarps) : 8'd0) - 8'(from);
  endfunction

  always_comb begin
    // Events of the watched slot; slots below it; slots from the fetch pointer on.
    for (int i = 0; i < 5; i++) ev[i] = ev_i[i] && ev_slot_i[i*6 +: 6] == slot;
    two_at_one = 1'b0;
    for (int i = 0; i < 5; i++) for (int j = 0; j < i; j++)
      if (ev_i[i] && ev_i[j] && ev_slot_i[i*6 +: 6] == ev_slot_i[j*6 +: 6]) two_at_one = 1'b1;
    for (int i = 0; i < 64; i++) below[i] = i < 32'(slot);
    for (int i = 0; i < 64; i++) after[i] = i >= 32'(fetch_ptr);
  end
  assign spawn   = sp_valid_i && sp_ready && state[FREE] && (below & ~used) == '0;
  assign fetched = sel_valid && sel_slot == slot;
  assign goes    = go_valid && go_slot == slot;
  assign first   = (fetch & after) != '0 ? fetch & after : fetch;  // the lowest of these is selected
  assign known   = d_i && d_slot_i == slot && state[ASKED] && d_next_i == 2'd0;
  assign may_go  = !busy && ((state[EX] && ready_i[0]) || (state[LD] && ready_i[1]) || (state[ST] && ready_i[2]) ||
                             (state[EN] && ready_i[3] && ack_zero_i[slot]));
  assign memory  = kind == 3'd2 || kind == 3'd3;

  always_comb begin
    // The table of states: each move with its event.
    state_d = state;
    busy_d  = busy && !(ev[0] || ev[1] || ev[3]);
    case (1'b1)
      state[FREE]:  if (spawn) state_d = one(FETCH);
      state[FETCH]: if (fetched) state_d = one(ASKED);
      state[ASKED]: if (d_i && d_slot_i == slot) begin
        case (d_kind_i)
          3'd1:    state_d = one(EN);
          3'd2:    state_d = one(d_there_i ? LD : W_RD);
          3'd3:    state_d = one(d_there_i ? ST : W_WR);
          3'd5:    state_d = one(EX);
          default: state_d = one(LD);
        endcase
        if (d_next_i == 2'd1) state_d = one(W_I);
        if (d_next_i[1]) state_d = one(HALT);
      end
      state[W_I]:   if (wake_i[0]) state_d = one(FETCH);
      state[W_C]:   if (wake_i[1]) state_d = one(LD);
      state[W_RD]:  if (cpl_i[0] && cpl_id_i[2:0] == id && cpl_seq_i[5:0] == seq) state_d = one(LD);
      state[W_WR]:  if (cpl_i[1] && cpl_id_i[5:3] == id && cpl_seq_i[11:6] == seq) state_d = one(ST);
      state[EX], state[LD], state[ST], state[EN]: if (goes) begin
        state_d = one(kind == 3'd4 ? CONST : kind == 3'd1 ? LAST : FETCH);
        busy_d  = kind != 3'd4 && kind != 3'd1;
      end
      state[CONST]: begin
        if (ev[1]) state_d = one(FETCH);
        if (ev[2]) state_d = one(W_C);
      end
      state[LAST]:  if (ev[4]) state_d = one(FREE);
      default: ;
    endcase
  end

  logic [5:0] fetch_due, go_due;              // the pointers
  logic       started;
  // Rules 3 and 6: a pointer moves behind the slot that was selected.
  always @(posedge clk_i) begin
    rst_n     <= 1'b1;
    started   <= rst_n;
    fetch_due <= !sel_valid ? fetch_ptr : 32'(sel_slot) == NumWarps - 1 ? 6'd0 : sel_slot + 6'd1;
    go_due    <= !go_valid ? go_ptr : 32'(go_slot) == NumWarps - 1 ? 6'd0 : go_slot + 6'd1;
    if (!rst_n) begin
      slot  <= slot_i;
      state <= one(FREE);
      busy  <= 1'b0;
    end else begin
      state <= state_d;
      busy  <= busy_d;
      if (known) begin
        kind    <= d_kind_i;
        stepped <= 1'b1;
        bumped  <= d_kind_i == 3'd2 || d_kind_i == 3'd3;
        entry   <= d_entry_i;
        if (d_kind_i == 3'd0) begun <= 1'b1;
      end
      if (state[W_RD] && state_d[LD]) entry <= cpl_idx_i[1:0];
      if (state[W_WR] && state_d[ST]) entry <= cpl_idx_i[3:2];
      if (fetched) begin
        pc      <= sel_pc;
        seq     <= sel_seq;
        stepped <= 1'b0;
        bumped  <= 1'b0;
      end
      if (spawn) begin
        id      <= sp_id_i;
        bits    <= sp_bits_i;
        pc      <= sp_pc_i;
        seq     <= '0;
        stepped <= 1'b0;
        bumped  <= 1'b0;
        begun   <= 1'b0;
      end
    end
  end

  always_comb if (rst_n) begin
    // A choice of the proof, fixed in reset.
    assume (32'(slot) < NumWarps);
    // Rule 7: ends of one cycle concern different slots, as each unit has its own instruction.
    assume (!two_at_one);
    // Rule 4: nsu_issue tells only kinds that exist (nsu_warps.env.sv).
    assume (d_kind_i <= 3'd5);
    // Rules 1 to 8: the watched slot's state by the probes.
    its_state:   assert (used[slot] == (!state[FREE]) && fetch[slot] == (state[FETCH]) && ready[slot] ==
                         (!busy && (state[EX] || state[LD] || state[ST] || (state[EN] && ack_zero_i[slot]))));
    // Rule 2.
    a_place:     assert (sp_ready == !(&used[NumWarps-1:0]));
    // Rule 3: the first FETCH slot from the pointer on.
    in_turn:     assert (sel_valid == (fetch != '0) && (!sel_valid ||
                                                        (first & ((64'd2 << sel_slot) - 64'd1)) == 64'd1 << sel_slot));
    // Rule 5: the watched slot goes only if it may.
    may_only:    assert (!goes || may_go);
    // Rule 5: no slot behind it goes before it.
    goes_first:  assert (!may_go || (go_valid && distance(go_ptr, go_slot) <= distance(go_ptr, slot)));
    // Rules 3 and 6.
    pointers:    assert (fetch_ptr == (started ? fetch_due : 6'd0) && go_ptr == (started ? go_due : 6'd0));
    // Rules 2, 3 and 5: the command's fields.
    its_id:      assert ((!fetched || ({sel_sm, sel_warp} == {7'd0, id[2:1], 4'd0, id[0]} &&
                                       sel_count == {bits[0], bits})) &&
                         (!goes || {go_sm, go_warp} == {7'd0, id[2:1], 4'd0, id[0]}));
    its_fields:  assert (!goes || (go_mask == {16{bits}} && go_cbase == {20{bits}} && go_idx == {3{bits}}));
    // Rules 2 and 4.
    its_begun:   assert (!fetched || sel_begun == begun);
    // Rules 2 to 5: the next sequence number at a fetch, the instruction's at an issue.
    its_seq:     assert ((!fetched || sel_seq == seq + 6'(bumped)) && (!goes || go_seq == seq));
    // Rules 2 to 5: likewise the pc.
    its_pc:      assert ((!fetched || sel_pc == pc + (stepped ? 40'd8 : 40'd0)) && (!goes || go_pc == pc));
    // Rules 4, 5 and 8.
    its_entry:   assert (!goes || (go_mem == memory && (!memory || go_entry == {5{entry}})));
    // The second load of a block goes.
    second_load: cover (goes && kind == 3'd2 && seq == 6'd1 && entry == 2'd2 && begun);
  end
endmodule

`default_nettype wire
