// SPDX-License-Identifier: Apache-2.0
//
// offload_engine -- instruction offload engine: where an instruction runs, and which registers move first (MPU paper, IV-B1, Fig. 3).
//
// One instruction is held. In its first cycle and after every move (ask_q) the track table's answer counts, in the same cycle: either an
// operand is missing at its location, then mv_req_o is high until its grant and the engine waits for the end of the move; or none is, then
// out_valid_o is high until out_take_i. What is shown stays (move_q, ready_q) whatever the table says later. The location of the
// instruction is decided in the first cycle. in_ready_o and wr_* depend on out_take_i in the same cycle.

`default_nettype none

module offload_engine (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,
  // Constant after reset
  input  wire logic                        smem_near_i,
  input  wire logic                        data_far_i,
  input  wire logic [1:0]                  in_policy_i,
  // From issue
  input  wire logic                        in_valid_i,
  input  wire logic [lsu_pkg::ID_W-1:0]    in_tag_i,
  input  wire logic [lsu_pkg::WARP_W-1:0]  in_warp_i,
  input  wire logic [1:0]                  in_kind_i,
  input  wire logic                        in_far_op_i,
  input  wire logic [1:0]                  in_hint_i,
  input  wire logic [2:0]                  in_src_valid_i,
  input  wire logic [3*lsu_pkg::REG_W-1:0] in_src_i,
  input  wire logic [1:0]                  in_addr_i,
  input  wire logic                        in_guard_valid_i,
  input  wire logic [lsu_pkg::REG_W-1:0]   in_guard_i,
  input  wire logic                        in_dst_valid_i,
  input  wire logic [lsu_pkg::REG_W-1:0]   in_dst_i,
  input  wire logic                        in_merge_i,
  input  wire logic [4:0]                  in_wide_i,
  output      logic                        in_ready_o,
  // To and from the track table
  output      logic [lsu_pkg::WARP_W-1:0]  lk_warp_o,
  output      logic [5*lsu_pkg::REG_W-1:0] lk_regs_o,
  input  wire logic [4:0]                  fb_i,
  input  wire logic [4:0]                  nb_i,
  // To and from the move engine
  output      logic                        mv_req_o,
  output      logic [lsu_pkg::WARP_W-1:0]  mv_warp_o,
  output      logic [lsu_pkg::REG_W-1:0]   mv_reg_o,
  output      logic                        mv_wide_o,
  output      logic                        mv_near_o,
  input  wire logic                        mv_gnt_i,
  input  wire logic                        mv_done_i,
  // Dispatch
  output      logic                        out_valid_o,
  output      logic [lsu_pkg::ID_W-1:0]    out_tag_o,
  output      logic                        out_near_o,
  output      logic [1:0]                  out_copies_o,
  input  wire logic                        out_take_i,
  // To the track table
  output      logic                        wr_valid_o,
  output      logic [lsu_pkg::WARP_W-1:0]  wr_warp_o,
  output      logic [lsu_pkg::REG_W-1:0]   wr_reg_o,
  output      logic                        wr_near_o
);

  localparam logic [1:0] GLOBAL = 2'd1, SHARED = 2'd2;
  localparam logic [1:0] HINT_NEAR = 2'd1, HINT_FAR = 2'd2;
  localparam logic [1:0] PAPER = 2'd0, TABLE = 2'd1, NEAR = 2'd2;

  // The instruction held. Operands: sources 0 to 2, guard, destination.
  logic                       held_d, held_q, accept, leave;
  logic [lsu_pkg::ID_W-1:0]   tag_d, tag_q;
  logic [lsu_pkg::WARP_W-1:0] warp_d, warp_q;
  logic [1:0]                 kind_d, kind_q, hint_d, hint_q, addr_d, addr_q;
  logic                       far_op_d, far_op_q, merge_d, merge_q;
  logic [4:0]                 there_d, there_q;           // operands that there are
  logic [39:0]                regs_d, regs_q;
  logic [4:0]                 wide_d, wide_q;

  // Where it is on its way
  logic        ask_d, ask_q;                   // the table counts
  logic        decided_d, decided_q;           // near_q is its location
  logic        move_d, move_q;                 // a move waits for its grant
  logic        wait_d, wait_q;                 // a move is under way
  logic        ready_d, ready_q;               // nothing is missing, waits for out_take_i
  logic        near_d, near_q, near;
  logic [4:0]  sel_d, sel_q, sel;              // operand that moves, one-hot
  logic [1:0]  copies_d, copies_q;

  assign accept     = in_valid_i && in_ready_o;
  assign leave      = out_valid_o && out_take_i;
  assign in_ready_o = !held_q || leave;
  assign held_d     = accept || (held_q && !leave);

  assign tag_d    = accept ? in_tag_i : tag_q;
  assign warp_d   = accept ? in_warp_i : leave ? '0 : warp_q;
  assign kind_d   = accept ? in_kind_i : kind_q;
  assign hint_d   = accept ? in_hint_i : hint_q;
  assign addr_d   = accept ? in_addr_i : addr_q;
  assign far_op_d = accept ? in_far_op_i : far_op_q;
  assign merge_d  = accept ? in_merge_i : merge_q;
  assign there_d  = accept ? {in_dst_valid_i, in_guard_valid_i, in_src_valid_i} : there_q;
  assign wide_d   = accept ? in_wide_i : wide_q;

  always_comb begin
    regs_d = accept ? {in_dst_i, in_guard_i, in_src_i} : leave ? '0 : regs_q;
    for (int i = 0; i < 5; i++) if (accept && !there_d[i]) regs_d[i*8 +: 8] = '0;
  end

  assign lk_warp_o = warp_q;                   // zero without an instruction, as are registers that there are not
  assign lk_regs_o = regs_q;

  // Step 1: the instruction's location
  logic by_table, by_policy;

  assign by_table = |there_q[2:0] && (there_q[2:0] & ~nb_i[2:0]) == '0;

  always_comb begin
    by_policy = 1'b0;
    case (in_policy_i)
      PAPER:   by_policy = hint_q == HINT_NEAR || (hint_q != HINT_FAR && by_table);
      TABLE:   by_policy = by_table;
      NEAR:    by_policy = 1'b1;
      default: by_policy = 1'b0;
    endcase
  end
  assign near   = decided_q ? near_q : kind_q != GLOBAL && !far_op_q && (kind_q == SHARED ? smem_near_i : by_policy);
  assign near_d = ask_q ? near : near_q;

  // Step 2: the operands' locations
  logic [4:0] near_op;

  always_comb begin
    near_op    = {5{near}};
    near_op[3] = 1'b0;                         // predicates are read by the front end
    if (kind_q == GLOBAL) begin
      near_op[4] = !data_far_i;
      for (int i = 0; i < 3; i++) near_op[i] = !data_far_i && addr_q != 2'(i);
    end
  end

  // Step 3: what is missing there, the first of it
  logic [4:0] needed, missing;

  assign needed  = {there_q[4] && merge_q, there_q[3:0]};
  assign missing = needed & ~((near_op & nb_i) | (~near_op & fb_i));
  assign sel     = ask_q ? missing & (~missing + 5'd1) : sel_q;
  assign sel_d   = sel;

  assign mv_req_o  = ask_q ? |missing : move_q;
  assign mv_warp_o = warp_q;
  assign mv_wide_o = |(sel & wide_q);
  assign mv_near_o = |(sel & near_op);

  always_comb begin
    mv_reg_o = '0;
    for (int i = 0; i < 5; i++) mv_reg_o = mv_reg_o | (regs_q[i*8 +: 8] & {8{sel[i]}});
  end

  // Dispatch
  assign out_valid_o  = ask_q ? missing == '0 : ready_q;
  assign out_tag_o    = tag_q;
  assign out_near_o   = near;
  assign out_copies_o = copies_q;
  assign wr_valid_o   = leave && there_q[4];
  assign wr_warp_o    = warp_q;
  assign wr_reg_o     = regs_q[39:32];
  assign wr_near_o    = near_op[4];

  assign move_d    = mv_req_o && !mv_gnt_i;
  assign wait_d    = (mv_req_o && mv_gnt_i) || (wait_q && !mv_done_i);
  assign ready_d   = out_valid_o && !out_take_i;
  assign ask_d     = accept || (wait_q && mv_done_i);
  assign decided_d = !accept && (decided_q || ask_q);
  assign copies_d  = accept ? '0 : copies_q + 2'(mv_req_o && mv_gnt_i && copies_q != 2'd3);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q    <= '0;
      tag_q     <= '0;
      warp_q    <= '0;
      kind_q    <= '0;
      hint_q    <= '0;
      addr_q    <= '0;
      far_op_q  <= '0;
      merge_q   <= '0;
      there_q   <= '0;
      regs_q    <= '0;
      wide_q    <= '0;
      ask_q     <= '0;
      decided_q <= '0;
      move_q    <= '0;
      wait_q    <= '0;
      ready_q   <= '0;
      near_q    <= '0;
      sel_q     <= '0;
      copies_q  <= '0;
    end else begin
      held_q    <= held_d;
      tag_q     <= tag_d;
      warp_q    <= warp_d;
      kind_q    <= kind_d;
      hint_q    <= hint_d;
      addr_q    <= addr_d;
      far_op_q  <= far_op_d;
      merge_q   <= merge_d;
      there_q   <= there_d;
      regs_q    <= regs_d;
      wide_q    <= wide_d;
      ask_q     <= ask_d;
      decided_q <= decided_d;
      move_q    <= move_d;
      wait_q    <= wait_d;
      ready_q   <= ready_d;
      near_q    <= near_d;
      sel_q     <= sel_d;
      copies_q  <= copies_d;
    end
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (3'(ask_q) + 3'(move_q) + 3'(wait_q) + 3'(ready_q) == 3'(held_q)); // exactly one, with an instruction
    assert (!(mv_req_o && out_valid_o));
    assert (!wr_valid_o || out_take_i);
  end
`endif
endmodule

`default_nettype wire
