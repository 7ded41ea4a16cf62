// SPDX-License-Identifier: Apache-2.0
//
// nsu_exec_proof -- each instruction reads just the registers it needs, in order, one a cycle, after those of the one before it; starts the
// lanes after that one, in the first cycle in which it has them and they are free; and is written back once, in time, with slot,
// register, the threads that its guard leaves on, and each thread's result of its own operands.
//
// What is known of the instruction in collector 1 is in the high bits, in collector 0 in the low ones; first is the collector of the older.
// One thread, any, is watched; all others' words are its words' opposite, and they are on or off together. Words are a bit repeated. The
// lanes themselves are replaced (parts/lane_mix.svh: just the operands that the opcode names matter). Five instructions take part: of
// one, two and three operands, of another kind, illegal.

`default_nettype none

`include "parts/lane_mix.svh"

module nsu_exec_proof #(
  parameter  int Lanes  = 32,
  localparam int Passes = 32 / Lanes,
  localparam int Line   = Passes + 5          // cycles from a start to its write-back
) (
  input  wire logic        clk_i,
  input  wire logic        disp_i,
  input  wire logic [2:0]  what_i,
  input  wire logic [19:0] regs_i,            // rd ra rb rc rg
  input  wire logic [2:0]  guard_i,           // guarded, inverted; b is immediate
  input  wire logic        imm_i,
  input  wire logic [5:0]  slot_i,
  input  wire logic [1:0]  on_i,              // the watched thread, the others
  input  wire logic        word_i,            // the row read: the watched thread's word
  input  wire logic [4:0]  thread_i           // in the cycle of reset: the thread that is watched
);

  localparam int CARRY = 14;

  logic                  rst_n = 1'b0;        // low in the first cycle only
  logic                  ready, rd_valid, wb_valid, start, pass_valid;
  logic [5:0]            rd_slot, wb_slot;
  logic [3:0]            rd_reg, wb_reg;
  logic [31:0]           wb_mask, start_mask, want_mask;
  logic [1023:0]         wb_row, row, want_row;
  logic [7:0]            opcode, start_op;
  logic [4:0]            pass, thread;

  logic                  full, accept, free, starts, first, place;  // free: the lanes are; place: the collector of the next one
  logic [1:0]            busy, guard_word, guard_word_d;
  logic [7:0]            need, need_d, want, read, was_read;        // a b c guard; of: the collector that reads
  logic                  of;
  logic [7:0]            op_now;
  logic [39:0]           regs;
  logic [5:0]            guard, words, words_d, others, others_d;    // a b c of the watched thread, of the others
  logic [15:0]           op;
  logic [11:0]           slot;
  logic [3:0]            on;
  logic [2:0]            kinds;
  logic [5:0]            left;
  logic [1:0]            on_now, result, on_wb, result_wb;
  logic [Line-1:0]       due;
  logic [Line*CARRY-1:0] what;
  logic [9:0]            id_wb;

  nsu_exec #(.Lanes(Lanes)) u_dut (
    .clk_i, .rst_ni (rst_n), .disp_valid_i (disp_i),
    .disp_instr_i ({opcode, regs_i[19:4], guard_i[0], guard_i[1], regs_i[3:0], guard_i[2], 1'b0, {32{imm_i}}}), .disp_slot_i (slot_i),
    .disp_mask_i (spread(on_i)), .disp_ready_o (ready), .rf_rd_valid_o (rd_valid), .rf_rd_slot_o (rd_slot), .rf_rd_reg_o (rd_reg),
    .rf_rd_data_i (row), .wb_valid_o (wb_valid), .wb_slot_o (wb_slot), .wb_reg_o (wb_reg), .wb_mask_o (wb_mask), .wb_row_o (wb_row),
    .probe_start_o (start), .probe_start_op_o (start_op), .probe_start_mask_o (start_mask), .probe_pass_valid_o (pass_valid),
    .probe_pass_o (pass)
  );

  // Lowest: the watched thread; the other: all others
  function automatic logic [31:0] spread(input logic [1:0] two);
    for (int i = 0; i < 32; i++) spread[i] = i == 32'(thread) ? two[0] : two[1];
  endfunction
  function automatic logic mix(input logic [7:0] o, input logic [2:0] w);
    mix = (o[4] & w[0]) ^ (o[0] & w[1]) ^ (o[1] & w[2]) ^ o[2];
  endfunction

  always_comb begin
    kinds = '0;                               // which of a b c it reads
    case (what_i)
      3'd0:    {opcode, kinds} = {nsu_pkg::OP_CVT_S32_F32_RZ, 3'b010};
      3'd1:    {opcode, kinds} = {nsu_pkg::OP_MUL_HI_S, 3'b011};
      3'd2:    {opcode, kinds} = {nsu_pkg::OP_MAD_LO, 3'b111};
      3'd3:    {opcode, kinds} = {nsu_pkg::OP_ST, 3'b000};
      default: {opcode, kinds} = {8'h80, 3'b000};
    endcase
    for (int i = 0; i < 32; i++) begin
      row[i*32 +: 32]      = {32{word_i ^ (i != 32'(thread))}};
      want_row[i*32 +: 32] = {32{i == 32'(thread) ? on_wb[0] & result_wb[0] : on_wb[1] & result_wb[1]}};
    end
  end

  assign want   = {need[7:4] & (~need[7:4] + 4'd1), need[3:0] & (~need[3:0] + 4'd1)};
  assign of     = (first ? want[7:4] : want[3:0]) != '0 ? first : !first;
  assign read   = of ? {want[7:4], 4'd0} : {4'd0, want[3:0]};
  assign free   = left == '0;
  assign full   = busy[first] && need[4*first +: 4] == '0 && was_read[4*first +: 4] == '0;
  assign starts = full && free;
  assign accept = disp_i && (busy != 2'b11 || starts);
  assign place  = busy[first] && !busy[!first] ? !first : first;
  assign op_now = first ? op[15:8] : op[7:0];
  assign on_now = guard[3*first] ? on[2*first +: 2] & ({~guard_word[first], guard_word[first]} ^ {2{guard[3*first+1]}}) : on[2*first +: 2];
  assign result = {mix(op_now, others[3*first +: 3]), mix(op_now, words[3*first +: 3])};
  assign {id_wb, on_wb, result_wb} = what[(Line-1)*CARRY +: CARRY];
  assign want_mask = spread(on_wb);

  // With the row that has come
  always_comb begin
    {words_d, others_d, guard_word_d} = {words, others, guard_word};
    for (int i = 0; i < 2; i++) begin
      for (int j = 0; j < 3; j++) if (was_read[4*i+j]) {others_d[3*i+j], words_d[3*i+j]} = {!word_i, word_i};
      if (was_read[4*i+3]) guard_word_d[i] = word_i;
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
      left <= starts ? 6'(Passes - 1) : left != '0 ? left - 6'd1 : '0;
      due  <= {due[Line-2:0], starts};
      {need, was_read, words, others, guard_word} <= {need_d, read, words_d, others_d, guard_word_d};
      if (starts) begin
        busy[first] <= 1'b0;
        first       <= !first;
      end
      for (int i = 0; i < 2; i++) if (accept && place == 1'(i)) begin
        busy[i]        <= 1'b1;
        need[4*i +: 4] <= {guard_i[0], kinds[2], kinds[1] && !guard_i[2], kinds[0]};
        {op[8*i +: 8], regs[20*i +: 20], guard[3*i +: 3], slot[6*i +: 6], on[2*i +: 2]} <= {opcode, regs_i, guard_i, slot_i, on_i};
        if (guard_i[2]) {others[3*i+1], words[3*i+1]} <= {2{imm_i}};
      end
    end
    what <= {what[(Line-1)*CARRY-1:0], first ? slot[11:6] : slot[5:0], first ? regs[39:36] : regs[19:16], on_now, result};
  end

  function automatic logic [3:0] register(input logic [3:0] r, input logic [19:0] names);
    register = r[0] ? names[15:12] : r[1] ? names[11:8] : r[2] ? names[7:4] : names[3:0];
  endfunction

  always_comb if (rst_n) begin
    takes:    assert (ready == (busy != 2'b11 || starts));
    reads:    assert (rd_valid == (read != '0) && (!rd_valid || (of ? rd_slot == slot[11:6] && rd_reg == register(read[7:4], regs[39:20]) :
                      rd_slot == slot[5:0] && rd_reg == register(read[3:0], regs[19:0]))));
    starting: assert (start == starts && (!start || (start_op == op_now && start_mask == spread(on_now))));
    on_time:  assert (wb_valid == due[Line-1]);
    its_own:  assert (!wb_valid || ({wb_slot, wb_reg} == id_wb && wb_mask == want_mask));
    its_row:  assert (!wb_valid || wb_row == want_row);
    guarded:  cover (wb_valid && on_wb == 2'b10 && result_wb[1] && due[0] && start);
  end
endmodule

`default_nettype wire
