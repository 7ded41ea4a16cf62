// SPDX-License-Identifier: Apache-2.0
//
// tom_cond -- is the condition of a candidate met (TOM paper, sections 3.1.3 and 4.2)? Combinational.
//
// One subtracter makes the distance, 34 bits of it, one shifter the steps' threshold; one comparison is for both kinds, "more" being half a
// number above "at least". The clock is for the assertions only.

`default_nettype none

module tom_cond #(
  localparam int ShiftW = tom_pkg::COND_SHIFT_W,
  localparam int ImmW   = tom_pkg::COND_IMM_W,
  localparam int W      = 33 + (1 << ShiftW) - 1         // of the largest threshold, with its sign
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  // The condition
  input  wire logic [1:0]        kind_i,
  input  wire logic              up_i,
  input  wire logic              is_signed_i,
  input  wire logic [ShiftW-1:0] shift_i,
  input  wire logic              beyond_i,
  input  wire logic [ImmW-1:0]   imm_i,
  // Registers of the first active thread
  input  wire logic [31:0]       start_i,
  input  wire logic [31:0]       bound_i,
  input  wire logic [31:0]       step_i,
  output      logic              hold_o
);

  logic [31:0]  high, low;                               // distance = high - low
  logic [33:0]  distance;
  logic [W-1:0] steps, least;
  logic         more, enough;

  assign high     = up_i ? bound_i : start_i;
  assign low      = up_i ? start_i : bound_i;
  assign distance = {{2{is_signed_i && high[31]}}, high} - {{2{is_signed_i && low[31]}}, low};

  assign steps    = {{(W-32){is_signed_i && step_i[31]}}, step_i} << shift_i;
  assign least    = kind_i == tom_pkg::KIND_STEPS ? steps : {{(W-ImmW){imm_i[ImmW-1]}}, imm_i};
  assign more     = kind_i == tom_pkg::KIND_STEPS && beyond_i;
  assign enough   = $signed({{(W-34){distance[33]}}, distance, 1'b0}) >= $signed({least, more});

  assign hold_o   = kind_i != tom_pkg::KIND_NEVER && (kind_i == tom_pkg::KIND_ALWAYS || enough);

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (start_i != bound_i || distance == '0);
    assert (step_i == '0 || steps != '0);                // no threshold is shifted out
  end
`endif
endmodule

`default_nettype wire
