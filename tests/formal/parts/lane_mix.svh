// SPDX-License-Identifier: Apache-2.0
//
// nsu_lane for proofs of what is around the lanes: four cycles, as its contract says, and a result that mixes opcode and operands. Words
// are a bit repeated.

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
  logic [3:0] valid_q, y_q;
  always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) valid_q <= '0; else valid_q <= {valid_q[2:0], valid_i};
  always_ff @(posedge clk_i) y_q <= {y_q[2:0], (op_i[4] & a_i[0]) ^ (op_i[0] & b_i[0]) ^ (op_i[1] & c_i[0]) ^ op_i[2]};
  assign valid_o = valid_q[3];
  assign y_o     = {32{y_q[3]}};
  assign yh_o    = y_o ^ ah_i ^ bh_i ^ ch_i;   // nobody reads it
endmodule
