// SPDX-License-Identifier: Apache-2.0
//
// nsu_issue -- issue stage: fetches the next instruction of one warp, keeps it, and gives that of another to its unit.
//
// A warp that is fetched for stays for one cycle: the instruction cache is asked in the cycle in which it is selected
// and answers in the one in which it is here, and so do the merge buffers that its id is shown to. What is found is kept
// by slot; dispatch reads it in the cycle in which the warp table names the slot. Everything but the held warp's
// fields and the instructions is combinational. Neither is reset.

`default_nettype none

module nsu_issue #(
  parameter  int NumWarps  = 48,                                     // warp slots
  localparam int SlotBits  = NumWarps > 1 ? $clog2(NumWarps) : 1
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_ni,
  // From the warp table: fetch
  input  wire logic                            sel_valid_i,
  input  wire logic [nsu_pkg::PKT_slot_W-1:0]  sel_slot_i,
  input  wire logic [nsu_pkg::PKT_sm_W-1:0]    sel_sm_i,
  input  wire logic [nsu_pkg::PKT_warp_W-1:0]  sel_warp_i,
  input  wire logic [nsu_pkg::PKT_seq_W-1:0]   sel_seq_i,
  input  wire logic [nsu_pkg::ADDR_BITS-1:0]   sel_pc_i,
  input  wire logic [nsu_pkg::PKT_count_W-1:0] sel_count_i,
  input  wire logic                            sel_begun_i,
  // To and from the instruction cache
  output      logic                            ic_req_o,
  output      logic [nsu_pkg::ADDR_BITS-1:0]   ic_addr_o,
  input  wire logic                            ic_hit_i,
  input  wire logic [63:0]                     ic_data_i,
  // To and from the buffers
  output      logic [nsu_pkg::PKT_sm_W-1:0]    lk_sm_o,
  output      logic [nsu_pkg::PKT_warp_W-1:0]  lk_warp_o,
  output      logic [nsu_pkg::PKT_seq_W-1:0]   lk_seq_o,
  input  wire logic                            rd_hit_i,
  input  wire logic [nsu_pkg::PKT_cr_rd_W-1:0] rd_idx_i,
  input  wire logic                            wr_hit_i,
  input  wire logic [nsu_pkg::PKT_cr_wr_W-1:0] wr_idx_i,
  // To the warp table
  output      logic                            d_valid_o,
  output      logic [nsu_pkg::PKT_slot_W-1:0]  d_slot_o,
  output      logic [1:0]                      d_next_o,
  output      logic [2:0]                      d_kind_o,
  output      logic                            d_there_o,
  output      logic [nsu_pkg::PKT_cr_rd_W-1:0] d_entry_o,
  // Errors
  output      logic                            err_opcode_o,
  output      logic                            err_not_beg_o,
  // From the warp table: dispatch
  input  wire logic                            go_valid_i,
  input  wire logic [nsu_pkg::PKT_slot_W-1:0]  go_slot_i,
  // To the units and the buffers
  output      logic [63:0]                     go_instr_o,
  output      logic                            go_ex_o,
  output      logic                            go_ld_o,
  output      logic                            go_st_o,
  output      logic                            go_en_o,
  output      logic                            rd_take_o,
  output      logic                            wr_take_o
);

  logic                            held_q, begun_q;
  logic [nsu_pkg::PKT_slot_W-1:0]  slot_q;
  logic [nsu_pkg::PKT_sm_W-1:0]    sm_q;
  logic [nsu_pkg::PKT_warp_W-1:0]  warp_q;
  logic [nsu_pkg::PKT_seq_W-1:0]   seq_q;
  logic [nsu_pkg::PKT_count_W-1:0] count_q;
  logic [63:0]                     instr_q [0:NumWarps-1];           // by slot

  // Fetch
  logic                            legal, beg_ok, known;
  logic [2:0]                      kind, unused_src;

  nsu_decode u_decode (
    .clk_i, .rst_ni,
    .instr_i (ic_data_i),
    .legal_o (legal),
    .kind_o  (kind),
    .src_a_o (unused_src[0]), .src_b_o (unused_src[1]), .src_c_o (unused_src[2])
  );

  // OFLD.BEG comes first and only first, and names as many registers as came with the command.
  assign beg_ok = kind == nsu_pkg::KIND_BEG ? !begun_q && ic_data_i[30:28] == count_q : begun_q;
  assign known  = held_q && ic_hit_i && legal && beg_ok;

  always_comb begin
    d_next_o = 2'(nsu_pkg::FETCH_KNOWN);
    if (!ic_hit_i)               d_next_o = 2'(nsu_pkg::FETCH_MISS);
    else if (!legal || !beg_ok)  d_next_o = 2'(nsu_pkg::FETCH_HALT);
  end

  assign d_valid_o     = held_q;
  assign d_slot_o      = slot_q;
  assign d_kind_o      = known ? kind : '0;
  assign d_there_o     = known && (kind == nsu_pkg::KIND_LD ? rd_hit_i : kind == nsu_pkg::KIND_ST && wr_hit_i);
  assign d_entry_o     = kind == nsu_pkg::KIND_LD ? rd_idx_i : wr_idx_i;
  assign err_opcode_o  = held_q && ic_hit_i && !legal;
  assign err_not_beg_o = held_q && ic_hit_i && legal && !beg_ok;

  assign lk_sm_o       = held_q ? sm_q   : '0;
  assign lk_warp_o     = held_q ? warp_q : '0;
  assign lk_seq_o      = held_q ? seq_q  : '0;
  assign ic_req_o      = sel_valid_i;
  assign ic_addr_o     = sel_pc_i;

  always_ff @(posedge clk_i) begin
    if (sel_valid_i) begin
      slot_q  <= sel_slot_i;
      sm_q    <= sel_sm_i;
      warp_q  <= sel_warp_i;
      seq_q   <= sel_seq_i;
      count_q <= sel_count_i;
      begun_q <= sel_begun_i;
    end
    if (known) instr_q[SlotBits'(slot_q)] <= ic_data_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) held_q <= 1'b0;
    else         held_q <= sel_valid_i;
  end

  // Dispatch
  logic [2:0] go_kind;

  assign go_instr_o = go_valid_i ? instr_q[SlotBits'(go_slot_i)] : '0;   // 0 is no instruction
  assign go_kind    = nsu_pkg::isa_kind(go_instr_o[nsu_pkg::ISA_opcode_MSB:nsu_pkg::ISA_opcode_LSB]);
  assign go_ex_o    = go_kind == nsu_pkg::KIND_ALU;
  assign go_ld_o    = go_kind == nsu_pkg::KIND_BEG || go_kind == nsu_pkg::KIND_LDC || go_kind == nsu_pkg::KIND_LD;
  assign go_st_o    = go_kind == nsu_pkg::KIND_ST;
  assign go_en_o    = go_kind == nsu_pkg::KIND_END;
  assign rd_take_o  = go_kind == nsu_pkg::KIND_LD;
  assign wr_take_o  = go_st_o;

  // Slots are in range.
  logic unused_slot;
  assign unused_slot = &{1'b0, go_slot_i};

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (!(err_opcode_o && err_not_beg_o) && (!(err_opcode_o || err_not_beg_o) || d_next_o == 2'(nsu_pkg::FETCH_HALT)));
    assert (!d_there_o || (d_valid_o && d_next_o == 2'(nsu_pkg::FETCH_KNOWN)));
    assert (go_valid_i || !(go_ex_o || go_ld_o || go_st_o || go_en_o || rd_take_o || wr_take_o));
  end
`endif
endmodule

`default_nettype wire
