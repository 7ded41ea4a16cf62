// SPDX-License-Identifier: Apache-2.0
// nsu_exec -- one arithmetic instruction of a warp after the other: operand collector, then the lanes.
//
// An instruction accepted in cycle t (disp_valid_i and disp_ready_o) reads its k registers (a, b unless immediate, c,
// guard: those it needs) in cycles t+1 .. t+k, a row a cycle; a read's row is on rf_rd_data_i in the cycle after it.
// The collector is full from t+k+2 on (k = 0: from t+1) and starts the lanes as soon as they are ready; in that cycle it
// takes the next instruction. The lanes write back 32/Lanes + 5 cycles after the start. The mask that goes with the
// instruction is disp_mask_i without the threads that the guard turns off. Outputs depend on state only.

`default_nettype none

module nsu_exec #(
  parameter int Lanes  = 8,                  // physical lanes, a power of two, 1 .. 32
  localparam int ROW   = nsu_pkg::LINE_BITS
) (
  input  wire logic           clk_i,
  input  wire logic           rst_ni,
  // From nsu_issue
  input  wire logic           disp_valid_i,
  input  wire logic [63:0]    disp_instr_i,
  input  wire logic [5:0]     disp_slot_i,
  input  wire logic [31:0]    disp_mask_i,
  // To nsu_issue
  output      logic           disp_ready_o,
  // To nsu_regfile, its highest reader
  output      logic           rf_rd_valid_o,
  output      logic [5:0]     rf_rd_slot_o,
  output      logic [3:0]     rf_rd_reg_o,
  // From nsu_regfile, a cycle later
  input  wire logic [ROW-1:0] rf_rd_data_i,
  // To nsu_regfile and nsu_warps
  output      logic           wb_valid_o,
  output      logic [5:0]     wb_slot_o,
  output      logic [3:0]     wb_reg_o,
  output      logic [31:0]    wb_mask_o,
  output      logic [ROW-1:0] wb_row_o,
  // Probes
  output      logic           probe_start_o,
  output      logic [7:0]     probe_start_op_o,
  output      logic [31:0]    probe_start_mask_o,
  output      logic           probe_pass_valid_o,
  output      logic [4:0]     probe_pass_o
);

  // The instruction in the collector. Operands of need, got, the read order: bit 0 a, 1 b, 2 c, 3 guard.
  logic           accept, start, lanes_ready;
  logic           busy_d, busy_q;
  logic [7:0]     op_d, op_q;
  logic [3:0]     rd_d, rd_q, ra_d, ra_q, rb_d, rb_q, rc_d, rc_q, rg_d, rg_q;
  logic           guard_d, guard_q, ginv_d, ginv_q;
  logic [5:0]     slot_d, slot_q;
  logic [31:0]    mask_d, mask_q;
  logic [3:0]     need_d, need_q;            // registers still to be read
  logic [3:0]     read, read_q;              // the one read in this cycle, in the last cycle
  logic [2:0]     sources;
  logic           immb;
  /* verilator lint_off UNUSEDSIGNAL */       // nsu_decode checks this bit
  logic           zero;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [31:0]    imm;

  assign {op_d, rd_d, ra_d, rb_d, rc_d, guard_d, ginv_d, rg_d, immb, zero, imm} = disp_instr_i;
  assign {slot_d, mask_d} = {disp_slot_i, disp_mask_i};
  assign sources = nsu_pkg::isa_kind(op_d) == nsu_pkg::KIND_ALU ? nsu_pkg::isa_sources(op_d) : 3'd0;

  assign start        = busy_q && need_q == 4'd0 && read_q == 4'd0 && lanes_ready;
  assign disp_ready_o = !busy_q || start;
  assign accept       = disp_valid_i && disp_ready_o;
  assign busy_d       = accept || (busy_q && !start);
  assign need_d       = accept ? {guard_d, sources[2], sources[1] & ~immb, sources[0]} : need_q & ~read;
  assign read         = need_q & (~need_q + 4'd1);           // lowest set bit

  assign rf_rd_valid_o = |need_q;
  assign rf_rd_slot_o  = slot_q;
  assign rf_rd_reg_o   = read[0] ? ra_q : read[1] ? rb_q : read[2] ? rc_q : rg_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {busy_q, need_q, read_q} <= 9'd0;
    else         {busy_q, need_q, read_q} <= {busy_d, need_d, read};
  end

  always_ff @(posedge clk_i) if (accept) begin
    {op_q, rd_q, ra_q, rb_q, rc_q, guard_q, ginv_q, rg_q} <= {op_d, rd_d, ra_d, rb_d, rc_d, guard_d, ginv_d, rg_d};
    {slot_q, mask_q} <= {slot_d, mask_d};
  end

  // Operands. The guard's row leaves one bit a thread.
  logic [ROW-1:0] a_q, b_q, c_q;
  logic [31:0]    on_d, on_q, start_mask;

  always_comb begin
    for (int i = 0; i < 32; i++) on_d[i] = |rf_rd_data_i[32*i +: 32];
  end

  always_ff @(posedge clk_i) begin           // clock-gated while nothing comes
    if (read_q[0]) a_q <= rf_rd_data_i;
    if (read_q[1]) b_q <= rf_rd_data_i;
    else if (accept && immb) b_q <= {32{imm}};
    if (read_q[2]) c_q <= rf_rd_data_i;
    if (read_q[3]) on_q <= on_d;
  end

  assign start_mask = guard_q ? mask_q & (on_q ^ {32{ginv_q}}) : mask_q;

  nsu_lanes #(.Lanes(Lanes), .TagBits(10)) u_lanes (
    .clk_i, .rst_ni,
    .start_valid_i(start), .op_i(op_q), .a_i(a_q), .b_i(b_q), .c_i(c_q), .tag_i({slot_q, rd_q}), .mask_i(start_mask),
    .start_ready_o(lanes_ready),
    .wb_valid_o, .wb_tag_o({wb_slot_o, wb_reg_o}), .wb_mask_o, .wb_row_o,
    /* verilator lint_off PINCONNECTEMPTY */ // shown where nsu_lanes is checked alone
    .probe_op_o(), .probe_res_valid_o(), .probe_res_o(),
    /* verilator lint_on PINCONNECTEMPTY */
    .probe_pass_valid_o, .probe_pass_o
  );

  assign probe_start_o      = start;
  assign probe_start_op_o   = op_q;
  assign probe_start_mask_o = start_mask;

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (busy_q || (need_q == 4'd0 && read_q == 4'd0));        // reads belong to an instruction
    assert ((read_q & (read_q - 4'd1)) == 4'd0);                  // one row a cycle
  end
`endif
endmodule

`default_nettype wire
