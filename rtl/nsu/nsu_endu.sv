// SPDX-License-Identifier: Apache-2.0
//
// nsu_endu -- end unit: sends OFLD.END's registers to the GPU in an offload acknowledgement.
//
// One register a beat; a beat also carries the credits if it is beat 0:
//
//   IDLE --go, registers-----> READ --rf_rd_gnt--> TAKE --> SEND --ack_ready, last--> IDLE
//                               ^                            |
//                               +----------ack_ready---------+
//   IDLE --go, no registers--> SEND: one beat with a line of zeros
//
// Beat 0 carries the credit counters of the cycle in which it is accepted. So cr_take_o, done_o and
// that beat's credits depend on the inputs. Fields are not reset.

`default_nettype none

`include "nsu_types.svh"

module nsu_endu (
  input  wire logic                             clk_i,         // clock, rising edge
  input  wire logic                             rst_ni,        // asynchronous reset, active low
  input  wire logic [nsu_pkg::STACK_BITS-1:0]   stack_id_i,    // this stack; constant after reset
  // From the issue stage, fields from the warp table
  input  wire logic                             go_i,          // execute an OFLD.END; taken with ready_o
  input  wire logic [63:0]                      go_instr_i,    // the instruction; with go_i as all below
  input  wire logic [nsu_pkg::PKT_slot_W-1:0]   go_slot_i,     // its warp slot
  input  wire logic [nsu_pkg::PKT_sm_W-1:0]     go_sm_i,       // its id on the GPU: SM
  input  wire logic [nsu_pkg::PKT_warp_W-1:0]   go_warp_i,     // its id on the GPU: warp
  input  wire logic [nsu_pkg::PKT_seq_W-1:0]    go_seq_i,      // sequence number, copied to the header
  input  wire logic [nsu_pkg::PKT_mask_W-1:0]   go_mask_i,     // threads of the block
  // To the warp table
  output      logic                             ready_o,       // state: idle
  // To and from the register file
  output      logic                             rf_rd_valid_o, // read a register; holds until the grant
  output      logic [nsu_pkg::PKT_slot_W-1:0]   rf_rd_slot_o,  // warp slot, with rf_rd_valid_o
  output      logic [3:0]                       rf_rd_reg_o,   // register, with rf_rd_valid_o
  input  wire logic                             rf_rd_gnt_i,   // granted in this cycle
  input  wire logic [nsu_pkg::LINE_BITS-1:0]    rf_rd_data_i,  // the row, one cycle after the grant
  // From and to the credit counters
  input  wire logic [nsu_pkg::PKT_cr_cmd_W-1:0] cr_cmd_i,      // command entries freed since the last cr_take_o
  input  wire logic [nsu_pkg::PKT_cr_rd_W-1:0]  cr_rd_i,       // the same of read data entries
  input  wire logic [nsu_pkg::PKT_cr_wr_W-1:0]  cr_wr_i,       // the same of write address entries
  output      logic                             cr_take_o,     // the credits go with the beat accepted in this cycle
  // To and from the network interface
  output      logic                             ack_valid_o,   // a beat; holds until ack_ready_i
  output      pkt_hdr_t                         ack_hdr_o,     // its header, with ack_valid_o
  output      logic [nsu_pkg::LINE_BITS-1:0]    ack_data_o,    // its line: words of active threads, others 0
  input  wire logic                             ack_ready_i,   // the beat is accepted in this cycle
  // To the warp table
  output      logic                             done_o,        // one cycle: the last beat is accepted
  output      logic [nsu_pkg::PKT_slot_W-1:0]   done_slot_o    // its slot
);

  localparam logic [1:0] IDLE = 2'd0, READ = 2'd1, TAKE = 2'd2, SEND = 2'd3;

  // State, the beat under way, and the fields of the instruction
  logic [1:0]                    state_d, state_q;
  logic [nsu_pkg::PKT_beat_W-1:0] beat_d, beat_q;
  logic [nsu_pkg::PKT_count_W-1:0] count_q;
  logic [nsu_pkg::PKT_slot_W-1:0] slot_q;
  logic [nsu_pkg::PKT_sm_W-1:0]  sm_q;
  logic [nsu_pkg::PKT_warp_W-1:0] warp_q;
  logic [nsu_pkg::PKT_seq_W-1:0] seq_q;
  logic [nsu_pkg::PKT_mask_W-1:0] mask_q;
  logic [27:0]                   list_q;                             // registers, 4 bits each
  logic [nsu_pkg::LINE_BITS-1:0] row_d, row_q;
  logic                          last;

  assign last = count_q == '0 || beat_q == count_q - 1'b1;

  // Next state, as in the picture above
  always_comb begin
    state_d = state_q;
    beat_d  = beat_q;
    case (state_q)
      IDLE: begin
        beat_d = '0;
        if (go_i) state_d = go_instr_i[30:28] == '0 ? SEND : READ;
      end
      READ: if (rf_rd_gnt_i) state_d = TAKE;
      TAKE: state_d = SEND;
      default: begin                                                 // SEND
        if (ack_ready_i) begin
          state_d = last ? IDLE : READ;
          beat_d  = beat_q + 1'b1;
        end
      end
    endcase
  end

  // Words of inactive threads are zero. So is the line of an acknowledgement without registers. The
  // row comes in TAKE, a cycle after its grant, and stays in row_q while SEND waits. Idle cycles
  // clear row_q.
  always_comb begin
    row_d = '0;
    if (state_q == TAKE) begin
      for (int i = 0; i < nsu_pkg::WARP_WIDTH; i++) if (mask_q[i]) row_d[i*32 +: 32] = rf_rd_data_i[i*32 +: 32];
    end
  end

  // Fields follow their inputs while idle: the last ones before READ or SEND are those of go.
  always_ff @(posedge clk_i) begin
    if (ready_o) begin
      slot_q  <= go_slot_i;
      sm_q    <= go_sm_i;
      warp_q  <= go_warp_i;
      seq_q   <= go_seq_i;
      mask_q  <= go_mask_i;
      count_q <= go_instr_i[30:28];
      list_q  <= go_instr_i[27:0];
    end
    if (ready_o || state_q == TAKE) row_q <= row_d;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= IDLE;
      beat_q  <= '0;
    end else begin
      state_q <= state_d;
      beat_q  <= beat_d;
    end
  end

  // The header. Credits ride on beat 0 only, so that each is told once.
  always_comb begin
    ack_hdr_o        = '0;
    ack_hdr_o.ptype  = nsu_pkg::PKT_OFLD_ACK;
    ack_hdr_o.src    = stack_id_i;
    ack_hdr_o.target = stack_id_i;
    ack_hdr_o.dst    = '1;
    ack_hdr_o.sm     = sm_q;
    ack_hdr_o.warp   = warp_q;
    ack_hdr_o.seq    = seq_q;
    ack_hdr_o.slot   = slot_q;
    ack_hdr_o.mask   = mask_q;
    ack_hdr_o.lmask  = mask_q;
    ack_hdr_o.count  = count_q;
    ack_hdr_o.beat   = beat_q;
    if (beat_q == '0) begin
      ack_hdr_o.cr_cmd = cr_cmd_i;
      ack_hdr_o.cr_rd  = cr_rd_i;
      ack_hdr_o.cr_wr  = cr_wr_i;
    end
  end

  assign ready_o       = state_q == IDLE;
  assign rf_rd_valid_o = state_q == READ;
  assign rf_rd_slot_o  = slot_q;
  assign rf_rd_reg_o   = list_q[4*beat_q +: 4];
  assign ack_valid_o   = state_q == SEND;
  assign ack_data_o    = row_q;
  assign cr_take_o     = ack_valid_o && ack_ready_i && beat_q == '0;
  assign done_o        = ack_valid_o && ack_ready_i && last;
  assign done_slot_o   = slot_q;

  // An end names registers and nothing else.
  logic unused_instr;
  assign unused_instr = &{1'b0, go_instr_i};

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (!(ready_o && (ack_valid_o || rf_rd_valid_o || done_o)));
    assert (ready_o || beat_q == '0 || beat_q < count_q);
    assert (!cr_take_o || ack_hdr_o.beat == '0);
  end
`endif
endmodule

`default_nettype wire
