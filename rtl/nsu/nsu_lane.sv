// SPDX-License-Identifier: Apache-2.0
// nsu_lane -- one lane: one instruction of one thread a cycle.
//
// valid_i, op_i and operands of cycle u give valid_o, y_o, yh_o in cycle u + 4, whatever the op; no stall. FADD, FSUB, FMUL
// and FFMA run in the pipeline of one fp_fma, DADD, DSUB, DMUL and DFMA in that of another; every other result is ready in
// cycle u and waits beside them. ah_i, bh_i, ch_i, yh_o: high words of binary64. An op that is none of the six units' gives 0. Registers of a
// stage without a valid operation are don't care.

`default_nettype none

module nsu_lane (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  // From nsu_lanes
  input  wire logic        valid_i,
  input  wire logic [7:0]  op_i,
  input  wire logic [31:0] a_i,
  input  wire logic [31:0] b_i,
  input  wire logic [31:0] c_i,
  input  wire logic [31:0] ah_i,
  input  wire logic [31:0] bh_i,
  input  wire logic [31:0] ch_i,
  // To nsu_lanes, four cycles later
  output      logic        valid_o,
  output      logic [31:0] y_o,
  output      logic [31:0] yh_o
);

  localparam logic [7:0] FADD = nsu_pkg::OP_FADD;   // FSUB, FMUL, FFMA follow: the low bits are the mode; with the highest bit they flush
  localparam logic [7:0] DADD = nsu_pkg::OP_DADD;   // DSUB, DMUL, DFMA the same

  logic        is_fma, fma_valid, is_fma64, fma64_valid;
  logic [7:0]  op;                           // 0, an illegal opcode, where the other units have nothing to do
  logic [31:0] fma_y, cmp_y, cvt_y, int_y;
  logic [63:0] fma64_y, cvt64_y;
  logic        valid_q1, valid_q2, valid_q3, valid_q4;
  logic [63:0] y_q1, y_q2, y_q3, y_q4;

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

  always_ff @(posedge clk_i) begin           // a unit gives 0 for an op that is another's
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
