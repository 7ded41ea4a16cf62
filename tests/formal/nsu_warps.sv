// SPDX-License-Identifier: Apache-2.0
//
// nsu_warps_proof -- a slot goes through the states of the port file and no others: it is given to one command at a time, selected only
// when it is ready, sleeps until just what it waits for has come, and shows its own fields, pc and sequence number when it is selected;
// the selection is round robin.
//
// One slot, any, is watched. Assumed: verdicts and completions of one cycle concern different slots. Fields of a command are two bits
// repeated; ids differ in three bits.

`default_nettype none

module nsu_warps_proof #(
  parameter int NumWarps = 3
) (
  input  wire logic        clk_i,
  input  wire logic        sp_valid_i,
  input  wire logic [2:0]  sp_id_i,
  input  wire logic [1:0]  sp_bits_i,
  input  wire logic [39:0] sp_pc_i,
  input  wire logic [5:0]  ev_i,              // d, ex, ld, miss, st, en
  input  wire logic [35:0] ev_slot_i,
  input  wire logic [2:0]  d_next_i,
  input  wire logic        ld_seq_i,
  input  wire logic        ld_beg_i,
  input  wire logic [1:0]  wake_i,            // instruction, constant
  input  wire logic [1:0]  cpl_i,             // read data, write address
  input  wire logic [5:0]  cpl_id_i,
  input  wire logic [11:0] cpl_seq_i,
  input  wire logic [63:0] ack_zero_i,
  input  wire logic [5:0]  slot_i             // in the cycle of reset: the slot that is watched
);

  localparam logic [3:0] FREE = 4'd0, READY = 4'd1, ISSUED = 4'd2, W_I = 4'd3, W_RD = 4'd4, W_WR = 4'd5, W_C = 4'd6, W_ACK = 4'd7, HALT = 4'd8;

  logic        rst_n = 1'b0;                  // low in the first cycle only
  logic        sp_ready, sel_valid, sel_begun;
  logic [5:0]  sel_slot, sel_warp, sel_seq, sel_idx, ptr, slot;
  logic [7:0]  sel_sm;
  logic [39:0] sel_pc, sel_cbase;
  logic [31:0] sel_mask;
  logic [2:0]  sel_count;
  logic [63:0] used, ready, below, first, after;

  logic [3:0]  state, state_d;
  logic [5:0]  ev;                            // of the watched slot
  logic [2:0]  id;
  logic [1:0]  bits;
  logic [39:0] pc;                            // at its last selection, or the command's
  logic [5:0]  seq;
  logic        stepped, bumped, begun, spawn, mine, two_at_one;
  logic [5:0]  ptr_due;

  nsu_warps #(.NumWarps(NumWarps)) u_dut (
    .clk_i, .rst_ni (rst_n), .sp_valid_i, .sp_sm_i ({7'd0, sp_id_i[2]}), .sp_warp_i ({sp_id_i[1], 4'd0, sp_id_i[0]}), .sp_pc_i,
    .sp_mask_i ({16{sp_bits_i}}), .sp_cbase_i ({20{sp_bits_i}}), .sp_count_i ({sp_bits_i[0], sp_bits_i}), .sp_idx_i ({3{sp_bits_i}}),
    .sp_ready_o (sp_ready), .sel_valid_o (sel_valid), .sel_slot_o (sel_slot), .sel_sm_o (sel_sm), .sel_warp_o (sel_warp), .sel_seq_o (sel_seq),
    .sel_pc_o (sel_pc), .sel_mask_o (sel_mask), .sel_cbase_o (sel_cbase), .sel_count_o (sel_count), .sel_idx_o (sel_idx),
    .sel_begun_o (sel_begun), .d_valid_i (ev_i[0]), .d_slot_i (ev_slot_i[5:0]), .d_next_i, .ex_done_i (ev_i[1]),
    .ex_done_slot_i (ev_slot_i[11:6]), .ld_done_i (ev_i[2]), .ld_done_slot_i (ev_slot_i[17:12]), .ld_done_seq_i (ld_seq_i),
    .ld_done_beg_i (ld_beg_i), .ld_miss_i (ev_i[3]), .ld_miss_slot_i (ev_slot_i[23:18]), .st_done_i (ev_i[4]),
    .st_done_slot_i (ev_slot_i[29:24]), .en_done_i (ev_i[5]), .en_done_slot_i (ev_slot_i[35:30]), .iwake_i (wake_i[0]), .cwake_i (wake_i[1]),
    .rd_cpl_i (cpl_i[0]), .rd_cpl_sm_i ({7'd0, cpl_id_i[2]}), .rd_cpl_warp_i ({cpl_id_i[1], 4'd0, cpl_id_i[0]}), .rd_cpl_seq_i (cpl_seq_i[5:0]),
    .wr_cpl_i (cpl_i[1]), .wr_cpl_sm_i ({7'd0, cpl_id_i[5]}), .wr_cpl_warp_i ({cpl_id_i[4], 4'd0, cpl_id_i[3]}),
    .wr_cpl_seq_i (cpl_seq_i[11:6]), .ack_zero_i, .probe_used_o (used), .probe_ready_o (ready), .probe_ptr_o (ptr)
  );

  always_comb begin
    for (int i = 0; i < 6; i++) ev[i] = ev_i[i] && ev_slot_i[i*6 +: 6] == slot && state == ISSUED;
    two_at_one = 1'b0;
    for (int i = 0; i < 6; i++) for (int j = 0; j < i; j++)
      if (ev_i[i] && ev_i[j] && ev_slot_i[i*6 +: 6] == ev_slot_i[j*6 +: 6]) two_at_one = 1'b1;
    for (int i = 0; i < 64; i++) below[i] = i < 32'(slot);
    for (int i = 0; i < 64; i++) after[i] = i >= 32'(ptr);
  end
  assign spawn   = sp_valid_i && sp_ready && state == FREE && (below & ~used) == '0;
  assign mine    = sel_valid && sel_slot == slot;
  assign first   = (ready & after) != '0 ? ready & after : ready;   // of these the lowest is selected
  assign ptr_due = 32'(sel_slot) == NumWarps - 1 ? 6'd0 : sel_slot + 6'd1;

  always_comb begin
    state_d = state;
    case (state)
      FREE:   if (spawn) state_d = READY;
      READY:  if (mine) state_d = ISSUED;
      ISSUED: begin
        if (ev[1] || ev[2] || ev[4]) state_d = READY;
        if (ev[3]) state_d = W_C;
        if (ev[5]) state_d = FREE;
        if (ev[0]) begin
          case (d_next_i)
            3'd1:    state_d = W_I;
            3'd2:    state_d = W_RD;
            3'd3:    state_d = W_WR;
            3'd4:    state_d = W_ACK;
            3'd5:    state_d = HALT;
            3'd6:    state_d = READY;
            default: state_d = ISSUED;
          endcase
        end
      end
      W_I:    if (wake_i[0]) state_d = READY;
      W_C:    if (wake_i[1]) state_d = READY;
      W_RD:   if (cpl_i[0] && cpl_id_i[2:0] == id && cpl_seq_i[5:0] == seq) state_d = READY;
      W_WR:   if (cpl_i[1] && cpl_id_i[5:3] == id && cpl_seq_i[11:6] == seq) state_d = READY;
      W_ACK:  if (ack_zero_i[slot]) state_d = READY;
      default: ;
    endcase
  end

  logic [5:0] ptr_was;
  logic       started;
  always @(posedge clk_i) begin
    rst_n   <= 1'b1;
    started <= rst_n;
    ptr_was <= sel_valid ? ptr_due : ptr;
    if (!rst_n) begin
      slot  <= slot_i;
      state <= FREE;
    end else begin
      state <= state_d;
      if (ev[2] && ld_beg_i) begun <= 1'b1;
      if (ev[1] || ev[2] || ev[4]) stepped <= 1'b1;
      if (ev[4] || (ev[2] && ld_seq_i)) bumped <= 1'b1;
      if (mine) begin
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
    assume (32'(slot) < NumWarps);
    assume (!two_at_one);
    its_state:   assert (used[slot] == (state != FREE) && ready[slot] == (state == READY));
    once_ready:  assert (!mine || state == READY);
    a_place:     assert (sp_ready == !(&used[NumWarps-1:0]));
    in_turn:     assert (sel_valid == (ready != '0) && (!sel_valid || (first & ((64'd2 << sel_slot) - 64'd1)) == 64'd1 << sel_slot));
    pointer:     assert (ptr == (started ? ptr_was : 6'd0));
    its_fields:  assert (!mine || ({sel_sm, sel_warp} == {7'd0, id[2:1], 4'd0, id[0]} && sel_mask == {16{bits}} && sel_cbase == {20{bits}} &&
                         sel_count == {bits[0], bits} && sel_idx == {3{bits}}));
    its_begun:   assert (!mine || sel_begun == begun);
    its_seq:     assert (!mine || sel_seq == seq + 6'(bumped));
    its_pc:      assert (!mine || sel_pc == pc + (stepped ? 40'd8 : 40'd0));
    second_load: cover (mine && begun && bumped && seq == 6'd1 && stepped);
  end
endmodule

`default_nettype wire
