// SPDX-License-Identifier: Apache-2.0
//
// tom_stack_proof -- every beat is used once, in order and as soon as possible. A request has the
// lowest free slot, its rows go there, the cache is emptied, and the block begins with its fields.
// The end of each block becomes one acknowledgement to the SM that asked, with the rows that are
// read, and a list if there was a line. Each full list goes ahead, in order. A slot is free when it
// has been acknowledged, and not before. Places at the receiver and faults are exact.
//
// Nothing is assumed of the inputs, but a beat has eight free bits: one of each field, of in and
// out the lowest and the highest. The contents of lists are the proof of tom_lines.

`default_nettype none

module tom_stack_proof #(
  parameter  int Warps      = 2,
  parameter  int Queue      = 1,
  parameter  int Rows       = 1,
  parameter  int Lines      = 1,
  parameter  int LineBits   = 1,
  parameter  int OutCredits = 1,
  localparam int SlotW      = $clog2(Warps)
) (
  input wire logic                clk_i,
  input wire logic                in_valid_i,
  input wire logic                in_last_i,
  input wire logic                in_sm_i,
  input wire logic [7:0]          in_bits_i,  // out 63 and 0, in 63 and 0, mask, exit, pc, warp
  input wire logic                push_valid_i,
  input wire logic [SlotW-1:0]    push_slot_i,
  input wire logic [LineBits-1:0] push_line_i,
  input wire logic                end_valid_i,
  input wire logic [SlotW-1:0]    end_slot_i,
  input wire logic [1:0]          rd_bits_i,
  input wire logic                out_credit_i
);

  localparam int NumW   = $clog2(Lines + 1);
  localparam int CredW  = $clog2(OutCredits + 1);
  localparam int PLACES = Queue * (Rows + 1);
  localparam int LevelW = $clog2(PLACES + 1);
  localparam int BEAT   = 10;  // bits of a beat that are kept
  localparam int MSG    = 7 + SlotW;
  localparam logic [2:0] HEAD = 3'd0, ROWS = 3'd1, REST = 3'd2, CLEAR = 3'd3, START = 3'd4;

  logic              rst_n = 1'b0;                       // low in the first cycle only
  logic [1023:0]     beat, rd_data, wr_row, out_beat;
  logic              in_credit, wr_valid, clear, start_valid, push_ready, end_ready, rd_valid, out_valid, out_last,
      out_sm;
  logic              read, done, added, sends;
  logic [SlotW-1:0]  wr_slot, start_slot, rd_slot;
  logic [5:0]        wr_reg, rd_reg;
  logic [31:0]       start_pc, start_exit, start_mask;
  logic [3:0]        err;
  logic [2:0]        next;
  logic [63:0]       left, outs;
  logic [LevelW-1:0] beats;
  logic [Warps-1:0]  used, runs;
  logic [NumW-1:0]   count;
  logic [CredW-1:0]  credits;

  tom_stack #(.Warps(Warps), .Queue(Queue), .Rows(Rows), .Lines(Lines), .LineBits(LineBits), .Sms(2),
              .OutCredits(OutCredits)) u_dut (
    .clk_i, .rst_ni (rst_n), .in_valid_i, .in_beat_i (beat), .in_last_i, .in_sm_i, .in_credit_o (in_credit),
    .wr_valid_o (wr_valid), .wr_slot_o (wr_slot), .wr_reg_o (wr_reg), .wr_row_o (wr_row), .clear_o (clear),
    .start_valid_o (start_valid), .start_slot_o (start_slot), .start_pc_o (start_pc), .start_exit_o (start_exit),
    .start_mask_o (start_mask), .push_valid_i, .push_slot_i, .push_line_i, .push_ready_o (push_ready), .end_valid_i,
    .end_slot_i, .end_ready_o (end_ready), .rd_valid_o (rd_valid), .rd_slot_o (rd_slot), .rd_reg_o (rd_reg),
    .rd_data_i (rd_data), .out_valid_o (out_valid), .out_beat_o (out_beat), .out_last_o (out_last), .out_sm_o (out_sm),
    .out_credit_i, .err_o (err), .probe_next_o (next), .probe_left_o (left), .probe_beats_o (beats),
    .probe_used_o (used), .probe_runs_o (runs), .probe_read_o (read), .probe_done_o (done), .probe_added_o (added),
    .probe_count_o (count), .probe_sends_o (sends), .probe_outs_o (outs), .probe_credits_o (credits)
  );

  always_comb begin
    // Eight free bits: the lowest of warp, pc, exit and mask, both ends of in and out.
    beat      = '0;
    beat[0]   = in_bits_i[0];
    beat[32]  = in_bits_i[1];
    beat[64]  = in_bits_i[2];
    beat[96]  = in_bits_i[3];
    beat[128] = in_bits_i[4];
    beat[191] = in_bits_i[5];
    beat[192] = in_bits_i[6];
    beat[255] = in_bits_i[7];
    rd_data       = '0;
    rd_data[1023] = rd_bits_i[1];
    rd_data[0]    = rd_bits_i[0];
  end

  // Rules 2 to 6: beats that wait, the oldest lowest, and the next step of the request.
  logic [PLACES*BEAT-1:0] waits;
  logic [LevelW:0]        many, many_now;
  logic                   fresh, takes, use_it, heads, sm, last;
  logic [7:0]             bits;
  logic [2:0]             phase, then_phase;
  logic [1:0]             rest, then_rest;  // rows of registers 63 and 0 still to come
  logic [SlotW-1:0]       slot, lowest;
  logic [2:0]             fields;  // mask, exit, pc
  logic                   wrong_length;

  assign {sm, last, bits} = waits[BEAT-1:0];
  assign takes    = in_valid_i && 32'(many) != PLACES;
  assign use_it   = 32'(many) > 32'(fresh) && (phase == HEAD ? used != '1 : phase == ROWS || phase == REST);
  assign heads    = use_it && phase == HEAD;
  assign many_now = many - (LevelW+1)'(use_it);

  always_comb begin
    // Rule 3: the lowest free slot; then what this beat leads to.
    lowest = '0;
    for (int w = Warps - 1; w >= 0; w--) if (!used[w]) lowest = SlotW'(w);
    then_rest    = phase == HEAD ? bits[5:4] : {rest == 2'd3, 1'b0};
    wrong_length = use_it && (phase == REST || (last && then_rest != '0));
    then_phase   = phase;
    if (use_it) then_phase = last ? CLEAR : then_rest != '0 ? ROWS : REST;
    else if (phase == CLEAR) then_phase = START;
    else if (phase == START) then_phase = HEAD;
  end

  // Rule 7: running blocks.
  logic [Warps-1:0]   running, wrote, was_used, given, freed, freed_q;
  logic [Warps*5-1:0] about;  // of each slot: out, mask, warp, SM
  logic               push, ends, both, late, no_block;
  logic [SlotW-1:0]   push_slot, late_slot, add_slot;

  assign push     = push_valid_i && push_ready && 32'(push_slot_i) < Warps && running[push_slot_i];
  assign ends     = end_valid_i && end_ready && 32'(end_slot_i) < Warps && running[end_slot_i];
  assign no_block = (push_valid_i && push_ready && !push) || (end_valid_i && end_ready && !ends);
  assign freed    = was_used & ~used;

  // Rule 8: messages that are owed, the older one lowest, and the one taken last. A message is
  // slot, done, list, out, mask, warp, SM.
  logic [2*MSG-1:0] owed, owed_now;
  logic [MSG-1:0]   add, msg;
  logic [2:0]       many_owed, owed_then;
  logic             adds, ahead, first, taken, sends_q, msg_done, msg_list, msg_mask, msg_warp, msg_sm, leaves;
  logic [1:0]       msg_out, left_out, low;
  logic [SlotW-1:0] msg_slot;

  assign {msg_slot, msg_done, msg_list, msg_out, msg_mask, msg_warp, msg_sm} = msg;
  assign ahead     = done && added && 32'(count) == Lines;
  assign adds      = ahead || late || (ends && !push);
  assign add_slot  = ahead ? push_slot : late ? late_slot : end_slot_i;
  assign leaves    = out_valid && out_last;
  assign taken     = sends && !sends_q;
  assign owed_now  = taken ? owed >> MSG : owed;
  assign owed_then = many_owed - 3'(taken);

  always_comb begin
    // The message that is added: the header's fields of its slot, unless
    // it is a list that goes ahead.
    add = '0;
    for (int w = 0; w < Warps; w++) if (32'(add_slot) == w) begin
      add[1:0] = about[w*5 +: 2];
      if (!ahead) add[4:2] = about[w*5+2 +: 3];
      add[5] = ahead || wrote[w];
    end
    add[6]          = !ahead;
    add[7 +: SlotW] = add_slot;
  end

  // Rules 9 and 10: rows that are read, and rows that go out.
  logic             read_q, read_q2, read_reg_q, read_reg_q2, read_ok, read_ok_q;
  logic [SlotW-1:0] read_slot_q, read_slot_q2;
  logic [1:0]       data_q;
  logic [5:0]       places;  // in use; below 0 after early credits
  logic [1:0]       untaken;  // cycles with a message owed and none under way
  logic             chosen_q, chosen_q2;
  logic             back, credit_q;

  assign low  = left_out & (~left_out + 2'd1);
  assign back = out_credit_i && 32'(credits) != OutCredits;

  always @(posedge clk_i) begin
    rst_n        <= 1'b1;
    read_q       <= rd_valid;
    read_q2      <= read_q;
    read_reg_q   <= rd_reg == 6'd63;
    read_reg_q2  <= read_reg_q;
    read_ok      <= rd_reg == 6'd63 || rd_reg == 6'd0;
    read_ok_q    <= read_ok;
    read_slot_q  <= rd_slot;
    read_slot_q2 <= read_slot_q;
    data_q       <= rd_bits_i;
    if (!rst_n) begin
      {many, phase, rest, fresh, running, was_used, given, freed_q, late, both, many_owed, left_out, places,
       untaken} <= '0;
      {credit_q, read_q, read_q2, sends_q, chosen_q, chosen_q2} <= '0;
      first <= 1'b1;
    end else begin
      credit_q <= use_it;
      fresh    <= takes;
      phase    <= then_phase;
      many     <= many_now + (LevelW+1)'(takes);
      waits    <= use_it ? waits >> BEAT : waits;
      for (int k = 0; k < PLACES; k++)
        if (takes && 32'(many_now) == k) waits[k*BEAT +: BEAT] <= {in_sm_i, in_last_i, in_bits_i};
      if (use_it) rest <= last ? '0 : then_rest;
      if (heads) slot <= lowest;
      if (heads) fields <= bits[3:1];
      given    <= '0;
      was_used <= used;
      freed_q  <= freed;
      for (int w = 0; w < Warps; w++) begin
        if (heads && 32'(lowest) == w) begin
          given[w] <= 1'b1;
          about[w*5 +: 5] <= {bits[7:6], bits[3], bits[0], sm};
          wrote[w] <= 1'b0;
        end
        if (push && 32'(push_slot_i) == w) wrote[w] <= 1'b1;
        if (phase == START && 32'(slot) == w) running[w] <= 1'b1;
        if (ends && 32'(end_slot_i) == w) running[w] <= 1'b0;
      end
      if (push) push_slot <= push_slot_i;
      if (ends) late_slot <= end_slot_i;
      both <= (push && ends) || (both && !done);
      late <= both && done;
      many_owed <= owed_then + 3'(adds);
      owed      <= owed_now;
      if (adds && owed_then == 3'd0) owed[0 +: MSG] <= add;
      if (adds && owed_then == 3'd1) owed[MSG +: MSG] <= add;
      if (taken) msg <= owed[0 +: MSG];
      sends_q   <= sends;
      chosen_q  <= sends && credits != '0;
      chosen_q2 <= chosen_q;
      untaken   <= many_owed == '0 || sends ? 2'd0 : untaken + 2'(untaken != 2'd3);
      if (out_valid) begin
        first    <= out_last;
        left_out <= first ? msg_out : left_out & ~low;
      end
      places <= places + 6'(out_valid) - 6'(back);
    end
  end

  logic [3:0] want_err;

  always @(posedge clk_i) begin
    if (!rst_n) want_err <= '0;
    else want_err <= want_err | {out_credit_i && !back, no_block, wrong_length, in_valid_i && !takes};
  end

  always_comb if (rst_n) begin
    // Rule 2: every beat is used once, and gives its place back.
    each_used:   assert (in_credit == credit_q && 32'(beats) == 32'(many));
    // Rules 1 and 4: rows go to the request's slot, in order.
    its_rows:    assert (wr_valid == (use_it && phase == ROWS));
    in_place:    assert (!wr_valid || (wr_slot == slot && wr_reg == (rest[0] ? 6'd0 : 6'd63) &&
                                       {wr_row[255], wr_row[128], wr_row[0]} == {bits[7], bits[4], bits[0]}));
    // Rules 5 and 6.
    then_begins: assert (clear == (phase == CLEAR) && start_valid == (phase == START));
    // Rule 6.
    its_fields:  assert (!start_valid || (start_slot == slot && {start_mask[0], start_exit[0], start_pc[0]} == fields));
    // Rule 3.
    lowest_slot: assert ((used & ~was_used) == given);
    // Rules 6 and 7: a block runs from its start to its end.
    while_runs:  assert (runs == running && (runs & ~used) == '0);
    // Rule 8: each message has its list or end.
    one_each:    assert (many_owed <= 3'd2 && (!taken || many_owed != '0));
    // Rule 8.
    header:      assert (!out_valid || !first || {out_beat[127], out_beat[64], out_beat[32], out_beat[8],
                                                  out_beat[0]} ==
                                                 {msg_out, msg_mask, msg_done, msg_warp});
    // Rules 1 and 8: to the SM that asked.
    who_asks:    assert (!out_valid || out_sm == msg_sm);
    // Rule 8: out_last with the last beat.
    whole:       assert (!out_valid || out_last == (first ? msg_out == '0 && !msg_list : left_out == low &&
                                                    (left_out == '0 || !msg_list)));
    // Rules 8 and 9: rows, the lowest first, as they were read.
    each_row:    assert (read_q2 == (out_valid && !first && left_out != '0));
    right_row:   assert (!read_q2 || (read_ok_q && read_reg_q2 == !left_out[0] && read_slot_q2 == msg_slot &&
                                      {out_beat[1023], out_beat[0]} == data_q));
    // Rule 8: a list that is sent has lines.
    a_list:      assert (!out_valid || first || left_out != '0 || (out_beat[4:0] != '0 && 32'(out_beat[4:0]) <= Lines));
    // Rule 11.
    frees:       assert (freed_q == (leaves && msg_done ? Warps'(1) << msg_slot : '0));
    // Rule 10: never more beats than places.
    no_more:     assert ($signed({places[5], places}) + $signed(7'(out_valid)) <= $signed(7'(OutCredits)));
    // Rule 8: a message is taken as soon as none is under way.
    in_time:     assert (untaken <= 2'd2);
    // Rule 9.
    at_once:     assert (out_valid == chosen_q2);
    // Rule 12.
    flagged:     assert (err == want_err);
    // An acknowledgement with all its parts; all places taken; a list ahead.
    all_of_it:   cover (leaves && msg_done && msg_list && msg_out == '1);
    full:        cover (32'(many) == PLACES && used == '1 && in_valid_i);
    goes_ahead:  cover (leaves && !msg_done && many_owed != '0);
  end
endmodule

`default_nettype wire
