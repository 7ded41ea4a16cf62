// SPDX-License-Identifier: Apache-2.0
//
// Registers in a row, of any type.
module typed_reg
  import typed_reg_pkg::*;
#(
  parameter type          data_t = word_t,
  parameter int unsigned  Stages = 3,
  parameter mode_e        Idle   = HOLD,
  parameter               Name   = "typed_reg",
  parameter signed [3:0]  Step   = -2
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  mode_e              mode_i,
  input  data_t              data_i,
  output data_t [Stages-1:0] all_o,
  output data_t              last_o,
  output logic [Stages-1:0][1:0] sum_o
);
  data_t [Stages-1:0] kept;
  logic signed [3:0] steps;
  mode_e mode;

  assign mode   = mode_i == HOLD ? Idle : mode_i;
  assign all_o  = kept;
  assign last_o = kept[Stages-1];
  for (genvar i = 0; i < Stages; i++) begin : g_sum
    assign sum_o[i] = steps[1:0] ^ 2'(i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      kept  <= '0;
      steps <= '0;
    end else if (mode == LOAD) begin
      kept[0] <= data_i;
    end else if (mode == SHIFT) begin
      kept  <= {kept[Stages-2:0], data_i};
      steps <= steps + Step;
    end
  end

  initial if ($bits(data_t) < 2) $error("%s: data_t has %0d bits", Name, $bits(data_t));
endmodule
