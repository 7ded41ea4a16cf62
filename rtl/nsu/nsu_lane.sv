// SPDX-License-Identifier: Apache-2.0
//
// nsu_lane -- one lane: one instruction of one thread a cycle.
//
// Inputs of cycle u give valid_o, y_o and yh_o in cycle u + 4, whatever the op; no stall.
//
//   valid_i --+--> fp_fma binary32 (FADD FSUB FMUL FFMA), four stages --------------+--> y_o
//             +--> fp_fma binary64 (DADD DSUB DMUL DFMA), four stages --------------+    yh_o
//             +--> fp32_cmp, fp32_cvt, fp64_cvt, int_alu --> y_q1 --> ... --> y_q4 -+
//
// An op that no unit knows gives 0. yh_o is 0 unless the result is a pair of registers.
// Registers of a stage without a valid operation are don't care.

`default_nettype none

module nsu_lane (
  input  wire logic        clk_i,   // clock, rising edge
  input  wire logic        rst_ni,  // asynchronous reset, active low
  // From nsu_lanes
  input  wire logic        valid_i, // an instruction starts
  input  wire logic [7:0]  op_i,    // opcode, nsu_isa.def; with valid_i
  input  wire logic [31:0] a_i,     // operand; of a pair its low word
  input  wire logic [31:0] b_i,     // operand; of a pair its low word
  input  wire logic [31:0] c_i,     // operand; of a pair its low word
  input  wire logic [31:0] ah_i,    // high word of a; read if a is a pair
  input  wire logic [31:0] bh_i,    // high word of b; read if b is a pair
  input  wire logic [31:0] ch_i,    // high word of c; read if c is a pair
  // To nsu_lanes, four cycles later
  output      logic        valid_o, // valid_i of four cycles before
  output      logic [31:0] y_o,     // result, with valid_o; of a pair its low word
  output      logic [31:0] yh_o     // high word of a pair, else 0
);

  // Both groups start at a multiple of 4: FADD FSUB FMUL FFMA, DADD DSUB DMUL DFMA. So an op's low
  // bits are fp_fma's mode. The highest bit of the first group says .ftz.
  localparam logic [7:0] FADD = nsu_pkg::OP_FADD;
  localparam logic [7:0] DADD = nsu_pkg::OP_DADD;

  logic        is_fma, fma_valid, is_fma64, fma64_valid;
  logic [7:0]  op;
  logic [31:0] fma_y, cmp_y, cvt_y, int_y;
  logic [63:0] fma64_y, cvt64_y;
  logic        valid_q1, valid_q2, valid_q3, valid_q4;
  logic [63:0] y_q1, y_q2, y_q3, y_q4;

  // For an op of the pipelines the other four units get op 0, an illegal opcode, and give 0.
  assign is_fma   = valid_i && op_i[6:2] == FADD[6:2];
  assign is_fma64 = valid_i && op_i[7:2] == DADD[7:2];
  assign op       = valid_i && !is_fma && !is_fma64 ? op_i : 8'd0;

  fp_fma #(.ExpBits(8), .FracBits(23)) u_fma (
    .clk_i, .rst_ni,
    .valid_i(is_fma), .mode_i(op_i[1:0]), .ftz_i(op_i[7]), .a_i, .b_i, .c_i,
    .valid_o(fma_valid), .y_o(fma_y)
  );

  fp_fma #(.ExpBits(11), .FracBits(52)) u_fma64 (
    .clk_i, .rst_ni,
    .valid_i(is_fma64), .mode_i(op_i[1:0]), .ftz_i(1'b0), .a_i({ah_i, a_i}), .b_i({bh_i, b_i}), .c_i({ch_i, c_i}),
    .valid_o(fma64_valid), .y_o(fma64_y)
  );

  fp32_cmp u_cmp (.clk_i, .rst_ni, .op_i(op), .a_i, .b_i, .y_o(cmp_y));
  fp32_cvt u_cvt (.clk_i, .rst_ni, .op_i(op), .b_i, .y_o(cvt_y));
  fp64_cvt u_cvt64 (.clk_i, .rst_ni, .op_i(op), .b_i({bh_i, b_i}), .y_o(cvt64_y));
  int_alu  u_int (.clk_i, .rst_ni, .op_i(op), .a_i, .b_i, .c_i, .y_o(int_y));

  // The other units' results wait here for the four cycles that the pipelines take.
  // Units give 0 for ops of other units, so the results can be combined by OR.
  always_ff @(posedge clk_i) begin
    y_q1 <= {32'd0, cmp_y | cvt_y | int_y} | cvt64_y;
    y_q2 <= y_q1;
    y_q3 <= y_q2;
    y_q4 <= y_q3;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {valid_q1, valid_q2, valid_q3, valid_q4} <= 4'd0;
    else         {valid_q1, valid_q2, valid_q3, valid_q4} <= {valid_i, valid_q1, valid_q2, valid_q3};
  end

  assign valid_o     = valid_q4;
  assign {yh_o, y_o} = fma_valid ? {32'd0, fma_y} : fma64_valid ? fma64_y : y_q4;

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (!(fma_valid || fma64_valid) || valid_q4);                              // the pipelines run side by side
    assert ((cmp_y == 32'd0) || (cvt_y == 32'd0));                // one unit at most
    assert ((cmp_y | cvt_y) == 32'd0 || int_y == 32'd0);
    assert ((cmp_y | cvt_y | int_y) == 32'd0 || cvt64_y == 64'd0);
  end
`endif
endmodule

`default_nettype wire
