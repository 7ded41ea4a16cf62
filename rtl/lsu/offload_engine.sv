// SPDX-License-Identifier: Apache-2.0
//
// offload_engine -- instruction offload engine: where an instruction runs, and which registers move
// first (MPU paper, IV-B1, Fig. 3).
//
// One instruction is held; in a cycle of ask the track table's answer counts:
//
//           in_valid, in_ready      an operand is missing     mv_gnt         mv_done
//   empty --------------------> ask --------------------> move ------> wait ---------> ask
//                                | mv_gnt at once: wait
//                                | none is missing        out_take
//                                +----------------> ready ---------> empty, or ask with a next one
//                                  out_take at once: empty
//
// What is shown in ask stays (move_q, ready_q) whatever the table says later.
// The location of the instruction is decided in its first ask. in_ready_o and
// wr_* depend on out_take_i in the same cycle.

`default_nettype none

module offload_engine (
  input  wire logic                        clk_i,             // core clock
  input  wire logic                        rst_ni,            // asynchronous, active low
  // Constant after reset
  input  wire logic                        smem_near_i,       // shared memory is on the DRAM die
  input  wire logic                        data_far_i,        // loads and stores have far-bank data
  input  wire logic [1:0]                  in_policy_i,       // 0 the paper's, 1 table, 2 near, 3 far
  // From issue
  input  wire logic                        in_valid_i,        // an instruction; taken with in_ready_o
  input  wire logic [lsu_pkg::ID_W-1:0]    in_tag_i,          // its tag
  input  wire logic [lsu_pkg::WARP_W-1:0]  in_warp_i,         // its warp
  input  wire logic [1:0]                  in_kind_i,         // 1 ld/st.global, 2 ld/st.shared, else others
  input  wire logic                        in_far_op_i,       // 1: of the far-bank set
  input  wire logic [1:0]                  in_hint_i,         // 1 near, 2 far, else none
  input  wire logic [2:0]                  in_src_valid_i,    // sources that it has
  input  wire logic [3*lsu_pkg::REG_W-1:0] in_src_i,          // 8 bits a source, source 0 lowest
  input  wire logic [1:0]                  in_addr_i,         // ld/st: source that is the address; 3: none
  input  wire logic                        in_guard_valid_i,  // it has a guard
  input  wire logic [lsu_pkg::REG_W-1:0]   in_guard_i,        // predicate register
  input  wire logic                        in_dst_valid_i,    // it has a destination
  input  wire logic [lsu_pkg::REG_W-1:0]   in_dst_i,          // destination register
  input  wire logic                        in_merge_i,        // threads that do not write keep their value
  input  wire logic [4:0]                  in_wide_i,         // operands of two rows, a bit each
  output      logic                        in_ready_o,        // none is held, or it leaves; same cycle
  // To and from the track table
  output      logic [lsu_pkg::WARP_W-1:0]  lk_warp_o,         // warp that is looked up; 0 without
  output      logic [5*lsu_pkg::REG_W-1:0] lk_regs_o,         // operands that are looked up; 0 without
  input  wire logic [4:0]                  fb_i,              // bit i: operand i has a far-bank copy
  input  wire logic [4:0]                  nb_i,              // bit i: operand i has a near-bank copy
  // To and from the move engine
  output      logic                        mv_req_o,          // a move is wanted, until mv_gnt_i
  output      logic [lsu_pkg::WARP_W-1:0]  mv_warp_o,         // its warp
  output      logic [lsu_pkg::REG_W-1:0]   mv_reg_o,          // its register
  output      logic                        mv_wide_o,         // 1: two rows
  output      logic                        mv_near_o,         // 1: to the near-bank file, 0: to the far one
  input  wire logic                        mv_gnt_i,          // the move begins
  input  wire logic                        mv_done_i,         // the move is over
  // Dispatch
  output      logic                        out_valid_o,       // all operands are there, until out_take_i
  output      logic [lsu_pkg::ID_W-1:0]    out_tag_o,         // its tag
  output      logic                        out_near_o,        // 1: it runs on the near-bank unit
  output      logic [1:0]                  out_copies_o,      // registers moved for it; 3: three or more
  input  wire logic                        out_take_i,        // the instruction is dispatched
  // To the track table
  output      logic                        wr_valid_o,        // with out_take_i: it writes a register
  output      logic [lsu_pkg::WARP_W-1:0]  wr_warp_o,         // its warp
  output      logic [lsu_pkg::REG_W-1:0]   wr_reg_o,          // its destination
  output      logic                        wr_near_o          // 1: in the near-bank file, 0: in the far one
);

  localparam logic [1:0] GLOBAL = 2'd1, SHARED = 2'd2;
  localparam logic [1:0] HINT_NEAR = 2'd1, HINT_FAR = 2'd2;
  localparam logic [1:0] PAPER = 2'd0, TABLE = 2'd1, NEAR = 2'd2;

  // The instruction held. Operands in this order: sources 0 to 2, guard, destination.
  logic                       held_d, held_q, accept, leave;
  logic [lsu_pkg::ID_W-1:0]   tag_d, tag_q;
  logic [lsu_pkg::WARP_W-1:0] warp_d, warp_q;
  logic [1:0]                 kind_d, kind_q, hint_d, hint_q, addr_d, addr_q;
  logic                       far_op_d, far_op_q, merge_d, merge_q;
  logic [4:0]                 there_d, there_q;           // operands that it has
  logic [39:0]                regs_d, regs_q;
  logic [4:0]                 wide_d, wide_q;

  // Its state: with an instruction exactly one of ask, move, wait and ready is set.
  logic        ask_d, ask_q;                   // the table counts
  logic        decided_d, decided_q;           // near_q is its location
  logic        move_d, move_q;                 // a move waits for its grant
  logic        wait_d, wait_q;                 // a move is under way
  logic        ready_d, ready_q;               // nothing is missing: waits for out_take_i
  logic        near_d, near_q, near;
  logic [4:0]  sel_d, sel_q, sel;              // operand that moves, one-hot
  logic [1:0]  copies_d, copies_q;

  // The next instruction may come in the cycle in which the one held leaves.
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

  // Registers that the instruction does not have are 0 and are looked up as 0.
  always_comb begin
    regs_d = accept ? {in_dst_i, in_guard_i, in_src_i} : leave ? '0 : regs_q;
    for (int i = 0; i < 5; i++) if (accept && !there_d[i]) regs_d[i*8 +: 8] = '0;
  end

  assign lk_warp_o = warp_q;                   // 0 without an instruction
  assign lk_regs_o = regs_q;

  // Step 1: the location of the instruction. By the table it is near only with a source, and only
  // if all sources have a near-bank copy.
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
  // Decided once: copies that are made later do not change the location.
  assign near   = decided_q ? near_q : kind_q != GLOBAL && !far_op_q && (kind_q == SHARED ? smem_near_i : by_policy);
  assign near_d = ask_q ? near : near_q;

  // Step 2: the locations of the operands. The address of ld/st.global is read far. Its data are
  // near, in the file that the near-bank units read and write, unless data_far_i says that there is
  // none.
  logic [4:0] near_op;

  always_comb begin
    near_op    = {5{near}};
    near_op[3] = 1'b0;                         // predicates are read by the front end
    if (kind_q == GLOBAL) begin
      near_op[4] = !data_far_i;
      for (int i = 0; i < 3; i++) near_op[i] = !data_far_i && addr_q != 2'(i);
    end
  end

  // Step 3: the first operand that has no copy at its location. A destination is needed if threads
  // that do not write it keep what they have. A register that is named twice moves once: after
  // mv_done the table is asked again, and has the copy then. While a move is under way, or is
  // waited for, sel_q keeps the choice.
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

  // Dispatch.
  assign out_valid_o  = ask_q ? missing == '0 : ready_q;
  assign out_tag_o    = tag_q;
  assign out_near_o   = near;
  assign out_copies_o = copies_q;
  assign wr_valid_o   = leave && there_q[4];
  assign wr_warp_o    = warp_q;
  assign wr_reg_o     = regs_q[39:32];
  assign wr_near_o    = near_op[4];

  // The next state: the arcs of the picture.
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
    assert (3'(ask_q) + 3'(move_q) + 3'(wait_q) + 3'(ready_q) == 3'(held_q));  // one, with an instruction
    assert (!(mv_req_o && out_valid_o));
    assert (!wr_valid_o || out_take_i);
  end
`endif
endmodule

`default_nettype wire
