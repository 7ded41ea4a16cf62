// SPDX-License-Identifier: Apache-2.0
//
// nsu_exec -- arithmetic instructions of warps: two operand collectors, then the lanes.
//
// An instruction is accepted in cycle t (disp_valid_i and disp_ready_o) and is in a collector from
// t+1 on. It reads the k registers that it needs (a, b unless immediate, c, guard), a row a cycle.
// A row is on rf_rd_data_i in the cycle after its read. The lanes write back 32/Lanes + 5 cycles
// after the start. Instructions start in the order of acceptance.
//
//   disp --> collector 0 --+   the older one reads first, and starts as soon as it has all rows
//        \-> collector 1 --+-> nsu_lanes --> wb
//
// While one collector waits for its last row or for the lanes, the other one reads. In the cycle of
// a start its collector takes the next instruction. All outputs depend on state only.
//
// An instruction of pairs has both collectors: its own holds low words and guard, the other one the
// high words. It may be accepted while an older instruction still has the other collector. It then
// reads its high words after that one's start. Nothing is accepted behind it before it starts.

`default_nettype none

module nsu_exec #(
  parameter int Lanes  = 8, // physical lanes, a power of two, 1 .. 32
  localparam int ROW   = nsu_pkg::LINE_BITS,
  localparam int SLOT  = nsu_pkg::PKT_slot_W,
  localparam int MASK  = nsu_pkg::PKT_mask_W
) (
  input  wire logic                           clk_i,              // clock, rising edge
  input  wire logic                           rst_ni,             // asynchronous reset, active low
  // From nsu_issue; slot and mask from nsu_warps
  input  wire logic                           disp_valid_i,       // an instruction of kind ALU, legal
  input  wire logic [63:0]                    disp_instr_i,       // 64 bits, nsu_isa.def; with disp_valid_i
  input  wire logic [nsu_pkg::PKT_slot_W-1:0] disp_slot_i,        // its warp slot
  input  wire logic [nsu_pkg::PKT_mask_W-1:0] disp_mask_i,        // its threads, before the guard
  // To nsu_warps
  output      logic                           disp_ready_o,       // state: accepted if valid
  // To nsu_regfile, its highest reader
  output      logic                           rf_rd_valid_o,      // read a register's row; always granted
  output      logic [nsu_pkg::PKT_slot_W-1:0] rf_rd_slot_o,       // warp slot, with rf_rd_valid_o
  output      logic [3:0]                     rf_rd_reg_o,        // register, with rf_rd_valid_o
  // From nsu_regfile, a cycle later
  input  wire logic [ROW-1:0]                 rf_rd_data_i,       // row of the last cycle's read, thread i at [32i+:32]
  // To nsu_regfile; wb_valid_o with wb_last_o also to nsu_warps
  output      logic                           wb_valid_o,         // a row of results; there is no way to refuse it
  output      logic [nsu_pkg::PKT_slot_W-1:0] wb_slot_o,          // its warp slot, with wb_valid_o as the next three
  output      logic [3:0]                     wb_reg_o,           // register to write
  output      logic [nsu_pkg::PKT_mask_W-1:0] wb_mask_o,          // threads to write
  output      logic [ROW-1:0]                 wb_row_o,           // results, 0 outside of the mask
  output      logic                           wb_last_o,          // the instruction's last row: it is done
  // Probes
  output      logic                           probe_start_o,      // an instruction starts the lanes
  output      logic [7:0]                     probe_start_op_o,   // its opcode
  output      logic [nsu_pkg::PKT_mask_W-1:0] probe_start_mask_o, // its threads, after the guard
  output      logic                           probe_pass_valid_o, // a pass enters the lanes (nsu_lanes)
  output      logic [4:0]                     probe_pass_o        // its number
);

  // Two collectors, by number. first_q has the older instruction, place takes the next one, and
  // reader reads a register. wide: this collector's instruction needs both.
  // Bits of sources: 0 a, 1 b, 2 c; of pairs, which of them are pairs.
  logic           accept, start, lanes_ready;
  logic           first_d, first_q, place, reader;
  logic [1:0]     busy_d, busy_q, wide;
  logic [7:0]     op;
  logic [3:0]     rd, ra, rb, rc, rg;
  logic           guard, ginv;
  logic [2:0]     sources;
  logic [2:0]     pairs;
  logic           unused_pair_d;             // nsu_lanes uses the result's
  logic           immb;
  /* verilator lint_off UNUSEDSIGNAL */       // nsu_decode checks this bit
  logic           zero;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [31:0]    imm;

  assign {op, rd, ra, rb, rc, guard, ginv, rg, immb, zero, imm} = disp_instr_i;
  assign sources = nsu_pkg::isa_kind(op) == nsu_pkg::KIND_ALU ? nsu_pkg::isa_sources(op) : 3'd0;
  assign {pairs, unused_pair_d} = nsu_pkg::isa_pairs(op);

  // Outputs of both collectors, collector 1's in the high half. Each has four bits of reads: 0 a,
  // 1 b, 2 c, 3 guard. read_q says what the row on rf_rd_data_i is, and for which collector.
  logic [1:0]       complete;
  logic [3:0]       reads;                   // the reader's
  logic [7:0]       read, read_d, read_q;    // what each would read; for which in this cycle; in the last one
  logic [1:0]       high;                    // its read is a high word, which the other collector takes
  logic [2*4-1:0]   reg_of;
  logic [2*SLOT-1:0] slot_of;
  logic [2*4-1:0]   rd_of;
  logic [2*8-1:0]   op_of;
  logic [2*MASK-1:0] mask_of;
  logic [2*ROW-1:0] a_of, b_of, c_of;

  // A start frees its collector in the same cycle. No new instruction gets it while the instruction
  // in the other collector needs both.
  assign start        = busy_q[first_q] && complete[first_q] && lanes_ready;
  assign disp_ready_o = start ? !wide[!first_q] : busy_q != 2'b11 && wide == 2'b00;
  assign accept       = disp_valid_i && disp_ready_o;
  assign place        = busy_q[first_q] && !busy_q[!first_q] ? !first_q : first_q;
  assign first_d      = start ? !first_q : first_q;

  always_comb begin
    busy_d = busy_q;
    if (start)  busy_d[first_q] = 1'b0;
    if (accept) busy_d[place]   = 1'b1;
  end

  // The older instruction reads first: it starts first.
  assign reader        = (first_q ? read[7:4] : read[3:0]) != 4'd0 ? first_q : !first_q;
  assign reads         = reader ? read[7:4] : read[3:0];
  assign read_d        = reader ^ high[reader] ? {reads, 4'd0} : {4'd0, reads};
  assign rf_rd_valid_o = reads != 4'd0;
  assign rf_rd_slot_o  = reader ? slot_of[SLOT +: SLOT] : slot_of[0 +: SLOT];
  assign rf_rd_reg_o   = reader ? reg_of[7:4] : reg_of[3:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {first_q, busy_q, read_q} <= '0;
    else         {first_q, busy_q, read_q} <= {first_d, busy_d, read_d};
  end

  // A collector: an instruction, the registers that it still needs, and three rows.
  // on_q keeps one bit a thread of the guard's row: the word is not zero.
  for (genvar n = 0; n < 2; n++) begin : g_collector
    logic           take;
    logic [3:0]     need_d, need_q;            // registers still to be read
    logic [2:0]     needh_d, needh_q;          // the same of high words
    logic           reads_here, wide_q;
    logic [7:0]     op_q;
    logic [3:0]     rd_q, ra_q, rb_q, rc_q, rg_q;
    logic           guard_q, ginv_q;
    logic [SLOT-1:0] slot_q;
    logic [MASK-1:0] mask_q, on_d, on_q;
    logic [ROW-1:0] a_q, b_q, c_q;

    assign take   = accept && place == 1'(n);
    assign reads_here = reader == 1'(n);
    always_comb begin
      {needh_d, need_d} = {needh_q, need_q};
      if (take)            {needh_d, need_d} = {pairs, guard, sources[2], sources[1] & (~immb | pairs[1]), sources[0]};
      else if (reads_here) {needh_d, need_d} = {needh_q & ~(reads[2:0] & {3{high[n]}}),
                                                need_q & ~(reads & {4{!high[n]}})};
    end

    // Low words and guard first. The high words follow once this instruction is the older one: the
    // other collector is free then. Each cycle reads the lowest register left.
    logic [3:0] need;
    assign high[n]          = need_q == 4'd0;
    assign need             = !high[n] ? need_q : first_q == 1'(n) ? {1'b0, needh_q} : 4'd0;
    assign read[4*n +: 4]   = need & (~need + 4'd1);
    assign reg_of[4*n +: 4] = (read[4*n] ? ra_q : read[4*n+1] ? rb_q : read[4*n+2] ? rc_q : rg_q) | 4'(high[n]);
    assign complete[n]      = need_q == 4'd0 &&
      needh_q == 3'd0 && read_q[4*n +: 4] == 4'd0 && !(wide[n] && read_q[4*(1-n) +: 4] != 4'd0);
    assign wide[n]          = busy_q[n] && wide_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {needh_q, need_q} <= 7'd0;
      else         {needh_q, need_q} <= {needh_d, need_d};
    end

    always_ff @(posedge clk_i) if (take) begin
      {op_q, rd_q, ra_q, rb_q, rc_q, guard_q, ginv_q, rg_q} <= {op, rd, ra, rb, rc, guard, ginv, rg};
      {slot_q, mask_q, wide_q} <= {disp_slot_i, disp_mask_i, pairs != 3'd0};
    end

    always_comb begin
      for (int i = 0; i < MASK; i++) on_d[i] = |rf_rd_data_i[32*i +: 32];
    end

    // An immediate goes into b's row when the instruction comes. Clock-gated while nothing comes.
    always_ff @(posedge clk_i) begin
      if (read_q[4*n]) a_q <= rf_rd_data_i;
      if (read_q[4*n+1]) b_q <= rf_rd_data_i;
      else if (take && immb) b_q <= {32{imm}};
      if (read_q[4*n+2]) c_q <= rf_rd_data_i;
      if (read_q[4*n+3]) on_q <= on_d;
    end

    assign slot_of[SLOT*n +: SLOT] = slot_q;
    assign rd_of[4*n +: 4]     = rd_q;
    assign op_of[8*n +: 8]     = op_q;
    assign mask_of[MASK*n +: MASK] = guard_q ? mask_q & (on_q ^ {MASK{ginv_q}}) : mask_q;
    assign a_of[ROW*n +: ROW]  = a_q;
    assign b_of[ROW*n +: ROW]  = b_q;
    assign c_of[ROW*n +: ROW]  = c_q;

`ifndef SYNTHESIS
    always @(posedge clk_i) if (rst_ni) begin
      assert (busy_q[n] || wide[1-n] || complete[n]);                // reads belong to an instruction
    end
`endif
  end

  // What starts: the older instruction, its rows to the operands, the other's to the high words
  logic [7:0]  start_op;
  logic [SLOT-1:0] start_slot;
  logic [3:0]  start_rd;
  logic [MASK-1:0] start_mask;

  assign start_op   = first_q ? op_of[15:8]   : op_of[7:0];
  assign start_slot = first_q ? slot_of[SLOT +: SLOT] : slot_of[0 +: SLOT];
  assign start_rd   = first_q ? rd_of[7:4]    : rd_of[3:0];
  assign start_mask = first_q ? mask_of[MASK +: MASK] : mask_of[0 +: MASK];

  // High words go to the odd register of the pair.
  logic       wb_high;
  logic [3:0] wb_rd;
  assign wb_reg_o = wb_rd | 4'(wb_high);

  nsu_lanes #(.Lanes(Lanes), .TagBits(SLOT + 4)) u_lanes (
    .clk_i, .rst_ni,
    .start_valid_i(start), .op_i(start_op), .tag_i({start_slot, start_rd}), .mask_i(start_mask),
    .a_i(first_q ? a_of[ROW +: ROW] : a_of[0 +: ROW]), .b_i(first_q ? b_of[ROW +: ROW] : b_of[0 +: ROW]),
    .c_i(first_q ? c_of[ROW +: ROW] : c_of[0 +: ROW]),
    .ah_i(first_q ? a_of[0 +: ROW] : a_of[ROW +: ROW]), .bh_i(first_q ? b_of[0 +: ROW] : b_of[ROW +: ROW]),
    .ch_i(first_q ? c_of[0 +: ROW] : c_of[ROW +: ROW]),
    .start_ready_o(lanes_ready),
    .wb_valid_o, .wb_high_o(wb_high), .wb_last_o, .wb_tag_o({wb_slot_o, wb_rd}), .wb_mask_o, .wb_row_o,
    /* verilator lint_off PINCONNECTEMPTY */ // shown where nsu_lanes is checked alone
    .probe_op_o(), .probe_res_valid_o(), .probe_res_o(),
    /* verilator lint_on PINCONNECTEMPTY */
    .probe_pass_valid_o, .probe_pass_o
  );

  assign probe_start_o      = start;
  assign probe_start_op_o   = start_op;
  assign probe_start_mask_o = start_mask;

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (busy_q[first_q] || busy_q == 2'd0);                   // the older one is the first
    assert (!(wide[first_q] && busy_q[!first_q]));                // nothing is behind one that needs both
    assert ((read_q & (read_q - 8'd1)) == 8'd0);                  // one row a cycle
  end
`endif
endmodule

`default_nettype wire
