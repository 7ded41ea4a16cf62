// SPDX-License-Identifier: Apache-2.0
//
// nsu_decode -- decodes one NSU instruction: its unit, the operands that it reads, legal or not.
//
// Combinational: outputs belong to instr_i of the same cycle. The clock serves assertions only.
// Kinds, sources and pairs come from the shared list nsu_isa.def. This block checks how the other
// fields are used. All outputs are 0 for an illegal instruction.
//
//   fields     63:56 opcode   55:52 rd   51:48 ra   47:44 rb   43:40 rc
//              39 guarded   38 guard inverted   37:34 guard   33 b is imm   32 zero   31:0 imm

`default_nettype none

module nsu_decode (
  input  wire logic        clk_i,   // clock, for assertions only
  input  wire logic        rst_ni,  // reset, for assertions only
  input  wire logic [63:0] instr_i, // the instruction
  output      logic        legal_o, // nsu_isa.def allows it; the other outputs are valid
  output      logic [2:0]  kind_o,  // nsu_pkg::KIND_BEG .. KIND_ALU
  output      logic        src_a_o, // reads register ra
  output      logic        src_b_o, // reads register rb; 0 if b is immediate
  output      logic        src_c_o  // reads register rc
);

  // Bits of pairs and odd: 0 d, 1 a, 2 b, 3 c. odd: the field cannot name a pair.
  logic [2:0] kind, sources;
  logic [3:0] pairs, odd;
  logic       guard, ginv, immb, zero;
  logic [3:0] rg, num_regs;
  logic       guard_ok, imm_ok, pairs_ok;

  assign kind     = nsu_pkg::isa_kind(instr_i[nsu_pkg::ISA_opcode_MSB:nsu_pkg::ISA_opcode_LSB]);
  assign sources  = nsu_pkg::isa_sources(instr_i[nsu_pkg::ISA_opcode_MSB:nsu_pkg::ISA_opcode_LSB]);
  assign pairs    = nsu_pkg::isa_pairs(instr_i[nsu_pkg::ISA_opcode_MSB:nsu_pkg::ISA_opcode_LSB]);
  assign guard    = instr_i[nsu_pkg::ISA_guard_LSB];
  assign ginv     = instr_i[nsu_pkg::ISA_ginv_LSB];
  assign rg       = instr_i[nsu_pkg::ISA_rg_MSB:nsu_pkg::ISA_rg_LSB];
  assign immb     = instr_i[nsu_pkg::ISA_immb_LSB];
  assign zero     = instr_i[nsu_pkg::ISA_zero_LSB];
  assign num_regs = instr_i[31:28];                         // of OFLD.BEG and OFLD.END

  // Only ALU instructions have a guard; the GPU has applied those of loads and stores.
  // Without a guard its fields are 0.
  assign guard_ok = guard ? kind == nsu_pkg::KIND_ALU : !ginv && rg == '0;
  assign odd      = {instr_i[nsu_pkg::ISA_rc_LSB], instr_i[nsu_pkg::ISA_rb_LSB] | immb,
                     instr_i[nsu_pkg::ISA_ra_LSB], instr_i[nsu_pkg::ISA_rd_LSB]};
  assign pairs_ok = (pairs & odd) == '0;

  // An operand that is a pair names an even register and is no immediate (pairs_ok).
  // imm_ok: register lists hold at most 7 registers, and constants lie at multiples of 4.
  always_comb begin
    imm_ok = 1'b1;
    if (kind == nsu_pkg::KIND_BEG || kind == nsu_pkg::KIND_END) imm_ok = 32'(num_regs) <= nsu_pkg::MAX_CMD_REGS;
    if (kind == nsu_pkg::KIND_LDC)                             imm_ok = instr_i[1:0] == '0;
  end

  assign legal_o = kind != nsu_pkg::KIND_NONE && !zero && guard_ok && imm_ok && pairs_ok && (!immb || sources[1]);
  assign kind_o  = legal_o ? kind : '0;
  assign src_a_o = legal_o && sources[0];
  assign src_b_o = legal_o && sources[1] && !immb;
  assign src_c_o = legal_o && sources[2];

  // Any value is legal in the numbers of single registers and in most immediates.
  logic unused_instr;
  assign unused_instr = &{1'b0, instr_i};

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (legal_o || {kind_o, src_a_o, src_b_o, src_c_o} == '0);
    assert (kind_o <= nsu_pkg::KIND_ALU);
  end
`endif
endmodule

`default_nettype wire
