// SPDX-License-Identifier: Apache-2.0
//
// tom_ctrl -- offload controller of an SM (TOM paper, sections 3.3, 4.1 and 4.2): decides which
// instances of candidates are offloaded, sends them, and resumes their warps.
//
// Phase of a warp (phase_q); each arc names the set that moves the warp:
//
//         begins        decided: yes       reports: access      answered: gnt
//   NONE -------> WAITS -----------> RUNS ------------> ASKS ---------------+
//    ^  ^            | no             | no access         | nak             v
//    |  |            v                v                   v               FENCE
//    |  +-- told -- TOLD <------------+-------------------+                 | fenced
//    |                                                                      v
//    +------------- ends ------------- AWAY <----------- sends ----------- PACKS
//
// Four places each take one warp out of its phase, in turn: decision, ask, packing, answer. Each
// arc is a set of at most one warp, and only a warp in the arc's phase is in the set. A report of
// any other warp therefore moves nothing.

`default_nettype none

module tom_ctrl #(
  parameter  int Warps      = 48,                     // warps of the SM, 2 to 64
  parameter  int Entries    = 40,                     // candidates of a kernel, 2 to 128
  parameter  int PackCycles = 10,                     // cycles from a request to its first beat, 3 to 255
  parameter  int OutCredits = 4,                      // beats that the receiver has places for, 1 to 15
  parameter  int LineBits   = 33,                     // bits of a line's address, 1 to 41
  localparam int WarpW      = $clog2(Warps),          // bits of a warp's number
  localparam int IdxW       = $clog2(Entries),        // bits of a candidate's number
  localparam int MetaW      = tom_pkg::META_BITS,     // bits of a table entry
  localparam int PhaseW     = tom_pkg::PHASE_W,       // bits of a phase
  localparam int WhyW       = tom_pkg::WHY_W,         // bits of a reason
  localparam int StackW     = tom_pkg::STACK_W,       // bits of a stack's number
  localparam int RegW       = tom_pkg::REG_W,         // bits of a register's number
  localparam int RowW       = tom_pkg::ROW_BITS,      // bits of a register of all threads
  localparam int CredW      = $clog2(OutCredits + 1)  // bits of the credit counter
) (
  input  wire logic                    clk_i,               // core clock
  input  wire logic                    rst_ni,              // asynchronous, active low
  // From the GPU's runtime
  input  wire logic                    cfg_valid_i,         // writes a table entry, with cfg_ready_o
  input  wire logic [IdxW-1:0]         cfg_idx_i,           // its number, below Entries
  input  wire logic [MetaW-1:0]        cfg_entry_i,         // fields TOM_FIELD of tom_meta.def
  output      logic                    cfg_ready_o,         // no warp has an instance
  input  wire logic                    learn_i,             // 1: the map is learnt, nothing is offloaded
  // From the busy monitor
  input  wire logic                    hot_tx_i,            // links to the stacks are busy
  input  wire logic                    hot_rx_i,            // links from the stacks are busy
  // From and to the SM's warps
  input  wire logic                    beg_valid_i,         // a warp is at a candidate and stands still
  input  wire logic [WarpW-1:0]        beg_warp_i,          // its warp, without an instance
  input  wire logic [IdxW-1:0]         beg_idx_i,           // the candidate's entry
  input  wire logic [31:0]             beg_mask_i,          // active threads, not 0
  output      logic                    run_valid_o,         // yes: run to the first memory access
  output      logic [WarpW-1:0]        run_warp_o,          // its warp
  input  wire logic                    mem_valid_i,         // a warp that runs is at that access
  input  wire logic [WarpW-1:0]        mem_warp_i,          // its warp
  input  wire logic                    mem_none_i,          // 1: the block is over without an access
  input  wire logic [StackW-1:0]       mem_stack_i,         // else the stack of the access
  output      logic                    res_valid_o,         // not offloaded: the warp goes on
  output      logic [WarpW-1:0]        res_warp_o,          // its warp
  output      logic [WhyW-1:0]         res_why_o,           // tom_pkg::WHY_*
  output      logic                    fence_valid_o,       // granted: wait for the CTA's stores
  output      logic [WarpW-1:0]        fence_warp_o,        // its warp
  input  wire logic                    fence_done_valid_i,  // stores are acknowledged, live-ins ready
  input  wire logic [WarpW-1:0]        fence_done_warp_i,   // its warp
  output      logic                    done_valid_o,        // the block is over: the warp goes on
  output      logic [WarpW-1:0]        done_warp_o,         // its warp
  output      logic [31:0]             done_exit_o,         // program counter where it goes on
  // To and from the register file: registers of a condition, live-ins, live-outs
  output      logic                    op_valid_o,          // reads a register of a condition
  output      logic [WarpW-1:0]        op_warp_o,           // its warp
  output      logic [RegW-1:0]         op_reg_o,            // its register
  input  wire logic [RowW-1:0]         op_data_i,           // the row, a cycle after op_valid_o
  output      logic                    rd_valid_o,          // reads a live-in
  output      logic [WarpW-1:0]        rd_warp_o,           // its warp
  output      logic [RegW-1:0]         rd_reg_o,            // its register
  input  wire logic [RowW-1:0]         rd_data_i,           // the row, a cycle after rd_valid_o
  output      logic                    wr_valid_o,          // writes a live-out
  output      logic [WarpW-1:0]        wr_warp_o,           // its warp
  output      logic [RegW-1:0]         wr_reg_o,            // its register
  output      logic [31:0]             wr_mask_o,           // threads that are written
  output      logic [RowW-1:0]         wr_row_o,            // 32 words
  // To and from the gate
  output      logic                    ask_o,               // asks for a stack; stays until gnt_i, nak_i
  output      logic [StackW-1:0]       ask_stack_o,         // the stack
  input  wire logic                    gnt_i,               // one cycle: yes, send the instance
  input  wire logic                    nak_i,               // one cycle: no, the stack is full
  // To the stacks
  output      logic                    out_valid_o,         // a beat of a request, for one cycle
  output      logic [RowW-1:0]         out_beat_o,          // TOM_REQ header or a row
  output      logic                    out_last_o,          // last beat of the request
  input  wire logic                    credit_i,            // one cycle: receiver has a place more
  // From the stacks
  input  wire logic                    ack_valid_i,         // a beat; taken with ack_ready_o
  input  wire logic [RowW-1:0]         ack_beat_i,          // TOM_ACK header, row or list
  input  wire logic                    ack_last_i,          // last beat of the message
  output      logic                    ack_ready_o,         // see tom_unpack
  // To the caches
  output      logic                    inv_valid_o,         // a line to invalidate, until inv_ready_i
  output      logic [LineBits-1:0]     inv_line_o,          // its address
  input  wire logic                    inv_ready_i,         // takes the line
  output      logic [4:0]              err_o,               // sticky: begin, SM, gate, ack, credit
  // Probes
  output      logic [Warps*PhaseW-1:0] probe_phase_o,       // PhaseW bits a warp: tom_pkg::PHASE_*
  output      logic                    probe_decides_o,     // a warp is decided on in this cycle
  output      logic [1:0]              probe_read_o,        // READ_*: reader of the table
  output      logic [CredW-1:0]        probe_credits_o,     // of tom_pack
  output      logic [1:0]              probe_state_o        // of tom_unpack
);

  localparam logic [1:0] READ_NONE = 2'd0, READ_DECISION = 2'd1, READ_PACK = 2'd2, READ_END = 2'd3;

  // The phase of each warp, and the warps of each phase as a set.
  logic [Warps*PhaseW-1:0] phase_q;
  logic [Warps*IdxW-1:0]   idx_q;                        // candidate
  logic [Warps*WhyW-1:0]   num_q;                        // TOLD: the reason; ASKS and later: the stack
  logic [Warps-1:0]        is_none, is_waits, is_runs, is_asks, is_fence, is_packs, is_away, is_told;

  always_comb begin
    for (int w = 0; w < Warps; w++) begin
      is_none[w]  = phase_q[w*PhaseW +: PhaseW] == tom_pkg::PHASE_NONE;
      is_waits[w] = phase_q[w*PhaseW +: PhaseW] == tom_pkg::PHASE_WAITS;
      is_runs[w]  = phase_q[w*PhaseW +: PhaseW] == tom_pkg::PHASE_RUNS;
      is_asks[w]  = phase_q[w*PhaseW +: PhaseW] == tom_pkg::PHASE_ASKS;
      is_fence[w] = phase_q[w*PhaseW +: PhaseW] == tom_pkg::PHASE_FENCE;
      is_packs[w] = phase_q[w*PhaseW +: PhaseW] == tom_pkg::PHASE_PACKS;
      is_away[w]  = phase_q[w*PhaseW +: PhaseW] == tom_pkg::PHASE_AWAY;
      is_told[w]  = phase_q[w*PhaseW +: PhaseW] == tom_pkg::PHASE_TOLD;
    end
  end

  // The sets that move warps: at most one bit each, and only a warp of the right phase.
  logic [Warps-1:0] begins, decided, reports, answered, fenced, sends, ends, told;
  logic             yes, unpack_done;                    // yes: verdict of the decision
  logic [1:0]       no_why;
  logic [WarpW-1:0] unpack_warp;

  // A begin without threads, or of an entry that does not exist, moves nobody either.
  assign begins  = beg_valid_i && beg_mask_i != '0 && 32'(beg_idx_i) < Entries ? one(beg_warp_i) & is_none : '0;
  assign reports = mem_valid_i ? one(mem_warp_i) & is_runs : '0;
  assign fenced  = fence_done_valid_i ? one(fence_done_warp_i) & is_fence : '0;
  assign ends    = unpack_done ? one(unpack_warp) & is_away : '0;

  // The sets exclude each other for a warp, as each needs another phase. The order means nothing.
  for (genvar w = 0; w < Warps; w++) begin : g_warp
    logic [PhaseW-1:0] phase_d;
    logic [WhyW-1:0]   num_d;

    always_comb begin
      phase_d = phase_q[w*PhaseW +: PhaseW];
      num_d   = num_q[w*WhyW +: WhyW];
      if (begins[w]) phase_d = tom_pkg::PHASE_WAITS;
      if (decided[w]) begin
        phase_d = yes ? tom_pkg::PHASE_RUNS : tom_pkg::PHASE_TOLD;
        num_d   = WhyW'(no_why);
      end
      if (reports[w]) begin
        phase_d = mem_none_i ? tom_pkg::PHASE_TOLD : tom_pkg::PHASE_ASKS;
        num_d   = mem_none_i ? tom_pkg::WHY_NO_ACCESS : mem_stack_i;
      end
      if (answered[w]) begin
        phase_d = gnt_i ? tom_pkg::PHASE_FENCE : tom_pkg::PHASE_TOLD;
        if (!gnt_i) num_d = tom_pkg::WHY_FULL;
      end
      if (fenced[w]) phase_d = tom_pkg::PHASE_PACKS;
      if (sends[w]) phase_d = tom_pkg::PHASE_AWAY;
      if (ends[w] || told[w]) phase_d = tom_pkg::PHASE_NONE;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        phase_q[w*PhaseW +: PhaseW] <= tom_pkg::PHASE_NONE;
        idx_q[w*IdxW +: IdxW]       <= '0;
        num_q[w*WhyW +: WhyW]       <= '0;
      end else begin
        phase_q[w*PhaseW +: PhaseW] <= phase_d;
        if (begins[w]) idx_q[w*IdxW +: IdxW] <= beg_idx_i;
        num_q[w*WhyW +: WhyW]       <= num_d;
      end
    end
  end

  logic [Warps-1:0] unused_wait_mask, unused_pack_mask, unused_ask_mask, unused_told_mask;

  // The table of candidates, an entry per candidate, and the threads of each
  // warp, a mask per warp. Both have one read port: an end goes first, since it
  // cannot wait, then a packing, then a decision. What is read in t is on the outputs of both
  // memories from t+1 on, until the next read:
  //
  //   ends     tom_unpack tells the end in t              done_exit_o is the entry's in t+1
  //   pack     tom_pack is ready in t                     tom_pack takes all of it in t+1
  //   choose   tom_decide is idle in t                    tom_decide keeps what it needs in t+1
  logic              write, pack_ready, pack_go_q, looks, choose, pack;
  logic [Warps-1:0]  wait_turn, pack_turn, read_one;
  logic [IdxW-1:0]   read_idx;
  logic [StackW-1:0] read_stack;
  logic [MetaW-1:0]  entry;
  logic [31:0]       threads;
  logic [WarpW-1:0]  read_warp;

  assign cfg_ready_o = &is_none;
  assign write       = cfg_valid_i && cfg_ready_o && 32'(cfg_idx_i) < Entries;
  // In the cycle of an end the read port is busy: neither a packing nor a decision is chosen. In
  // the cycle of pack_go_q tom_pack still says that it is ready, but takes what pack has chosen.
  assign pack        = is_packs != '0 && pack_ready && !pack_go_q && ends == '0;
  assign choose      = is_waits != '0 && !looks && !pack && ends == '0;
  assign sends       = pack ? pack_turn : '0;
  assign read_one    = ends != '0 ? ends : pack ? pack_turn : choose ? wait_turn : '0;
  assign read_warp   = index(read_one);

  always_comb begin
    read_idx   = '0;
    read_stack = '0;
    for (int w = 0; w < Warps; w++) begin
      if (read_one[w]) read_idx = read_idx | idx_q[w*IdxW +: IdxW];
      if (read_one[w]) read_stack = read_stack | num_q[w*WhyW +: StackW];
    end
  end

  sram_1r1w #(.Width(MetaW), .Depth(Entries), .LaneBits(MetaW)) u_entries (
    .clk_i, .rst_ni, .wr_en_i (write), .wr_addr_i (cfg_idx_i), .wr_mask_i (1'b1), .wr_data_i (cfg_entry_i),
    .rd_en_i (read_one != '0), .rd_addr_i (read_idx), .rd_data_o (entry)
  );

  sram_1r1w #(.Width(32), .Depth(Warps), .LaneBits(32)) u_threads (
    .clk_i, .rst_ni, .wr_en_i (begins != '0), .wr_addr_i (beg_warp_i), .wr_mask_i (1'b1), .wr_data_i (beg_mask_i),
    .rd_en_i (read_one != '0), .rd_addr_i (read_warp), .rd_data_o (threads)
  );

  arb_rr #(.NumReq(Warps)) u_wait_turn (
    .clk_i, .rst_ni, .req_i (is_waits), .update_i (choose), .gnt_o (wait_turn), .probe_mask_o (unused_wait_mask)
  );
  arb_rr #(.NumReq(Warps)) u_pack_turn (
    .clk_i, .rst_ni, .req_i (is_packs), .update_i (pack), .gnt_o (pack_turn), .probe_mask_o (unused_pack_mask)
  );

  // The decision, of one warp at a time. run_warp_o may be look_warp: it
  // changes a cycle after a choice.
  logic             decides, run_q;
  logic [WarpW-1:0] look_warp;

  tom_decide #(.WarpW(WarpW)) u_decide (
    .clk_i, .rst_ni, .start_i (choose), .start_warp_i (read_warp), .entry_i (entry), .threads_i (threads), .learn_i,
    .hot_tx_i, .hot_rx_i, .op_valid_o, .op_reg_o, .op_data_i, .busy_o (looks), .warp_o (look_warp),
    .decides_o (decides), .yes_o (yes), .why_o (no_why)
  );

  assign decided = decides ? one(look_warp) : '0;

  // The ask, of one warp at a time. It is low for a cycle between two warps, as tom_gate wants. In
  // that cycle the warp that was answered has left ASKS, so nobody is asked for twice. If gnt_i and
  // nak_i come together, the grant counts, and err_o says so.
  logic              ask_q, ask, answer, fence_q;
  logic [Warps-1:0]  ask_turn;
  logic [WarpW-1:0]  ask_warp_q;
  logic [StackW-1:0] ask_stack_q, turn_stack;

  assign ask      = is_asks != '0 && !ask_q;
  assign answer   = ask_q && (gnt_i || nak_i);
  assign answered = answer ? one(ask_warp_q) : '0;

  arb_rr #(.NumReq(Warps)) u_ask_turn (
    .clk_i, .rst_ni, .req_i (is_asks), .update_i (ask), .gnt_o (ask_turn), .probe_mask_o (unused_ask_mask)
  );

  // A no comes from three places: the decision, the report (NO_ACCESS) and the answer (FULL). All
  // three may say it in one cycle, each for another warp. These wait in TOLD: one warp a cycle is
  // told.
  logic             res_q;
  logic [WarpW-1:0] res_warp_q;
  logic [WhyW-1:0]  res_why_q, turn_why;

  arb_rr #(.NumReq(Warps)) u_told_turn (
    .clk_i, .rst_ni, .req_i (is_told), .update_i (1'b1), .gnt_o (told), .probe_mask_o (unused_told_mask)
  );

  always_comb begin
    turn_stack = '0;
    turn_why   = '0;
    for (int w = 0; w < Warps; w++) begin
      if (ask_turn[w]) turn_stack = turn_stack | num_q[w*WhyW +: StackW];
      if (told[w]) turn_why = turn_why | num_q[w*WhyW +: WhyW];
    end
  end

  // Requests and acknowledgements. tom_pack takes the entry in the cycle
  // after it was read (pack_go_q).
  logic              pack_err, unpack_err, done_q;
  logic [63:0]       unused_pack_left, unused_unpack_left;
  logic [WarpW-1:0]  pack_warp_q, done_warp_q;
  logic [StackW-1:0] pack_stack_q;

  tom_pack #(.Warps(Warps), .PackCycles(PackCycles), .OutCredits(OutCredits)) u_pack (
    .clk_i, .rst_ni, .go_valid_i (pack_go_q), .go_warp_i (pack_warp_q), .go_stack_i (pack_stack_q),
    .go_pc_i (entry[tom_pkg::META_PC_LSB +: 32]), .go_exit_i (entry[tom_pkg::META_EXIT_LSB +: 32]),
    .go_mask_i (threads), .go_in_i (entry[tom_pkg::META_IN_LSB +: 64]), .go_out_i (entry[tom_pkg::META_OUT_LSB +: 64]),
    .go_ready_o (pack_ready), .rd_valid_o, .rd_warp_o, .rd_reg_o, .rd_data_i, .out_valid_o, .out_beat_o, .out_last_o,
    .credit_i, .err_o (pack_err), .probe_credits_o, .probe_left_o (unused_pack_left)
  );

  tom_unpack #(.Warps(Warps), .LineBits(LineBits)) u_unpack (
    .clk_i, .rst_ni, .ack_valid_i, .ack_beat_i, .ack_last_i, .ack_ready_o, .wr_valid_o, .wr_warp_o, .wr_reg_o,
    .wr_mask_o, .wr_row_o, .inv_valid_o, .inv_line_o, .inv_ready_i, .done_valid_o (unpack_done),
    .done_warp_o (unpack_warp), .err_o (unpack_err), .probe_state_o, .probe_left_o (unused_unpack_left)
  );

  // Faults: what came and moved nobody. A row of a warp that is not away is written all the same:
  // tom_unpack does not know the phases.
  logic [3:0] err_d, err_q;

  assign err_d[0] = (beg_valid_i && begins == '0) || (cfg_valid_i && 32'(cfg_idx_i) >= Entries);
  assign err_d[1] = (mem_valid_i && reports == '0) || (fence_done_valid_i && fenced == '0);
  assign err_d[2] = ((gnt_i || nak_i) && !ask_q) || (gnt_i && nak_i);
  assign err_d[3] = (wr_valid_o && (one(wr_warp_o) & is_away) == '0) || (unpack_done && ends == '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      run_q        <= 1'b0;
      ask_q        <= 1'b0;
      ask_warp_q   <= '0;
      ask_stack_q  <= '0;
      fence_q      <= 1'b0;
      res_q        <= 1'b0;
      res_warp_q   <= '0;
      res_why_q    <= '0;
      pack_go_q    <= 1'b0;
      pack_warp_q  <= '0;
      pack_stack_q <= '0;
      done_q       <= 1'b0;
      done_warp_q  <= '0;
      err_q        <= '0;
    end else begin
      run_q       <= decides && yes;
      ask_q       <= ask || (ask_q && !answer);
      if (ask) ask_warp_q <= index(ask_turn);
      if (ask) ask_stack_q <= turn_stack;
      fence_q     <= answer && gnt_i;
      res_q       <= is_told != '0;
      res_warp_q  <= index(told);
      res_why_q   <= turn_why;
      pack_go_q   <= pack;
      if (pack) pack_warp_q <= read_warp;
      if (pack) pack_stack_q <= read_stack;
      done_q      <= ends != '0;
      done_warp_q <= unpack_warp;
      err_q       <= err_q | err_d;
    end
  end

  assign run_valid_o     = run_q;
  assign run_warp_o      = look_warp;
  assign res_valid_o     = res_q;
  assign res_warp_o      = res_warp_q;
  assign res_why_o       = res_why_q;
  assign fence_valid_o   = fence_q;
  assign fence_warp_o    = ask_warp_q;
  assign done_valid_o    = done_q;
  assign done_warp_o     = done_warp_q;
  assign done_exit_o     = entry[tom_pkg::META_EXIT_LSB +: 32];
  assign op_warp_o       = look_warp;
  assign ask_o           = ask_q;
  assign ask_stack_o     = ask_stack_q;
  assign err_o           = {pack_err, err_q[3] || unpack_err, err_q[2:0]};
  assign probe_phase_o   = phase_q;
  assign probe_decides_o = decides;
  assign probe_read_o    = ends != '0 ? READ_END : pack ? READ_PACK : choose ? READ_DECISION : READ_NONE;

  function automatic logic [Warps-1:0] one(input logic [WarpW-1:0] warp);
    one = Warps'(1) << warp;                             // 0 for a warp that does not exist
  endfunction

  function automatic logic [WarpW-1:0] index(input logic [Warps-1:0] bits);
    index = '0;
    for (int w = 0; w < Warps; w++) index = index | (bits[w] ? WarpW'(w) : '0);
  endfunction

  initial begin
    if (Warps < 2 || Warps > 64) $fatal(1, "tom_ctrl: Warps must be 2 to 64");
    if (Entries < 2 || Entries > 128) $fatal(1, "tom_ctrl: Entries must be 2 to 128");
    if (PackCycles < 3 || PackCycles > 255) $fatal(1, "tom_ctrl: PackCycles must be 3 to 255");
    if (OutCredits < 1 || OutCredits > 15) $fatal(1, "tom_ctrl: OutCredits must be 1 to 15");
    if (LineBits < 1 || LineBits > 41) $fatal(1, "tom_ctrl: LineBits must be 1 to 41");
  end

`ifndef SYNTHESIS
  // Decision and ask hold a warp of their phase, and a request is packed only
  // when tom_pack is ready.
  always @(posedge clk_i) if (rst_ni) begin
    assert (!looks || (one(look_warp) & is_waits) != '0);
    assert (!ask_q || (one(ask_warp_q) & is_asks) != '0);
    assert (!pack_go_q || pack_ready);
  end
`endif
endmodule

`default_nettype wire
