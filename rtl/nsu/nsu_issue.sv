// SPDX-License-Identifier: Apache-2.0
//
// nsu_issue -- issue stage: takes the selected warp, looks at its instruction a cycle later, and dispatches it or
// sends the warp away to wait.
//
// A warp stays for one cycle. The instruction cache is asked in the cycle in which the warp is selected and answers
// in the one in which it is here; a warp whose unit is busy goes back to the table to be selected again, so that it
// never keeps the others from their units. Everything but the held warp's fields is combinational. Fields are not
// reset.

`default_nettype none

module nsu_issue (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  // From and to the warp table
  input  wire logic                          sel_valid_i,
  input  wire logic [5:0]                    sel_slot_i,
  input  wire logic [7:0]                    sel_sm_i,
  input  wire logic [5:0]                    sel_warp_i,
  input  wire logic [5:0]                    sel_seq_i,
  input  wire logic [nsu_pkg::ADDR_BITS-1:0] sel_pc_i,
  input  wire logic [31:0]                   sel_mask_i,
  input  wire logic [nsu_pkg::ADDR_BITS-1:0] sel_cbase_i,
  input  wire logic [2:0]                    sel_count_i,
  input  wire logic [5:0]                    sel_idx_i,
  input  wire logic                          sel_begun_i,
  // To and from the instruction cache
  output      logic                          ic_req_o,
  output      logic [nsu_pkg::ADDR_BITS-1:0] ic_addr_o,
  input  wire logic                          ic_hit_i,
  input  wire logic [63:0]                   ic_data_i,
  // To and from the buffers and the acknowledgement counters
  output      logic [7:0]                    lk_sm_o,
  output      logic [5:0]                    lk_warp_o,
  output      logic [5:0]                    lk_seq_o,
  input  wire logic                          rd_hit_i,
  output      logic                          rd_take_o,
  input  wire logic                          wr_hit_i,
  output      logic                          wr_take_o,
  input  wire logic [63:0]                   ack_zero_i,
  // To and from the units
  input  wire logic                          ex_ready_i,
  input  wire logic                          ld_ready_i,
  input  wire logic                          st_ready_i,
  input  wire logic                          en_ready_i,
  output      logic                          go_ex_o,
  output      logic                          go_ld_o,
  output      logic                          go_st_o,
  output      logic                          go_en_o,
  output      logic                          go_valid_o,
  output      logic [63:0]                   go_instr_o,
  output      logic [5:0]                    go_slot_o,
  output      logic [7:0]                    go_sm_o,
  output      logic [5:0]                    go_warp_o,
  output      logic [5:0]                    go_seq_o,
  output      logic [nsu_pkg::ADDR_BITS-1:0] go_pc_o,
  output      logic [31:0]                   go_mask_o,
  output      logic [nsu_pkg::ADDR_BITS-1:0] go_cbase_o,
  output      logic [5:0]                    go_idx_o,
  // To the warp table
  output      logic                          d_valid_o,
  output      logic [5:0]                    d_slot_o,
  output      logic [2:0]                    d_next_o,
  // Errors
  output      logic                          err_opcode_o,
  output      logic                          err_not_beg_o
);


  logic                          held_q;
  logic [5:0]                    slot_q, warp_q, seq_q, idx_q;
  logic [7:0]                    sm_q;
  logic [nsu_pkg::ADDR_BITS-1:0] pc_q, cbase_q;
  logic [31:0]                   mask_q;
  logic [2:0]                    count_q;
  logic                          begun_q;

  logic                          legal, beg_ok;
  logic [2:0]                    kind, unused_src;

  nsu_decode u_decode (
    .clk_i, .rst_ni,
    .instr_i (ic_data_i),
    .legal_o (legal),
    .kind_o  (kind),
    .src_a_o (unused_src[0]), .src_b_o (unused_src[1]), .src_c_o (unused_src[2])
  );

  // OFLD.BEG comes first and only first, and names as many registers as came with the command.
  assign beg_ok = kind == nsu_pkg::KIND_BEG ? !begun_q && ic_data_i[30:28] == count_q : begun_q;

  always_comb begin
    d_next_o      = 3'(nsu_pkg::LEAVE_RETRY);
    go_ex_o       = 1'b0;
    go_ld_o       = 1'b0;
    go_st_o       = 1'b0;
    go_en_o       = 1'b0;
    err_opcode_o  = 1'b0;
    err_not_beg_o = 1'b0;
    if (held_q) begin
      if (!ic_hit_i) begin
        d_next_o = 3'(nsu_pkg::LEAVE_WAIT_I);
      end else if (!legal) begin
        d_next_o     = 3'(nsu_pkg::LEAVE_HALT);
        err_opcode_o = 1'b1;
      end else if (!beg_ok) begin
        d_next_o      = 3'(nsu_pkg::LEAVE_HALT);
        err_not_beg_o = 1'b1;
      end else begin
        case (kind)
          nsu_pkg::KIND_ALU: go_ex_o = ex_ready_i;
          nsu_pkg::KIND_LD:  if (!rd_hit_i) d_next_o = 3'(nsu_pkg::LEAVE_WAIT_RD);           else go_ld_o = ld_ready_i;
          nsu_pkg::KIND_ST:  if (!wr_hit_i) d_next_o = 3'(nsu_pkg::LEAVE_WAIT_WR);           else go_st_o = st_ready_i;
          nsu_pkg::KIND_END: if (!ack_zero_i[slot_q]) d_next_o = 3'(nsu_pkg::LEAVE_WAIT_ACK); else go_en_o = en_ready_i;
          default:           go_ld_o = ld_ready_i;          // OFLD.BEG, LDC
        endcase
        if (go_ex_o || go_ld_o || go_st_o || go_en_o) d_next_o = 3'(nsu_pkg::LEAVE_DISPATCHED);
      end
    end
  end

  assign rd_take_o = go_ld_o && kind == nsu_pkg::KIND_LD;
  assign wr_take_o = go_st_o;
  assign ic_req_o  = sel_valid_i;
  assign ic_addr_o = sel_pc_i;
  assign d_valid_o = held_q;

  always_ff @(posedge clk_i) begin
    if (sel_valid_i) begin
      slot_q  <= sel_slot_i;
      sm_q    <= sel_sm_i;
      warp_q  <= sel_warp_i;
      seq_q   <= sel_seq_i;
      pc_q    <= sel_pc_i;
      mask_q  <= sel_mask_i;
      cbase_q <= sel_cbase_i;
      count_q <= sel_count_i;
      idx_q   <= sel_idx_i;
      begun_q <= sel_begun_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) held_q <= 1'b0;
    else         held_q <= sel_valid_i;
  end

  assign lk_sm_o    = held_q ? sm_q   : '0;
  assign lk_warp_o  = held_q ? warp_q : '0;
  assign lk_seq_o   = held_q ? seq_q  : '0;

  assign go_valid_o = go_ex_o || go_ld_o || go_st_o || go_en_o;
  assign go_instr_o = ic_data_i;
  assign go_slot_o  = slot_q;
  assign go_sm_o    = sm_q;
  assign go_warp_o  = warp_q;
  assign go_seq_o   = seq_q;
  assign go_pc_o    = pc_q;
  assign go_mask_o  = mask_q;
  assign go_cbase_o = cbase_q;
  assign go_idx_o   = idx_q;
  assign d_slot_o   = slot_q;

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (3'(go_ex_o) + 3'(go_ld_o) + 3'(go_st_o) + 3'(go_en_o) <= 3'd1);
    assert (!go_valid_o || (d_valid_o && d_next_o == 3'(nsu_pkg::LEAVE_DISPATCHED)));
    assert (!(rd_take_o && !rd_hit_i) && !(wr_take_o && !wr_hit_i));
    assert (!(err_opcode_o || err_not_beg_o) || (d_valid_o && d_next_o == 3'(nsu_pkg::LEAVE_HALT)));
  end
`endif
endmodule

`default_nettype wire
