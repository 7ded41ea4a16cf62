// SPDX-License-Identifier: Apache-2.0
//
// A replacement of nsu_lane for proofs of the logic around the lanes. It takes four cycles, as the
// contract says. Its result mixes the opcode with just the operands that the operation has, so a
// wrong operand shows. Words are one bit repeated.
//
// Opcodes that count: MUL_HI_S, MAD_LO, DADD, DFMA, the conversions from and to binary64, and
// others.

package lane_mix_pkg;
  // High word and low word of the result; a, b, c lowest first
  function automatic logic [1:0] lane_mix(input logic [7:0] op, input logic [2:0] words, input logic [2:0] highs);
    logic converts;
    converts    = op[7] & op[3];
    lane_mix[0] = ((op[4] | (op[7] & ~op[3])) & words[0]) ^ ((op[0] | op[7]) & words[1]) ^ (op[1] & words[2]) ^ op[2] ^
                  (converts & op[0] & highs[1]);
    lane_mix[1] = lane_mix[0] ^ (~op[3] & (highs[0] ^ highs[1] ^ (op[1] & highs[2])));
  endfunction
endpackage

module nsu_lane (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        valid_i,
  input  wire logic [7:0]  op_i,
  input  wire logic [31:0] a_i,
  input  wire logic [31:0] b_i,
  input  wire logic [31:0] c_i,
  input  wire logic [31:0] ah_i,
  input  wire logic [31:0] bh_i,
  input  wire logic [31:0] ch_i,
  output      logic        valid_o,
  output      logic [31:0] y_o,
  output      logic [31:0] yh_o
);
  logic [3:0] valid_q, y_q, yh_q;
  logic [1:0] y;
  assign y = lane_mix_pkg::lane_mix(op_i, {c_i[0], b_i[0], a_i[0]}, {ch_i[0], bh_i[0], ah_i[0]});
  always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) valid_q <= '0; else valid_q <= {valid_q[2:0], valid_i};
  always_ff @(posedge clk_i) {y_q, yh_q} <= {y_q[2:0], y[0], yh_q[2:0], y[1]};
  assign valid_o = valid_q[3];
  assign y_o     = {32{y_q[3]}};
  assign yh_o    = {32{yh_q[3]}};
endmodule
