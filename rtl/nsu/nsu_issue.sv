// SPDX-License-Identifier: Apache-2.0
//
// nsu_issue -- issue stage: fetches the next instruction of one warp and dispatches another's.
//
// Fetch and dispatch are independent; an instruction waits in between, in a memory by slot.
//
//   fetch      t    sel_valid_i: ask the instruction cache (ic_req_o)
//              t+1  the cache and the merge buffers answer; d_* say what was found
//              t+2  the instruction is in instr_q, if it is KNOWN
//   dispatch   t    go_valid_i: go_instr_o from instr_q, and the strobe of its unit
//
// d_next_o is MISS without the cache line, else HALT for an illegal instruction or a wrong
// OFLD.BEG, else KNOWN. All outputs are combinational but for the held warp's fields and
// the instructions. Neither is reset.

`default_nettype none

module nsu_issue #(
  parameter  int NumWarps  = 48, // warp slots, 1 .. 64
  localparam int SlotBits  = NumWarps > 1 ? $clog2(NumWarps) : 1
) (
  input  wire logic                            clk_i,         // clock, rising edge
  input  wire logic                            rst_ni,        // asynchronous reset, active low
  // From the warp table: fetch
  input  wire logic                            sel_valid_i,   // fetch for the warp of sel_*
  input  wire logic [nsu_pkg::PKT_slot_W-1:0]  sel_slot_i,    // its slot, less than NumWarps
  input  wire logic [nsu_pkg::PKT_sm_W-1:0]    sel_sm_i,      // its id on the GPU: SM
  input  wire logic [nsu_pkg::PKT_warp_W-1:0]  sel_warp_i,    // its id on the GPU: warp
  input  wire logic [nsu_pkg::PKT_seq_W-1:0]   sel_seq_i,     // number of its next load or store
  input  wire logic [nsu_pkg::ADDR_BITS-1:0]   sel_pc_i,      // address of its next instruction
  input  wire logic [nsu_pkg::PKT_count_W-1:0] sel_count_i,   // registers that its command carries
  input  wire logic                            sel_begun_i,   // its OFLD.BEG has been found
  // To and from the instruction cache
  output      logic                            ic_req_o,      // look ic_addr_o up; the same cycle as sel_valid_i
  output      logic [nsu_pkg::ADDR_BITS-1:0]   ic_addr_o,     // sel_pc_i
  input  wire logic                            ic_hit_i,      // answer to the last cycle's request
  input  wire logic [63:0]                     ic_data_i,     // the instruction, with ic_hit_i
  // To and from the buffers
  output      logic [nsu_pkg::PKT_sm_W-1:0]    lk_sm_o,       // id of the held warp in t+1, else 0
  output      logic [nsu_pkg::PKT_warp_W-1:0]  lk_warp_o,     // the same
  output      logic [nsu_pkg::PKT_seq_W-1:0]   lk_seq_o,      // the same
  input  wire logic                            rd_hit_i,      // this id's read data are complete; same cycle
  input  wire logic [nsu_pkg::PKT_cr_rd_W-1:0] rd_idx_i,      // their entry, with rd_hit_i
  input  wire logic                            wr_hit_i,      // this id's write addresses are complete
  input  wire logic [nsu_pkg::PKT_cr_wr_W-1:0] wr_idx_i,      // their entry, with wr_hit_i
  // To the warp table
  output      logic                            d_valid_o,     // the fetch of the last cycle is answered
  output      logic [nsu_pkg::PKT_slot_W-1:0]  d_slot_o,      // its slot
  output      logic [1:0]                      d_next_o,      // nsu_pkg::FETCH_KNOWN, MISS or HALT
  output      logic [2:0]                      d_kind_o,      // nsu_pkg::KIND_*; 0 unless KNOWN
  output      logic                            d_there_o,     // LD or ST whose entry is complete
  output      logic [nsu_pkg::PKT_cr_rd_W-1:0] d_entry_o,     // that entry, with d_there_o
  // Errors
  output      logic                            err_opcode_o,  // one cycle, with HALT: illegal instruction
  output      logic                            err_not_beg_o, // one cycle, with HALT: OFLD.BEG rule broken
  // From the warp table: dispatch
  input  wire logic                            go_valid_i,    // dispatch the instruction of go_slot_i
  input  wire logic [nsu_pkg::PKT_slot_W-1:0]  go_slot_i,     // a slot whose instruction is KNOWN
  // To the units and the buffers
  output      logic [63:0]                     go_instr_o,    // same cycle; 0 without go_valid_i
  output      logic                            go_ex_o,       // to the lanes: an ALU instruction
  output      logic                            go_ld_o,       // to the load unit: OFLD.BEG, LD or LDC
  output      logic                            go_st_o,       // to the store unit: ST
  output      logic                            go_en_o,       // to the end unit: OFLD.END
  output      logic                            rd_take_o,     // LD takes its entry of read data
  output      logic                            wr_take_o      // ST takes its entry of write addresses
);

  // The warp that is fetched for, for one cycle; held_q says that there is one.
  // instr_q: an entry is the next instruction of a slot.
  logic                            held_q, begun_q;
  logic [nsu_pkg::PKT_slot_W-1:0]  slot_q;
  logic [nsu_pkg::PKT_sm_W-1:0]    sm_q;
  logic [nsu_pkg::PKT_warp_W-1:0]  warp_q;
  logic [nsu_pkg::PKT_seq_W-1:0]   seq_q;
  logic [nsu_pkg::PKT_count_W-1:0] count_q;
  logic [63:0]                     instr_q [0:NumWarps-1];

  // Fetch. The instruction is decoded from the cache's output: the warp table gets its kind in the
  // cycle of the answer.
  logic                            legal, beg_ok, known;
  logic [2:0]                      kind, unused_src;

  nsu_decode u_decode (
    .clk_i, .rst_ni,
    .instr_i (ic_data_i),
    .legal_o (legal),
    .kind_o  (kind),
    .src_a_o (unused_src[0]), .src_b_o (unused_src[1]), .src_c_o (unused_src[2])
  );

  // OFLD.BEG comes first and only first. It names as many registers as the command carries.
  assign beg_ok = kind == nsu_pkg::KIND_BEG ? !begun_q && ic_data_i[30:28] == count_q : begun_q;
  assign known  = held_q && ic_hit_i && legal && beg_ok;

  // The first line that applies: without the line nothing is known of the instruction.
  always_comb begin
    d_next_o = 2'(nsu_pkg::FETCH_KNOWN);
    if (!ic_hit_i)               d_next_o = 2'(nsu_pkg::FETCH_MISS);
    else if (!legal || !beg_ok)  d_next_o = 2'(nsu_pkg::FETCH_HALT);
  end

  // An id of 0 without a held warp keeps the buffers' search quiet; its answer is not used.
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

  // Only instructions that are KNOWN replace the stored one.
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

  // Dispatch. Opcode 0 is no instruction and has no unit, so go_valid_i needs no further gate.
  logic [2:0] go_kind;

  assign go_instr_o = go_valid_i ? instr_q[SlotBits'(go_slot_i)] : '0;
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
    assert (!(err_opcode_o && err_not_beg_o)
            && (!(err_opcode_o || err_not_beg_o) || d_next_o == 2'(nsu_pkg::FETCH_HALT)));
    assert (!d_there_o || (d_valid_o && d_next_o == 2'(nsu_pkg::FETCH_KNOWN)));
    assert (go_valid_i || !(go_ex_o || go_ld_o || go_st_o || go_en_o || rd_take_o || wr_take_o));
  end
`endif
endmodule

`default_nettype wire
