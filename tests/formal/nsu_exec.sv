// SPDX-License-Identifier: Apache-2.0
//
// nsu_exec_proof -- each instruction reads just the registers it needs, in order, one a cycle,
// after those of the instruction before. It reads high words once it has both collectors. It starts
// the lanes in order, in the first cycle in which it is complete and they are free. It is written
// back in time, in one row, or in two if its result is a pair. The row has its slot, register, the
// threads that its guard leaves on, and each thread's result of its own operands.
//
// Facts about the instruction in collector 1 are in high bits, those of collector 0 in low bits;
// `first` is the older one's collector. The wrapper watches any one thread. All other threads have
// the opposite words, and are on or off together. Words are one bit repeated. parts/lane_mix.svh
// replaces the lanes, so just the operands that an opcode names matter. Nothing is assumed.
//
// Eight instructions take part: three of words, with one to three operands; two of pairs, with two
// and three; one from a pair to a word, one back; one of another kind. All other opcodes are
// illegal.

`default_nettype none

`include "parts/lane_mix.svh"

module nsu_exec_proof #(
  parameter  int Lanes  = 32,
  localparam int Passes = 32 / Lanes,
  localparam int Line   = 2 * Passes + 6      // cycles from a start to its last write-back, and one
) (
  input  wire logic        clk_i,
  input  wire logic        disp_i,
  input  wire logic [3:0]  what_i,
  input  wire logic [19:0] regs_i,            // rd ra rb rc rg
  input  wire logic [2:0]  guard_i,           // guarded, inverted; b is immediate
  input  wire logic        imm_i,
  input  wire logic [5:0]  slot_i,
  input  wire logic [1:0]  on_i,              // the watched thread, the others
  input  wire logic        word_i,            // the row read: the watched thread's word
  input  wire logic [4:0]  thread_i           // in the cycle of reset: the thread that is watched
);

  localparam int CARRY = 16;

  localparam logic [1:0] LAST = 2'b01, HIGH_LAST = 2'b11;  // a row's kind: high words, last of its instruction

  logic                  rst_n = 1'b0;        // low in the first cycle only
  logic                  ready, rd_valid, wb_valid, wb_last, start, pass_valid;
  logic [5:0]            rd_slot, wb_slot;
  logic [3:0]            rd_reg, wb_reg;
  logic [31:0]           wb_mask, start_mask, want_mask;
  logic [1023:0]         wb_row, row, want_row;
  logic [7:0]            opcode, start_op;
  logic [4:0]            pass, thread;

  // free: of the lanes; place: the next one's collector
  logic                  full, accept, free, starts, first, place;
  logic [1:0]            busy, wide, guard_word, guard_word_d;  // wide: has both collectors, or waits
  // a b c guard, high a b c; `of` is the collector that reads
  logic [13:0]           need, need_d, want, read, was_read;
  logic                  of;
  logic [2:0]            kept;  // collectors taken after this cycle's start
  logic [7:0]            op_now;
  logic [39:0]           regs;
  logic [5:0]            guard;
  logic [11:0]           words, words_d, others, others_d;  // a b c, high a b c: the watched thread's, the others'
  logic [15:0]           op;
  logic [11:0]           slot;
  logic [3:0]            on;
  logic [2:0]            kinds, highs;
  logic [6:0]            left;
  logic [1:0]            on_now, watched, rest, on_wb, result_wb;
  logic                  high_wb, last_wb, pairs_now, two;
  logic [3:0]            pairs_of;
  logic [Line-1:0]       due;
  logic [Line*CARRY-1:0] what;
  logic [9:0]            id_wb, id_now;

  nsu_exec #(.Lanes(Lanes)) u_dut (
    .clk_i, .rst_ni (rst_n), .disp_valid_i (disp_i),
    .disp_instr_i ({opcode, regs_i[19:4], guard_i[0], guard_i[1], regs_i[3:0], guard_i[2], 1'b0, {32{imm_i}}}),
    .disp_slot_i (slot_i), .disp_mask_i (spread(on_i)), .disp_ready_o (ready), .rf_rd_valid_o (rd_valid),
    .rf_rd_slot_o (rd_slot), .rf_rd_reg_o (rd_reg), .rf_rd_data_i (row), .wb_valid_o (wb_valid), .wb_slot_o (wb_slot),
    .wb_reg_o (wb_reg), .wb_mask_o (wb_mask), .wb_row_o (wb_row), .wb_last_o (wb_last), .probe_start_o (start),
    .probe_start_op_o (start_op), .probe_start_mask_o (start_mask), .probe_pass_valid_o (pass_valid),
    .probe_pass_o (pass)
  );

  // Bit 0 for the watched thread, bit 1 for all others.
  function automatic logic [31:0] spread(input logic [1:0] two);
    for (int i = 0; i < 32; i++) spread[i] = i == 32'(thread) ? two[0] : two[1];
  endfunction

  always_comb begin
    {kinds, highs} = '0;                      // which of a b c it reads, which of them are pairs
    case (what_i)
      4'd0:    {opcode, kinds, highs} = {nsu_pkg::OP_CVT_S32_F32_RZ, 3'b010, 3'b000};
      4'd1:    {opcode, kinds, highs} = {nsu_pkg::OP_MUL_HI_S, 3'b011, 3'b000};
      4'd2:    {opcode, kinds, highs} = {nsu_pkg::OP_MAD_LO, 3'b111, 3'b000};
      4'd3:    {opcode, kinds, highs} = {nsu_pkg::OP_DADD, 3'b011, 3'b011};
      4'd4:    {opcode, kinds, highs} = {nsu_pkg::OP_DFMA, 3'b111, 3'b111};
      4'd5:    {opcode, kinds, highs} = {nsu_pkg::OP_CVT_F32_F64, 3'b010, 3'b010};
      4'd6:    {opcode, kinds, highs} = {nsu_pkg::OP_CVT_F64_F32, 3'b010, 3'b000};
      4'd7:    {opcode, kinds, highs} = {nsu_pkg::OP_ST, 6'd0};
      default: {opcode, kinds, highs} = {8'h0c, 6'd0};
    endcase
    for (int i = 0; i < 32; i++) begin
      row[i*32 +: 32]      = {32{word_i ^ (i != 32'(thread))}};
      want_row[i*32 +: 32] = {32{i == 32'(thread) ? on_wb[0] & result_wb[0] : on_wb[1] & result_wb[1]}};
    end
  end

  // High words of the older instruction alone
  always_comb begin
    for (int i = 0; i < 2; i++) begin
      want[7*i +: 7] = need[7*i +: 7] & (~need[7*i +: 7] + 7'd1);
      if (first != 1'(i)) want[7*i+4 +: 3] = '0;
    end
    kept = '0;
    for (int i = 0; i < 2; i++) if (busy[i] && !(starts && first == 1'(i))) kept = kept + (wide[i] ? 3'd2 : 3'd1);
  end
  assign of     = want[7*first +: 7] != '0 ? first : !first;
  assign read   = of ? {want[13:7], 7'd0} : {7'd0, want[6:0]};
  assign free   = left == '0;
  assign full   = busy[first] && need[7*first +: 7] == '0 && was_read[7*first +: 7] == '0;
  assign starts = full && free;
  assign accept = disp_i && kept < 3'd2;
  assign place  = busy[first] && !busy[!first] ? !first : first;
  assign op_now = first ? op[15:8] : op[7:0];
  assign on_now = guard[3*first] ? on[2*first +: 2] & ({~guard_word[first], guard_word[first]} ^ {2{guard[3*first+1]}})
                  : on[2*first +: 2];
  assign watched   = lane_mix_pkg::lane_mix(op_now, words[6*first +: 3], words[6*first+3 +: 3]);
  assign rest      = lane_mix_pkg::lane_mix(op_now, others[6*first +: 3], others[6*first+3 +: 3]);
  assign pairs_of  = nsu_pkg::isa_pairs(op_now);
  assign pairs_now = pairs_of != '0;
  assign two       = pairs_of[0];
  assign {high_wb, last_wb, id_wb, on_wb, result_wb} = what[0 +: CARRY];
  assign want_mask = spread(on_wb);
  assign id_now    = first ? {slot[11:6], regs[39:36]} : {slot[5:0], regs[19:16]};

  // With the row that has come
  always_comb begin
    {words_d, others_d, guard_word_d} = {words, others, guard_word};
    for (int i = 0; i < 2; i++) begin
      for (int j = 0; j < 3; j++) begin
        if (was_read[7*i+j])   {others_d[6*i+j], words_d[6*i+j]}     = {!word_i, word_i};
        if (was_read[7*i+4+j]) {others_d[6*i+3+j], words_d[6*i+3+j]} = {!word_i, word_i};
      end
      if (was_read[7*i+3]) guard_word_d[i] = word_i;
    end
    need_d = need & ~read;
  end

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      thread   <= thread_i;
      first    <= 1'b0;
      busy     <= '0;
      need     <= '0;
      was_read <= '0;
      left     <= '0;
      due      <= '0;
    end else begin
      left <= starts ? 7'(pairs_now ? 2 * Passes - 1 : Passes - 1) : left != '0 ? left - 7'd1 : '0;
      due  <= due >> 1;
      {need, was_read, words, others, guard_word} <= {need_d, read, words_d, others_d, guard_word_d};
      if (starts) begin
        busy[first] <= 1'b0;
        first       <= !first;
      end
      for (int i = 0; i < 2; i++) if (accept && place == 1'(i)) begin
        busy[i]        <= 1'b1;
        wide[i]        <= highs != '0;
        need[7*i +: 7] <= {highs, guard_i[0], kinds[2], kinds[1] && (!guard_i[2] || highs[1]), kinds[0]};
        {op[8*i +: 8], regs[20*i +: 20], guard[3*i +: 3], slot[6*i +: 6], on[2*i +: 2]} <= {opcode, regs_i, guard_i,
            slot_i, on_i};
        if (guard_i[2]) {others[6*i+1], words[6*i+1]} <= {2{imm_i}};
      end
    end
    what <= what >> CARRY;
    if (rst_n && starts) begin
      if (!pairs_now) begin
        due[Passes+4]                     <= 1'b1;
        what[(Passes+4)*CARRY +: CARRY]   <= {LAST, id_now, on_now, rest[0], watched[0]};
      end else begin
        due[2*Passes+3]                   <= 1'b1;
        what[(2*Passes+3)*CARRY +: CARRY] <= {two ? 2'b00 : LAST, id_now, on_now, rest[0], watched[0]};
        due[2*Passes+4]                   <= two;
        what[(2*Passes+4)*CARRY +: CARRY] <= {HIGH_LAST, id_now | 10'd1, on_now, rest[1], watched[1]};
      end
    end
  end

  function automatic logic [3:0] register(input logic [6:0] r, input logic [19:0] names);
    register = r[0] || r[4] ? names[15:12] : r[1] || r[5] ? names[11:8] : r[2] || r[6] ? names[7:4] : names[3:0];
    if (r[6:4] != '0) register[0] = 1'b1;
  endfunction

  always_comb if (rst_n) begin
    // Rules 2, 9 and 12: ready is "a collector is free".
    takes:    assert (ready == (kept < 3'd2));
    // Rules 3, 4 and 12: reads, with slot and register.
    reads:    assert (rd_valid == (read != '0) &&
                      (!rd_valid || (of ? rd_slot == slot[11:6] && rd_reg == register(read[13:7], regs[39:20]) :
                      rd_slot == slot[5:0] && rd_reg == register(read[6:0], regs[19:0]))));
    // Rules 6 and 8: starts, with the mask.
    starting: assert (start == starts && (!start || (start_op == op_now && start_mask == spread(on_now))));
    // Rules 10 and 13: write-backs in time.
    on_time:  assert (wb_valid == due[0]);
    // Rules 10 and 13: slot, register, mask and place in the instruction.
    its_own:  assert (!wb_valid || ({wb_slot, wb_reg} == id_wb && wb_mask == want_mask && wb_last == last_wb));
    // Rules 5, 7 and 10: the results, 0 outside of the mask.
    its_row:  assert (!wb_valid || wb_row == want_row);
    // A guarded row of high words is written back while another instruction starts.
    guarded:  cover (wb_valid && on_wb == 2'b10 && result_wb[1] && high_wb && start);
  end
endmodule

`default_nettype wire
