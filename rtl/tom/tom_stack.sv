// SPDX-License-Identifier: Apache-2.0
//
// tom_stack -- offloaded blocks in a memory stack: requests become warps of its SM, ends of blocks
// become acknowledgements (TOM paper, sections 4.2 and 4.4.2).
//
// Three parts meet in the slots:
//
//   in_* -> tom_queue -> use a beat: header, rows --> clear --> start   slot: used, then runs
//   push_*, end_* -> tom_lines -> list                                  end: runs no more
//   list -> choose a beat -> got: header, row or list -> out_*          last beat: free
//
// Requests: the oldest beat of the queue is used, one a cycle. A header gets the lowest free slot;
// rows go to its registers (next_q):
//
//   +------+ in != 0  +------+    last     +-------+     +-------+
//   | HEAD | -------> | ROWS | ----------> | CLEAR | --> | START | --> HEAD
//   +------+          +------+             +-------+     +-------+
//      |  in == 0        | no row is left      ^ last
//      |  +------+       |                     |
//      +->| REST |<------+                     |      REST: beats behind the rows, a fault
//         +------+-----------------------------+      HEAD with last: to CLEAR at once
//
// Messages: a list is taken into a register. Its slot's fields, which the header of the request
// brought, are read from a memory meanwhile. Header, rows and list are then chosen as in tom_pack.
// An acknowledgement with one live-out and a line:
//
//   cycle        t      t+1     t+2     t+3     t+4     t+5
//   take_list    1      0       0       0       0       .
//   choose       0      header  row     list    .       .       rd_valid_o with the row
//   got_q        .      .       header  row     list    .       out_d is made, from rd_data_i
//   out_valid_o  .      .       .       header  row     list
//
// Outputs are registers, or depend on registers alone.

`default_nettype none

module tom_stack #(
  parameter  int Warps      = 48,                      // warps of the stack's SM: slots, 2 to 192
  parameter  int Queue      = 16,                      // requests of full length that wait, 1 to 64
  parameter  int Rows       = 28,                      // registers of a request at most, 1 to 64
  parameter  int Lines      = 8,                       // lines of a list, 1 to tom_pkg::LIST_MOST (24)
  parameter  int LineBits   = 33,                      // bits of a line's address, 1 to 41
  parameter  int Sms        = 64,                      // SMs of the GPU, 2 to 256
  parameter  int OutCredits = 4,                       // beats that the receiver has places for, 1 to 15
  localparam int SlotW      = $clog2(Warps),           // bits of a slot's number
  localparam int SmW        = $clog2(Sms),             // bits of an SM's number
  localparam int RegW       = tom_pkg::REG_W,          // bits of a register's number
  localparam int Regs       = tom_pkg::REQ_IN_W,       // registers of a thread
  localparam int RowW       = tom_pkg::ROW_BITS,       // bits of a row and of a beat
  localparam int NumW       = $clog2(Lines + 1),       // bits of the number of lines in a list
  localparam int CredW      = $clog2(OutCredits + 1),  // bits of the credit counter
  localparam int Places     = Queue * (Rows + 1),      // beats that the queue has places for
  localparam int LevelW     = $clog2(Places + 1)       // bits of the number of beats in it
) (
  input  wire logic                clk_i,           // clock of the stack's SM
  input  wire logic                rst_ni,          // asynchronous, active low
  // From and to the links: requests
  input  wire logic                in_valid_i,      // a beat of a request; needs a place (in_credit_o)
  input  wire logic [RowW-1:0]     in_beat_i,       // TOM_REQ header or a row
  input  wire logic                in_last_i,       // last beat of the request
  input  wire logic [SmW-1:0]      in_sm_i,         // SM that asks, with each beat
  output      logic                in_credit_o,     // one cycle: a beat was used, its place is free
  // To the SM
  output      logic                wr_valid_o,      // writes a live-in, all threads
  output      logic [SlotW-1:0]    wr_slot_o,       // its slot
  output      logic [RegW-1:0]     wr_reg_o,        // its register
  output      logic [RowW-1:0]     wr_row_o,        // 32 words
  output      logic                clear_o,         // one cycle: the SM's private cache is invalid
  output      logic                start_valid_o,   // one cycle, after clear_o: the block begins
  output      logic [SlotW-1:0]    start_slot_o,    // its slot
  output      logic [31:0]         start_pc_o,      // its first instruction
  output      logic [31:0]         start_exit_o,    // the block is over where the warp comes here
  output      logic [31:0]         start_mask_o,    // its threads
  // From the SM's stores, and its ends of blocks
  input  wire logic                push_valid_i,    // a block has written a line, with push_ready_o
  input  wire logic [SlotW-1:0]    push_slot_i,     // its slot, with a block that runs
  input  wire logic [LineBits-1:0] push_line_i,     // the line's address
  output      logic                push_ready_o,    // tom_lines is idle; equal to end_ready_o
  input  wire logic                end_valid_i,     // a block is over, with end_ready_o
  input  wire logic [SlotW-1:0]    end_slot_i,      // its slot, with a block that runs
  output      logic                end_ready_o,     // tom_lines is idle; equal to push_ready_o
  // To and from the SM's registers
  output      logic                rd_valid_o,      // reads a live-out
  output      logic [SlotW-1:0]    rd_slot_o,       // its slot
  output      logic [RegW-1:0]     rd_reg_o,        // its register
  input  wire logic [RowW-1:0]     rd_data_i,       // the row, in the cycle after rd_valid_o
  // To and from the links: lists and acknowledgements
  output      logic                out_valid_o,     // a beat of a message, for one cycle
  output      logic [RowW-1:0]     out_beat_o,      // TOM_ACK header, row or list
  output      logic                out_last_o,      // last beat of the message
  output      logic [SmW-1:0]      out_sm_o,        // SM that asked, with each beat
  input  wire logic                out_credit_i,    // one cycle: the receiver has one place more
  output      logic [3:0]          err_o,           // sticky: place, request, slot, credit (rule 12)
  // Probes
  output      logic [2:0]          probe_next_o,    // next_q: S_*
  output      logic [Regs-1:0]     probe_left_o,    // bit r: the row of register r is still to come
  output      logic [LevelW-1:0]   probe_beats_o,   // places of the queue in use
  output      logic [Warps-1:0]    probe_used_o,    // bit s: slot s is not free
  output      logic [Warps-1:0]    probe_runs_o,    // bit s: the block of slot s runs
  output      logic                probe_read_o,    // tom_lines read a list in the cycle before
  output      logic                probe_done_o,    // a push is done
  output      logic                probe_added_o,   // with probe_done_o: the line was new
  output      logic [NumW-1:0]     probe_count_o,   // with probe_done_o: lines before
  output      logic                probe_sends_o,   // a beat of a message is still to be chosen
  output      logic [Regs-1:0]     probe_outs_o,    // bit r: the row of register r is among these
  output      logic [CredW-1:0]    probe_credits_o  // places at the receiver
);

  localparam logic [2:0] S_HEAD = 3'd0, S_ROWS = 3'd1, S_REST = 3'd2, S_CLEAR = 3'd3, S_START = 3'd4;
  localparam int         AskW   = tom_pkg::REQ_WARP_W;                       // bits of a warp of the GPU
  localparam int         KeepW  = SmW + AskW + 32 + Regs;                    // a slot's SM, warp, mask and live-outs
  localparam int         BeatW  = tom_pkg::LIST_COUNT_W + Lines * LineBits;  // a list with its number of lines

  logic [3:0]       err_d, err_q;
  logic [Warps-1:0] used_d, used_q, runs_d, runs_q;      // used: not free; runs: between start and end

  // Requests. A header waits for a slot and so do all beats behind it; rows never wait.
  logic             have, use_beat, last, take, over;
  logic [RowW-1:0]  beat;
  logic [SmW-1:0]   sm;
  logic [2:0]       next_d, next_q;
  logic [Regs-1:0]  ins, left, left_d, left_q, in_lowest;  // left: registers whose rows are still to come
  logic [SlotW-1:0] slot_q;
  logic [31:0]      pc_q, exit_q, mask_q;

  tom_queue #(.Width(RowW + 1 + SmW), .Depth(Places)) u_queue (
    .clk_i, .rst_ni, .push_i (in_valid_i), .wdata_i ({in_sm_i, in_last_i, in_beat_i}), .over_o (over), .valid_o (have),
    .rdata_o ({sm, last, beat}), .pop_i (use_beat), .credit_o (in_credit_o), .level_o (probe_beats_o)
  );

  // left: after a header all its registers, after a row all but its own.
  assign ins       = beat[tom_pkg::REQ_IN_LSB +: Regs];
  assign in_lowest = left_q & (~left_q + 1'b1);
  assign left      = next_q == S_HEAD ? ins : left_q & ~in_lowest;

  // The state machine of the requests. A request that ends before its rows
  // starts the block all the same. Registers whose rows are missing keep what they had. Beats
  // behind the last row are used, as their places must come back, but they write nothing. Nothing
  // is used in CLEAR and START: the next header waits for them, so one request at a time is in
  // slot_q, pc_q, exit_q and mask_q.
  always_comb begin
    use_beat = have && (next_q == S_HEAD ? !(&used_q) : next_q == S_ROWS || next_q == S_REST);
    take     = use_beat && next_q == S_HEAD;
    left_d   = !use_beat ? left_q : last ? '0 : left;
    next_d   = next_q;
    if (use_beat) next_d = last ? S_CLEAR : left != '0 ? S_ROWS : S_REST;
    else if (next_q == S_CLEAR) next_d = S_START;
    else if (next_q == S_START) next_d = S_HEAD;
  end

  // The slots. A slot is used from its header to the choice of its acknowledgement's last beat.
  //
  //   header           START      end_*             the last beat is chosen
  //     |--- live-ins ---|-- runs --|-- list, live-outs --|
  //     |--------------------- used ----------------------|
  //
  // A slot that gets free in this cycle can be taken from the next one on, as take looks at used_q.
  logic [Warps-1:0] free;
  logic [SlotW-1:0] free_slot, out_slot_q;
  logic             push, ends, frees;

  assign free      = ~used_q & (used_q + 1'b1);          // one-hot: the lowest free slot
  assign push      = push_valid_i && 32'(push_slot_i) < Warps && runs_q[push_slot_i];
  assign ends      = end_valid_i && 32'(end_slot_i) < Warps && runs_q[end_slot_i];

  always_comb begin
    free_slot = '0;
    for (int w = 0; w < Warps; w++) begin
      if (free[w]) free_slot = free_slot | SlotW'(w);
      used_d[w] = (used_q[w] || (take && free[w])) && !(frees && 32'(out_slot_q) == w);
      runs_d[w] = (runs_q[w] || (next_q == S_START && 32'(slot_q) == w)) &&
                  !(ends && end_ready_o && 32'(end_slot_i) == w);
    end
  end

  // Lines that blocks write. Pushes and ends of slots without a running block do not get this far.
  logic             list_valid, list_last, take_list, sends_d, sends_q;
  logic [SlotW-1:0] list_slot;
  logic [BeatW-1:0] list_beat;

  tom_lines #(.Warps(Warps), .Lines(Lines), .LineBits(LineBits)) u_lines (
    .clk_i, .rst_ni, .push_valid_i (push), .push_warp_i (push_slot_i), .push_line_i, .push_ready_o, .end_valid_i (ends),
    .end_warp_i (end_slot_i), .end_ready_o, .list_valid_o (list_valid), .list_warp_o (list_slot),
    .list_last_o (list_last), .list_beat_o (list_beat), .list_ready_i (!sends_q), .probe_read_o, .probe_done_o,
    .probe_added_o, .probe_count_o
  );

  // Messages, first step: what is chosen. A list that goes ahead has a header and a list, no rows.
  logic              head_d, head_q, done_q, choose, row, final_beat;
  logic [BeatW-1:0]  list_q;
  logic              some_q;                                  // the list has a line
  logic [Regs-1:0]   outs, rest, outs_d, outs_q, out_lowest;  // outs_q: rows still to be chosen
  logic [SmW-1:0]    out_sm;
  logic [AskW-1:0]   out_warp;
  logic [31:0]       out_mask;
  logic [CredW-1:0]  credits_d, credits_q;
  logic              back;

  // An entry is what a slot's acknowledgement needs of its request: {SM, warp,
  // mask, live-outs}. The header writes it; the list reads it and leaves it on
  // the memory's output until the next list.
  sram_1r1w #(.Width(KeepW), .Depth(Warps), .LaneBits(KeepW)) u_keep (
    .clk_i, .rst_ni, .wr_en_i (take), .wr_addr_i (free_slot), .wr_mask_i (1'b1),
    .wr_data_i ({sm, beat[tom_pkg::REQ_WARP_LSB +: AskW], beat[tom_pkg::REQ_MASK_LSB +: 32],
                 beat[tom_pkg::REQ_OUT_LSB +: Regs]}),
    .rd_en_i (take_list), .rd_addr_i (list_slot), .rd_data_o ({out_sm, out_warp, out_mask, outs})
  );

  // The order of a message: header, rows, and the list if it has a line. The next list can be taken
  // in the cycle after the last choice. That changes list_q, done_q and the memory's output a cycle
  // later, when the last beat of the message before is in out_q already. Without a line the last
  // row is the last beat, and without a row, too, the header.
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

  // A place is taken with the choice, so a chosen beat never waits. A credit beyond OutCredits does
  // not count, so the counter cannot wrap.
  assign back      = out_credit_i && 32'(credits_q) != OutCredits;
  assign credits_d = credits_q + CredW'(back) - CredW'(choose);

  // Messages, second and third step: the beat is there, the beat goes out.
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

  // Faults: a lost beat; a request too short or too long; a wrong slot; a credit too many.
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
  // Rows are expected exactly in ROWS, and nothing is left to be chosen without a message.
  always @(posedge clk_i) if (rst_ni) begin
    assert ((runs_q & ~used_q) == '0);                   // a block that runs has its slot
    assert ((next_q == S_ROWS) == (left_q != '0));
    assert (sends_q || (!head_q && outs_q == '0));
    assert (32'(credits_q) <= OutCredits);
  end
`endif
endmodule

`default_nettype wire
