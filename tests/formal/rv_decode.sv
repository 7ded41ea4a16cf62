// SPDX-License-Identifier: Apache-2.0
//
// rv_decode_proof -- an instruction is legal exactly if the list has it. Its kind, immediate and
// register are those of the list's line.
//
// The list comes from the package that is generated from it. The wrapper puts immediates together
// one bit at a time, by the places that the manual numbers. For all instructions; nothing is
// assumed.

`default_nettype none

module rv_decode_proof (
  input wire logic        clk_i,
  input wire logic [31:0] instr_i
);

  logic        rst_n = 1'b0;                  // low in the first cycle only
  logic        legal, writes, listed;
  logic [3:0]  kind, sub, form, its_kind, its_sub;
  logic [31:0] imm, its_imm;

  rv_decode u_dut (
    .clk_i, .rst_ni (rst_n), .instr_i, .legal_o (legal), .kind_o (kind), .sub_o (sub), .imm_o (imm), .writes_o (writes)
  );

  always @(posedge clk_i) rst_n <= 1'b1;

  assign {listed, form, its_kind, its_sub} = ctrl_pkg::rv_listed(instr_i);

  // Rule 4: bit i of the immediate, from its place in the form.
  always_comb begin
    its_imm = '0;
    for (int i = 0; i < 32; i++) begin
      if (form == ctrl_pkg::FORM_I) its_imm[i] = i > 11 ? instr_i[31] : instr_i[20 + i];
      if (form == ctrl_pkg::FORM_H) its_imm[i] = i < 5 && instr_i[20 + i];
      if (form == ctrl_pkg::FORM_S) its_imm[i] = i > 11 ? instr_i[31] : i > 4 ? instr_i[20 + i] : instr_i[7 + i];
      if (form == ctrl_pkg::FORM_B) its_imm[i] = i > 11 ? instr_i[31] : i == 11 ? instr_i[7] : i > 4 ? instr_i[20 + i]
        : i > 0 && instr_i[7 + i];
      if (form == ctrl_pkg::FORM_U) its_imm[i] = i > 11 && instr_i[i];
      if (form == ctrl_pkg::FORM_J) its_imm[i] = i > 19 ? instr_i[31] : i > 11 ? instr_i[i] : i == 11 ? instr_i[20]
        : i > 0 && instr_i[20 + i];
      if (form == ctrl_pkg::FORM_Z) its_imm[i] = i < 5 && instr_i[15 + i];
    end
  end

  logic has_rd;
  assign has_rd = form != ctrl_pkg::FORM_S && form != ctrl_pkg::FORM_B && form != ctrl_pkg::FORM_N;

  always_comb if (rst_n) begin
    // Rule 2.
    is_legal:  assert (legal == listed);
    // Rule 3.
    is_kind:   assert (!legal || kind == its_kind);
    is_sub:    assert (!legal || sub == its_sub);
    // Rule 4.
    is_imm:    assert (!legal || imm == its_imm);
    // Rule 5.
    is_rd:     assert (!legal || writes == (has_rd && instr_i[11:7] != 5'd0));
    far_back:  cover (legal && kind == ctrl_pkg::KIND_BRANCH && imm == 32'hfffff000);
  end
endmodule

`default_nettype wire
