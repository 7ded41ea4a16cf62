// SPDX-License-Identifier: Apache-2.0
//
// tom_stack -- offloaded blocks in a memory stack: requests become warps of its SM, ends of blocks acknowledgements (TOM paper, sections 4.2 and 4.4.2).
//
// Three parts that meet in the slots. Requests wait in a memory (tom_queue); the oldest beat is used, one a cycle: a header gets the lowest free slot,
// rows go to its registers; then clear, then start. Lines and ends go to tom_lines. A list that comes from there is taken into a register; its slot's
// fields, which the header of the request brought, are read from a memory meanwhile; then header, rows and list are chosen, as in tom_pack: a beat is
// chosen, and its place taken; its row is there; it goes out. Outputs are registers, or say of registers alone what is done in this cycle.

`default_nettype none

module tom_stack #(
  parameter  int Warps      = 48,                        // slots, 2 to 192
  parameter  int Queue      = 16,                        // requests that wait, of as many beats as can be, 1 to 64
  parameter  int Rows       = 28,                        // registers of a request at most, 1 to 64
  parameter  int Lines      = 8,                         // lines of a list, 1 to LIST_MOST
  parameter  int LineBits   = 33,                        // bits of a line's address, 1 to 41
  parameter  int Sms        = 64,                        // SMs of the GPU, 2 to 256
  parameter  int OutCredits = 4,                         // beats that the receiver has places for, 1 to 15
  localparam int SlotW      = $clog2(Warps),
  localparam int SmW        = $clog2(Sms),
  localparam int RegW       = tom_pkg::REG_W,
  localparam int Regs       = tom_pkg::REQ_IN_W,
  localparam int RowW       = tom_pkg::ROW_BITS,
  localparam int NumW       = $clog2(Lines + 1),
  localparam int CredW      = $clog2(OutCredits + 1),
  localparam int Places     = Queue * (Rows + 1),
  localparam int LevelW     = $clog2(Places + 1)
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  // From and to the links: requests
  input  wire logic                in_valid_i,
  input  wire logic [RowW-1:0]     in_beat_i,
  input  wire logic                in_last_i,
  input  wire logic [SmW-1:0]      in_sm_i,
  output      logic                in_credit_o,
  // To the SM
  output      logic                wr_valid_o,
  output      logic [SlotW-1:0]    wr_slot_o,
  output      logic [RegW-1:0]     wr_reg_o,
  output      logic [RowW-1:0]     wr_row_o,
  output      logic                clear_o,
  output      logic                start_valid_o,
  output      logic [SlotW-1:0]    start_slot_o,
  output      logic [31:0]         start_pc_o,
  output      logic [31:0]         start_exit_o,
  output      logic [31:0]         start_mask_o,
  // From the SM's stores, and its ends of blocks
  input  wire logic                push_valid_i,
  input  wire logic [SlotW-1:0]    push_slot_i,
  input  wire logic [LineBits-1:0] push_line_i,
  output      logic                push_ready_o,
  input  wire logic                end_valid_i,
  input  wire logic [SlotW-1:0]    end_slot_i,
  output      logic                end_ready_o,
  // To and from the SM's registers
  output      logic                rd_valid_o,
  output      logic [SlotW-1:0]    rd_slot_o,
  output      logic [RegW-1:0]     rd_reg_o,
  input  wire logic [RowW-1:0]     rd_data_i,
  // To and from the links: lists and acknowledgements
  output      logic                out_valid_o,
  output      logic [RowW-1:0]     out_beat_o,
  output      logic                out_last_o,
  output      logic [SmW-1:0]      out_sm_o,
  input  wire logic                out_credit_i,
  output      logic [3:0]          err_o,                // sticky
  // Probes
  output      logic [2:0]          probe_next_o,
  output      logic [Regs-1:0]     probe_left_o,
  output      logic [LevelW-1:0]   probe_beats_o,
  output      logic [Warps-1:0]    probe_used_o,
  output      logic [Warps-1:0]    probe_runs_o,
  output      logic                probe_read_o,
  output      logic                probe_done_o,
  output      logic                probe_added_o,
  output      logic [NumW-1:0]     probe_count_o,
  output      logic                probe_sends_o,
  output      logic [Regs-1:0]     probe_outs_o,
  output      logic [CredW-1:0]    probe_credits_o
);

  localparam logic [2:0] S_HEAD = 3'd0, S_ROWS = 3'd1, S_REST = 3'd2, S_CLEAR = 3'd3, S_START = 3'd4;
  localparam int         AskW   = tom_pkg::REQ_WARP_W;
  localparam int         KeepW  = SmW + AskW + 32 + Regs;  // of a slot: who asks, mask, live-outs
  localparam int         BeatW  = tom_pkg::LIST_COUNT_W + Lines * LineBits;

  logic [3:0]       err_d, err_q;
  logic [Warps-1:0] used_d, used_q, runs_d, runs_q;      // slots that are not free, those whose block runs

  // Requests
  logic             have, use_beat, last, take, over;
  logic [RowW-1:0]  beat;
  logic [SmW-1:0]   sm;
  logic [2:0]       next_d, next_q;
  logic [Regs-1:0]  ins, left, left_d, left_q, in_lowest;
  logic [SlotW-1:0] slot_q;
  logic [31:0]      pc_q, exit_q, mask_q;

  tom_queue #(.Width(RowW + 1 + SmW), .Depth(Places)) u_queue (
    .clk_i, .rst_ni, .push_i (in_valid_i), .wdata_i ({in_sm_i, in_last_i, in_beat_i}), .over_o (over), .valid_o (have), .rdata_o ({sm, last, beat}),
    .pop_i (use_beat), .credit_o (in_credit_o), .level_o (probe_beats_o)
  );

  assign ins       = beat[tom_pkg::REQ_IN_LSB +: Regs];
  assign in_lowest = left_q & (~left_q + 1'b1);
  assign left      = next_q == S_HEAD ? ins : left_q & ~in_lowest;

  always_comb begin
    use_beat = have && (next_q == S_HEAD ? !(&used_q) : next_q == S_ROWS || next_q == S_REST);
    take     = use_beat && next_q == S_HEAD;
    left_d   = !use_beat ? left_q : last ? '0 : left;
    next_d   = next_q;
    if (use_beat) next_d = last ? S_CLEAR : left != '0 ? S_ROWS : S_REST;
    else if (next_q == S_CLEAR) next_d = S_START;
    else if (next_q == S_START) next_d = S_HEAD;
  end

  // Slots
  logic [Warps-1:0] free;
  logic [SlotW-1:0] free_slot, out_slot_q;
  logic             push, ends, frees;

  assign free      = ~used_q & (used_q + 1'b1);          // one-hot: the lowest
  assign push      = push_valid_i && 32'(push_slot_i) < Warps && runs_q[push_slot_i];
  assign ends      = end_valid_i && 32'(end_slot_i) < Warps && runs_q[end_slot_i];

  always_comb begin
    free_slot = '0;
    for (int w = 0; w < Warps; w++) begin
      if (free[w]) free_slot = free_slot | SlotW'(w);
      used_d[w] = (used_q[w] || (take && free[w])) && !(frees && 32'(out_slot_q) == w);
      runs_d[w] = (runs_q[w] || (next_q == S_START && 32'(slot_q) == w)) && !(ends && end_ready_o && 32'(end_slot_i) == w);
    end
  end

  // Lines that blocks write
  logic             list_valid, list_last, take_list, sends_d, sends_q;
  logic [SlotW-1:0] list_slot;
  logic [BeatW-1:0] list_beat;

  tom_lines #(.Warps(Warps), .Lines(Lines), .LineBits(LineBits)) u_lines (
    .clk_i, .rst_ni, .push_valid_i (push), .push_warp_i (push_slot_i), .push_line_i, .push_ready_o, .end_valid_i (ends), .end_warp_i (end_slot_i),
    .end_ready_o, .list_valid_o (list_valid), .list_warp_o (list_slot), .list_last_o (list_last), .list_beat_o (list_beat), .list_ready_i (!sends_q),
    .probe_read_o, .probe_done_o, .probe_added_o, .probe_count_o
  );

  // Messages: what is chosen
  logic              head_d, head_q, done_q, choose, row, final_beat;
  logic [BeatW-1:0]  list_q;
  logic              some_q;                             // the list has a line
  logic [Regs-1:0]   outs, rest, outs_d, outs_q, out_lowest;
  logic [SmW-1:0]    out_sm;
  logic [AskW-1:0]   out_warp;
  logic [31:0]       out_mask;
  logic [CredW-1:0]  credits_d, credits_q;
  logic              back;

  sram_1r1w #(.Width(KeepW), .Depth(Warps), .LaneBits(KeepW)) u_keep (
    .clk_i, .rst_ni, .wr_en_i (take), .wr_addr_i (free_slot), .wr_mask_i (1'b1),
    .wr_data_i ({sm, beat[tom_pkg::REQ_WARP_LSB +: AskW], beat[tom_pkg::REQ_MASK_LSB +: 32], beat[tom_pkg::REQ_OUT_LSB +: Regs]}),
    .rd_en_i (take_list), .rd_addr_i (list_slot), .rd_data_o ({out_sm, out_warp, out_mask, outs})
  );

  assign take_list  = list_valid && !sends_q;
  assign choose     = sends_q && credits_q != '0;
  assign row        = !head_q && outs_q != '0;
  assign out_lowest = outs_q & (~outs_q + 1'b1);
  assign rest       = !head_q ? outs_q & ~out_lowest : done_q ? outs : '0;
  assign final_beat = rest == '0 && (!some_q || (!head_q && outs_q == '0));
  assign frees      = choose && final_beat && done_q;

  always_comb begin
    sends_d = take_list || (sends_q && !(choose && final_beat));
    head_d  = take_list || (head_q && !choose);
    outs_d  = choose ? rest : outs_q;
  end

  assign back      = out_credit_i && 32'(credits_q) != OutCredits;
  assign credits_d = credits_q + CredW'(back) - CredW'(choose);

  // Messages: it is there, it goes out
  logic            got_q, got_row_q, got_head_q, got_last_q, out_valid_q, out_last_q;
  logic [RowW-1:0] out_d, out_q;
  logic [SmW-1:0]  out_sm_q;

  always_comb begin
    out_d = '0;
    if (got_row_q) begin
      out_d = rd_data_i;
    end else if (got_head_q) begin
      out_d[tom_pkg::ACK_WARP_LSB +: AskW] = out_warp;
      out_d[tom_pkg::ACK_DONE_LSB]         = done_q;
      if (done_q) out_d[tom_pkg::ACK_MASK_LSB +: 32]  = out_mask;
      if (done_q) out_d[tom_pkg::ACK_OUT_LSB +: Regs] = outs;
    end else begin
      out_d[BeatW-1:0] = list_q;
    end
  end

  // Faults
  assign err_d[0] = err_q[0] || over;
  assign err_d[1] = err_q[1] || (use_beat && (next_q == S_REST || (last && left != '0)));
  assign err_d[2] = err_q[2] || (push_valid_i && push_ready_o && !push) || (end_valid_i && end_ready_o && !ends);
  assign err_d[3] = err_q[3] || (out_credit_i && !back);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      err_q       <= '0;
      next_q      <= S_HEAD;
      left_q      <= '0;
      slot_q      <= '0;
      pc_q        <= '0;
      exit_q      <= '0;
      mask_q      <= '0;
      used_q      <= '0;
      runs_q      <= '0;
      sends_q     <= 1'b0;
      head_q      <= 1'b0;
      done_q      <= 1'b0;
      out_slot_q  <= '0;
      list_q      <= '0;
      some_q      <= 1'b0;
      outs_q      <= '0;
      credits_q   <= CredW'(OutCredits);
      got_q       <= 1'b0;
      got_row_q   <= 1'b0;
      got_head_q  <= 1'b0;
      got_last_q  <= 1'b0;
      out_valid_q <= 1'b0;
      out_last_q  <= 1'b0;
      out_q       <= '0;
      out_sm_q    <= '0;
    end else begin
      err_q       <= err_d;
      next_q      <= next_d;
      left_q      <= left_d;
      if (take) slot_q <= free_slot;
      if (take) pc_q   <= beat[tom_pkg::REQ_PC_LSB +: 32];
      if (take) exit_q <= beat[tom_pkg::REQ_EXIT_LSB +: 32];
      if (take) mask_q <= beat[tom_pkg::REQ_MASK_LSB +: 32];
      used_q      <= used_d;
      runs_q      <= runs_d;
      sends_q     <= sends_d;
      head_q      <= head_d;
      if (take_list) done_q     <= list_last;
      if (take_list) out_slot_q <= list_slot;
      if (take_list) list_q     <= list_beat;
      if (take_list) some_q     <= list_beat[tom_pkg::LIST_COUNT_W-1:0] != '0;
      outs_q      <= outs_d;
      credits_q   <= credits_d;
      got_q       <= choose;
      got_row_q   <= row;
      got_head_q  <= head_q;
      got_last_q  <= final_beat;
      out_valid_q <= got_q;
      out_last_q  <= got_last_q;
      if (got_q) out_q    <= out_d;
      if (got_q) out_sm_q <= out_sm;
    end
  end

  assign wr_valid_o      = have && next_q == S_ROWS;
  assign wr_slot_o       = slot_q;
  assign wr_reg_o        = index(in_lowest);
  assign wr_row_o        = beat;
  assign clear_o         = next_q == S_CLEAR;
  assign start_valid_o   = next_q == S_START;
  assign start_slot_o    = slot_q;
  assign start_pc_o      = pc_q;
  assign start_exit_o    = exit_q;
  assign start_mask_o    = mask_q;
  assign rd_valid_o      = choose && row;
  assign rd_slot_o       = out_slot_q;
  assign rd_reg_o        = index(out_lowest);
  assign out_valid_o     = out_valid_q;
  assign out_beat_o      = out_q;
  assign out_last_o      = out_last_q;
  assign out_sm_o        = out_sm_q;
  assign err_o           = err_q;
  assign probe_next_o    = next_q;
  assign probe_left_o    = left_q;
  assign probe_used_o    = used_q;
  assign probe_runs_o    = runs_q;
  assign probe_sends_o   = sends_q;
  assign probe_outs_o    = outs_q;
  assign probe_credits_o = credits_q;

  function automatic logic [RegW-1:0] index(input logic [Regs-1:0] one);
    index = '0;
    for (int i = 0; i < Regs; i++) index = index | (one[i] ? RegW'(i) : '0);
  endfunction

  initial begin
    if (Warps < 2 || Warps > 192) $fatal(1, "tom_stack: Warps must be 2 to 192");
    if (Queue < 1 || Queue > 64) $fatal(1, "tom_stack: Queue must be 1 to 64");
    if (Rows < 1 || Rows > Regs) $fatal(1, "tom_stack: Rows must be 1 to 64");
    if (Lines < 1 || Lines > tom_pkg::LIST_MOST) $fatal(1, "tom_stack: Lines must be 1 to 24");
    if (LineBits < 1 || LineBits > 41) $fatal(1, "tom_stack: LineBits must be 1 to 41");
    if (Sms < 2 || Sms > 256) $fatal(1, "tom_stack: Sms must be 2 to 256");
    if (OutCredits < 1 || OutCredits > 15) $fatal(1, "tom_stack: OutCredits must be 1 to 15");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert ((runs_q & ~used_q) == '0);                   // a block that runs has its slot
    assert ((next_q == S_ROWS) == (left_q != '0));
    assert (sends_q || (!head_q && outs_q == '0));
    assert (32'(credits_q) <= OutCredits);
  end
`endif
endmodule

`default_nettype wire
