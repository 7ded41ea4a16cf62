// SPDX-License-Identifier: Apache-2.0
//
// rv_decode -- one instruction of the controller's core: whether there is such a one, what becomes of it, its immediate. Combinational.
//
// By the opcode's columns and then funct3 and funct7, as the manual's tables are laid out, not by the list: the proof holds the two together.
// The clock is for the assertions only.

`default_nettype none

module rv_decode (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic [31:0] instr_i,
  output      logic        legal_o,
  output      logic [3:0]  kind_o,       // ctrl_pkg::KIND_
  output      logic [3:0]  sub_o,
  output      logic [31:0] imm_o,
  output      logic        writes_o
);

  logic [2:0] funct3;
  logic [6:0] funct7;
  logic       base, alt, shifts, sign, rd;

  assign funct3 = instr_i[14:12];
  assign funct7 = instr_i[31:25];
  assign base   = funct7 == 7'h00;
  assign alt    = funct7 == 7'h20 && (funct3 == 3'd0 || funct3 == 3'd5);   // SUB, SRA
  assign shifts = funct3[1:0] == 2'd1;
  assign sign   = instr_i[31];

  always_comb begin
    legal_o  = 1'b0;
    kind_o   = ctrl_pkg::KIND_OP;
    sub_o    = {1'b0, funct3};
    rd       = 1'b1;
    imm_o    = {{20{sign}}, instr_i[31:20]};
    case (instr_i[6:0])
      7'h33: begin                                                         // OP
        legal_o  = base || alt || funct7 == 7'h01;
        kind_o   = funct7[0] ? ctrl_pkg::KIND_MULDIV : ctrl_pkg::KIND_OP;
        sub_o[3] = funct7[5];
        imm_o    = '0;
      end
      7'h13: begin                                                         // OP-IMM
        legal_o  = !shifts || base || (alt && funct3[2]);
        kind_o   = ctrl_pkg::KIND_OP_IMM;
        sub_o[3] = shifts && funct7[5];
        if (shifts) imm_o = {27'd0, instr_i[24:20]};
      end
      7'h37, 7'h17: begin                                                  // LUI, AUIPC
        legal_o = 1'b1;
        kind_o  = instr_i[5] ? ctrl_pkg::KIND_LUI : ctrl_pkg::KIND_AUIPC;
        sub_o   = '0;
        imm_o   = {instr_i[31:12], 12'd0};
      end
      7'h6f: begin
        legal_o = 1'b1;
        kind_o  = ctrl_pkg::KIND_JAL;
        sub_o   = '0;
        imm_o   = {{12{sign}}, instr_i[19:12], instr_i[20], instr_i[30:21], 1'b0};
      end
      7'h67: begin
        legal_o = funct3 == 3'd0;
        kind_o  = ctrl_pkg::KIND_JALR;
      end
      7'h63: begin
        legal_o = funct3[2:1] != 2'd1;
        kind_o  = ctrl_pkg::KIND_BRANCH;
        rd      = 1'b0;
        imm_o   = {{20{sign}}, instr_i[7], instr_i[30:25], instr_i[11:8], 1'b0};
      end
      7'h03: begin
        legal_o = funct3[1:0] != 2'd3 && funct3 != 3'd6;
        kind_o  = ctrl_pkg::KIND_LOAD;
      end
      7'h23: begin
        legal_o = funct3 < 3'd3;
        kind_o  = ctrl_pkg::KIND_STORE;
        rd      = 1'b0;
        imm_o   = {{20{sign}}, instr_i[31:25], instr_i[11:7]};
      end
      7'h0f: begin                                                         // MISC-MEM
        legal_o = funct3 == 3'd0;
        kind_o  = ctrl_pkg::KIND_FENCE;
        rd      = 1'b0;
        imm_o   = '0;
      end
      7'h73: begin                                                         // SYSTEM
        legal_o = funct3[1:0] != 2'd0;
        kind_o  = ctrl_pkg::KIND_CSR;
        imm_o   = funct3[2] ? {27'd0, instr_i[19:15]} : '0;
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
