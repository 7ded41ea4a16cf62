// SPDX-License-Identifier: Apache-2.0
//
// nsu_ldu -- load unit: writes OFLD.BEG's registers, LD and LDC into the register file.
//
// One instruction at a time:
//
//   IDLE --LD---> LOAD --gnt--> done
//   IDLE --BEG--> BEG_READ --> BEG_WRITE --gnt of the last register--> done, free the command
//                    ^             |
//                    +----gnt------+         a BEG without registers is done in BEG_READ
//   IDLE --LDC--> LDC_ASK --> LDC_WRITE --gnt--> done
//                                 |---- no hit --> miss
//
// In the cycle of done or miss the next instruction is accepted; without one the unit goes to IDLE.
// Rows are not stored here. The read data buffer, the command buffer and the constant cache hold
// their outputs until the write port is free. Fields are not reset.

`default_nettype none

module nsu_ldu (
  input  wire logic                           clk_i,         // clock, rising edge
  input  wire logic                           rst_ni,        // asynchronous reset, active low
  // From the issue stage, fields from the warp table
  input  wire logic                           go_i,          // execute go_instr_i; taken with ready_o
  input  wire logic [63:0]                    go_instr_i,    // a legal BEG, LD or LDC; with go_i as all below
  input  wire logic [nsu_pkg::PKT_slot_W-1:0] go_slot_i,     // its warp slot
  input  wire logic [nsu_pkg::PKT_mask_W-1:0] go_mask_i,     // threads of the block
  input  wire logic [nsu_pkg::ADDR_BITS-1:0]  go_cbase_i,    // address of the constants
  input  wire logic [5:0]                     go_idx_i,      // entry in the command buffer
  // To the warp table
  output      logic                           ready_o,       // idle, or done or miss in this cycle
  // From the read data buffer
  input  wire logic [nsu_pkg::LINE_BITS-1:0]  rd_row_i,      // data of the LD taken last, from the cycle after
  input  wire logic [nsu_pkg::PKT_mask_W-1:0] rd_mask_i,     // its threads
  // From and to the command buffer
  output      logic                           cb_rd_o,       // read a line of the command buffer
  output      logic [5:0]                     cb_idx_o,      // its entry, with cb_rd_o
  output      logic [nsu_pkg::PKT_beat_W-1:0] cb_beat_o,     // which of its registers, with cb_rd_o
  input  wire logic [nsu_pkg::LINE_BITS-1:0]  cb_data_i,     // the line, from the cycle after cb_rd_o on
  output      logic                           cb_free_o,     // free the command's entry; with done_o of a BEG
  output      logic [5:0]                     cb_free_idx_o, // that entry
  // From and to the constant cache
  output      logic                           cc_req_o,      // look a constant up
  output      logic [nsu_pkg::ADDR_BITS-1:0]  cc_addr_o,     // its address: constant base + imm
  input  wire logic                           cc_hit_i,      // answer from the cycle after cc_req_o on, held
  input  wire logic [31:0]                    cc_data_i,     // the constant, with cc_hit_i
  // From and to the register file
  output      logic                           rf_wr_valid_o, // write a register; holds until the grant
  output      logic [nsu_pkg::PKT_slot_W-1:0] rf_wr_slot_o,  // warp slot, with rf_wr_valid_o as the next three
  output      logic [3:0]                     rf_wr_reg_o,   // register
  output      logic [nsu_pkg::PKT_mask_W-1:0] rf_wr_mask_o,  // threads to write
  output      logic [nsu_pkg::LINE_BITS-1:0]  rf_wr_row_o,   // the row
  input  wire logic                           rf_wr_gnt_i,   // granted in this cycle
  // To the warp table
  output      logic                           done_o,        // one cycle: the instruction is done
  output      logic [nsu_pkg::PKT_slot_W-1:0] done_slot_o,   // its slot
  output      logic                           miss_o,        // one cycle: the LDC must be tried after cwake
  output      logic [nsu_pkg::PKT_slot_W-1:0] miss_slot_o    // its slot
);

  localparam logic [2:0] IDLE = 3'd0, LOAD = 3'd1, BEG_READ = 3'd2, BEG_WRITE = 3'd3,
                         LDC_ASK = 3'd4, LDC_WRITE = 3'd5;
  localparam int         WORD = nsu_pkg::WORD_BITS;

  // State and the fields of the instruction; beat_q is the register of a BEG under way.
  logic [2:0]                    state_d, state_q;
  logic [nsu_pkg::PKT_beat_W-1:0] beat_d, beat_q;
  logic [nsu_pkg::PKT_slot_W-1:0] slot_q;
  logic [5:0]                    idx_q;
  logic [nsu_pkg::PKT_mask_W-1:0] mask_q;
  logic [nsu_pkg::ADDR_BITS-1:0] addr_q;
  logic [63:0]                   instr_q;

  logic                          accept, last;
  logic [2:0]                    kind;                               // of the instruction that comes in
  logic [7:0]                    opcode;
  logic [2:0]                    num_regs;                           // 7 at most are legal
  logic [27:0]                   list;                               // OFLD.BEG's registers, 4 bits each

  assign kind     = nsu_pkg::isa_kind(go_instr_i[nsu_pkg::ISA_opcode_MSB:nsu_pkg::ISA_opcode_LSB]);
  assign opcode   = instr_q[nsu_pkg::ISA_opcode_MSB:nsu_pkg::ISA_opcode_LSB];
  assign num_regs = instr_q[30:28];
  assign list     = instr_q[27:0];
  assign ready_o  = state_q == IDLE || done_o || miss_o;
  assign accept   = go_i && ready_o;
  assign last     = num_regs == '0 || beat_q == num_regs - 1'b1;

  // Outputs by state. done_o and miss_o come in the cycle of their cause, so that the next
  // instruction loses no cycle.
  always_comb begin
    cb_rd_o       = 1'b0;
    cb_free_o     = 1'b0;
    cc_req_o      = 1'b0;
    rf_wr_valid_o = 1'b0;
    done_o        = 1'b0;
    miss_o        = 1'b0;
    case (state_q)
      LOAD: begin
        rf_wr_valid_o = 1'b1;
        done_o        = rf_wr_gnt_i;
      end
      BEG_READ: begin
        cb_rd_o   = num_regs != '0;
        done_o    = num_regs == '0;
        cb_free_o = num_regs == '0;
      end
      BEG_WRITE: begin
        rf_wr_valid_o = 1'b1;
        done_o        = rf_wr_gnt_i && last;
        cb_free_o     = rf_wr_gnt_i && last;
      end
      LDC_ASK: cc_req_o = 1'b1;
      LDC_WRITE: begin
        rf_wr_valid_o = cc_hit_i;
        done_o        = cc_hit_i && rf_wr_gnt_i;
        miss_o        = !cc_hit_i;
      end
      default: ;                                                     // IDLE
    endcase
  end

  // Next state. accept comes last, as it may come in the cycle of done_o or miss_o.
  always_comb begin
    state_d = state_q;
    beat_d  = beat_q;
    case (state_q)
      BEG_READ: state_d = BEG_WRITE;
      BEG_WRITE: if (rf_wr_gnt_i) begin
        state_d = BEG_READ;
        beat_d  = beat_q + 1'b1;
      end
      LDC_ASK: state_d = LDC_WRITE;
      default: ;
    endcase
    if (done_o || miss_o) state_d = IDLE;
    if (accept) begin
      state_d = kind == nsu_pkg::KIND_BEG ? BEG_READ : kind == nsu_pkg::KIND_LDC ? LDC_ASK : LOAD;
      beat_d  = '0;
    end
  end

  // The row that is written, by the source that holds it. Only LD's narrow forms change it: the low
  // bits stay, the rest is zero or the sign.
  always_comb begin
    rf_wr_row_o = rd_row_i;
    case (state_q)
      BEG_WRITE: rf_wr_row_o = cb_data_i;
      LDC_WRITE: rf_wr_row_o = {nsu_pkg::WARP_WIDTH{cc_data_i}};
      LOAD: begin
        case (opcode)
          nsu_pkg::OP_LD_U8:
            for (int i = 0; i < nsu_pkg::WARP_WIDTH; i++) rf_wr_row_o[i*WORD+8 +: 24] = '0;
          nsu_pkg::OP_LD_S8:
            for (int i = 0; i < nsu_pkg::WARP_WIDTH; i++) rf_wr_row_o[i*WORD+8 +: 24] = {24{rd_row_i[i*WORD+7]}};
          nsu_pkg::OP_LD_U16:
            for (int i = 0; i < nsu_pkg::WARP_WIDTH; i++) rf_wr_row_o[i*WORD+16 +: 16] = '0;
          nsu_pkg::OP_LD_S16:
            for (int i = 0; i < nsu_pkg::WARP_WIDTH; i++) rf_wr_row_o[i*WORD+16 +: 16] = {16{rd_row_i[i*WORD+15]}};
          default: ;
        endcase
      end
      default: ;
    endcase
  end

  // LDC's address is added while the instruction comes in.
  always_ff @(posedge clk_i) begin
    if (accept) begin
      instr_q <= go_instr_i;
      slot_q  <= go_slot_i;
      idx_q   <= go_idx_i;
      mask_q  <= go_mask_i;
      addr_q  <= go_cbase_i + nsu_pkg::ADDR_BITS'(go_instr_i[31:0]);
    end
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

  assign cb_idx_o      = idx_q;
  assign cb_beat_o     = beat_q;
  assign cb_free_idx_o = idx_q;
  assign cc_addr_o     = addr_q;
  assign rf_wr_slot_o  = slot_q;
  assign rf_wr_reg_o   = state_q == BEG_WRITE ? list[4*beat_q +: 4] : instr_q[nsu_pkg::ISA_rd_MSB:nsu_pkg::ISA_rd_LSB];
  assign rf_wr_mask_o  = state_q == LOAD ? rd_mask_i : mask_q;
  assign done_slot_o   = slot_q;
  assign miss_slot_o   = slot_q;

  // Fields that these instructions do not have
  logic unused_instr;
  assign unused_instr = &{1'b0, instr_q};

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    // The issue stage sends no other kind.
    assert (!accept || kind == nsu_pkg::KIND_BEG || kind == nsu_pkg::KIND_LD || kind == nsu_pkg::KIND_LDC);
    assert (!(done_o && miss_o));
    assert (!(state_q == IDLE && (done_o || miss_o || rf_wr_valid_o || cb_rd_o || cc_req_o)));
    assert (!cb_free_o || done_o);
    assert (state_q <= LDC_WRITE);
  end
`endif
endmodule

`default_nettype wire
