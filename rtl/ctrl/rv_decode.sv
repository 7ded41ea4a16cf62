// SPDX-License-Identifier: Apache-2.0
//
// rv_decode -- decodes one instruction of the controller's core: legal or not, kind, immediate.
//
// Combinational: outputs belong to instr_i of the same cycle. The clock serves assertions only.
// The cases follow the opcode, then funct3 and funct7, as the RISC-V manual's tables do.
// They do not use the list rv_isa.def: a proof shows that both say the same.
// Register numbers are no outputs: every form has rd in 11:7, rs1 in 19:15 and rs2 in 24:20.
//
//        31     25 24 20 19 15 14  12 11      7 6    0    imm_o
//   R    funct7    rs2   rs1   funct3 rd        opcode    0
//   I    [11:0]          rs1   funct3 rd        opcode    signed; shifts and CSR: see below
//   S    [11:5]    rs2   rs1   funct3 [4:0]     opcode    signed
//   B    [12,10:5] rs2   rs1   funct3 [4:1,11]  opcode    signed, even
//   U    [31:12]                      rd        opcode    low 12 bits 0
//   J    [20,10:1,11,19:12]           rd        opcode    signed, even

`default_nettype none

module rv_decode (
  input  wire logic        clk_i,   // clock, for assertions only
  input  wire logic        rst_ni,  // reset, for assertions only
  input  wire logic [31:0] instr_i, // the instruction
  output      logic        legal_o, // rv_isa.def lists it; the other outputs are valid
  output      logic [3:0]  kind_o,  // ctrl_pkg::KIND_*
  output      logic [3:0]  sub_o,   // which one of its kind; rv_isa.def
  output      logic [31:0] imm_o,   // immediate, extended to 32 bits; 0 without one
  output      logic        writes_o // the form has rd, and rd is not register 0
);

  logic [2:0] funct3;
  logic [6:0] funct7;
  logic       base, alt, shifts, sign, rd;

  // Facts that several opcodes share
  assign funct3 = instr_i[14:12];
  assign funct7 = instr_i[31:25];
  assign base   = funct7 == 7'h00;
  assign alt    = funct7 == 7'h20 && (funct3 == 3'd0 || funct3 == 3'd5);   // SUB, SRA
  assign shifts = funct3[1:0] == 2'd1;
  assign sign   = instr_i[31];

  // Defaults: the I form, with rd, sub from funct3 alone. Each opcode changes what differs.
  // An opcode that is not listed keeps legal_o at 0.
  always_comb begin
    legal_o  = 1'b0;
    kind_o   = ctrl_pkg::KIND_OP;
    sub_o    = {1'b0, funct3};
    rd       = 1'b1;
    imm_o    = {{20{sign}}, instr_i[31:20]};
    case (instr_i[6:0])
      7'h33: begin                                                         // OP
        // OP shares its opcode with MULDIV: funct7 is 1 there.
        legal_o  = base || alt || funct7 == 7'h01;
        kind_o   = funct7[0] ? ctrl_pkg::KIND_MULDIV : ctrl_pkg::KIND_OP;
        sub_o[3] = funct7[5];
        imm_o    = '0;
      end
      7'h13: begin                                                         // OP-IMM
        legal_o  = !shifts || base || (alt && funct3[2]);
        kind_o   = ctrl_pkg::KIND_OP_IMM;
        sub_o[3] = shifts && funct7[5];
        // The upper bits of a shift's immediate are funct7, not part of the amount.
        if (shifts) imm_o = {27'd0, instr_i[24:20]};
      end
      7'h37, 7'h17: begin                                                  // LUI, AUIPC
        legal_o = 1'b1;
        kind_o  = instr_i[5] ? ctrl_pkg::KIND_LUI : ctrl_pkg::KIND_AUIPC;
        sub_o   = '0;
        imm_o   = {instr_i[31:12], 12'd0};
      end
      7'h6f: begin  // JAL
        legal_o = 1'b1;
        kind_o  = ctrl_pkg::KIND_JAL;
        sub_o   = '0;
        imm_o   = {{12{sign}}, instr_i[19:12], instr_i[20], instr_i[30:21], 1'b0};
      end
      7'h67: begin  // JALR
        legal_o = funct3 == 3'd0;
        kind_o  = ctrl_pkg::KIND_JALR;
      end
      7'h63: begin  // BRANCH
        // Six comparisons: funct3 2 and 3 are free.
        legal_o = funct3[2:1] != 2'd1;
        kind_o  = ctrl_pkg::KIND_BRANCH;
        rd      = 1'b0;
        imm_o   = {{20{sign}}, instr_i[7], instr_i[30:25], instr_i[11:8], 1'b0};
      end
      7'h03: begin  // LOAD
        // LB, LH, LW, LBU, LHU: bits 1:0 are the size, bit 2 says that there is no sign. LD (3) and
        // LWU (6) are RV64's.
        legal_o = funct3[1:0] != 2'd3 && funct3 != 3'd6;
        kind_o  = ctrl_pkg::KIND_LOAD;
      end
      7'h23: begin  // STORE
        // SB, SH, SW: funct3 is the size. SD (3) is RV64's.
        legal_o = funct3 < 3'd3;
        kind_o  = ctrl_pkg::KIND_STORE;
        rd      = 1'b0;
        imm_o   = {{20{sign}}, instr_i[31:25], instr_i[11:7]};
      end
      7'h0f: begin                                                         // MISC-MEM: FENCE
        legal_o = funct3 == 3'd0;
        // FENCE.I (funct3 1) is illegal. FENCE's fields say what it orders, and all is in order.
        kind_o  = ctrl_pkg::KIND_FENCE;
        rd      = 1'b0;
        imm_o   = '0;
      end
      7'h73: begin                                                         // SYSTEM: CSR accesses, or one of four words
        legal_o = funct3[1:0] != 2'd0;
        kind_o  = ctrl_pkg::KIND_CSR;
        // The immediate forms carry five bits in the place of rs1.
        imm_o   = funct3[2] ? {27'd0, instr_i[19:15]} : '0;
        // These have no other fields: rd, rs1 and the rest are fixed.
        if (funct3 == 3'd0) begin
          case (instr_i[31:7])
            25'h0000000: {legal_o, kind_o} = {1'b1, ctrl_pkg::KIND_ECALL};
            25'h0002000: {legal_o, kind_o} = {1'b1, ctrl_pkg::KIND_EBREAK};
            25'h0604000: {legal_o, kind_o} = {1'b1, ctrl_pkg::KIND_MRET};
            25'h020a000: {legal_o, kind_o} = {1'b1, ctrl_pkg::KIND_WFI};
            default: ;
          endcase
        end
      end
      default: ;
    endcase
  end

  assign writes_o = rd && instr_i[11:7] != 5'd0;

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (!legal_o || instr_i[1:0] == 2'b11);
  end
`endif
endmodule

`default_nettype wire
