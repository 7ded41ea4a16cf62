// SPDX-License-Identifier: Apache-2.0
//
// tom_cond -- does the condition of a candidate hold (TOM paper, sections
// 3.1.3 and 4.2)? Combinational.
//
//   kind       hold_o
//   ALWAYS     1
//   DISTANCE   distance >= imm
//   STEPS      distance >= step * 2^shift; with beyond: distance > step * 2^shift
//   NEVER      0
//
// distance is bound - start with up_i, else start - bound. One comparison serves both kinds: the
// distance and the threshold get one more low bit. ">" is ">=" with that bit of the threshold set.
// The clock is for the assertions only.

`default_nettype none

module tom_cond #(
  localparam int ShiftW = tom_pkg::COND_SHIFT_W,  // bits of shift_i
  localparam int ImmW   = tom_pkg::COND_IMM_W,    // bits of imm_i
  localparam int W      = 33 + (1 << ShiftW) - 1  // bits of the largest threshold, with its sign
) (
  input  wire logic              clk_i,        // for assertions only
  input  wire logic              rst_ni,       // for assertions only
  // The condition
  input  wire logic [1:0]        kind_i,       // tom_pkg::KIND_*
  input  wire logic              up_i,         // 1: the counter of the loop moves up
  input  wire logic              is_signed_i,  // 1: registers are signed 32-bit numbers
  input  wire logic [ShiftW-1:0] shift_i,      // STEPS: binary logarithm of the number of steps
  input  wire logic              beyond_i,     // STEPS: 1: distance has to be more, 0: at least
  input  wire logic [ImmW-1:0]   imm_i,        // DISTANCE: threshold, signed
  // Registers of the first active thread
  input  wire logic [31:0]       start_i,      // 0 if the condition names no register
  input  wire logic [31:0]       bound_i,      // 0 if the condition names no register
  input  wire logic [31:0]       step_i,       // STEPS: increment of a trip, else 0
  output      logic              hold_o        // same cycle; 1: the block may be offloaded
);

  logic [31:0]  high, low;                               // distance = high - low
  logic [33:0]  distance;                                // signed in both number formats: never wraps
  logic [W-1:0] steps, least;                            // threshold of STEPS, threshold of the kind
  logic         more, enough;                            // more: above the threshold, not at it

  // Two bits of sign extension: the difference of two signed or two unsigned
  // numbers fits into 34 bits.
  assign high     = up_i ? bound_i : start_i;
  assign low      = up_i ? start_i : bound_i;
  assign distance = {{2{is_signed_i && high[31]}}, high} - {{2{is_signed_i && low[31]}}, low};

  // A shifter, not a multiplier: the compiler rounds the number of steps up to a power of two.
  assign steps    = {{(W-32){is_signed_i && step_i[31]}}, step_i} << shift_i;
  assign least    = kind_i == tom_pkg::KIND_STEPS ? steps : {{(W-ImmW){imm_i[ImmW-1]}}, imm_i};
  assign more     = kind_i == tom_pkg::KIND_STEPS && beyond_i;
  assign enough   = $signed({{(W-34){distance[33]}}, distance, 1'b0}) >= $signed({least, more});

  assign hold_o   = kind_i != tom_pkg::KIND_NEVER && (kind_i == tom_pkg::KIND_ALWAYS || enough);

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (start_i != bound_i || distance == '0);
    assert (step_i == '0 || steps != '0);                // the shift loses no threshold
  end
`endif
endmodule

`default_nettype wire
