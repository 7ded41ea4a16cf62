// SPDX-License-Identifier: Apache-2.0
//
// nsu_stu -- store unit: reads a store's register and its addresses, and has nsu_wgen write.
//
// One store at a time:
//
//   IDLE --go--> READ --rf_rd_gnt--> START --> WRITE --last packet accepted--> done --> IDLE
//                 ^                                                             |
//                 +-------------------------- go in that cycle -----------------+
//
// START is the cycle in which the row is there; nsu_wgen registers all that it needs then. The
// write address buffer holds the addresses from the cycle after the take on.
// ready_o, done_o and sent_o depend on wr_ready_i. Fields are not reset.

`default_nettype none

`include "nsu_types.svh"

module nsu_stu #(
  localparam int AddrRow = nsu_pkg::WARP_WIDTH * nsu_pkg::ADDR_BITS
) (
  input  wire logic                           clk_i,         // clock, rising edge
  input  wire logic                           rst_ni,        // asynchronous reset, active low
  input  wire logic [nsu_pkg::STACK_BITS-1:0] stack_id_i,    // this stack; constant after reset
  // From the issue stage, fields from the warp table
  input  wire logic                           go_i,          // execute a ST; taken with ready_o
  input  wire logic [63:0]                    go_instr_i,    // the instruction; with go_i as all below
  input  wire logic [nsu_pkg::PKT_slot_W-1:0] go_slot_i,     // its warp slot
  input  wire logic [nsu_pkg::PKT_sm_W-1:0]   go_sm_i,       // its id on the GPU: SM
  input  wire logic [nsu_pkg::PKT_warp_W-1:0] go_warp_i,     // its id on the GPU: warp
  input  wire logic [nsu_pkg::PKT_seq_W-1:0]  go_seq_i,      // its id on the GPU: number of the store
  // To the warp table
  output      logic                           ready_o,       // idle, or done in this cycle
  // From the write address buffer
  input  wire logic [AddrRow-1:0]             wa_row_i,      // addresses of the ST taken last, thread i at [40 i +: 40]
  input  wire logic [nsu_pkg::PKT_mask_W-1:0] wa_mask_i,     // its threads
  input  wire logic [nsu_pkg::PKT_size_W-1:0] wa_size_i,     // bytes a thread: 0 one, 1 two, 2 four
  // To and from the register file
  output      logic                           rf_rd_valid_o, // read a register; holds until the grant
  output      logic [nsu_pkg::PKT_slot_W-1:0] rf_rd_slot_o,  // warp slot, with rf_rd_valid_o
  output      logic [3:0]                     rf_rd_reg_o,   // register, with rf_rd_valid_o
  input  wire logic                           rf_rd_gnt_i,   // granted in this cycle
  input  wire logic [nsu_pkg::LINE_BITS-1:0]  rf_rd_data_i,  // the row, one cycle after the grant
  // To and from the network interface
  output      logic                           wr_valid_o,    // a WRITE packet; holds until wr_ready_i
  output      pkt_hdr_t                       wr_hdr_o,      // its header
  output      logic [nsu_pkg::LINE_BITS-1:0]  wr_data_o,     // its line: a word a thread
  input  wire logic                           wr_ready_i,    // the packet is accepted in this cycle
  // To the acknowledgement counters and the warp table
  output      logic                           sent_o,        // a packet was accepted: one more write in flight
  output      logic [nsu_pkg::PKT_slot_W-1:0] sent_slot_o,   // its slot
  output      logic                           done_o,        // one cycle: all packets are accepted
  output      logic [nsu_pkg::PKT_slot_W-1:0] done_slot_o    // its slot
);

  localparam logic [1:0] IDLE = 2'd0, READ = 2'd1, START = 2'd2, WRITE = 2'd3;

  // State and the fields of the store
  logic [1:0] state_d, state_q;
  logic [nsu_pkg::PKT_slot_W-1:0] slot_q;
  logic [nsu_pkg::PKT_sm_W-1:0] sm_q;
  logic [nsu_pkg::PKT_warp_W-1:0] warp_q;
  logic [nsu_pkg::PKT_seq_W-1:0] seq_q;
  logic [3:0] reg_q;
  logic       wgen_ready, wgen_done;

  // Next state, as in the picture above
  always_comb begin
    state_d = state_q;
    case (state_q)
      IDLE:    if (go_i) state_d = READ;
      READ:    if (rf_rd_gnt_i) state_d = START;
      START:   state_d = WRITE;
      default: if (wgen_done) state_d = go_i ? READ : IDLE;          // WRITE
    endcase
  end

  // The buffer's outputs go in as they are: START is in the cycle of the row, after the take.
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
