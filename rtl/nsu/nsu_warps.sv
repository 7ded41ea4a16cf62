// SPDX-License-Identifier: Apache-2.0
//
// nsu_warps -- warp table: the state of every warp slot, and which warp is issued next.
//
// A state is a vector with one bit a slot, so that all events of a cycle are masks. An instruction that is done only
// marks its slot (step, and bump for a memory instruction); pc and seq are counted up when the slot is selected next,
// so that the tables of fields have two write ports, spawn and select, which never name the same slot. Fields are not
// reset.

`default_nettype none

module nsu_warps #(
  parameter  int NumWarps = 48,                                      // warp slots
  localparam int SlotBits = NumWarps > 1 ? $clog2(NumWarps) : 1
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  // From and to the command buffer
  input  wire logic                          sp_valid_i,
  input  wire logic [7:0]                    sp_sm_i,
  input  wire logic [5:0]                    sp_warp_i,
  input  wire logic [nsu_pkg::ADDR_BITS-1:0] sp_pc_i,
  input  wire logic [31:0]                   sp_mask_i,
  input  wire logic [nsu_pkg::ADDR_BITS-1:0] sp_cbase_i,
  input  wire logic [2:0]                    sp_count_i,
  input  wire logic [5:0]                    sp_idx_i,
  output      logic                          sp_ready_o,
  // To and from the issue stage
  output      logic                          sel_valid_o,
  output      logic [5:0]                    sel_slot_o,
  output      logic [7:0]                    sel_sm_o,
  output      logic [5:0]                    sel_warp_o,
  output      logic [5:0]                    sel_seq_o,
  output      logic [nsu_pkg::ADDR_BITS-1:0] sel_pc_o,
  output      logic [31:0]                   sel_mask_o,
  output      logic [nsu_pkg::ADDR_BITS-1:0] sel_cbase_o,
  output      logic [2:0]                    sel_count_o,
  output      logic [5:0]                    sel_idx_o,
  output      logic                          sel_begun_o,
  input  wire logic                          d_valid_i,
  input  wire logic [5:0]                    d_slot_i,
  input  wire logic [2:0]                    d_next_i,
  // From the units
  input  wire logic                          ex_done_i,
  input  wire logic [5:0]                    ex_done_slot_i,
  input  wire logic                          ld_done_i,
  input  wire logic [5:0]                    ld_done_slot_i,
  input  wire logic                          ld_done_seq_i,
  input  wire logic                          ld_done_beg_i,
  input  wire logic                          ld_miss_i,
  input  wire logic [5:0]                    ld_miss_slot_i,
  input  wire logic                          st_done_i,
  input  wire logic [5:0]                    st_done_slot_i,
  input  wire logic                          en_done_i,
  input  wire logic [5:0]                    en_done_slot_i,
  // From the caches, the buffers and the acknowledgement counters
  input  wire logic                          iwake_i,
  input  wire logic                          cwake_i,
  input  wire logic                          rd_cpl_i,
  input  wire logic [7:0]                    rd_cpl_sm_i,
  input  wire logic [5:0]                    rd_cpl_warp_i,
  input  wire logic [5:0]                    rd_cpl_seq_i,
  input  wire logic                          wr_cpl_i,
  input  wire logic [7:0]                    wr_cpl_sm_i,
  input  wire logic [5:0]                    wr_cpl_warp_i,
  input  wire logic [5:0]                    wr_cpl_seq_i,
  input  wire logic [63:0]                   ack_zero_i,
  // Probes
  output      logic [63:0]                   probe_used_o,
  output      logic [63:0]                   probe_ready_o,
  output      logic [5:0]                    probe_ptr_o
);

  localparam int IdBits    = 8 + 6;
  localparam int FieldBits = IdBits + 32 + nsu_pkg::ADDR_BITS + 3 + 6;

  // A slot is in at most one of these; HALT is used and in none.
  logic [NumWarps-1:0] used_d, used_q, ready_d, ready_q, issued_d, issued_q;
  logic [NumWarps-1:0] wait_i_d, wait_i_q, wait_rd_d, wait_rd_q, wait_wr_d, wait_wr_q, wait_c_d, wait_c_q;
  logic [NumWarps-1:0] wait_ack_d, wait_ack_q;
  logic [NumWarps-1:0] begun_d, begun_q, step_d, step_q, bump_d, bump_q;

  logic [FieldBits-1:0]           fields_q [0:NumWarps-1];           // sm, warp, mask, cbase, count, idx
  logic [nsu_pkg::ADDR_BITS-1:0]  pc_q [0:NumWarps-1];
  logic [5:0]                     seq_q [0:NumWarps-1];

  logic [SlotBits-1:0] ptr_d, ptr_q, sel_slot, sp_slot;
  logic [NumWarps-1:0] ready_high, sel_hot, free_hot;
  logic                spawn, select;

  // Events as masks of slots
  logic [NumWarps-1:0] ev_spawn, ev_select, ev_leave, ev_retry, ev_ex, ev_ld, ev_miss, ev_st, ev_end, ev_done;
  logic [NumWarps-1:0] rd_match, wr_match, wake;

  function automatic logic [NumWarps-1:0] lowest(input logic [NumWarps-1:0] x);
    lowest = x & (~x + 1'b1);
  endfunction

  function automatic logic [SlotBits-1:0] encode(input logic [NumWarps-1:0] hot);
    encode = '0;
    for (int i = 0; i < NumWarps; i++) if (hot[i]) encode = encode | SlotBits'(i);
  endfunction

  function automatic logic [NumWarps-1:0] hot(input logic valid, input logic [5:0] slot);
    hot = valid ? NumWarps'(64'd1 << slot) : '0;
  endfunction

  // Selection: first ready slot at or above the pointer, else the first one
  assign ready_high = ready_q & ~((NumWarps'(1) << ptr_q) - 1'b1);
  assign sel_hot    = lowest(ready_high != '0 ? ready_high : ready_q);
  assign sel_slot   = encode(sel_hot);
  assign select      = ready_q != '0;
  assign sel_valid_o = select;
  assign ptr_d       = !select ? ptr_q : 32'(sel_slot) == NumWarps - 1 ? '0 : sel_slot + 1'b1;

  assign sel_slot_o  = 6'(sel_slot);
  assign {sel_sm_o, sel_warp_o, sel_mask_o, sel_cbase_o, sel_count_o, sel_idx_o} = fields_q[sel_slot];
  assign sel_pc_o    = pc_q[sel_slot] + (step_q[sel_slot] ? nsu_pkg::ADDR_BITS'(nsu_pkg::INSTR_BYTES) : '0);
  assign sel_seq_o   = seq_q[sel_slot] + 6'(bump_q[sel_slot]);
  assign sel_begun_o = begun_q[sel_slot];

  // Spawn: lowest free slot
  assign sp_ready_o = used_q != '1;
  assign free_hot   = lowest(~used_q);
  assign sp_slot    = encode(free_hot);
  assign spawn      = sp_valid_i && sp_ready_o;

  // Who waits for these ids
  always_comb begin
    rd_match = '0;
    wr_match = '0;
    if (rd_cpl_i) begin
      for (int i = 0; i < NumWarps; i++) begin
        rd_match[i] = fields_q[i][FieldBits-1 -: IdBits] == {rd_cpl_sm_i, rd_cpl_warp_i} && seq_q[i] == rd_cpl_seq_i;
      end
    end
    if (wr_cpl_i) begin
      for (int i = 0; i < NumWarps; i++) begin
        wr_match[i] = fields_q[i][FieldBits-1 -: IdBits] == {wr_cpl_sm_i, wr_cpl_warp_i} && seq_q[i] == wr_cpl_seq_i;
      end
    end
  end

  assign ev_spawn  = spawn  ? free_hot : '0;
  assign ev_select = select ? sel_hot  : '0;
  assign ev_leave  = hot(d_valid_i && d_next_i >= 3'(nsu_pkg::LEAVE_WAIT_I) &&
                         d_next_i <= 3'(nsu_pkg::LEAVE_HALT), d_slot_i) & issued_q;
  assign ev_retry  = hot(d_valid_i && d_next_i == 3'(nsu_pkg::LEAVE_RETRY), d_slot_i) & issued_q;
  assign ev_ex     = hot(ex_done_i, ex_done_slot_i) & issued_q;
  assign ev_ld     = hot(ld_done_i, ld_done_slot_i) & issued_q;
  assign ev_miss   = hot(ld_miss_i, ld_miss_slot_i) & issued_q;
  assign ev_st     = hot(st_done_i, st_done_slot_i) & issued_q;
  assign ev_end    = hot(en_done_i, en_done_slot_i) & issued_q;
  assign ev_done   = ev_ex | ev_ld | ev_st;
  assign wake      = (iwake_i ? wait_i_q : '0) | (cwake_i ? wait_c_q : '0) | (wait_rd_q & rd_match) |
                     (wait_wr_q & wr_match) | (wait_ack_q & ack_zero_i[NumWarps-1:0]);

  assign used_d     = (used_q | ev_spawn) & ~ev_end;
  assign ready_d    = (ready_q & ~ev_select) | ev_spawn | ev_done | ev_retry | wake;
  assign issued_d   = (issued_q & ~(ev_leave | ev_retry | ev_done | ev_miss | ev_end)) | ev_select;
  assign wait_i_d   = (wait_i_q & ~wake)   | (d_next_i == 3'(nsu_pkg::LEAVE_WAIT_I) ? ev_leave : '0);
  assign wait_rd_d  = (wait_rd_q & ~wake)  | (d_next_i == 3'(nsu_pkg::LEAVE_WAIT_RD) ? ev_leave : '0);
  assign wait_wr_d  = (wait_wr_q & ~wake)  | (d_next_i == 3'(nsu_pkg::LEAVE_WAIT_WR) ? ev_leave : '0);
  assign wait_ack_d = (wait_ack_q & ~wake) | (d_next_i == 3'(nsu_pkg::LEAVE_WAIT_ACK) ? ev_leave : '0);
  assign wait_c_d   = (wait_c_q & ~wake)   | ev_miss;
  assign begun_d    = (begun_q & ~ev_spawn) | (ld_done_beg_i ? ev_ld : '0);
  assign step_d     = (step_q & ~(ev_spawn | ev_select)) | ev_done;
  assign bump_d     = (bump_q & ~(ev_spawn | ev_select)) | ev_st | (ld_done_seq_i ? ev_ld : '0);

  always_ff @(posedge clk_i) begin
    if (spawn) begin
      fields_q[sp_slot] <= {sp_sm_i, sp_warp_i, sp_mask_i, sp_cbase_i, sp_count_i, sp_idx_i};
      pc_q[sp_slot]     <= sp_pc_i;
      seq_q[sp_slot]    <= '0;
    end
    if (select) begin
      pc_q[sel_slot]    <= sel_pc_o;
      seq_q[sel_slot]   <= sel_seq_o;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q     <= '0;
      ready_q    <= '0;
      issued_q   <= '0;
      wait_i_q   <= '0;
      wait_rd_q  <= '0;
      wait_wr_q  <= '0;
      wait_c_q   <= '0;
      wait_ack_q <= '0;
      begun_q    <= '0;
      step_q     <= '0;
      bump_q     <= '0;
      ptr_q      <= '0;
    end else begin
      used_q     <= used_d;
      ready_q    <= ready_d;
      issued_q   <= issued_d;
      wait_i_q   <= wait_i_d;
      wait_rd_q  <= wait_rd_d;
      wait_wr_q  <= wait_wr_d;
      wait_c_q   <= wait_c_d;
      wait_ack_q <= wait_ack_d;
      begun_q    <= begun_d;
      step_q     <= step_d;
      bump_q     <= bump_d;
      ptr_q      <= ptr_d;
    end
  end

  assign probe_used_o  = 64'(used_q);
  assign probe_ready_o = 64'(ready_q);
  assign probe_ptr_o   = 6'(ptr_q);

  // Acknowledgement bits of slots that there are not
  logic unused_ack;
  assign unused_ack = &{1'b0, ack_zero_i};

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert ((ready_q & ~used_q) == '0);
    assert ((ready_q & issued_q) == '0);
    assert (((wait_i_q | wait_rd_q | wait_wr_q | wait_c_q | wait_ack_q) & (ready_q | issued_q | ~used_q)) == '0);
    assert (32'(ptr_q) < NumWarps);
  end
`endif
endmodule

`default_nettype wire
