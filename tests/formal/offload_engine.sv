// SPDX-License-Identifier: Apache-2.0
//
// offload_engine_proof -- with a track table behind it, an instruction is dispatched only if all
// its operands have a copy, at the location of the rules. One move goes on at a time, only for a
// register that is needed and missing. What is shown stays, and the table learns the destination.
//
// The move engine grants and ends moves at any time, the consumer takes at any time; nothing is
// assumed. There is one warp with registers 0 to 3.

`default_nettype none

module offload_engine_proof (
  input  wire logic        clk_i,
  input  wire logic        smem_near_i,
  input  wire logic        data_far_i,
  input  wire logic [1:0]  in_policy_i,
  input  wire logic        in_valid_i,
  input  wire logic [7:0]  in_tag_i,
  input  wire logic [1:0]  in_kind_i,
  input  wire logic        in_far_op_i,
  input  wire logic [1:0]  in_hint_i,
  input  wire logic [2:0]  in_src_valid_i,
  input  wire logic [5:0]  in_src_i,
  input  wire logic [1:0]  in_addr_i,
  input  wire logic        in_guard_valid_i,
  input  wire logic [1:0]  in_guard_i,
  input  wire logic        in_dst_valid_i,
  input  wire logic [1:0]  in_dst_i,
  input  wire logic        in_merge_i,
  input  wire logic        mv_gnt_i,
  input  wire logic        mv_done_i,
  input  wire logic        out_take_i
);

  logic        rst_n = 1'b0;                  // low in the first cycle only
  logic        in_ready, mv_req, mv_wide, mv_near, out_valid, out_near, wr_valid, wr_near;
  logic [5:0]  lk_warp, mv_warp, wr_warp;
  logic [39:0] lk_regs;
  logic [4:0]  fb, nb;
  logic [7:0]  mv_reg, out_tag, wr_reg;
  logic [1:0]  out_copies;

  // The instruction, as the wrapper remembers it.
  logic        smem_near, data_far, held, first, merge, far_op, near, near_kept, by_table;
  logic [1:0]  policy, kind, hint, addr;
  logic [7:0]  tag;
  logic [4:0]  there, needed, copy, near_op;
  logic [39:0] regs;
  logic        under_way, shown_move, shown_out, one_of, was_near, both_ways;
  logic [8:0]  move, move_q;  // the move shown: to near, register
  logic [1:0]  copies;

  offload_engine u_dut (
    .clk_i, .rst_ni (rst_n), .smem_near_i (smem_near), .data_far_i (data_far), .in_policy_i (policy), .in_valid_i,
    .in_tag_i, .in_warp_i (6'd0), .in_kind_i, .in_far_op_i, .in_hint_i, .in_src_valid_i,
    .in_src_i ({6'd0, in_src_i[5:4], 6'd0, in_src_i[3:2], 6'd0, in_src_i[1:0]}), .in_addr_i, .in_guard_valid_i,
    .in_guard_i ({6'd0, in_guard_i}), .in_dst_valid_i, .in_dst_i ({6'd0, in_dst_i}), .in_merge_i, .in_wide_i (5'd0),
    .in_ready_o (in_ready), .lk_warp_o (lk_warp), .lk_regs_o (lk_regs), .fb_i (fb), .nb_i (nb), .mv_req_o (mv_req),
    .mv_warp_o (mv_warp), .mv_reg_o (mv_reg), .mv_wide_o (mv_wide), .mv_near_o (mv_near), .mv_gnt_i, .mv_done_i,
    .out_valid_o (out_valid), .out_tag_o (out_tag), .out_near_o (out_near), .out_copies_o (out_copies), .out_take_i,
    .wr_valid_o (wr_valid), .wr_warp_o (wr_warp), .wr_reg_o (wr_reg), .wr_near_o (wr_near)
  );

  track_table #(.Warps(1), .Regs(4)) u_table (
    .clk_i, .rst_ni (rst_n), .lk_warp_i (lk_warp), .lk_regs_i (lk_regs), .fb_o (fb), .nb_o (nb), .wr_valid_i (wr_valid),
    .wr_warp_i (wr_warp), .wr_reg_i (wr_reg), .wr_near_i (wr_near), .mv_valid_i (under_way && mv_done_i),
    .mv_warp_i (6'd0), .mv_reg_i (move_q[7:0]), .mv_near_i (move_q[8]), .clear_valid_i (1'b0), .clear_warp_i (6'd0)
  );

  // Steps 1 to 3 of the port file, stated again.
  assign by_table = there[2:0] != '0 && (!there[0] || nb[0]) && (!there[1] || nb[1]) && (!there[2] || nb[2]);

  always_comb begin
    near = near_kept;
    if (first) begin
      near = by_table;
      if (policy == 2'd3) near = 1'b0;
      if (policy == 2'd2) near = 1'b1;
      if (policy == 2'd0 && hint == 2'd1) near = 1'b1;
      if (policy == 2'd0 && hint == 2'd2) near = 1'b0;
      if (kind == 2'd2) near = smem_near;
      if (kind == 2'd1 || far_op) near = 1'b0;
    end
    // The place where each operand is needed: 0 to 2 sources, 3 guard, 4 destination.
    for (int i = 0; i < 5; i++) begin
      near_op[i] = kind == 2'd1 ? !data_far : near;
      if (kind == 2'd1 && i < 3 && 32'(addr) == i) near_op[i] = 1'b0;
      if (i == 3) near_op[i] = 1'b0;
      copy[i]   = near_op[i] ? nb[i] : fb[i];
      needed[i] = there[i] && (i != 4 || merge);
    end
    one_of = 1'b0;
    for (int i = 0; i < 5; i++) if (needed[i] && !copy[i] && move == {near_op[i], regs[i*8 +: 8]}) one_of = 1'b1;
  end
  assign move = {mv_near, mv_reg};

  // The held instruction, the move under way, and what was shown in the last cycle.
  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      smem_near  <= smem_near_i;
      data_far   <= data_far_i;
      policy     <= in_policy_i;
      held       <= 1'b0;
      first      <= 1'b0;
      under_way  <= 1'b0;
      shown_move <= 1'b0;
      shown_out  <= 1'b0;
    end else begin
      held       <= (in_valid_i && in_ready) || (held && !(out_valid && out_take_i));
      first      <= in_valid_i && in_ready;
      near_kept  <= near;
      under_way  <= (mv_req && mv_gnt_i) || (under_way && !mv_done_i);
      shown_move <= mv_req && !mv_gnt_i;
      shown_out  <= out_valid && !out_take_i;
      if (mv_req) move_q <= move;
      if (mv_req && mv_gnt_i) begin
        was_near  <= mv_near;
        both_ways <= copies != '0 && (both_ways || was_near != mv_near);
        copies    <= copies == 2'd3 ? copies : copies + 2'd1;
      end
      if (in_valid_i && in_ready) begin
        tag    <= in_tag_i;
        kind   <= in_kind_i;
        far_op <= in_far_op_i;
        hint   <= in_hint_i;
        addr   <= in_addr_i;
        merge  <= in_merge_i;
        there  <= {in_dst_valid_i, in_guard_valid_i, in_src_valid_i};
        regs   <= {6'd0, in_dst_i, 6'd0, in_guard_i, 6'd0, in_src_i[5:4], 6'd0, in_src_i[3:2], 6'd0, in_src_i[1:0]};
        copies <= '0;
        both_ways <= 1'b0;
      end
    end
  end

  always_comb if (rst_n) begin
    // Step 3: nothing that is needed is missing at dispatch.
    all_there:  assert (!out_valid || (held && (needed & ~copy) == '0));
    // Steps 1 and 2: the location of the rules.
    by_rule:    assert (!out_valid || (out_near == near && out_tag == tag && out_copies == copies));
    // Step 3: nothing is shown while a move goes on.
    one_move:   assert (!under_way || (!mv_req && !out_valid && !in_ready));
    // Step 3: a move is of an operand that lacks its copy.
    only_lacks: assert (!mv_req || (held && one_of));
    // What mv_ or out_ shows stays until it is taken.
    stays:      assert ((!shown_move || (mv_req && move == move_q)) && (!shown_out || out_valid));
    // An instruction is always moving, asking or dispatched.
    no_rest:    assert (!held || mv_req || out_valid || under_way);
    // Dispatch: the table learns the destination, if there is one.
    told:       assert (wr_valid == (out_valid && out_take_i && there[4])
                        && (!wr_valid || (wr_reg == regs[39:32] && wr_near == near_op[4])));
    // Three moves in both directions; two instructions back to back.
    three:      cover (out_valid && copies == 2'd3 && both_ways);
    back_to_back: cover (out_valid && out_take_i && in_valid_i && in_ready && copies == 2'd1);
  end
endmodule

`default_nettype wire
