// SPDX-License-Identifier: Apache-2.0
//
// nsu_lane_proof -- every operation comes out after four cycles, in order, with the result of the
// unit that its opcode belongs to.
//
// The wrapper replaces the six units by ones that mix their operands and differ. They keep to their
// contracts: 0 for another unit's opcode, four cycles in fp_fma. So the proof is of the lane's own
// part; the units have proofs of their own. Nothing is assumed.

`default_nettype none

// Stand-ins. Each mixes its operands by rotations of its own, so that a wrong unit,
// operand or order gives another result.
module fp_fma #(
  parameter  int ExpBits  = 0,
  parameter  int FracBits = 0,
  localparam int Width    = 1 + ExpBits + FracBits
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             valid_i,
  input  wire logic [1:0]       mode_i,
  input  wire logic             ftz_i,
  input  wire logic [Width-1:0] a_i,
  input  wire logic [Width-1:0] b_i,
  input  wire logic [Width-1:0] c_i,
  output      logic             valid_o,
  output      logic [Width-1:0] y_o
);
  localparam int A = Width == 32 ? 1 : 6;     // the two formats mix differently
  localparam int B = A + 1;
  logic [3:0]         valid_q;
  logic [4*Width-1:0] y_q;
  always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) valid_q <= '0; else valid_q <= {valid_q[2:0], valid_i};
  always_ff @(posedge clk_i)
    y_q <= {y_q[3*Width-1:0], a_i ^ {b_i[A-1:0], b_i[Width-1:A]} ^ {c_i[B-1:0], c_i[Width-1:B]} ^ {{(Width-3){1'b0}},
        ftz_i, mode_i}};
  assign valid_o = valid_q[3];
  assign y_o     = y_q[4*Width-1:3*Width];
endmodule

// The ranges of opcodes below are those of nsu_isa.def; bits 7 and 6 both set is .ftz.
module fp64_cvt (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic [7:0]  op_i,
  input  wire logic [63:0] b_i,
  output      logic [63:0] y_o
);
  assign y_o = op_i == 8'h88 || op_i == 8'h89 || op_i == 8'hc8 || op_i == 8'hc9 ? {b_i[7:0], b_i[63:8]} ^ {56'd0, op_i}
               : 64'd0;
endmodule

module fp32_cmp (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic [7:0]  op_i,
  input  wire logic [31:0] a_i,
  input  wire logic [31:0] b_i,
  output      logic [31:0] y_o
);
  assign y_o = (op_i[6:0] >= 7'h44 && op_i[6:0] <= 7'h47) || (op_i[6:0] >= 7'h50 && op_i[6:0] <= 7'h5d)
               ? a_i ^ {b_i[2:0], b_i[31:3]} ^ {24'd0, op_i} : 32'd0;
endmodule

module fp32_cvt (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic [7:0]  op_i,
  input  wire logic [31:0] b_i,
  output      logic [31:0] y_o
);
  assign y_o = op_i[6:0] >= 7'h60 && op_i[6:0] <= 7'h6e ? {b_i[6:0], b_i[31:7]} ^ {24'd0, op_i} : 32'd0;
endmodule

module int_alu (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic [7:0]  op_i,
  input  wire logic [31:0] a_i,
  input  wire logic [31:0] b_i,
  input  wire logic [31:0] c_i,
  output      logic [31:0] y_o
);
  assign y_o = (op_i >= 8'h10 && op_i <= 8'h31) || (op_i >= 8'h70 && op_i <= 8'h7d) ?
               ~a_i ^ {b_i[3:0], b_i[31:4]} ^ {c_i[4:0], c_i[31:5]} ^ {24'd0, op_i} : 32'd0;
endmodule

module nsu_lane_proof (
  input  wire logic        clk_i,
  input  wire logic        valid_i,
  input  wire logic [7:0]  op_i,
  input  wire logic [31:0] a_i,
  input  wire logic [31:0] b_i,
  input  wire logic [31:0] c_i,
  input  wire logic [31:0] ah_i,
  input  wire logic [31:0] bh_i,
  input  wire logic [31:0] ch_i
);

  logic        rst_n = 1'b0;                  // low in the first cycle only
  logic        valid, fma;
  logic [7:0]  op;  // the opcode without .ftz
  logic [63:0] y, want;
  logic [3:0]  due;  // operations of the last four cycles
  logic [63:0] y1, y2, y3, y4;                // their results

  nsu_lane u_dut (.clk_i, .rst_ni (rst_n), .valid_i, .op_i, .a_i, .b_i, .c_i, .ah_i, .bh_i, .ch_i, .valid_o (valid),
                  .y_o (y[31:0]), .yh_o (y[63:32]));

  assign op  = op_i[7:6] == 2'b11 ? {2'b01, op_i[5:0]} : op_i;
  assign fma = op >= nsu_pkg::OP_FADD && op <= nsu_pkg::OP_FFMA;
  // The result of the unit that rule 1 gives to the opcode; binary64
  // takes both words of an operand.
  always_comb begin
    want = '0;
    if (fma) want[31:0] = a_i ^ {b_i[0], b_i[31:1]} ^ {c_i[1:0], c_i[31:2]} ^ {29'd0, op_i[7], op_i[1:0]};
    if (op_i >= 8'h80 && op_i <= 8'h83)
      want = {ah_i, a_i} ^ {b_i[5:0], bh_i, b_i[31:6]} ^ {c_i[6:0], ch_i, c_i[31:7]} ^ {62'd0, op_i[1:0]};
    if (op_i == 8'h88 || op_i == 8'h89 || op_i == 8'hc8 || op_i == 8'hc9)
      want = {b_i[7:0], bh_i, b_i[31:8]} ^ {56'd0, op_i};
    if ((op >= nsu_pkg::OP_FMIN && op <= nsu_pkg::OP_FNEG) || (op >= nsu_pkg::OP_FSET_EQ && op <= nsu_pkg::OP_FSET_NAN))
      want[31:0] = a_i ^ {b_i[2:0], b_i[31:3]} ^ {24'd0, op_i};
    if (op >= nsu_pkg::OP_CVT_S32_F32_RN && op <= nsu_pkg::OP_CVT_SAT_F32)
      want[31:0] = {b_i[6:0], b_i[31:7]} ^ {24'd0, op_i};
    if ((op_i >= nsu_pkg::OP_MOV && op_i <= nsu_pkg::OP_SET_GE_U) ||
        (op_i >= nsu_pkg::OP_CVT_S8 && op_i <= nsu_pkg::OP_CVT_SAT_S32_U))
      want[31:0] = ~a_i ^ {b_i[3:0], b_i[31:4]} ^ {c_i[4:0], c_i[31:5]} ^ {24'd0, op_i};
  end

  // A line of four results beside the lane's pipeline.
  always @(posedge clk_i) begin
    rst_n            <= 1'b1;
    due              <= rst_n ? {due[2:0], valid_i} : '0;
    {y1, y2, y3, y4} <= {want, y1, y2, y3};
  end

  always_comb if (rst_n) begin
    // Rules 2 and 3.
    on_time:   assert (valid == due[3]);
    // Rule 1: the unit of the opcode, with its operands.
    its_units: assert (!due[3] || y == y4);
    // Four operations are under way: binary64 comes out, a binary32 sum has just come in.
    mixed:     cover (due == 4'b1111 && fma && y1 == 64'd0 && y4[63:32] != 32'd0);
  end
endmodule

`default_nettype wire
