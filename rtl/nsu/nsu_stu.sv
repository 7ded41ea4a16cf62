// SPDX-License-Identifier: Apache-2.0
//
// nsu_stu -- store unit: reads a store's register and its addresses, and has nsu_wgen write.
//
// One store at a time: wait for the register file's grant, start nsu_wgen in the cycle in which the row is there (the
// write address buffer holds the addresses since the cycle after the take), wait for its end, in which the next store
// is accepted. ready_o, done_o and sent_o depend on wr_ready_i. Fields are not reset.

`default_nettype none

`include "nsu_types.svh"

module nsu_stu #(
  localparam int AddrRow = nsu_pkg::WARP_WIDTH * nsu_pkg::ADDR_BITS
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,
  input  wire logic [nsu_pkg::STACK_BITS-1:0] stack_id_i,            // constant after reset
  // From and to the issue stage
  input  wire logic                           go_i,
  input  wire logic [63:0]                    go_instr_i,
  input  wire logic [nsu_pkg::PKT_slot_W-1:0] go_slot_i,
  input  wire logic [nsu_pkg::PKT_sm_W-1:0]   go_sm_i,
  input  wire logic [nsu_pkg::PKT_warp_W-1:0] go_warp_i,
  input  wire logic [nsu_pkg::PKT_seq_W-1:0]  go_seq_i,
  output      logic                           ready_o,
  // From the write address buffer
  input  wire logic [AddrRow-1:0]             wa_row_i,
  input  wire logic [nsu_pkg::PKT_mask_W-1:0] wa_mask_i,
  input  wire logic [nsu_pkg::PKT_size_W-1:0] wa_size_i,
  // To and from the register file
  output      logic                           rf_rd_valid_o,
  output      logic [nsu_pkg::PKT_slot_W-1:0] rf_rd_slot_o,
  output      logic [3:0]                     rf_rd_reg_o,
  input  wire logic                           rf_rd_gnt_i,
  input  wire logic [nsu_pkg::LINE_BITS-1:0]  rf_rd_data_i,
  // To and from the network interface
  output      logic                           wr_valid_o,
  output      pkt_hdr_t                       wr_hdr_o,
  output      logic [nsu_pkg::LINE_BITS-1:0]  wr_data_o,
  input  wire logic                           wr_ready_i,
  // To the acknowledgement counters and the warp table
  output      logic                           sent_o,
  output      logic [nsu_pkg::PKT_slot_W-1:0] sent_slot_o,
  output      logic                           done_o,
  output      logic [nsu_pkg::PKT_slot_W-1:0] done_slot_o
);

  localparam logic [1:0] IDLE = 2'd0, READ = 2'd1, START = 2'd2, WRITE = 2'd3;

  logic [1:0] state_d, state_q;
  logic [nsu_pkg::PKT_slot_W-1:0] slot_q;
  logic [nsu_pkg::PKT_sm_W-1:0] sm_q;
  logic [nsu_pkg::PKT_warp_W-1:0] warp_q;
  logic [nsu_pkg::PKT_seq_W-1:0] seq_q;
  logic [3:0] reg_q;
  logic       wgen_ready, wgen_done;

  always_comb begin
    state_d = state_q;
    case (state_q)
      IDLE:    if (go_i) state_d = READ;
      READ:    if (rf_rd_gnt_i) state_d = START;
      START:   state_d = WRITE;
      default: if (wgen_done) state_d = go_i ? READ : IDLE;          // WRITE
    endcase
  end

  nsu_wgen u_wgen (
    .clk_i, .rst_ni, .stack_id_i,
    .start_i (state_q == START),
    .slot_i  (slot_q),
    .sm_i    (sm_q),
    .warp_i  (warp_q),
    .seq_i   (seq_q),
    .mask_i  (wa_mask_i),
    .size_i  (wa_size_i),
    .addrs_i (wa_row_i),
    .data_i  (rf_rd_data_i),
    .ready_o (wgen_ready),
    .wr_valid_o, .wr_hdr_o, .wr_data_o, .wr_ready_i,
    .done_o  (wgen_done)
  );

  always_ff @(posedge clk_i) begin
    if (go_i && ready_o) begin
      slot_q <= go_slot_i;
      sm_q   <= go_sm_i;
      warp_q <= go_warp_i;
      seq_q  <= go_seq_i;
      reg_q  <= go_instr_i[nsu_pkg::ISA_ra_MSB:nsu_pkg::ISA_ra_LSB];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= IDLE;
    else         state_q <= state_d;
  end

  assign ready_o       = state_q == IDLE || wgen_done;
  assign rf_rd_valid_o = state_q == READ;
  assign rf_rd_slot_o  = slot_q;
  assign rf_rd_reg_o   = reg_q;
  assign sent_o        = wr_valid_o && wr_ready_i;
  assign sent_slot_o   = slot_q;
  assign done_o        = wgen_done;
  assign done_slot_o   = slot_q;

  // A store names one register and nothing else.
  logic unused_instr;
  assign unused_instr = &{1'b0, go_instr_i};

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (state_q == WRITE || wgen_ready);
    assert (!(state_q == IDLE && (done_o || sent_o || rf_rd_valid_o)));
  end
`endif
endmodule

`default_nettype wire
