// SPDX-License-Identifier: Apache-2.0
//
// nsu_decode_proof -- an instruction is legal exactly as rule 2 says. Its kind is that of its
// opcode, and it reads what the list and its immediate bit say. Of an illegal instruction nothing
// else is told.
//
// The wrapper builds the instruction from fields, at the places that the head of nsu_isa.def names.
// It writes out the opcodes that are not arithmetic, so the generated tables that the block reads
// are compared with them. For all instructions; nothing is assumed.

`default_nettype none

module nsu_decode_proof (
  input  wire logic        clk_i,
  input  wire logic [7:0]  opcode_i,
  input  wire logic [15:0] regs_i,            // rd, ra, rb, rc
  input  wire logic        guard_i,
  input  wire logic        ginv_i,
  input  wire logic [3:0]  rg_i,
  input  wire logic        immb_i,
  input  wire logic        zero_i,
  input  wire logic [31:0] imm_i
);

  logic       rst_n = 1'b0;                   // low in the first cycle only
  logic       legal, src_a, src_b, src_c, alu, one, three, arith, good;
  logic [3:0] pairs;  // operands that are pairs: d, a, b, c
  logic [2:0] kind;
  logic       ftz, widens, narrows;
  logic [7:0] op;  // the opcode without .ftz

  nsu_decode u_dut (
    .clk_i, .rst_ni (rst_n), .instr_i ({opcode_i, regs_i, guard_i, ginv_i, rg_i, immb_i, zero_i, imm_i}),
    .legal_o (legal), .kind_o (kind), .src_a_o (src_a), .src_b_o (src_b), .src_c_o (src_c)
  );

  always @(posedge clk_i) rst_n <= 1'b1;

  // Arithmetic opcodes by their ranges, binary32 with and without .ftz; those with one operand and
  // with three.
  assign ftz   = opcode_i[7:6] == 2'b11;
  assign op    = ftz ? {2'b01, opcode_i[5:0]} : opcode_i;
  assign alu   = (opcode_i >= 8'h10 && opcode_i <= 8'h24) || (opcode_i >= 8'h28 && opcode_i <= 8'h31) ||
                 (op >= 8'h40 && op <= 8'h47) ||
                 (op >= 8'h50 && op <= 8'h5d) || (op >= 8'h60 && op <= 8'h6e) ||
                 (opcode_i >= 8'h70 && opcode_i <= 8'h7d) ||
                 arith || widens || narrows;
  assign widens  = opcode_i == 8'h88 || opcode_i == 8'hc8;
  assign narrows = opcode_i == 8'h89 || opcode_i == 8'hc9;
  assign arith = opcode_i >= 8'h80 && opcode_i <= 8'h83;               // of binary64
  assign one   = opcode_i == nsu_pkg::OP_MOV || opcode_i == nsu_pkg::OP_NOT || opcode_i == nsu_pkg::OP_ABS_S ||
                 opcode_i == nsu_pkg::OP_NEG_S ||
                 op == nsu_pkg::OP_FABS || op == nsu_pkg::OP_FNEG || (alu && op >= 8'h60 && !arith) || widens ||
                 narrows;
  assign three = opcode_i == nsu_pkg::OP_SELP || opcode_i == nsu_pkg::OP_MAD_LO || op == nsu_pkg::OP_FFMA ||
                 opcode_i == 8'h83;
  assign pairs = arith ? {3'b111, opcode_i == 8'h83} : {widens, 1'b0, narrows, 1'b0};

  always_comb begin
    case (opcode_i)
      8'h01, 8'h02: good = imm_i[31:28] <= 4'd7;                     // OFLD.BEG, OFLD.END: registers
      8'h03, 8'h04, 8'h05, 8'h06, 8'h07, 8'h08: good = 1'b1;         // LD, ST
      8'h09:        good = imm_i[1:0] == 2'd0;                       // LDC: a word
      default:      good = alu;
    endcase
    if (zero_i || (immb_i && !alu)) good = 1'b0;
    if ((pairs[3] && regs_i[12]) || (pairs[2] && regs_i[8]) || (pairs[1] && (regs_i[4] || immb_i)) ||
        (pairs[0] && regs_i[0])) good = 1'b0;
    if (guard_i ? !alu : (ginv_i || rg_i != 4'd0)) good = 1'b0;
  end

  always_comb if (rst_n) begin
    // Rule 2.
    is_legal:   assert (legal == good);
    // Rule 3.
    its_kind:   assert (!legal || kind == (alu ? 3'd5 : opcode_i == 8'h09 ? 3'd4 : opcode_i == 8'h08 ? 3'd3
                                           : opcode_i >= 8'h03 ? 3'd2 :
                                           opcode_i == 8'h02 ? 3'd1 : 3'd0));
    // Rule 4.
    its_reads:  assert (!legal || ({src_c, src_b, src_a} == {three, alu && !immb_i, (alu && !one) ||
                                                             opcode_i == 8'h08}));
    // Rule 5.
    else_zero:  assert (legal || {kind, src_a, src_b, src_c} == '0);
    three_regs: cover (legal && guard_i && ginv_i && src_a && src_c && !src_b);
  end
endmodule

`default_nettype wire
