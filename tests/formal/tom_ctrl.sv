// SPDX-License-Identifier: Apache-2.0
//
// tom_ctrl_proof -- every warp goes through the phases of the rules, each move for its own reason,
// in turn and in time. A verdict is that of its entry, the registers it names and this cycle's
// links. An ask is of a warp that asks, and stays. A request and an end have their warp's entry,
// threads and stack. Faults are flagged.
//
// The wrapper follows any one warp, `who`, with all that it brought. Of words of 32 bits and more
// it looks at some bits. Parts with proofs of their own are replaced by smaller ones: a condition
// that looks at one bit of each operand, requests of one beat, and acknowledgements of one beat,
// which is a row or an end.
//
// Long file: the stand-ins' ports, and one wrapper whose parts share the phases of all warps.

`default_nettype none

// Stand-in: hold for kind 0, never for kind 3, else the parity of one
// bit of each operand and field.
module tom_cond (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic [1:0]  kind_i,
  input  wire logic        up_i,
  input  wire logic        is_signed_i,
  input  wire logic [3:0]  shift_i,
  input  wire logic        beyond_i,
  input  wire logic [31:0] imm_i,
  input  wire logic [31:0] start_i,
  input  wire logic [31:0] bound_i,
  input  wire logic [31:0] step_i,
  output      logic        hold_o
);
  assign hold_o = kind_i == 2'd0 ||
                  (kind_i != 2'd3 && (start_i[0] ^ bound_i[1] ^ step_i[2] ^ imm_i[31] ^ up_i ^ is_signed_i ^
                                      shift_i[3] ^ beyond_i));
endmodule

// Stand-in: a request is one beat with a bit or two of each field, one cycle after go.
module tom_pack #(
  parameter  int Warps      = 48,
  parameter  int PackCycles = 10,
  parameter  int OutCredits = 4,
  localparam int WarpW      = $clog2(Warps),
  localparam int CredW      = $clog2(OutCredits + 1)
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             go_valid_i,
  input  wire logic [WarpW-1:0] go_warp_i,
  input  wire logic [2:0]       go_stack_i,
  input  wire logic [31:0]      go_pc_i,
  input  wire logic [31:0]      go_exit_i,
  input  wire logic [31:0]      go_mask_i,
  input  wire logic [63:0]      go_in_i,
  input  wire logic [63:0]      go_out_i,
  output      logic             go_ready_o,
  output      logic             rd_valid_o,
  output      logic [WarpW-1:0] rd_warp_o,
  output      logic [5:0]       rd_reg_o,
  input  wire logic [1023:0]    rd_data_i,
  output      logic             out_valid_o,
  output      logic [1023:0]    out_beat_o,
  output      logic             out_last_o,
  input  wire logic             credit_i,
  output      logic             err_o,
  output      logic [CredW-1:0] probe_credits_o,
  output      logic [63:0]      probe_left_o
);
  logic        busy_q, first_q, go_q, err_q;
  logic [14:0] beat_q;  // ready again with a credit, after two cycles at the earliest

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {busy_q, first_q, go_q, err_q} <= '0;
    end else begin
      go_q    <= go_valid_i;
      first_q <= go_valid_i;
      busy_q  <= go_valid_i || (busy_q && (first_q || !credit_i));
      err_q   <= err_q || (credit_i && !busy_q);
    end
  end

  always_ff @(posedge clk_i)
    beat_q <= {go_mask_i[31], go_mask_i[0], go_out_i[63], go_out_i[0], go_in_i[63], go_in_i[0], go_exit_i[31],
               go_exit_i[0], go_pc_i[31], go_pc_i[0],
               go_stack_i, 2'(go_warp_i)};

  assign go_ready_o      = !busy_q;
  assign rd_valid_o      = 1'b0;
  assign rd_warp_o       = '0;
  assign rd_reg_o        = '0;
  assign out_valid_o     = go_q;
  assign out_beat_o      = 1024'(beat_q);
  assign out_last_o      = 1'b1;
  assign err_o           = err_q;
  assign probe_credits_o = CredW'(!busy_q);
  assign probe_left_o    = '0;
endmodule

// Stand-in: a message is one beat, a row (last low) or an end (last high) of the warp in
// its low bits. Bit 1023 is an error.
module tom_unpack #(
  parameter  int Warps    = 48,
  parameter  int LineBits = 33,
  localparam int WarpW    = $clog2(Warps)
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic                ack_valid_i,
  input  wire logic [1023:0]       ack_beat_i,
  input  wire logic                ack_last_i,
  output      logic                ack_ready_o,
  output      logic                wr_valid_o,
  output      logic [WarpW-1:0]    wr_warp_o,
  output      logic [5:0]          wr_reg_o,
  output      logic [31:0]         wr_mask_o,
  output      logic [1023:0]       wr_row_o,
  output      logic                inv_valid_o,
  output      logic [LineBits-1:0] inv_line_o,
  input  wire logic                inv_ready_i,
  output      logic                done_valid_o,
  output      logic [WarpW-1:0]    done_warp_o,
  output      logic                err_o,
  output      logic [1:0]          probe_state_o,
  output      logic [63:0]         probe_left_o
);
  logic             row_q, end_q, err_q, take;
  logic [WarpW-1:0] warp_q;

  assign take = ack_valid_i && !end_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {row_q, end_q, err_q} <= '0;
      warp_q <= '0;
    end else begin
      row_q <= take && !ack_last_i;
      end_q <= take && ack_last_i;
      err_q <= err_q || (take && ack_beat_i[1023]);
      if (take) warp_q <= ack_beat_i[WarpW-1:0];
    end
  end

  assign ack_ready_o   = !end_q;
  assign wr_valid_o    = row_q;
  assign wr_warp_o     = warp_q;
  assign wr_reg_o      = '0;
  assign wr_mask_o     = '0;
  assign wr_row_o      = '0;
  assign inv_valid_o   = 1'b0;
  assign inv_line_o    = '0;
  assign done_valid_o  = end_q;
  assign done_warp_o   = warp_q;
  assign err_o         = err_q;
  assign probe_state_o = 2'(end_q);
  assign probe_left_o  = '0;
endmodule

module tom_ctrl_proof #(
  parameter  int Warps   = 3,
  parameter  int Entries = 2,
  localparam int WarpW   = $clog2(Warps),
  localparam int IdxW    = $clog2(Entries)
) (
  input wire logic             clk_i,
  input wire logic [WarpW-1:0] who_i,
  input wire logic             cfg_valid_i,
  input wire logic [IdxW-1:0]  cfg_idx_i,
  input wire logic [257:0]     cfg_entry_i,
  input wire logic             learn_i,
  input wire logic             hot_tx_i,
  input wire logic             hot_rx_i,
  input wire logic             beg_valid_i,
  input wire logic [WarpW-1:0] beg_warp_i,
  input wire logic [IdxW-1:0]  beg_idx_i,
  input wire logic [31:0]      beg_mask_i,
  input wire logic             mem_valid_i,
  input wire logic [WarpW-1:0] mem_warp_i,
  input wire logic             mem_none_i,
  input wire logic [2:0]       mem_stack_i,
  input wire logic             fence_done_valid_i,
  input wire logic [WarpW-1:0] fence_done_warp_i,
  input wire logic [1023:0]    op_data_i,
  input wire logic [1023:0]    rd_data_i,
  input wire logic             gnt_i,
  input wire logic             nak_i,
  input wire logic             credit_i,
  input wire logic             ack_valid_i,
  input wire logic [1023:0]    ack_beat_i,
  input wire logic             ack_last_i,
  input wire logic             inv_ready_i
);

  localparam logic [2:0] NONE = tom_pkg::PHASE_NONE, WAITS = tom_pkg::PHASE_WAITS, RUNS = tom_pkg::PHASE_RUNS,
                                ASKS = tom_pkg::PHASE_ASKS,
                         FENCE = tom_pkg::PHASE_FENCE, PACKS = tom_pkg::PHASE_PACKS, AWAY = tom_pkg::PHASE_AWAY,
                                 TOLD = tom_pkg::PHASE_TOLD;

  logic               rst_n = 1'b0;              // low in the first cycle only
  logic               cfg_ready, run_valid, res_valid, fence_valid, done_valid, op_valid, rd_valid, wr_valid, ask,
      out_valid, out_last, ack_ready;
  logic               inv_valid, decides;
  logic [WarpW-1:0]   run_warp, res_warp, fence_warp, done_warp, op_warp, rd_warp, wr_warp;
  logic [2:0]         res_why, ask_stack, ready;
  logic [31:0]        done_exit, wr_mask, inv_line;
  logic [5:0]         op_reg, rd_reg, wr_reg;
  logic [1023:0]      wr_row, out_beat;
  logic [4:0]         err;
  logic [3*Warps-1:0] phase;
  logic [1:0]         reads, state;

  tom_ctrl #(.Warps(Warps), .Entries(Entries), .LineBits(32)) u_dut (
    .clk_i, .rst_ni (rst_n), .cfg_valid_i, .cfg_idx_i, .cfg_entry_i, .cfg_ready_o (cfg_ready), .learn_i, .hot_tx_i,
    .hot_rx_i, .beg_valid_i, .beg_warp_i, .beg_idx_i, .beg_mask_i, .run_valid_o (run_valid), .run_warp_o (run_warp),
    .mem_valid_i, .mem_warp_i, .mem_none_i, .mem_stack_i, .res_valid_o (res_valid), .res_warp_o (res_warp),
    .res_why_o (res_why), .fence_valid_o (fence_valid), .fence_warp_o (fence_warp), .fence_done_valid_i,
    .fence_done_warp_i, .done_valid_o (done_valid), .done_warp_o (done_warp), .done_exit_o (done_exit),
    .op_valid_o (op_valid), .op_warp_o (op_warp), .op_reg_o (op_reg), .op_data_i, .rd_valid_o (rd_valid),
    .rd_warp_o (rd_warp), .rd_reg_o (rd_reg), .rd_data_i, .wr_valid_o (wr_valid), .wr_warp_o (wr_warp),
    .wr_reg_o (wr_reg), .wr_mask_o (wr_mask), .wr_row_o (wr_row), .ask_o (ask), .ask_stack_o (ask_stack), .gnt_i,
    .nak_i, .out_valid_o (out_valid), .out_beat_o (out_beat), .out_last_o (out_last), .credit_i, .ack_valid_i,
    .ack_beat_i, .ack_last_i, .ack_ready_o (ack_ready), .inv_valid_o (inv_valid), .inv_line_o (inv_line), .inv_ready_i,
    .err_o (err), .probe_phase_o (phase), .probe_decides_o (decides), .probe_read_o (reads), .probe_credits_o (ready),
    .probe_state_o (state)
  );

  // ---- Moves of all warps: phases of the last cycle, and warps that have left a phase since.

  // `was...` and other past values are of the last cycle.
  logic [3*Warps-1:0] was;
  logic               since, was_decides, was_ask, was_answer, was_gnt, was_ready, began, reported, was_none, fenced,
      taken, ended;
  logic [1:0]         was_reads;
  logic [WarpW-1:0]   beg_warp, mem_warp, fence_done_warp;
  logic [Warps-1:0]   left_waits, left_asks, left_packs, left_told, left_away, in_waits, in_asks, in_packs, in_told,
      moves_ok;

  always_comb begin
    for (int w = 0; w < Warps; w++) begin
      in_waits[w]   = was[3*w +: 3] == WAITS;
      in_asks[w]    = was[3*w +: 3] == ASKS;
      in_packs[w]   = was[3*w +: 3] == PACKS;
      in_told[w]    = was[3*w +: 3] == TOLD;
      left_waits[w] = in_waits[w] && phase[3*w +: 3] != WAITS;
      left_asks[w]  = in_asks[w] && phase[3*w +: 3] != ASKS;
      left_packs[w] = in_packs[w] && phase[3*w +: 3] != PACKS;
      left_told[w]  = in_told[w] && phase[3*w +: 3] != TOLD;
      left_away[w]  = was[3*w +: 3] == AWAY && phase[3*w +: 3] != AWAY;
      case (was[3*w +: 3])
        NONE:    moves_ok[w] = phase[3*w +: 3] == (began && 32'(beg_warp) == w ? WAITS : NONE);
        WAITS:   moves_ok[w] = phase[3*w +: 3] == WAITS || (was_decides &&
                                                            phase[3*w +: 3] == (run_valid && 32'(run_warp) == w ? RUNS
                                                                : TOLD));
        RUNS:    moves_ok[w] = phase[3*w +: 3] == (!reported || 32'(mem_warp) != w ? RUNS : was_none ? TOLD : ASKS);
        ASKS:    moves_ok[w] = phase[3*w +: 3] == ASKS || (was_answer && phase[3*w +: 3] == (was_gnt ? FENCE : TOLD));
        FENCE:   moves_ok[w] = phase[3*w +: 3] == (fenced && 32'(fence_done_warp) == w ? PACKS : FENCE);
        PACKS:   moves_ok[w] = phase[3*w +: 3] == PACKS || (was_reads == 2'd2 && phase[3*w +: 3] == AWAY);
        AWAY:    moves_ok[w] = phase[3*w +: 3] == (done_valid && 32'(done_warp) == w ? NONE : AWAY);
        default: moves_ok[w] = phase[3*w +: 3] == (res_valid && 32'(res_warp) == w ? NONE : TOLD);
      endcase
    end
  end

  always @(posedge clk_i) begin
    rst_n           <= 1'b1;
    since           <= rst_n;
    was             <= phase;
    was_decides     <= decides;
    was_ask         <= ask;
    was_answer      <= ask && (gnt_i || nak_i);
    was_gnt         <= gnt_i;
    was_ready       <= ready[0];
    was_reads       <= reads;
    was_none        <= mem_none_i;
    began           <= beg_valid_i && beg_mask_i != '0 && 32'(beg_idx_i) < Entries;
    reported        <= mem_valid_i;
    fenced          <= fence_done_valid_i;
    beg_warp        <= beg_warp_i;
    mem_warp        <= mem_warp_i;
    fence_done_warp <= fence_done_warp_i;
  end

  // ---- The table, and the warp that is followed: what it brought, and how many others went first.

  // The wrapper's table. `its` is the entry of the followed warp, `cond` its condition, `lane` its
  // first thread. `now` and `then_` are its phase in this cycle and the last.
  logic [Entries*258-1:0] table_q = '0;
  logic [257:0]           its;
  logic [63:0]            cond;
  logic [WarpW-1:0]       who;
  logic [IdxW-1:0]        idx;
  logic [31:0]            mask;
  logic [4:0]             lane;
  logic [2:0]             now, then_, named, done_ops, left, nth, got, stack, mem_stack, was_stack, why, to_decide,
      to_ask, to_pack, to_tell;
  logic                   is_op, word, parity, hold, was_hold, was_tx, was_rx, was_learn, hot, goes, packed_;
  logic [5:0]             want_reg;
  logic [4:0]             undecided;

  always_comb begin
    its   = table_q[32'(idx)*258 +: 258];
    cond  = its[tom_pkg::META_COND_LSB +: 64];
    now   = phase[32'(who)*3 +: 3];
    then_ = was[32'(who)*3 +: 3];
    lane  = '0;
    for (int i = 31; i >= 0; i--) if (mask[i]) lane = 5'(i);

    // Rule 3: registers that its condition names, and the next one: start, bound, step.
    named[0] = (cond[1:0] == 2'd1 || cond[1:0] == 2'd2) && cond[tom_pkg::COND_HAS_START_LSB];
    named[1] = (cond[1:0] == 2'd1 || cond[1:0] == 2'd2) && cond[tom_pkg::COND_HAS_BOUND_LSB];
    named[2] = cond[1:0] == 2'd2;
    left     = named & ~done_ops;
    nth      = left & (~left + 3'd1);
    want_reg = nth[0] ? cond[tom_pkg::COND_START_LSB +: 6] : nth[1] ? cond[tom_pkg::COND_BOUND_LSB +: 6]
               : cond[tom_pkg::COND_STEP_LSB +: 6];
    is_op    = op_valid && op_warp == who;
    word     = (got[0] && op_data_i[{lane, 5'd0}]) || (got[1] && op_data_i[{lane, 5'd1}]) ||
               (got[2] && op_data_i[{lane, 5'd2}]);
    hold     = cond[1:0] == 2'd0 ||
               (cond[1:0] != 2'd3 && (parity ^ word ^ cond[63] ^ cond[tom_pkg::COND_UP_LSB] ^
                                      cond[tom_pkg::COND_IS_SIGNED_LSB] ^
               cond[tom_pkg::COND_SHIFT_LSB + 3] ^ cond[tom_pkg::COND_BEYOND_LSB]));
    hot      = (was_tx && !its[tom_pkg::META_TX_LSB]) || (was_rx && !its[tom_pkg::META_RX_LSB]);
  end

  always @(posedge clk_i) begin
    if (cfg_valid_i && cfg_ready && 32'(cfg_idx_i) < Entries) table_q[32'(cfg_idx_i)*258 +: 258] <= cfg_entry_i;
    if (!rst_n) who <= who_i;
    if (beg_valid_i && beg_warp_i == who && now == NONE) begin
      idx  <= beg_idx_i;
      mask <= beg_mask_i;
    end
    // Rule 3: operands read, and the parity of the bits that the stand-in looks at.
    done_ops  <= now == NONE ? 3'd0 : is_op ? done_ops | nth : done_ops;
    got       <= is_op ? nth : 3'd0;
    parity    <= now == NONE ? 1'b0 : parity ^ word;
    was_hold  <= hold;
    was_tx    <= hot_tx_i;
    was_rx    <= hot_rx_i;
    was_learn <= learn_i;
    mem_stack <= mem_stack_i;
    was_stack <= ask_stack;
    if (then_ == RUNS && now == ASKS) stack <= mem_stack;
    if (then_ == WAITS && now == TOLD) why <= !was_hold ? tom_pkg::WHY_CONDITION : hot ? tom_pkg::WHY_CHANNEL
      : tom_pkg::WHY_LEARNING;
    if (then_ == RUNS && now == TOLD) why <= tom_pkg::WHY_NO_ACCESS;
    if (then_ == ASKS && now == TOLD) why <= tom_pkg::WHY_FULL;
    packed_   <= left_packs != '0;
    goes      <= left_packs[who];
    // Turns of other warps while this one waits for each of the four places.
    to_decide <= now != WAITS || then_ != WAITS ? 3'd0 : to_decide + 3'(was_decides);
    to_ask    <= now != ASKS || then_ != ASKS ? 3'd0 : to_ask + 3'(was_answer);
    to_pack   <= now != PACKS || then_ != PACKS ? 3'd0 : to_pack + 3'(left_packs != '0);
    to_tell   <= now != TOLD || then_ != TOLD ? 3'd0 : to_tell + 3'(left_told != '0);
    // Cycles without a decision while a warp waits for one.
    undecided <= decides || in_waits == '0 ? 5'd0 : undecided + 5'(undecided != 5'd31);
    if (!rst_n) {packed_, goes, to_decide, to_ask, to_pack, to_tell, undecided, done_ops, got, parity} <= '0;
  end

  // ---- Faults (rule 13).

  logic [4:0] bad, faults;
  logic       beg_bad, mem_bad, fence_bad, ack_bad;

  always_comb begin
    beg_bad   = 32'(beg_warp_i) >= Warps || phase[32'(beg_warp_i)*3 +: 3] != NONE || beg_mask_i == '0 ||
                32'(beg_idx_i) >= Entries;
    mem_bad   = 32'(mem_warp_i) >= Warps || phase[32'(mem_warp_i)*3 +: 3] != RUNS;
    fence_bad = 32'(fence_done_warp_i) >= Warps || phase[32'(fence_done_warp_i)*3 +: 3] != FENCE;
    ack_bad   = 32'(wr_warp) >= Warps || phase[32'(wr_warp)*3 +: 3] != AWAY;
    bad[0]    = (beg_valid_i && beg_bad) || (cfg_valid_i && 32'(cfg_idx_i) >= Entries);
    bad[1]    = (mem_valid_i && mem_bad) || (fence_done_valid_i && fence_bad);
    bad[2]    = ((gnt_i || nak_i) && !ask) || (gnt_i && nak_i);
    bad[3]    = ((wr_valid || state[0]) && ack_bad) || (ack_valid_i && ack_ready && ack_beat_i[1023]);
    bad[4]    = credit_i && ready[0];
  end

  always @(posedge clk_i) faults <= rst_n ? faults | bad : 5'd0;

  always_comb begin
    // A choice of the proof, fixed in reset.
    assume (32'(who_i) < Warps);
  end

  always_comb if (rst_n && since) begin
    // The table of phases: each move for its own reason.
    moves:      assert (&moves_ok);
    // Rules 3 and 4: one warp a decision.
    decided:    assert ((left_waits & (left_waits - 1'b1)) == '0 && (left_waits != '0) == was_decides);
    // Rule 6: one warp an answer; a grant leads to its fence.
    answered:   assert ((left_asks & (left_asks - 1'b1)) == '0 && (left_asks != '0) == was_answer &&
                        fence_valid == (was_answer && was_gnt) &&
                        (!fence_valid || left_asks[fence_warp]));
    // Rules 9 and 11: one warp a choice to pack, and its request goes out.
    sent:       assert ((left_packs & (left_packs - 1'b1)) == '0 && (left_packs != '0) == (was_reads == 2'd2) &&
                        out_valid == packed_);
    // Rule 7: one warp a cycle is told no.
    told:       assert (res_valid == (in_told != '0) && (!res_valid || left_told[res_warp]));
    // Rule 3: the registers read, in order.
    operands:   assert (!is_op || (now == WAITS && left != '0 && op_reg == want_reg));
    // Rule 4.
    verdict:    assert (!left_waits[who] || (left == '0 && (now == RUNS) == (was_hold && !hot && !was_learn)));
    // Rules 4 to 6: why it is told no.
    reason:     assert (!res_valid || res_warp != who || res_why == why);
    // Rule 6.
    ask_stays:  assert (was_answer ? !ask : !was_ask ? ask == (in_asks != '0) : ask && ask_stack == was_stack);
    // Rules 5 and 6: the stack of its first access.
    its_stack:  assert (!left_asks[who] || was_stack == stack);
    // Rule 9: the request's fields.
    its_own:    assert (!goes || out_beat[14:0] == {mask[31], mask[0], its[tom_pkg::META_OUT_LSB + 63],
                                                    its[tom_pkg::META_OUT_LSB],
                        its[tom_pkg::META_IN_LSB + 63], its[tom_pkg::META_IN_LSB], its[tom_pkg::META_EXIT_LSB + 31],
                        its[tom_pkg::META_EXIT_LSB],
                        its[tom_pkg::META_PC_LSB + 31], its[tom_pkg::META_PC_LSB], stack, 2'(who)});
    // Rule 10.
    its_exit:   assert (!done_valid || done_warp != who || (done_exit[0] == its[tom_pkg::META_EXIT_LSB] &&
                                                            done_exit[31] == its[tom_pkg::META_EXIT_LSB + 31]));
    // Every place serves a waiting warp within Warps turns.
    in_turn:    assert (32'(to_decide) < Warps && 32'(to_ask) < Warps && 32'(to_pack) < Warps && 32'(to_tell) < Warps);
    // Rules 3 and 11: a decision does not wait for ever.
    in_time:    assert (undecided < 5'd12);
    // Rule 9: a warp is packed as soon as tom_pack is ready.
    packs:      assert (in_packs == '0 || !was_ready || packed_ || was_reads == 2'd3 || left_packs != '0);
    // Rule 1.
    written:    assert (cfg_ready == (phase == '0));
    // Rule 13.
    flagged:    assert (err == faults);
    // An end while others wait; three things are told in one cycle.
    back:       cover (done_valid && in_waits != '0);
    full_house: cover (res_valid && fence_valid && then_ == AWAY);
  end
endmodule

`default_nettype wire
